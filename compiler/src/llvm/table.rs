//! The LLVM-C functions that Ptyx calls, in one list.
//!
//! [`Table`] holds a pointer for each, looked up once in the libLLVM of the rustc that made the
//! bitcode. A function that is missing there is an error with its name, not an abort.

#![allow(non_snake_case)]

use std::ffi::{c_char, c_int, c_uint, c_ulonglong, c_void};

use super::LlvmError;

macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident)*) => {
        $($(#[$doc])* pub(super) type $name = *mut c_void;)*
    };
}

handles! {
    /// `LLVMContextRef`
    ContextRef
    /// `LLVMModuleRef`
    ModuleRef
    /// `LLVMValueRef`
    ValueRef
    /// `LLVMTypeRef`
    TypeRef
    /// `LLVMBasicBlockRef`
    BlockRef
    /// `LLVMBuilderRef`
    BuilderRef
    /// `LLVMUseRef`
    UseRef
    /// `LLVMAttributeRef`
    AttributeRef
    /// `LLVMMetadataRef`
    MetadataRef
    /// `LLVMMemoryBufferRef`
    MemoryBufferRef
    /// `LLVMTargetRef`
    TargetRef
    /// `LLVMTargetMachineRef`
    TargetMachineRef
    /// `LLVMTargetDataRef`
    TargetDataRef
    /// `LLVMPassBuilderOptionsRef`
    PassOptionsRef
    /// `LLVMErrorRef`
    ErrorRef
    /// `LLVMDiagnosticInfoRef`
    DiagnosticRef
}

/// `LLVMBool`
pub(super) type Bool = c_int;
/// `LLVMDiagnosticHandler`
pub(super) type DiagnosticHandler = unsafe extern "C" fn(DiagnosticRef, *mut c_void);
/// `LLVMFatalErrorHandler`
pub(super) type FatalHandler = unsafe extern "C" fn(*const c_char);

macro_rules! functions {
    ($(fn $name:ident($($arg:ty),* $(,)?) $(-> $ret:ty)?;)*) => {
        /// A function pointer for each LLVM-C function of the list.
        pub(super) struct Table {
            $(pub(super) $name: unsafe extern "C" fn($($arg),*) $(-> $ret)?,)*
        }

        /// Their names.
        pub(super) const NAMES: &[&str] = &[$(stringify!($name)),*];

        impl Table {
            /// Looks every function up in `library`.
            ///
            /// # Safety
            /// `library` must be an LLVM whose C API has these signatures.
            pub(super) unsafe fn load(library: &libloading::Library) -> Result<Table, LlvmError> {
                Ok(Table {
                    $($name: {
                        // SAFETY: the caller vouches for the library, whose C API is stable.
                        let symbol = unsafe { library.get(concat!(stringify!($name), "\0").as_bytes()) };
                        *symbol.map_err(|_| LlvmError::MissingFunction(stringify!($name)))?
                    },)*
                })
            }
        }
    };
}

functions! {
    // Initialisation, messages.
    fn LLVMInstallFatalErrorHandler(FatalHandler);
    fn LLVMParseCommandLineOptions(c_int, *const *const c_char, *const c_char);
    fn LLVMInitializeNVPTXTargetInfo();
    fn LLVMInitializeNVPTXTarget();
    fn LLVMInitializeNVPTXTargetMC();
    fn LLVMInitializeNVPTXAsmPrinter();
    fn LLVMDisposeMessage(*mut c_char);
    fn LLVMGetErrorMessage(ErrorRef) -> *mut c_char;
    fn LLVMDisposeErrorMessage(*mut c_char);

    // Contexts.
    fn LLVMContextCreate() -> ContextRef;
    fn LLVMContextDispose(ContextRef);
    fn LLVMContextSetDiagnosticHandler(ContextRef, DiagnosticHandler, *mut c_void);
    fn LLVMGetDiagInfoDescription(DiagnosticRef) -> *mut c_char;
    fn LLVMGetDiagInfoSeverity(DiagnosticRef) -> c_int;
    fn LLVMGetMDKindIDInContext(ContextRef, *const c_char, c_uint) -> c_uint;
    fn LLVMGetSyncScopeID(ContextRef, *const c_char, usize) -> c_uint;

    // Memory buffers and bitcode.
    fn LLVMCreateMemoryBufferWithMemoryRangeCopy(*const c_char, usize, *const c_char) -> MemoryBufferRef;
    fn LLVMGetBufferStart(MemoryBufferRef) -> *const c_char;
    fn LLVMGetBufferSize(MemoryBufferRef) -> usize;
    fn LLVMDisposeMemoryBuffer(MemoryBufferRef);
    fn LLVMGetBitcodeModuleInContext2(ContextRef, MemoryBufferRef, *mut ModuleRef) -> Bool;
    fn LLVMParseIRInContext(ContextRef, MemoryBufferRef, *mut ModuleRef, *mut *mut c_char) -> Bool;
    fn LLVMParseBitcodeInContext2(ContextRef, MemoryBufferRef, *mut ModuleRef) -> Bool;
    fn LLVMWriteBitcodeToMemoryBuffer(ModuleRef) -> MemoryBufferRef;

    // Modules.
    fn LLVMModuleCreateWithNameInContext(*const c_char, ContextRef) -> ModuleRef;
    fn LLVMCloneModule(ModuleRef) -> ModuleRef;
    fn LLVMDisposeModule(ModuleRef);
    fn LLVMLinkModules2(ModuleRef, ModuleRef) -> Bool;
    fn LLVMSetTarget(ModuleRef, *const c_char);
    fn LLVMSetModuleDataLayout(ModuleRef, TargetDataRef);
    fn LLVMPrintModuleToString(ModuleRef) -> *mut c_char;
    fn LLVMVerifyModule(ModuleRef, c_int, *mut *mut c_char) -> Bool;
    fn LLVMStripModuleDebugInfo(ModuleRef) -> Bool;
    fn LLVMSetModuleInlineAsm2(ModuleRef, *const c_char, usize);
    fn LLVMGetFirstFunction(ModuleRef) -> ValueRef;
    fn LLVMGetNextFunction(ValueRef) -> ValueRef;
    fn LLVMGetFirstGlobal(ModuleRef) -> ValueRef;
    fn LLVMGetNextGlobal(ValueRef) -> ValueRef;
    fn LLVMGetFirstGlobalAlias(ModuleRef) -> ValueRef;
    fn LLVMGetNextGlobalAlias(ValueRef) -> ValueRef;
    fn LLVMAliasGetAliasee(ValueRef) -> ValueRef;
    fn LLVMGetNamedFunction(ModuleRef, *const c_char) -> ValueRef;
    fn LLVMGetNamedGlobal(ModuleRef, *const c_char) -> ValueRef;
    fn LLVMAddFunction(ModuleRef, *const c_char, TypeRef) -> ValueRef;
    fn LLVMAddGlobalInAddressSpace(ModuleRef, TypeRef, *const c_char, c_uint) -> ValueRef;
    fn LLVMLookupIntrinsicID(*const c_char, usize) -> c_uint;
    fn LLVMIntrinsicIsOverloaded(c_uint) -> Bool;
    fn LLVMIntrinsicGetType(ContextRef, c_uint, *mut TypeRef, usize) -> TypeRef;
    fn LLVMGetIntrinsicDeclaration(ModuleRef, c_uint, *mut TypeRef, usize) -> ValueRef;

    // Types.
    fn LLVMIntTypeInContext(ContextRef, c_uint) -> TypeRef;
    fn LLVMHalfTypeInContext(ContextRef) -> TypeRef;
    fn LLVMBFloatTypeInContext(ContextRef) -> TypeRef;
    fn LLVMVoidTypeInContext(ContextRef) -> TypeRef;
    fn LLVMPointerTypeInContext(ContextRef, c_uint) -> TypeRef;
    fn LLVMArrayType2(TypeRef, u64) -> TypeRef;
    fn LLVMFunctionType(TypeRef, *mut TypeRef, c_uint, Bool) -> TypeRef;
    fn LLVMPrintTypeToString(TypeRef) -> *mut c_char;
    fn LLVMGetReturnType(TypeRef) -> TypeRef;
    fn LLVMCountParamTypes(TypeRef) -> c_uint;
    fn LLVMGetParamTypes(TypeRef, *mut TypeRef);
    fn LLVMGetTypeKind(TypeRef) -> c_int;
    fn LLVMGetIntTypeWidth(TypeRef) -> c_uint;
    fn LLVMGetPointerAddressSpace(TypeRef) -> c_uint;
    fn LLVMABISizeOfType(TargetDataRef, TypeRef) -> c_ulonglong;
    fn LLVMABIAlignmentOfType(TargetDataRef, TypeRef) -> c_uint;
    fn LLVMGetModuleDataLayout(ModuleRef) -> TargetDataRef;

    // Values.
    fn LLVMTypeOf(ValueRef) -> TypeRef;
    fn LLVMGetValueKind(ValueRef) -> c_int;
    fn LLVMGetValueName2(ValueRef, *mut usize) -> *const c_char;
    fn LLVMSetValueName2(ValueRef, *const c_char, usize);
    fn LLVMPrintValueToString(ValueRef) -> *mut c_char;
    fn LLVMReplaceAllUsesWith(ValueRef, ValueRef);
    fn LLVMGetFirstUse(ValueRef) -> UseRef;
    fn LLVMGetNextUse(UseRef) -> UseRef;
    fn LLVMGetUser(UseRef) -> ValueRef;
    fn LLVMGetNumOperands(ValueRef) -> c_int;
    fn LLVMGetOperand(ValueRef, c_uint) -> ValueRef;
    fn LLVMSetOperand(ValueRef, c_uint, ValueRef);
    fn LLVMIsConstant(ValueRef) -> Bool;
    fn LLVMGetConstOpcode(ValueRef) -> c_int;
    fn LLVMConstInt(TypeRef, c_ulonglong, Bool) -> ValueRef;
    fn LLVMConstIntGetZExtValue(ValueRef) -> c_ulonglong;
    fn LLVMConstRealGetDouble(ValueRef, *mut Bool) -> f64;
    fn LLVMConstNull(TypeRef) -> ValueRef;
    fn LLVMGetUndef(TypeRef) -> ValueRef;
    fn LLVMStructTypeInContext(ContextRef, *mut TypeRef, c_uint, Bool) -> TypeRef;
    fn LLVMCountStructElementTypes(TypeRef) -> c_uint;
    fn LLVMStructGetTypeAtIndex(TypeRef, c_uint) -> TypeRef;
    fn LLVMConstStructInContext(ContextRef, *mut ValueRef, c_uint, Bool) -> ValueRef;
    fn LLVMConstAddrSpaceCast(ValueRef, TypeRef) -> ValueRef;
    fn LLVMConstStringInContext2(ContextRef, *const c_char, usize, Bool) -> ValueRef;
    fn LLVMGetAsString(ValueRef, *mut usize) -> *const c_char;
    fn LLVMIsConstantString(ValueRef) -> Bool;

    // Globals and functions.
    fn LLVMIsDeclaration(ValueRef) -> Bool;
    fn LLVMGetLinkage(ValueRef) -> c_int;
    fn LLVMSetLinkage(ValueRef, c_int);
    fn LLVMSetVisibility(ValueRef, c_int);
    fn LLVMSetSection(ValueRef, *const c_char);
    fn LLVMGetSection(ValueRef) -> *const c_char;
    fn LLVMGetAlignment(ValueRef) -> c_uint;
    fn LLVMSetAlignment(ValueRef, c_uint);
    fn LLVMSetUnnamedAddress(ValueRef, c_int);
    fn LLVMSetComdat(ValueRef, *mut c_void);
    fn LLVMGlobalGetValueType(ValueRef) -> TypeRef;
    fn LLVMGetInitializer(ValueRef) -> ValueRef;
    fn LLVMSetInitializer(ValueRef, ValueRef);
    fn LLVMSetExternallyInitialized(ValueRef, Bool);
    fn LLVMIsGlobalConstant(ValueRef) -> Bool;
    fn LLVMSetGlobalConstant(ValueRef, Bool);
    fn LLVMIsThreadLocal(ValueRef) -> Bool;
    fn LLVMDeleteGlobal(ValueRef);
    fn LLVMSetFunctionCallConv(ValueRef, c_uint);
    fn LLVMGetFunctionCallConv(ValueRef) -> c_uint;
    fn LLVMHasPersonalityFn(ValueRef) -> Bool;
    fn LLVMSetPersonalityFn(ValueRef, ValueRef);
    fn LLVMGetIntrinsicID(ValueRef) -> c_uint;
    fn LLVMGetSubprogram(ValueRef) -> MetadataRef;
    fn LLVMSetSubprogram(ValueRef, MetadataRef);
    fn LLVMCountParams(ValueRef) -> c_uint;
    fn LLVMGetParam(ValueRef, c_uint) -> ValueRef;
    fn LLVMIsAArgument(ValueRef) -> ValueRef;
    fn LLVMGetParamParent(ValueRef) -> ValueRef;
    fn LLVMGetFirstBasicBlock(ValueRef) -> BlockRef;
    fn LLVMGetNextBasicBlock(BlockRef) -> BlockRef;
    fn LLVMBasicBlockAsValue(BlockRef) -> ValueRef;
    fn LLVMAppendBasicBlockInContext(ContextRef, ValueRef, *const c_char) -> BlockRef;
    fn LLVMInsertBasicBlockInContext(ContextRef, BlockRef, *const c_char) -> BlockRef;
    fn LLVMDeleteBasicBlock(BlockRef);

    // Attributes.
    fn LLVMGetEnumAttributeKindForName(*const c_char, usize) -> c_uint;
    fn LLVMCreateStringAttribute(
        ContextRef,
        *const c_char,
        c_uint,
        *const c_char,
        c_uint,
    ) -> AttributeRef;
    fn LLVMCreateEnumAttribute(ContextRef, c_uint, u64) -> AttributeRef;
    fn LLVMCreateTypeAttribute(ContextRef, c_uint, TypeRef) -> AttributeRef;
    fn LLVMIsEnumAttribute(AttributeRef) -> Bool;
    fn LLVMGetEnumAttributeKind(AttributeRef) -> c_uint;
    fn LLVMGetEnumAttributeValue(AttributeRef) -> u64;
    fn LLVMGetAttributeCountAtIndex(ValueRef, c_uint) -> c_uint;
    fn LLVMGetAttributesAtIndex(ValueRef, c_uint, *mut AttributeRef);
    fn LLVMAddAttributeAtIndex(ValueRef, c_uint, AttributeRef);
    fn LLVMGetEnumAttributeAtIndex(ValueRef, c_uint, c_uint) -> AttributeRef;
    fn LLVMRemoveEnumAttributeAtIndex(ValueRef, c_uint, c_uint);
    fn LLVMGetStringAttributeAtIndex(ValueRef, c_uint, *const c_char, c_uint) -> AttributeRef;
    fn LLVMGetStringAttributeValue(AttributeRef, *mut c_uint) -> *const c_char;
    fn LLVMRemoveStringAttributeAtIndex(ValueRef, c_uint, *const c_char, c_uint);
    fn LLVMAddCallSiteAttribute(ValueRef, c_uint, AttributeRef);
    fn LLVMRemoveCallSiteEnumAttribute(ValueRef, c_uint, c_uint);
    fn LLVMGetCallSiteAttributeCount(ValueRef, c_uint) -> c_uint;
    fn LLVMGetCallSiteAttributes(ValueRef, c_uint, *mut AttributeRef);

    // Instructions.
    fn LLVMGetFirstInstruction(BlockRef) -> ValueRef;
    fn LLVMGetNextInstruction(ValueRef) -> ValueRef;
    fn LLVMGetInstructionOpcode(ValueRef) -> c_int;
    fn LLVMGetBasicBlockTerminator(BlockRef) -> ValueRef;
    fn LLVMGetNumSuccessors(ValueRef) -> c_uint;
    fn LLVMGetSuccessor(ValueRef, c_uint) -> BlockRef;
    fn LLVMSetSuccessor(ValueRef, c_uint, BlockRef);
    fn LLVMIsConditional(ValueRef) -> Bool;
    fn LLVMGetCondition(ValueRef) -> ValueRef;
    fn LLVMSetCondition(ValueRef, ValueRef);
    fn LLVMGetVolatile(ValueRef) -> Bool;
    fn LLVMGetIncomingBlock(ValueRef, c_uint) -> BlockRef;
    fn LLVMGetICmpPredicate(ValueRef) -> c_int;
    fn LLVMGetIsDisjoint(ValueRef) -> Bool;
    fn LLVMGetNNeg(ValueRef) -> Bool;
    fn LLVMGetNUW(ValueRef) -> Bool;
    fn LLVMGetNSW(ValueRef) -> Bool;
    fn LLVMGetExact(ValueRef) -> Bool;
    fn LLVMSetNUW(ValueRef, Bool);
    fn LLVMSetNSW(ValueRef, Bool);
    fn LLVMSetNNeg(ValueRef, Bool);
    fn LLVMSetIsDisjoint(ValueRef, Bool);
    fn LLVMSetExact(ValueRef, Bool);
    fn LLVMSetICmpSameSign(ValueRef, Bool);
    fn LLVMIsInBounds(ValueRef) -> Bool;
    fn LLVMInstructionClone(ValueRef) -> ValueRef;
    fn LLVMGetInstructionParent(ValueRef) -> BlockRef;
    fn LLVMGetBasicBlockParent(BlockRef) -> ValueRef;
    fn LLVMInstructionEraseFromParent(ValueRef);
    fn LLVMInstructionRemoveFromParent(ValueRef);
    fn LLVMIsAInstruction(ValueRef) -> ValueRef;
    fn LLVMGetCalledValue(ValueRef) -> ValueRef;
    fn LLVMGetCalledFunctionType(ValueRef) -> TypeRef;
    fn LLVMGetNumArgOperands(ValueRef) -> c_uint;
    fn LLVMSetInstructionCallConv(ValueRef, c_uint);
    fn LLVMSetTailCall(ValueRef, Bool);
    fn LLVMGetAtomicRMWBinOp(ValueRef) -> c_int;
    fn LLVMGetOrdering(ValueRef) -> c_int;
    fn LLVMGetCmpXchgSuccessOrdering(ValueRef) -> c_int;
    fn LLVMGetCmpXchgFailureOrdering(ValueRef) -> c_int;
    fn LLVMSetOrdering(ValueRef, c_int);
    fn LLVMGetAtomicSyncScopeID(ValueRef) -> c_uint;
    fn LLVMSetAtomicSyncScopeID(ValueRef, c_uint);
    fn LLVMCanValueUseFastMathFlags(ValueRef) -> Bool;
    fn LLVMGetFastMathFlags(ValueRef) -> c_uint;
    fn LLVMSetFastMathFlags(ValueRef, c_uint);
    fn LLVMGetMetadata(ValueRef, c_uint) -> ValueRef;
    fn LLVMSetMetadata(ValueRef, c_uint, ValueRef);
    fn LLVMGetGEPSourceElementType(ValueRef) -> TypeRef;
    fn LLVMGEPGetNoWrapFlags(ValueRef) -> c_uint;

    // Inline assembly.
    fn LLVMGetInlineAsm(TypeRef, *const c_char, usize, *const c_char, usize, Bool, Bool, c_int, Bool) -> ValueRef;
    fn LLVMGetInlineAsmAsmString(ValueRef, *mut usize) -> *const c_char;
    fn LLVMGetInlineAsmDialect(ValueRef) -> c_int;
    fn LLVMGetInlineAsmHasSideEffects(ValueRef) -> Bool;
    fn LLVMGetInlineAsmConstraintString(ValueRef, *mut usize) -> *const c_char;

    // Debug information and metadata.
    fn LLVMInstructionGetDebugLoc(ValueRef) -> MetadataRef;
    fn LLVMInstructionSetDebugLoc(ValueRef, MetadataRef);
    fn LLVMDIBuilderCreateDebugLocation(ContextRef, c_uint, c_uint, MetadataRef, MetadataRef) -> MetadataRef;
    fn LLVMDILocationGetLine(MetadataRef) -> c_uint;
    fn LLVMDILocationGetColumn(MetadataRef) -> c_uint;
    fn LLVMDILocationGetScope(MetadataRef) -> MetadataRef;
    fn LLVMDILocationGetInlinedAt(MetadataRef) -> MetadataRef;
    fn LLVMDIScopeGetFile(MetadataRef) -> MetadataRef;
    fn LLVMDIFileGetDirectory(MetadataRef, *mut c_uint) -> *const c_char;
    fn LLVMDIFileGetFilename(MetadataRef, *mut c_uint) -> *const c_char;
    fn LLVMDISubprogramGetLine(MetadataRef) -> c_uint;
    fn LLVMGetMetadataKind(MetadataRef) -> c_uint;
    fn LLVMMetadataAsValue(ContextRef, MetadataRef) -> ValueRef;
    fn LLVMValueAsMetadata(ValueRef) -> MetadataRef;
    fn LLVMMDStringInContext2(ContextRef, *const c_char, usize) -> MetadataRef;
    fn LLVMTemporaryMDNode(ContextRef, *mut MetadataRef, usize) -> MetadataRef;
    fn LLVMMetadataReplaceAllUsesWith(MetadataRef, MetadataRef);
    fn LLVMMDNodeInContext2(ContextRef, *mut MetadataRef, usize) -> MetadataRef;
    fn LLVMGetMDNodeNumOperands(ValueRef) -> c_uint;
    fn LLVMGetMDNodeOperands(ValueRef, *mut ValueRef);
    fn LLVMGetMDString(ValueRef, *mut c_uint) -> *const c_char;

    // Building.
    fn LLVMCreateBuilderInContext(ContextRef) -> BuilderRef;
    fn LLVMDisposeBuilder(BuilderRef);
    fn LLVMPositionBuilderAtEnd(BuilderRef, BlockRef);
    fn LLVMPositionBuilderBefore(BuilderRef, ValueRef);
    fn LLVMSetCurrentDebugLocation2(BuilderRef, MetadataRef);
    fn LLVMBuildCall2(BuilderRef, TypeRef, ValueRef, *mut ValueRef, c_uint, *const c_char) -> ValueRef;
    fn LLVMBuildAlloca(BuilderRef, TypeRef, *const c_char) -> ValueRef;
    fn LLVMBuildLoad2(BuilderRef, TypeRef, ValueRef, *const c_char) -> ValueRef;
    fn LLVMBuildStore(BuilderRef, ValueRef, ValueRef) -> ValueRef;
    fn LLVMSetVolatile(ValueRef, Bool);
    fn LLVMBuildGEP2(BuilderRef, TypeRef, ValueRef, *mut ValueRef, c_uint, *const c_char) -> ValueRef;
    fn LLVMBuildExtractValue(BuilderRef, ValueRef, c_uint, *const c_char) -> ValueRef;
    fn LLVMBuildInsertValue(BuilderRef, ValueRef, ValueRef, c_uint, *const c_char) -> ValueRef;
    fn LLVMBuildRetVoid(BuilderRef) -> ValueRef;
    fn LLVMBuildRet(BuilderRef, ValueRef) -> ValueRef;
    fn LLVMBuildCondBr(BuilderRef, ValueRef, BlockRef, BlockRef) -> ValueRef;
    fn LLVMInsertIntoBuilder(BuilderRef, ValueRef);
    fn LLVMBuildUnreachable(BuilderRef) -> ValueRef;
    fn LLVMBuildBr(BuilderRef, BlockRef) -> ValueRef;
    fn LLVMBuildPhi(BuilderRef, TypeRef, *const c_char) -> ValueRef;
    fn LLVMAddIncoming(ValueRef, *mut ValueRef, *mut BlockRef, c_uint);
    fn LLVMBuildIntCast2(BuilderRef, ValueRef, TypeRef, Bool, *const c_char) -> ValueRef;
    fn LLVMBuildPtrToInt(BuilderRef, ValueRef, TypeRef, *const c_char) -> ValueRef;
    fn LLVMBuildBinOp(BuilderRef, c_int, ValueRef, ValueRef, *const c_char) -> ValueRef;
    fn LLVMBuildAnd(BuilderRef, ValueRef, ValueRef, *const c_char) -> ValueRef;
    fn LLVMBuildOr(BuilderRef, ValueRef, ValueRef, *const c_char) -> ValueRef;
    fn LLVMBuildShl(BuilderRef, ValueRef, ValueRef, *const c_char) -> ValueRef;
    fn LLVMBuildLShr(BuilderRef, ValueRef, ValueRef, *const c_char) -> ValueRef;
    fn LLVMBuildSelect(BuilderRef, ValueRef, ValueRef, ValueRef, *const c_char) -> ValueRef;
    fn LLVMBuildFreeze(BuilderRef, ValueRef, *const c_char) -> ValueRef;
    fn LLVMBuildCast(BuilderRef, c_int, ValueRef, TypeRef, *const c_char) -> ValueRef;
    fn LLVMBuildFCmp(BuilderRef, c_int, ValueRef, ValueRef, *const c_char) -> ValueRef;
    fn LLVMBuildICmp(BuilderRef, c_int, ValueRef, ValueRef, *const c_char) -> ValueRef;
    fn LLVMBuildAtomicRMWSyncScope(BuilderRef, c_int, ValueRef, ValueRef, c_int, c_uint) -> ValueRef;
    fn LLVMBuildAtomicCmpXchgSyncScope(BuilderRef, ValueRef, ValueRef, ValueRef, c_int, c_int, c_uint) -> ValueRef;
    fn LLVMBuildFenceSyncScope(BuilderRef, c_int, c_uint, *const c_char) -> ValueRef;

    // Targets, passes, emission.
    fn LLVMGetTargetFromTriple(*const c_char, *mut TargetRef, *mut *mut c_char) -> Bool;
    fn LLVMCreateTargetMachine(TargetRef, *const c_char, *const c_char, *const c_char, c_int, c_int, c_int) -> TargetMachineRef;
    fn LLVMDisposeTargetMachine(TargetMachineRef);
    fn LLVMCreateTargetDataLayout(TargetMachineRef) -> TargetDataRef;
    fn LLVMDisposeTargetData(TargetDataRef);
    fn LLVMTargetMachineEmitToMemoryBuffer(TargetMachineRef, ModuleRef, c_int, *mut *mut c_char, *mut MemoryBufferRef) -> Bool;
    fn LLVMCreatePassBuilderOptions() -> PassOptionsRef;
    fn LLVMDisposePassBuilderOptions(PassOptionsRef);
    fn LLVMRunPasses(ModuleRef, *const c_char, TargetMachineRef, PassOptionsRef) -> ErrorRef;
    fn LLVMRunPassesOnFunction(ValueRef, *const c_char, TargetMachineRef, PassOptionsRef) -> ErrorRef;
}

//! Instructions that need more than their operands lowered.

mod bulk_reduce;
mod bulk_tensor;
mod comparisons;
mod control;
mod memory;
mod tensor;
mod tensor_map;
mod texture;
mod values;
mod video;
mod wmma;

use super::function::Lower;
use crate::isa::Lowering;
use crate::ptx::ast::Instruction;
use crate::ptx::form::Form;

/// A part that was lowered, or what is wrong with it.
type Lowered<T> = Result<T, String>;

/// Lowers an instruction; the error says what is wrong with it.
type LowerFn =
    for<'n, 'a, 'f> fn(&mut Lower<'n, 'a>, &Form<'f>, &'a Instruction<'a>) -> Lowered<()>;

/// The function that lowers such instructions.
pub(crate) fn function(lowering: Lowering) -> LowerFn {
    match lowering {
        Lowering::Atom => memory::atom,
        Lowering::Barrier => control::barrier,
        Lowering::Branch => control::branch,
        Lowering::BranchIndexed => control::branch_indexed,
        Lowering::BulkReduce => bulk_reduce::copy,
        Lowering::BulkTensor => bulk_tensor::bulk_tensor,
        Lowering::Call => control::call,
        Lowering::CopyAsync => memory::copy_async,
        Lowering::Cvt => values::cvt,
        Lowering::Cvta => memory::cvta,
        Lowering::Exit => control::exit,
        Lowering::Ignored => memory::ignored,
        Lowering::Load => memory::load,
        Lowering::LoadMatrix => tensor::load_matrix,
        Lowering::Lop3 => comparisons::lop3,
        Lowering::Mma => tensor::mma,
        Lowering::MmaQuads => tensor::mma_quads,
        Lowering::MmaScaled => tensor::mma_scaled,
        Lowering::MmaSparse => tensor::mma_sparse,
        Lowering::Mov => values::mov,
        Lowering::Red => memory::red,
        Lowering::Ret => control::ret,
        Lowering::Set => comparisons::set,
        Lowering::Setp => comparisons::setp,
        Lowering::Store => memory::store,
        Lowering::StoreAsync => bulk_reduce::store,
        Lowering::StoreMatrix => tensor::store_matrix,
        Lowering::Surface => texture::surface_access,
        Lowering::TensorMap => tensor_map::replace,
        Lowering::TensorMapCopy => tensor_map::copy,
        Lowering::Texture => texture::texture,
        Lowering::TextureQuery => texture::texture_query,
        Lowering::TransposeMatrix => tensor::transpose_matrix,
        Lowering::Trap => control::trap,
        Lowering::Video => video::video,
        Lowering::VideoMad => video::multiply_add,
        Lowering::WmmaAccess => wmma::access,
        Lowering::WmmaProduct => wmma::product,
        Lowering::WarpgroupMma => tensor::warpgroup_mma,
        Lowering::WarpgroupSync => tensor::warpgroup_sync,
    }
}

/// Whether an instruction may read shared memory through the async proxy.
pub(crate) fn reads_asynchronously(instruction: &Instruction<'_>, form: &Form<'_>) -> bool {
    match instruction.mnemonic {
        "wgmma" => form.has("mma_async"),
        "cp" => form.has("bulk") && (form.has("bulk_group") || form.has("shared::cta")),
        _ => false,
    }
}

/// The error for an operand with a wrong number of registers.
fn registers_needed(wanted: u32, there: usize) -> String {
    let verb = |count| if count == 1 { "is" } else { "are" };
    let registers = if wanted == 1 { "register" } else { "registers" };
    format!("{wanted} {registers} {} needed, {there} {} there", verb(wanted as usize), verb(there))
}

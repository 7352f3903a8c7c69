//! Limits of a context (CUDA driver API, `cuCtxSetLimit`).
#![allow(non_snake_case)]

use super::code::{Code, answer, put};
use super::state::{Current, current};
use crate::exec::warp::LOCAL_LIMIT;
use std::ffi::c_int;

super::functions!(cuCtxGetLimit, cuCtxSetLimit);

/// `CUlimit`, those that are known.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Limit {
    /// `CU_LIMIT_STACK_SIZE`: bytes of stack of each thread.
    Stack = 0,
    /// `CU_LIMIT_PRINTF_FIFO_SIZE`: kept, but printing has all the room that it needs.
    Printing = 1,
    /// `CU_LIMIT_MALLOC_HEAP_SIZE`: bytes that kernels may have allocated at a time.
    Heap = 2,
}

impl Limit {
    fn of(number: c_int) -> Result<Limit, Code> {
        let all = [Limit::Stack, Limit::Printing, Limit::Heap];
        all.into_iter().find(|&limit| limit as c_int == number).ok_or(Code::NOT_SUPPORTED)
    }

    /// The driver's own value, in bytes.
    fn default(self) -> usize {
        match self {
            Limit::Stack => 1024,
            Limit::Printing => 1 << 20,
            Limit::Heap => 8 << 20,
        }
    }
}

impl Current {
    /// A limit as it stands, in bytes.
    pub(super) fn limit(&mut self, limit: Limit) -> usize {
        self.context().limits.get(&limit).copied().unwrap_or(limit.default())
    }
}

extern "C" fn cuCtxGetLimit(value: *mut usize, limit: c_int) -> Code {
    answer(|| {
        let mut state = current()?;
        // SAFETY: the caller's pointer, as the driver's function demands.
        unsafe { put(value, state.limit(Limit::of(limit)?)) }
    })
}

extern "C" fn cuCtxSetLimit(limit: c_int, value: usize) -> Code {
    answer(|| {
        let mut state = current()?;
        let limit = Limit::of(limit)?;
        if limit == Limit::Stack && value > LOCAL_LIMIT as usize {
            return Err(Code::INVALID_VALUE);
        }
        state.context().limits.insert(limit, value);
        Ok(())
    })
}

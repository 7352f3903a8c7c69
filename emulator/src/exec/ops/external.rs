//! Functions that a kernel may call without a definition: `vprintf`, `malloc`, `free`, `__assertfail`,
//! `cudaGraphSetConditional`.

use super::memory::{Target, local_read, local_write};
use crate::exec::conditions;
use crate::exec::context::{Context, Flow, Lane};
use crate::exec::fault::FaultKind;
use crate::exec::printf;
use crate::exec::program::{Call, Function};
use crate::exec::warp::LOCAL_START;
use crate::memory::relaxed::Element;
use crate::memory::{LOCAL_WINDOW, Span, WINDOW_SIZE};
use crate::ptx::types::Space;

/// Calls an external function for the running lanes.
pub(crate) fn call(context: &mut Context<'_>, callee: &Function, call: &Call) -> Flow {
    for lane in 0..32 {
        if context.mask >> lane & 1 == 0 {
            continue;
        }
        let outcome = match callee.name.as_str() {
            "vprintf" => vprintf(context, call, lane),
            "malloc" => {
                let size = argument(context, call, 0, lane);
                let launch = context.launch;
                Ok(launch.memory.allocate_on_heap(size, launch.heap).unwrap_or(0))
            }
            "free" => free(argument(context, call, 0, lane), context),
            "__assertfail" => assertion(context, call, lane),
            "cudaGraphSetConditional" => {
                let [condition, value] = [0, 1].map(|index| argument(context, call, index, lane));
                conditions::set(condition, value as u32).ok_or(FaultKind::BadCall(condition))
            }
            name => Err(FaultKind::Undefined(name.to_owned())),
        };
        match outcome {
            Ok(result) => set_result(context, call, lane, result),
            Err(kind) => return context.fault(kind, lane),
        }
    }
    Flow::Next
}

fn argument(context: &Context<'_>, call: &Call, index: usize, lane: u32) -> u64 {
    let Some(&(offset, size)) = call.arguments.get(index) else { return 0 };
    let offset = (context.warp.current.local + offset) as usize;
    match size {
        8 => local_read(context, offset, lane as usize),
        _ => u64::from(local_read::<u32>(context, offset, lane as usize)),
    }
}

fn set_result(context: &mut Context<'_>, call: &Call, lane: u32, value: u64) {
    let Some(&(offset, size)) = call.results.first() else { return };
    let offset = (context.warp.current.local + offset) as usize;
    match size {
        8 => local_write(context, offset, lane as usize, value),
        _ => local_write(context, offset, lane as usize, value as u32),
    }
}

fn free(address: u64, context: &mut Context<'_>) -> Result<u64, FaultKind> {
    if address == 0 || context.launch.memory.free_from_kernel(address) {
        context.block.cache.fill(Span::EMPTY);
        return Ok(0);
    }
    Err(FaultKind::BadFree(address))
}

fn vprintf(context: &mut Context<'_>, call: &Call, lane: u32) -> Result<u64, FaultKind> {
    let format = argument(context, call, 0, lane);
    let arguments = argument(context, call, 1, lane);
    let mut reader = LaneMemory { context, lane };
    let format = reader.string(format)?;
    let text = printf::format(&format, arguments, &mut reader)?;
    context.block.output.extend_from_slice(&text);
    // Text counts as work, so that the turn of a thread that prints endlessly ends soon.
    context.fuel -= text.len() as i64;
    Ok(printf::count_directives(&format) as u64)
}

/// What CUDA's `assert` calls: with the condition, the file, the line and the function.
fn assertion(context: &mut Context<'_>, call: &Call, lane: u32) -> Result<u64, FaultKind> {
    let [condition, file, line, function] =
        [0, 1, 2, 3].map(|index| argument(context, call, index, lane));
    let mut reader = LaneMemory { context, lane };
    let mut text = |address: u64| match address {
        0 => Ok(String::new()),
        _ => Ok(String::from_utf8_lossy(&reader.string(address)?).into_owned()),
    };
    let (condition, file, function) = (text(condition)?, text(file)?, text(function)?);
    Err(FaultKind::Assertion { place: format!("{file}:{line}: {function}"), condition })
}

/// Memory as one thread sees it through generic addresses.
struct LaneMemory<'a, 'b> {
    context: &'a mut Context<'b>,
    lane: u32,
}

impl LaneMemory<'_, '_> {
    fn read<T: Lane + Element>(&mut self, address: u64) -> Result<T, FaultKind> {
        let size = size_of::<T>() as u32;
        let fault = FaultKind::Access { address, size, space: Space::Generic, write: false };
        if address.wrapping_sub(LOCAL_WINDOW) < WINDOW_SIZE {
            let scope = self.context.warp.current;
            let end = u64::from(scope.local + self.context.function().local_size);
            let offset = address - LOCAL_WINDOW;
            if offset < u64::from(LOCAL_START) || offset + u64::from(size) > end {
                return Err(fault);
            }
            return Ok(local_read(self.context, offset as usize, self.lane as usize));
        }
        let span = self.context.find(address, u64::from(size), false).ok_or(fault)?;
        let mut at = [0; 32];
        at[self.lane as usize] = address;
        let values =
            super::memory::gather(self.context, Target::Span(span), &at, 1 << self.lane, 0);
        Ok(values[self.lane as usize])
    }
}

impl printf::Source for LaneMemory<'_, '_> {
    type Error = FaultKind;

    fn word(&mut self, address: u64, size: u32) -> Result<u64, FaultKind> {
        match size {
            8 => self.read::<u64>(address),
            _ => Ok(u64::from(self.read::<u32>(address)?)),
        }
    }

    fn string(&mut self, address: u64) -> Result<Vec<u8>, FaultKind> {
        let mut out = Vec::new();
        loop {
            match self.read::<u8>(address.wrapping_add(out.len() as u64))? {
                0 => return Ok(out),
                byte => out.push(byte),
            }
        }
    }
}

use printf::Source as _;

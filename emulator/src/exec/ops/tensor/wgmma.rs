//! `wgmma` (PTX ISA, section 9.7.15): what a warp does of it. [`crate::exec::products`] says when.

use super::descriptor::{Descriptor, UNIT};
pub(crate) use super::warpgroup::{Product, Work};
use super::warpgroup::{ROWS, STEP, Source};
use crate::exec::context::{Context, Flow};
use crate::exec::copies::Issue;
use crate::exec::fault::FaultKind;
use crate::exec::products::{POISON, Started, Sums, WARPS, What};
use crate::exec::program::{Inst, NONE};
use crate::memory::SHARED_WINDOW;
use crate::ptx::types::Space;

impl Context<'_> {
    fn issue_of(&self) -> Issue {
        let function = self.warp.current.function;
        Issue { thread: self.warp.index * 32, function, pc: self.pc - 1 }
    }

    /// Runs an operation of a warp of a warpgroup, as [`Context::warp_wide`].
    fn of_warpgroup(
        &mut self,
        inst: &Inst,
        mask: u32,
        operation: impl FnOnce(&mut Context<'_>) -> Result<(), FaultKind>,
    ) -> Flow {
        self.warp_wide(inst.b, mask, |context| {
            let end = (context.warp.index / WARPS + 1) * WARPS * 32;
            let threads = context.launch.threads();
            if threads < end {
                let text = format!(
                    "a warpgroup needs 128 threads: the block has {threads}, this one would end at {end}"
                );
                return Err((FaultKind::Product(text), 0));
            }
            operation(context).map_err(|kind| (kind, 0))
        })
    }
}

/// `wgmma.fence`
pub(crate) fn fence(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    context.of_warpgroup(inst, mask, |context| {
        context.warp.products.fenced = true;
        Ok(())
    })
}

/// `wgmma.commit_group`
pub(crate) fn commit(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    context.of_warpgroup(inst, mask, |context| {
        context.warp.products.commit();
        Ok(())
    })
}

/// `wgmma.wait_group imm`
pub(crate) fn wait(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    context.of_warpgroup(inst, mask, |context| {
        let count = context.warp.products.waited(inst.imm as u32);
        compute(context, count);
        let done: Vec<_> = context.warp.products.started.drain(..count).collect();
        for started in &done {
            context.block.copies.end_reading(started.number);
        }
        for index in 0..context.warp.products.sums.len() {
            let goes_on = |started: &Started<Work>| started.sums == index;
            if context.warp.products.started.iter().any(goes_on) {
                continue;
            }
            let Some(sums) = context.warp.products.sums[index].take() else { continue };
            for (register, values) in sums.registers.iter().zip(&sums.values) {
                // Those of a function that has returned are gone.
                if let Some(to) = context.warp.register(sums.frame, *register) {
                    // SAFETY: a register of 32 bits of that frame, which is alive.
                    unsafe { to.cast::<[u32; 32]>().write(*values) };
                }
            }
        }
        Ok(())
    })
}

/// `wgmma.mma_async d, a, b, ..`: list `x` has the registers of `d`, `a` and `b`; `a` is the predicate that says
/// whether the product is added, or nothing, and then `c` says it.
pub(crate) fn start(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    context.of_warpgroup(inst, mask, |context| {
        let product = Product::unpack(inst.imm);
        let wrong = |text: &str| FaultKind::Product(text.to_owned());
        if !context.warp.products.fenced {
            return Err(wrong("there was no `wgmma.fence` before the first `wgmma.mma_async`"));
        }
        let adds = match inst.a {
            NONE => inst.c,
            predicate => context.predicate(predicate),
        };
        if inst.a != NONE && adds != 0 && adds != u32::MAX {
            return Err(wrong("the lanes of a warp disagree on whether the product is added"));
        }
        let list = &context.function().lists[inst.x as usize][..];
        let (registers, factors) = list.split_at(product.sums() as usize);
        let [of_a @ .., of_b] = factors else { return Ok(()) };
        let descriptor = |register: u32| {
            let all = context.load::<u64>(register);
            let same = all.iter().all(|bits| *bits == all[0]);
            same.then_some(all[0])
                .ok_or_else(|| wrong("the lanes of a warp give different descriptors"))
        };
        let b = descriptor(*of_b)?;
        let a = if product.in_registers { 0 } else { descriptor(of_a[0])? };
        let issue = context.issue_of();
        let what = What { function: issue.function, pc: issue.pc, descriptors: [a, b] };
        let group = (context.warp.index / WARPS) as usize;
        let warp = context.warp.index;
        context.block.warpgroup(group).reach(warp, what, issue).map_err(FaultKind::WarpsApart)?;

        let units_of_b = units(b, product.across[1], 0, product.columns)?;
        let source_a = if product.in_registers {
            let registers: Vec<_> =
                of_a.iter().map(|&register| context.load::<u32>(register)).collect();
            Source::Registers(registers)
        } else {
            let row = warp % WARPS * ROWS as u32;
            Source::Units(units(a, product.across[0], row, ROWS as u32)?)
        };
        let mut read = units_of_b.clone();
        if let Source::Units(units) = &source_a {
            read.extend(units);
        }
        let (size, space, write) = (UNIT, Space::Shared, false);
        for &address in &read {
            if context.find(address, UNIT.into(), false).is_none() {
                return Err(FaultKind::Access { address, size, space, write });
            }
            if let Some((issue, written)) = context.block.copies.meets(address, UNIT.into(), false)
            {
                return Err(FaultKind::Copying { address, size, write, issue, written });
            }
            if let Some(issue) = context.block.unfenced_write(address, UNIT.into()) {
                return Err(FaultKind::Unfenced { address, size, issue });
            }
        }
        let number = context.block.copies.start_reading(issue, read);

        let frame = context.warp.current.frame;
        let known = context.warp.products.find(frame, registers);
        let sums = known.unwrap_or_else(|| {
            let values = registers.iter().map(|&register| context.load::<u32>(register)).collect();
            for &register in registers {
                context.store(register, u32::MAX, &[POISON; 32]);
            }
            context.warp.products.keep(Sums { frame, registers: registers.to_vec(), values })
        });
        let work = Work { product, a: source_a, b: Source::Units(units_of_b), adds: adds != 0 };
        context.warp.products.start(number, work, sums);
        if context.block.copies.draw(2) == 0 {
            compute(context, context.warp.products.started.len());
        }
        Ok(())
    })
}

/// The units of `count` rows from `first` on, by their generic addresses.
fn units(bits: u64, across: bool, first: u32, count: u32) -> Result<Vec<u64>, FaultKind> {
    let descriptor = Descriptor::read(bits).map_err(FaultKind::Product)?;
    let generic = |address: u32| SHARED_WINDOW + u64::from(address);
    Ok(if across {
        let units = move |k| (first / 8..(first + count) / 8).map(move |unit| (unit, k));
        (0..STEP / 2)
            .flat_map(units)
            .map(|(unit, k)| generic(descriptor.across_k(unit, k)))
            .collect()
    } else {
        let halves = |row| [0, 1].map(|half| (row, half));
        (first..first + count)
            .flat_map(halves)
            .map(|(row, half)| generic(descriptor.along_k(row, half)))
            .collect()
    })
}

/// Computes the first `count` of the warp's products, as far as that has not happened.
fn compute(context: &mut Context<'_>, count: usize) {
    let shared = context.block.shared();
    let products = &mut context.warp.products;
    for started in &mut products.started[..count] {
        if let (Some(work), Some(sums)) = (started.work.take(), &mut products.sums[started.sums]) {
            work.run(&shared, &mut sums.values);
        }
    }
}

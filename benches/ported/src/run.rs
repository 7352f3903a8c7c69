//! Runs the forms of a kernel on the same input, one after another.

use crate::Error;
use crate::output::Outcome;
use crate::twins::Twins;
use ptyx_examples::bench;
use ptyx_examples::random::Rng;

/// How a kernel is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Safe Rust, as far as the device library lets one; every index is checked.
    Safe,
    /// The same without checks of indices.
    Unchecked,
    /// The same as safe, with indices of 32 bits.
    Narrow,
    /// CUDA C++.
    Cuda,
}

impl Form {
    /// All of them, in the order of tables.
    pub const ALL: [Form; 4] = [Form::Safe, Form::Unchecked, Form::Narrow, Form::Cuda];

    /// The module of the Rust forms, and a column's head.
    pub const fn name(self) -> &'static str {
        match self {
            Form::Safe => "safe",
            Form::Unchecked => "unchecked",
            Form::Narrow => "narrow",
            Form::Cuda => "nvcc",
        }
    }
}

/// Times of one kernel.
#[derive(Clone, Debug)]
pub struct Row {
    /// The kernel.
    pub kernel: &'static str,
    /// Medians of [`Form::ALL`], in milliseconds; there is none of CUDA C++ without the twins.
    pub times: [Option<f64>; 4],
}

/// How kernels are to be run.
#[derive(Debug)]
pub struct Run<'a> {
    /// Random input.
    pub rng: Rng,
    /// Times, if they are measured.
    pub rows: Vec<Row>,
    /// CUDA C++.
    pub(crate) twins: Option<&'a Twins>,
    large: bool,
    measure: bool,
}

/// Each form is measured so often, in turns.
const TURNS: usize = 3;

impl<'a> Run<'a> {
    /// A run with input from `seed`, small or large, checked and perhaps measured.
    pub fn new(seed: u64, large: bool, measure: bool, twins: Option<&'a Twins>) -> Run<'a> {
        Run { rng: Rng::new(seed), rows: Vec::new(), twins, large, measure }
    }

    /// The size of a large or a small input.
    pub(crate) fn size(&self, large: usize, small: usize) -> usize {
        if self.large { large } else { small }
    }

    /// Random numbers in [-1, 1).
    pub(crate) fn floats(&mut self, len: usize) -> Vec<f32> {
        self.rng.vec_f32(len)
    }

    /// Random numbers in [low, high).
    pub(crate) fn between(&mut self, low: f32, high: f32, len: usize) -> Vec<f32> {
        let half = 0.5 * (high - low);
        self.floats(len).into_iter().map(|x| low + half * (x + 1.0)).collect()
    }

    /// Random numbers below `bound`, which is not 0.
    pub(crate) fn below(&mut self, bound: usize, len: usize) -> Vec<i32> {
        (0..len).map(|_| (self.rng.next_u64() % bound as u64) as i32).collect()
    }

    /// Runs the forms of `kernel`, each from the same state, and compares `outputs`; then measures. `launch`
    /// launches a form once.
    pub(crate) fn compare(
        &mut self,
        kernel: &'static str,
        outputs: &[&dyn Outcome],
        launch: &dyn Fn(Form) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let forms = Form::ALL.iter().filter(|form| **form != Form::Cuda || self.twins.is_some());
        let reset = || outputs.iter().try_for_each(|output| output.reset());
        for &form in forms.clone() {
            let checked = reset()
                .and_then(|()| launch(form))
                .and_then(|()| self.synchronize())
                .and_then(|()| outputs.iter().try_for_each(|output| output.check()));
            checked.map_err(|error| format!("{}: {error}", form.name()))?;
        }
        if !self.measure {
            return Ok(());
        }
        let mut samples = [const { Vec::new() }; 4];
        for _ in 0..TURNS {
            for &form in forms.clone() {
                reset()?;
                self.synchronize()?;
                samples[form as usize].push(self.time(form, launch)?);
            }
        }
        let times = samples.map(|mut samples| {
            samples.sort_by(f64::total_cmp);
            samples.get(samples.len() / 2).copied()
        });
        self.rows.push(Row { kernel, times });
        Ok(())
    }

    fn time(&self, form: Form, launch: &dyn Fn(Form) -> Result<(), Error>) -> Result<f64, Error> {
        if let (Form::Cuda, Some(twins)) = (form, self.twins) {
            return twins.time(|| launch(form));
        }
        let mut failed = None;
        let times = bench::time_launches(|| {
            failed = failed.take().or(launch(form).err());
            Ok(())
        })?;
        failed.map_or(Ok(times.median_ms), Err)
    }

    /// Waits for the device, whichever stream it works on.
    fn synchronize(&self) -> Result<(), Error> {
        ptyx::Device::current()?.synchronize()?;
        self.twins.map_or(Ok(()), Twins::synchronize)
    }
}

/// Compares the forms of a kernel: `compare!(run, [&output], kernel, blocks, threads, (arguments))`. The twin
/// takes the same arguments; a buffer is a pointer there, without its length, and `argument => slot` says what a
/// view of a buffer is.
macro_rules! compare {
    ($run:ident, [$($output:expr),*], $kernel:ident, $blocks:expr, $threads:expr,
     ($($arg:expr $(=> $slot:expr)?),* $(,)?)) => {{
        let twins = $run.twins;
        $run.compare(stringify!($kernel), &[$($output),*], &|form| {
            use $crate::Form;
            use $crate::run::extents;
            match form {
                Form::Safe => {
                    launch!(safe::$kernel<<<$blocks, $threads>>>($($arg),*))?;
                }
                Form::Unchecked => {
                    launch!(unchecked::$kernel<<<$blocks, $threads>>>($($arg),*))?;
                }
                Form::Narrow => {
                    launch!(narrow::$kernel<<<$blocks, $threads>>>($($arg),*))?;
                }
                Form::Cuda => {
                    let slots = [$(compare!(@ $arg $(=> $slot)?)),*];
                    let (blocks, threads) = (extents($blocks), extents($threads));
                    if let Some(twins) = twins {
                        // SAFETY: the twin has the kernel's parameters, as `cuda/` shows.
                        unsafe { twins.launch(stringify!($kernel), blocks, threads, &slots)? }
                    }
                }
            }
            Ok(())
        })
    }};
    (@ $arg:expr) => { $crate::twins::Slot::slot(&$arg) };
    (@ $arg:expr => $slot:expr) => { $crate::twins::Slot::slot(&$slot) };
}
pub(crate) use compare;

/// Extents as the driver takes them.
pub(crate) fn extents(dims: impl ptyx::launch::IntoDims) -> [u32; 3] {
    dims.into_dims().map(|extent| extent as u32)
}

//! Modules that `nvcc` made: fat binaries and machine code. Skipped where there is no `nvcc` beside `ptxas` (`PTYX_PTXAS`, or
//! the path).

use crate::tools::Tool;
use crate::{Device, DeviceBuffer, Error, LaunchConfig, LinkInput, Linker, Module};
use std::path::PathBuf;
use std::process::Command;

const SOURCE: &str = r#"
extern "C" __device__ int counter = 42;
extern "C" __global__ void scale(float a, const float* x, float* y, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i];
}
"#;

/// Compiles the source with these options.
struct Nvcc(PathBuf);

impl Nvcc {
    fn find() -> Option<Nvcc> {
        let ptxas = Tool::Ptxas.find().unwrap();
        let nvcc = ptxas.map(|ptxas| ptxas.with_file_name("nvcc")).filter(|nvcc| nvcc.is_file());
        if nvcc.is_none() {
            eprintln!("skipped: there is no nvcc beside ptxas: name it by PTYX_PTXAS");
        }
        nvcc.map(Nvcc)
    }

    /// What it makes; `None` with a message if it does not know an option.
    fn compile(&self, name: &str, options: &[&str]) -> Option<Vec<u8>> {
        self.compile_text(SOURCE, name, options)
    }

    fn compile_text(&self, text: &str, name: &str, options: &[&str]) -> Option<Vec<u8>> {
        let folder = std::env::temp_dir().join(format!("ptyx-nvcc-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (source, made) = (folder.join("scale.cu"), folder.join("scale.out"));
        std::fs::write(&source, text).unwrap();
        let mut nvcc = Command::new(&self.0);
        let output = nvcc.args(options).arg("-o").args([&made, &source]).output().unwrap();
        let code = std::fs::read(&made).ok();
        let _ = std::fs::remove_dir_all(&folder);
        if code.is_none() {
            eprintln!("skipped: nvcc {options:?}: {}", String::from_utf8_lossy(&output.stderr));
        }
        code
    }
}

fn runs(module: &Module) {
    let scale = module.function("scale").unwrap();
    let x = DeviceBuffer::from_slice(&[1.0f32, 2.0, 3.0]).unwrap();
    let mut y = DeviceBuffer::<f32>::zeroed(3).unwrap();
    let config = LaunchConfig::new().threads(32);
    // SAFETY: the kernel reads and writes three numbers.
    unsafe {
        scale.launch(config, crate::args!(2.0f32, x.device_address(), y.device_address(), 3u32))
    }
    .unwrap();
    assert_eq!(y.to_vec().unwrap(), [2.0, 4.0, 6.0]);
    assert_eq!(module.global::<i32>("counter").unwrap().get().unwrap(), 42);
    y.fill(0.0).unwrap();
}

/// The text of an error about code that does not fit the device.
fn refusal(image: &[u8]) -> String {
    match Module::from_image(image) {
        Err(error @ Error::Assembler { .. }) => {
            let text = error.to_string();
            assert!(text.contains("CUDA_ERROR_NO_BINARY_FOR_GPU"), "{text}");
            text
        }
        other => panic!("{other:?}"),
    }
}

const LAUNCHES: &str = r#"
__global__ void child(int *p) { *p += 1; }
extern "C" __global__ void parent(int *p) { child<<<1, 1>>>(p); }
"#;

/// Launches `parent`, which launches `child`.
fn launches_another(module: &Module) -> crate::Result<Vec<i32>> {
    let number = DeviceBuffer::from_slice(&[41])?;
    // SAFETY: the kernels access one number.
    unsafe {
        module
            .function("parent")?
            .launch(LaunchConfig::new(), crate::args!(number.device_address()))?;
    }
    number.to_vec()
}

/// An experiment on a GPU: kernels that launch kernels, linked with NVIDIA's device runtime by the driver's linker. Prints what
/// happens. `PTYX_TEST_CUDADEVRT` names `libcudadevrt.a`; run it alone, since a failure may cost the context.
#[test]
#[ignore = "an experiment on a GPU"]
fn kernels_of_nvcc_that_launch_kernels() {
    let Some(nvcc) = Nvcc::find() else { return };
    let options = ["-rdc=true", "-ptx", "-arch=compute_75"];
    let ptx =
        String::from_utf8(nvcc.compile_text(LAUNCHES, "launches", &options).unwrap()).unwrap();
    let alone = Module::from_ptx(&ptx).map(|module| launches_another(&module));
    println!("the module alone: {alone:?}");
    let Some(library) = std::env::var_os("PTYX_TEST_CUDADEVRT") else { return };
    let linked = || -> crate::Result<Vec<i32>> {
        let mut linker = Linker::new()?;
        linker.add_ptx("launches", &ptx)?;
        linker.add_file(library, LinkInput::Library)?;
        launches_another(&Module::from_image(&linker.finish()?)?)
    };
    println!("linked with the device runtime: {:?}", linked());
}

#[test]
fn fat_binaries_and_machine_code_of_nvcc() {
    let Some(nvcc) = Nvcc::find() else { return };
    let device = Device::current().unwrap();
    let is_emulated = device.is_emulated();
    let capability = device.0.capability;
    let own = format!("-gencode=arch=compute_{capability},code=sm_{capability}");
    let ptx = "-gencode=arch=compute_75,code=compute_75";
    for (name, mode) in [
        ("none", "--compress-mode=none"),
        ("speed", "--compress-mode=speed"),
        ("size", "--compress-mode=size"),
    ] {
        if let Some(image) = nvcc.compile(name, &["-fatbin", ptx, &own, mode]) {
            runs(&Module::from_image(&image).unwrap());
        }
    }
    // As nvcc has it by default.
    if let Some(image) = nvcc.compile("default", &["-fatbin", ptx, &own]) {
        runs(&Module::from_image(&image).unwrap());
    }
    if let Some(image) = nvcc.compile("cubin", &["-cubin", &format!("-arch=sm_{capability}")]) {
        match is_emulated {
            true => assert!(refusal(&image).contains("`nvcc -ptx`"), "{}", refusal(&image)),
            false => runs(&Module::from_image(&image).unwrap()),
        }
        let cut_off = Module::from_image(&image[..image.len() / 2]);
        assert!(matches!(cut_off, Err(Error::ModuleImage { .. })), "{cut_off:?}");
    }
    // Without anything that the emulated device can run.
    if is_emulated && let Some(image) = nvcc.compile("machine", &["-fatbin", &own]) {
        let text = refusal(&image);
        assert!(text.contains("machine code for sm_") && text.contains("-gencode"), "{text}");
    }
}

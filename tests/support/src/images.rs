//! The kernels inside this program, and NVIDIA's assembler for them.

use super::sample;
use ptyx_image::{ALIGNMENT, Arch, Code, Features, Image, Kernel, MAGIC, encoded_len};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

unsafe extern "C" {
    #[link_name = "__start_ptyx_images"]
    static SECTION_START: u8;
    #[link_name = "__stop_ptyx_images"]
    static SECTION_STOP: u8;
}

/// Every image inside this program, decoded once.
///
/// # Panics
/// One of them is damaged.
pub fn images() -> &'static [Image] {
    static IMAGES: OnceLock<Vec<Image>> = OnceLock::new();
    IMAGES.get_or_init(decode_images)
}

fn decode_images() -> Vec<Image> {
    let start = &raw const SECTION_START;
    let len = (&raw const SECTION_STOP).addr() - start.addr();
    // SAFETY: the linker puts these symbols around the section, which is never written.
    let section = unsafe { std::slice::from_raw_parts(start, len) };
    let mut images = Vec::new();
    let mut at = 0;
    while at < section.len() {
        let bytes = &section[at..];
        if bytes.starts_with(&MAGIC) {
            images.push(Image::decode(bytes).expect("a whole image"));
            at += encoded_len(bytes).expect("a whole header").next_multiple_of(ALIGNMENT);
        } else {
            at += ALIGNMENT;
        }
    }
    images
}

/// The PTX of the only kernel whose name ends with `name`, such as `module::kernel<f32>`, from its
/// `.entry` to its `}`: without the code that reports panics, and, if the compiler has proved checks, without these.
///
/// # Panics
/// There is none, or several with different PTX.
pub fn entry(name: &str) -> String {
    let whole = whole_entry(name);
    let lines: Vec<&str> = whole.lines().collect();
    let Some(begins) = lines.iter().position(|line| begins_report(line)) else {
        return whole;
    };
    let behind = |start: usize, text: &str| {
        let found = lines[start..].iter().position(|line| line.contains(text));
        start + found.expect("the end of a report")
    };
    let behind = behind(behind(begins, LAST_STORE), "exit;");
    [&lines[..begins], &lines[behind..]].concat().join("\n")
}

/// Whether a report of a panic begins here: `PanicSlot::latest` is exchanged.
fn begins_report(line: &str) -> bool {
    line.contains(".exch.b32") && line.contains("+8],")
}
/// Its last store, before its `exit`.
const LAST_STORE: &str = "st.release.sys";

/// [`entry`] with reports of panics.
fn whole_entry(name: &str) -> String {
    let (image, kernel) = only_kernel(name);
    entry_of(image, kernel, kernel.code[0].most_proved())
}

/// The text of a kernel's entry.
fn entry_of(image: &Image, kernel: &Kernel, code: &Code) -> String {
    let ptx = &image.modules[code.module as usize].ptx;
    let start = ptx.find(&format!(".entry {}(", kernel.entry)).expect("the entry");
    let len = ptx[start..].find("\n}").expect("the entry's end");
    ptx[start..start + len].to_owned()
}

/// The only kernel whose name ends with `name`; there may be others with the same code.
fn only_kernel(name: &str) -> (&'static Image, &'static Kernel) {
    let mut found: Vec<(&'static Image, &'static Kernel, String)> = Vec::new();
    for image in images() {
        for kernel in image.kernels.iter().filter(|kernel| kernel.name.ends_with(name)) {
            let text = entry_of(image, kernel, &kernel.code[0]);
            if found.iter().all(|(_, _, other)| *other != text) {
                found.push((image, kernel, text));
            }
        }
    }
    assert_eq!(found.len(), 1, "one kernel named `{name}`");
    let (image, kernel, _) = found.remove(0);
    (image, kernel)
}

/// The whole PTX module of the only kernel whose name ends with `name`: with the functions that it
/// calls, and without checks that are proved.
///
/// # Panics
/// There is none, or several with different PTX.
pub fn module(name: &str) -> String {
    let (image, kernel) = only_kernel(name);
    image.modules[kernel.code[0].most_proved().module as usize].ptx.clone()
}

/// The modules of that kernel, one for each architecture that it is compiled for.
///
/// # Panics
/// There is no such kernel, or several.
pub fn modules(name: &str) -> Vec<String> {
    let images = images();
    let kernels =
        images.iter().flat_map(|image| image.kernels.iter().map(move |kernel| (image, kernel)));
    let mut found = kernels.filter(|(_, kernel)| kernel.name.ends_with(name));
    let (image, kernel) = found.next().expect("the kernel");
    assert!(found.all(|(_, other)| other.name == kernel.name), "one kernel named `{name}`");
    let modules = kernel.code.iter().map(|code| code.most_proved().module as usize);
    modules.map(|module| image.modules[module].ptx.clone()).collect()
}

/// Where the only kernel whose name ends with `name` may panic, as `line: message`.
///
/// # Panics
/// There is none, or several with different PTX.
pub fn panics(name: &str) -> Vec<String> {
    let (image, kernel) = only_kernel(name);
    let module = &image.modules[kernel.code[0].module as usize];
    module.panics.sites.iter().map(|site| format!("{}: {:?}", site.line, site.message)).collect()
}

/// Times that an instruction whose name starts with `start` stands in `ptx`, predicated or not.
pub fn count(ptx: &str, start: &str) -> usize {
    ptx.lines()
        .map(str::trim_start)
        .map(|line| match line.strip_prefix('@') {
            Some(guarded) => guarded.split_once(char::is_whitespace).map_or("", |(_, rest)| rest),
            None => line,
        })
        .filter(|line| line.trim_start().starts_with(start))
        .count()
}

/// The vendor's assembler: `PTYX_PTXAS`, or `ptxas` if that runs.
pub fn assembler() -> Option<PathBuf> {
    let path = std::env::var_os("PTYX_PTXAS").map_or_else(|| "ptxas".into(), PathBuf::from);
    let runs = Command::new(&path).arg("--version").output().is_ok_and(|out| out.status.success());
    if !runs {
        println!("SKIPPED: no ptxas; name one in PTYX_PTXAS");
    }
    runs.then_some(path)
}

/// Assembles `ptx` for `sm_` of each of `capabilities`; what the assembler has against it, if
/// anything.
///
/// # Panics
/// Files can't be written, or the assembler does not start.
pub fn assemble(ptxas: &PathBuf, ptx: &str, capabilities: &[u32]) -> Option<String> {
    let refused = capabilities.iter().filter_map(|capability| {
        let arch = format!("sm_{capability}");
        assemble_for(ptxas, ptx, &arch).map(|complaint| format!("{arch}: {complaint}"))
    });
    let complaints: String = refused.collect();
    (!complaints.is_empty()).then_some(complaints)
}

/// Assembles `ptx` for `arch`, with its source lines; what the assembler has against it, if anything.
///
/// # Panics
/// Files can't be written, or the assembler does not start.
pub fn assemble_for(ptxas: &PathBuf, ptx: &str, arch: &str) -> Option<String> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let file = std::env::temp_dir().join(format!("ptyx-{}-{number}.ptx", std::process::id()));
    std::fs::write(&file, ptx).expect("the file is written");
    let output = Command::new(ptxas)
        .args([format!("-arch={arch}").as_str(), "-lineinfo", "-o", "/dev/null"])
        .arg(&file)
        .output()
        .expect("the assembler starts");
    std::fs::remove_file(&file).expect("the file is removed");
    (!output.status.success()).then(|| String::from_utf8_lossy(&output.stderr).into_owned())
}

/// One generation before Hopper, Hopper, and Blackwell, of which ptxas 13 knows all; the last two
/// with what they alone have.
const ASSEMBLED: [Arch; 5] = [
    Arch { sm: 80, features: Features::Portable },
    Arch { sm: 90, features: Features::Portable },
    Arch { sm: 120, features: Features::Portable },
    Arch { sm: 90, features: Features::Exact },
    Arch { sm: 120, features: Features::Exact },
];

/// Modules that are assembled unless all are asked for.
const SAMPLE: usize = 30;

/// Assembles a sample of this program's modules (`sample`), on all processors, each for
/// one of the architectures that `ptxas` and the module have in common, in turn; how many modules
/// there are.
///
/// # Panics
/// The assembler refuses one; the message has all that it refuses.
pub fn assemble_modules(ptxas: &PathBuf) -> usize {
    let images = images();
    let modules: Vec<(&Image, usize)> = images
        .iter()
        .flat_map(|image| (0..image.modules.len()).map(move |index| (image, index)))
        .collect();
    let count = modules.len();
    let modules = sample(modules, SAMPLE);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut complaints = String::new();
        while let Some(&(image, index)) = modules.get(next.fetch_add(1, Ordering::Relaxed)) {
            complaints += &assemble_module(ptxas, image, index).unwrap_or_default();
        }
        complaints
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let complaints: String = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    assert!(complaints.is_empty(), "{complaints}");
    count
}

/// Assembles module `index` of an image; what the assembler has against it, with the kernels' names.
fn assemble_module(ptxas: &PathBuf, image: &Image, index: usize) -> Option<String> {
    let of_module = |code: &&Code| code.module as usize == index;
    let kernels = image.kernels.iter().filter(|k| k.all_code().any(|c| of_module(&c)));
    let archs = kernels.clone().flat_map(|kernel| kernel.all_code().filter(of_module));
    let archs: Vec<Arch> = archs.map(|code| code.arch).collect();
    let fits = |known: &Arch| archs.iter().all(|arch| known.provides(*arch));
    let usable: Vec<Arch> = ASSEMBLED.into_iter().filter(fits).collect();
    let arch = usable.get(index % usable.len().max(1))?.to_string();
    let complaint = assemble_for(ptxas, &image.modules[index].ptx, &arch)?;
    let names: Vec<_> = kernels.map(|kernel| kernel.name.as_str()).collect();
    Some(format!("{}, {arch}:\n{complaint}\n", names.join(", ")))
}

/// The machine code of one kernel, as the vendor's disassembler prints it.
#[derive(Debug)]
pub struct MachineCode(String);

impl MachineCode {
    /// The opcodes of the kernel itself that start with `start`, such as `LDG.E.128.CONSTANT`, in the
    /// order of the code.
    pub fn starting(&self, start: &str) -> Vec<&str> {
        // Subroutines, panics among them, follow behind labels `$kernel$name:`.
        let subroutines = self.0.find("\n$").unwrap_or(self.0.len());
        own(&self.0[..subroutines]).into_iter().filter(|opcode| opcode.starts_with(start)).collect()
    }

    /// The same with subroutines.
    pub fn starting_anywhere(&self, start: &str) -> Vec<&str> {
        own(&self.0).into_iter().filter(|opcode| opcode.starts_with(start)).collect()
    }
}

/// The opcodes without two that report a panic and could be the kernel's own: the exchange that claims
/// the record, and the load of the record's address behind it.
fn own(text: &str) -> Vec<&str> {
    let mut opcodes: Vec<&str> = opcodes(text).collect();
    if let Some(claim) = opcodes.iter().position(|opcode| opcode.starts_with("ATOMG.E.EXCH")) {
        opcodes.remove(claim);
        let is_address = |opcode: &&str| opcode.starts_with("LDG.E.64");
        if let Some(load) = opcodes[claim..].iter().position(is_address) {
            opcodes.remove(claim + load);
        }
    }
    opcodes
}

/// The opcodes of lines such as `/*0010*/  @!P0 LDG.E R2, [R2.64] ;`.
fn opcodes(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let (address, text) = line.trim().strip_prefix("/*")?.split_once("*/")?;
        let code = address.len() >= 4 && address.chars().all(|c| c.is_ascii_hexdigit());
        let mut words = text.split_whitespace();
        let first = words.next().filter(|_| code)?;
        if first.starts_with('@') { words.next() } else { Some(first) }
    })
}

impl std::fmt::Display for MachineCode {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// What the vendor's assembler makes of the only kernel whose name ends with `name`, for
/// `sm_<capability>`; `None` if assembler or disassembler are not found, which is said once.
///
/// # Panics
/// There is no such kernel, files can't be written, or the assembler refuses it.
pub fn machine_code(name: &str, capability: u32) -> Option<MachineCode> {
    static TOOLS: OnceLock<Option<(PathBuf, PathBuf)>> = OnceLock::new();
    let tools = TOOLS.get_or_init(|| Some((assembler()?, disassembler()?)));
    let (ptxas, nvdisasm) = tools.as_ref()?;
    Some(disassemble(ptxas, nvdisasm, &module(name), capability))
}

/// The vendor's disassembler: beside the assembler that `PTYX_PTXAS` names, or on the path.
pub fn disassembler() -> Option<PathBuf> {
    let beside =
        std::env::var_os("PTYX_PTXAS").map(|path| Path::new(&path).with_file_name("nvdisasm"));
    let path = beside.filter(|path| path.exists()).unwrap_or_else(|| "nvdisasm".into());
    let runs = Command::new(&path).arg("--version").output().is_ok_and(|out| out.status.success());
    if !runs {
        println!("SKIPPED: no nvdisasm beside ptxas or on the path");
    }
    runs.then_some(path)
}

/// The machine code of a PTX module for `sm_<capability>`, or for its own target if it runs only there.
///
/// # Panics
/// Files can't be written, or one of the tools fails.
pub fn disassemble(ptxas: &Path, nvdisasm: &Path, ptx: &str, capability: u32) -> MachineCode {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let file = |extension: &str| {
        let name = format!("ptyx-sass-{}-{number}.{extension}", std::process::id());
        std::env::temp_dir().join(name)
    };
    let (source, cubin) = (file("ptx"), file("cubin"));
    std::fs::write(&source, ptx).expect("the file is written");
    let run = |command: &mut Command| {
        let output = command.output().expect("the tool starts");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{command:?}: {errors}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let target = ptx.lines().find_map(|line| line.strip_prefix(".target ")).unwrap_or_default();
    let only_there = target.ends_with(['a', 'f']);
    let arch =
        if only_there { format!("-arch={target}") } else { format!("-arch=sm_{capability}") };
    run(Command::new(ptxas).args([&arch, "-o"]).args([&cubin, &source]));
    let text = run(Command::new(nvdisasm).arg("-c").arg(&cubin));
    for file in [source, cubin] {
        std::fs::remove_file(file).expect("the file is removed");
    }
    MachineCode(text)
}

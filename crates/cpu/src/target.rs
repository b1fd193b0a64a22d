//! Which processor to compile for.

use std::cell::RefCell;
use std::collections::HashSet;
use std::sync::{LazyLock, Once};

use inkwell::OptimizationLevel;
use inkwell::llvm_sys::support::LLVMParseCommandLineOptions;
use inkwell::targets::{
    CodeModel, InitializationConfig, RelocMode, Target, TargetMachine, TargetMachineOptions, TargetTriple,
};

use crate::{CpuError, exit};

/// Objects are ELF for 64-bit x86; JITLink reads them on any x86-64 system.
const TRIPLE: &str = "x86_64-unknown-linux-gnu";

/// A processor in LLVM's terms. Part of every artifact's key.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CpuTarget {
    /// LLVM's name of the model: `znver4`, `x86-64-v3`.
    pub name: String,
    /// Features to add or remove: `+avx2,-avx512f`.
    pub features: String,
}

impl CpuTarget {
    /// The processor this process runs on.
    pub fn host() -> CpuTarget {
        let HostCpu { name, features } = host();
        CpuTarget { name: name.clone(), features: features.clone() }
    }

    /// A model by name, without changes to its features.
    pub fn named(name: &str) -> CpuTarget {
        CpuTarget { name: name.to_owned(), features: String::new() }
    }

    /// Can it convert half-precision numbers?
    pub(crate) fn has_f16(&self) -> bool {
        let named = |sign: char| self.features.split(',').any(|f| f.strip_prefix(sign) == Some("f16c"));
        named('+') || !named('-') && WITH_F16C.contains(&self.name.as_str())
    }

    /// LLVM ends the process when asked for a processor that it does not know or that has no 64-bit mode.
    fn check(&self) -> Result<(), CpuError> {
        let name = self.name.as_str();
        if name != host().name && !WITH_F16C.contains(&name) && !WITHOUT_F16C.contains(&name) {
            return Err(CpuError::Target(name.to_owned()));
        }
        let bare = |f: &str| f.get(1..).unwrap_or_default().to_owned();
        let known: HashSet<String> = host().features.split(',').map(bare).collect();
        let mut features = self.features.split(',').filter(|f| !f.is_empty());
        let unknown = features.find(|f| !f.starts_with(['+', '-']) || !known.contains(&bare(f)));
        unknown.map_or(Ok(()), |f| Err(CpuError::Target(format!("{name} {f}"))))
    }
}

/// LLVM's 64-bit models that convert half-precision numbers.
#[rustfmt::skip]
const WITH_F16C: [&str; 44] = [
    "x86-64-v3", "x86-64-v4", "ivybridge", "haswell", "broadwell", "skylake", "skylake-avx512", "skx",
    "cannonlake", "cascadelake", "cooperlake", "icelake-client", "icelake-server", "rocketlake", "tigerlake",
    "alderlake", "raptorlake", "meteorlake", "gracemont", "sierraforest", "grandridge", "arrowlake",
    "arrowlake-s", "lunarlake", "pantherlake", "wildcatlake", "novalake", "clearwaterforest",
    "sapphirerapids", "emeraldrapids", "graniterapids", "graniterapids-d", "diamondrapids", "bdver2",
    "bdver3", "bdver4", "btver2", "znver1", "znver2", "znver3", "znver4", "znver5", "knl", "knm",
];

/// LLVM's 64-bit models that do not.
#[rustfmt::skip]
const WITHOUT_F16C: [&str; 24] = [
    "generic", "x86-64", "x86-64-v2", "k8", "k8-sse3", "athlon64", "opteron", "amdfam10", "barcelona", "nocona",
    "core2", "penryn", "bonnell", "atom", "nehalem", "corei7", "westmere", "sandybridge", "silvermont", "slm",
    "goldmont", "goldmont-plus", "tremont", "btver1",
];

/// The processor this process runs on, in LLVM's terms.
#[derive(Debug)]
pub struct HostCpu {
    /// LLVM's name of the model.
    pub name: String,
    /// Every feature, with `+` or `-`, separated by commas.
    pub features: String,
}

/// The processor this process runs on.
pub fn host() -> &'static HostCpu {
    static HOST: LazyLock<HostCpu> = LazyLock::new(|| HostCpu {
        name: TargetMachine::get_host_cpu_name().to_string(),
        features: TargetMachine::get_host_cpu_features().to_string(),
    });
    &HOST
}

thread_local! {
    /// The last machine used by this thread: making one costs as much as compiling a small function.
    static MACHINE: RefCell<Option<Kept>> = const { RefCell::new(None) };
}

struct Kept {
    cpu: CpuTarget,
    /// Always there but while it is dropped.
    machine: Option<TargetMachine>,
}

impl Drop for Kept {
    fn drop(&mut self) {
        let _llvm = exit::use_llvm();
        self.machine = None;
    }
}

/// Runs `f` with a target machine for `cpu`, kept for the thread's next compilation.
pub(crate) fn with_machine<R>(
    cpu: &CpuTarget,
    f: impl FnOnce(&TargetMachine) -> Result<R, CpuError>,
) -> Result<R, CpuError> {
    let kept = MACHINE.take().filter(|kept| kept.cpu == *cpu).and_then(|mut kept| kept.machine.take());
    let machine = match kept {
        Some(machine) => machine,
        None => new_machine(cpu)?,
    };
    let result = f(&machine);
    MACHINE.set(Some(Kept { cpu: cpu.clone(), machine: Some(machine) }));
    result
}

/// Makes LLVM ready to generate and to link code.
///
/// Loop strength reduction takes a fifth of the time of code generation and, like the default level against
/// `Less`, changes no figure of `cargo run --release --example throughput` on x86-64, whose addressing modes
/// do its work. LLVM has no other switch for it than this option of its command line.
pub(crate) fn initialise() {
    static INIT: Once = Once::new();
    INIT.call_once(|| {
        Target::initialize_x86(&InitializationConfig::default());
        let args = [c"freeloom".as_ptr(), c"-disable-lsr".as_ptr()];
        // SAFETY: both strings are static; the options are read once, before any other use of LLVM, and this
        // copy of LLVM is linked statically and private to the library.
        unsafe { LLVMParseCommandLineOptions(args.len() as i32, args.as_ptr(), std::ptr::null()) };
        exit::register();
    });
}

fn new_machine(cpu: &CpuTarget) -> Result<TargetMachine, CpuError> {
    initialise();
    cpu.check()?;
    let unknown = || CpuError::Target(cpu.name.clone());
    let triple = TargetTriple::create(TRIPLE);
    let target = Target::from_triple(&triple).map_err(|e| CpuError::Llvm(e.to_string()))?;
    let options = TargetMachineOptions::new()
        .set_cpu(&cpu.name)
        .set_features(&cpu.features)
        .set_level(OptimizationLevel::Less)
        .set_reloc_mode(RelocMode::PIC)
        .set_code_model(CodeModel::Default);
    target.create_target_machine_from_options(&triple, options).ok_or_else(unknown)
}

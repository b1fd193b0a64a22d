//! Process-wide caches: plans by spec, loaded code by key.
//!
//! Two specs may lead to the same module, for example when they differ in a promise that costs nothing on
//! the CPU; they then share code. Between the two lies the artifact store: what it keeps is the object's
//! bytes, which every process loads for itself.

use std::hash::Hash;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Instant;

use freeloom_artifact::{Flight, FlightError, Key, NoStore, Store};
use freeloom_cpu::{Code, Options};
use freeloom_ir::Module;

use crate::compact::{CompactPlan, CompactSpec};
use crate::error::{BuildError, Built};
use crate::histogram::{HistogramPlan, HistogramSpec};
use crate::merge_sort::{MergeSortPlan, MergeSortSpec};
use crate::search::{SearchPlan, SearchSpec};
use crate::segmented::{SegmentedReducePlan, SegmentedReduceSpec};
use crate::{ReducePlan, ReduceSpec, ScanPlan, ScanSpec, TransformPlan, TransformSpec};

/// What the caches hold and what filling them cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheStats {
    /// Plans.
    pub plans: u64,
    /// Loaded objects.
    pub objects: u64,
    /// Objects compiled since the process started.
    pub compiled: u64,
    /// Objects taken from the store since the process started.
    pub restored: u64,
    /// Time spent on making object bytes, in nanoseconds.
    pub compile_ns: u64,
    /// Time spent on loading them, in nanoseconds.
    pub load_ns: u64,
}

type Plans<S, P> = LazyLock<Flight<S, P, BuildError>>;

static COMPACT: Plans<CompactSpec, CompactPlan> = LazyLock::new(Flight::new);
static MERGE_SORT: Plans<MergeSortSpec, MergeSortPlan> = LazyLock::new(Flight::new);
static REDUCE: Plans<ReduceSpec, ReducePlan> = LazyLock::new(Flight::new);
static SCAN: Plans<ScanSpec, ScanPlan> = LazyLock::new(Flight::new);
static TRANSFORM: Plans<TransformSpec, TransformPlan> = LazyLock::new(Flight::new);
static SEGMENTED_REDUCE: Plans<SegmentedReduceSpec, SegmentedReducePlan> = LazyLock::new(Flight::new);
static HISTOGRAM: Plans<HistogramSpec, HistogramPlan> = LazyLock::new(Flight::new);
static SEARCH: Plans<SearchSpec, SearchPlan> = LazyLock::new(Flight::new);
static CODE: LazyLock<Flight<Key, Code, String>> = LazyLock::new(Flight::new);

static COMPILED: AtomicU64 = AtomicU64::new(0);
static RESTORED: AtomicU64 = AtomicU64::new(0);
static COMPILE_NS: AtomicU64 = AtomicU64::new(0);
static LOAD_NS: AtomicU64 = AtomicU64::new(0);

/// What the caches hold now.
pub fn cache_stats() -> CacheStats {
    CacheStats {
        plans: (COMPACT.len()
            + REDUCE.len()
            + MERGE_SORT.len()
            + SCAN.len()
            + TRANSFORM.len()
            + SEGMENTED_REDUCE.len()
            + HISTOGRAM.len()
            + SEARCH.len()) as u64,
        objects: CODE.len() as u64,
        compiled: COMPILED.load(Ordering::Relaxed),
        restored: RESTORED.load(Ordering::Relaxed),
        compile_ns: COMPILE_NS.load(Ordering::Relaxed),
        load_ns: LOAD_NS.load(Ordering::Relaxed),
    }
}

/// Forgets all plans and code. Plans in use stay alive; code is freed with the last plan that uses it.
pub fn clear_caches() {
    COMPACT.clear();
    MERGE_SORT.clear();
    REDUCE.clear();
    SCAN.clear();
    TRANSFORM.clear();
    SEGMENTED_REDUCE.clear();
    HISTOGRAM.clear();
    SEARCH.clear();
    CODE.clear();
}

pub(crate) fn compact(
    spec: &CompactSpec,
    build: impl FnOnce() -> Built<CompactPlan>,
) -> Result<Arc<CompactPlan>, Arc<BuildError>> {
    plan(&COMPACT, spec, build)
}

pub(crate) fn merge_sort(
    spec: &MergeSortSpec,
    build: impl FnOnce() -> Built<MergeSortPlan>,
) -> Result<Arc<MergeSortPlan>, Arc<BuildError>> {
    plan(&MERGE_SORT, spec, build)
}

pub(crate) fn reduce(
    spec: &ReduceSpec,
    build: impl FnOnce() -> Built<ReducePlan>,
) -> Result<Arc<ReducePlan>, Arc<BuildError>> {
    plan(&REDUCE, spec, build)
}

pub(crate) fn scan(
    spec: &ScanSpec,
    build: impl FnOnce() -> Built<ScanPlan>,
) -> Result<Arc<ScanPlan>, Arc<BuildError>> {
    plan(&SCAN, spec, build)
}

pub(crate) fn transform(
    spec: &TransformSpec,
    build: impl FnOnce() -> Built<TransformPlan>,
) -> Result<Arc<TransformPlan>, Arc<BuildError>> {
    plan(&TRANSFORM, spec, build)
}

pub(crate) fn segmented_reduce(
    spec: &SegmentedReduceSpec,
    build: impl FnOnce() -> Built<SegmentedReducePlan>,
) -> Result<Arc<SegmentedReducePlan>, Arc<BuildError>> {
    plan(&SEGMENTED_REDUCE, spec, build)
}

pub(crate) fn histogram(
    spec: &HistogramSpec,
    build: impl FnOnce() -> Built<HistogramPlan>,
) -> Result<Arc<HistogramPlan>, Arc<BuildError>> {
    plan(&HISTOGRAM, spec, build)
}

pub(crate) fn search(
    spec: &SearchSpec,
    build: impl FnOnce() -> Built<SearchPlan>,
) -> Result<Arc<SearchPlan>, Arc<BuildError>> {
    plan(&SEARCH, spec, build)
}

fn plan<S: Hash + Eq + Clone, P>(
    flight: &Flight<S, P, BuildError>,
    spec: &S,
    build: impl FnOnce() -> Built<P>,
) -> Result<Arc<P>, Arc<BuildError>> {
    flight.get_or_build(spec, build).map_err(|e| match e {
        FlightError::Build(e) => e,
        other => Arc::new(BuildError::Backend(other.to_string())),
    })
}

/// The loaded code of a module.
pub(crate) fn code(module: &Module) -> Built<Arc<Code>> {
    let options = Options::default();
    let key = key(module, &options);
    CODE.get_or_build(&key, || build_code(&NoStore, &key, module, &options))
        .map_err(|e| BuildError::Backend(e.to_string()))
}

/// Everything that changes the object.
fn key(module: &Module, options: &Options) -> Key {
    Key::builder()
        .part("IR", module.to_string().as_bytes())
        .part("processor", options.cpu.name.as_bytes())
        .part("processor features", options.cpu.features.as_bytes())
        .part("LLVM version", freeloom_cpu::llvm_version().as_bytes())
        .part("package version", env!("CARGO_PKG_VERSION").as_bytes())
        .finish()
}

fn build_code(store: &dyn Store, key: &Key, module: &Module, options: &Options) -> Result<Code, String> {
    // A stored object that does not load is damaged: it is built and saved anew.
    if let Some(code) = store.load(key).and_then(|object| timed(&LOAD_NS, || Code::load(&object)).ok()) {
        RESTORED.fetch_add(1, Ordering::Relaxed);
        return Ok(code);
    }
    if cfg!(debug_assertions) {
        freeloom_ir::verify(module).map_err(|e| format!("{e}\n{module}"))?;
    }
    let object = timed(&COMPILE_NS, || freeloom_cpu::compile(module, options)).map_err(|e| e.to_string())?;
    COMPILED.fetch_add(1, Ordering::Relaxed);
    store.save(key, &object);
    timed(&LOAD_NS, || Code::load(&object)).map_err(|e| e.to_string())
}

/// Runs `f` and adds the time it took to `sum`.
fn timed<R>(sum: &AtomicU64, f: impl FnOnce() -> R) -> R {
    let start = Instant::now();
    let result = f();
    sum.fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
    result
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use freeloom_ir::{Builder, Linkage};

    use super::*;

    /// Keeps one artifact.
    #[derive(Default)]
    struct Shelf(Mutex<Option<Vec<u8>>>);

    impl Store for Shelf {
        fn load(&self, _: &Key) -> Option<Vec<u8>> {
            self.0.lock().ok()?.clone()
        }

        fn save(&self, _: &Key, artifact: &[u8]) {
            if let Ok(mut shelf) = self.0.lock() {
                *shelf = Some(artifact.to_vec());
            }
        }
    }

    #[test]
    fn stored_objects_are_used_and_damaged_ones_replaced() {
        let mut b = Builder::new("nothing", Linkage::Export, &[], None);
        b.ret(None);
        let mut module = Module::default();
        module.push(b.finish());
        let options = Options::default();
        let key = key(&module, &options);
        let shelf = Shelf(Mutex::new(Some(b"damaged".to_vec())));
        let build = || build_code(&shelf, &key, &module, &options);
        let compiled = || COMPILED.load(Ordering::Relaxed);
        let before = compiled();
        assert!(build().is_ok_and(|code| code.symbol("nothing").is_some()));
        let object = shelf.load(&key);
        assert!(object.as_ref().is_some_and(|o| o.starts_with(b"\x7fELF")));
        assert!(build().is_ok_and(|code| code.symbol("nothing").is_some()));
        assert_eq!(compiled(), before + 1);
    }
}

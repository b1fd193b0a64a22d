//! What the plans of all algorithms share: code per memory layout, and the way to run blocks.

use std::any::Any;
use std::sync::{Arc, OnceLock};

use freeloom_ir::{Fail, Module, Type};
use freeloom_runtime::Interrupt;

use crate::cache;
use crate::error::{BuildError, Built, RunError};
use crate::kernel::{Args, Bound, Entry, Variant};

/// The kernels of one variant, in the order of the plan.
pub(crate) struct KernelSet<const N: usize>([Entry; N]);

impl<const N: usize> KernelSet<N> {
    /// Compiles a module, or takes its object from the cache, and loads it.
    pub(crate) fn compile(module: &Module, names: [&str; N]) -> Built<KernelSet<N>> {
        let code = cache::code(module)?;
        let entries = names.into_iter().map(|name| Entry::new(&code, name)).collect::<Built<Vec<_>>>()?;
        match entries.try_into() {
            Ok(entries) => Ok(KernelSet(entries)),
            Err(_) => Err(BuildError::Backend("kernels are missing".into())),
        }
    }

    /// The kernels with arguments.
    ///
    /// # Safety
    ///
    /// As for [`Entry::bind`].
    #[expect(unsafe_code, reason = "hands on the promise of the caller")]
    pub(crate) unsafe fn bind<'a>(&'a self, args: &'a Args) -> [Bound<'a>; N] {
        // SAFETY: the caller's promise is that of `Entry::bind`.
        self.0.each_ref().map(|entry| unsafe { entry.bind(args) })
    }
}

/// The kernels of a plan, by memory layout of the arrays. Made when first needed; a hit takes no lock.
///
/// The first node is the variant in which all arrays are contiguous; the others follow in the order in which
/// they were first met. A plan meets few, so a list is enough, and a list that only grows needs no lock.
pub(crate) struct Kernels<const N: usize> {
    first: OnceLock<Box<Node<N>>>,
}

struct Node<const N: usize> {
    variant: Variant,
    set: KernelSet<N>,
    next: OnceLock<Box<Node<N>>>,
}

impl<const N: usize> Default for Kernels<N> {
    fn default() -> Self {
        Kernels { first: OnceLock::new() }
    }
}

impl<const N: usize> Kernels<N> {
    /// Compiles the contiguous variant.
    pub(crate) fn prepare(&self, compile: impl FnOnce(Variant) -> Built<KernelSet<N>>) -> Built<()> {
        let set = compile(Variant::new())?;
        // The list is empty: the plan is not shared yet.
        let _ = self.first.set(Box::new(Node { variant: Variant::new(), set, next: OnceLock::new() }));
        Ok(())
    }

    /// The kernels for the layouts met while packing.
    pub(crate) fn get(
        &self,
        args: &Args,
        compile: impl FnOnce(Variant) -> Built<KernelSet<N>>,
    ) -> Result<&KernelSet<N>, RunError> {
        let contiguous = Variant::new();
        let wanted = if args.is_contiguous() { &contiguous } else { &args.variant };
        let mut slot = &self.first;
        while let Some(node) = slot.get() {
            if node.variant == *wanted {
                return Ok(&node.set);
            }
            slot = &node.next;
        }
        let set = compile(wanted.clone()).map_err(|e| RunError::Build(Arc::new(e)))?;
        let mut new = Box::new(Node { variant: wanted.clone(), set, next: OnceLock::new() });
        // Another thread may have appended meanwhile, perhaps even the same variant: then the first is used.
        loop {
            match slot.set(new) {
                Ok(()) => break,
                Err(refused) => new = refused,
            }
            if let Some(node) = slot.get() {
                slot = &node.next;
            }
        }
        slot.get().map(|node| &node.set).ok_or(RunError::Mismatch("the kernel list"))
    }
}

/// Appends the address of a value that lies in memory.
pub(crate) fn pack_value(ty: &Type, bytes: Option<&[u8]>, args: &mut Args) -> Result<(), RunError> {
    match bytes {
        Some(bytes) if bytes.len() as u64 >= ty.size() => {
            args.push(bytes.as_ptr() as u64);
            Ok(())
        }
        Some(_) => Err(RunError::Mismatch("the size of the initial value")),
        None => Err(RunError::Mismatch("a missing initial value")),
    }
}

/// Runs `body` for each block, on as many threads as are worth it. Blocks are started in increasing order.
pub(crate) fn run_blocks(
    blocks: usize,
    interrupt: &dyn Interrupt,
    body: &(dyn Fn(usize) + Sync),
) -> Result<(), RunError> {
    freeloom_runtime::run(blocks, interrupt, body).map_err(|e| match e {
        freeloom_runtime::RunError::Interrupted => RunError::Interrupted,
        freeloom_runtime::RunError::Failed(code) => match Fail::from_code(code) {
            Some(fail) => RunError::Failed(fail),
            None => RunError::Panicked(format!("unknown failure {code}")),
        },
        freeloom_runtime::RunError::Panicked(payload) => RunError::Panicked(panic_text(&*payload)),
    })
}

fn panic_text(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|s| (*s).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a message".into())
}

//! A borrowed body without its lifetime, so that jobs in the pool's queue can refer to it.
#![allow(unsafe_code, reason = "the borrow checker cannot see the gate")]

use crate::gate::Inside;

/// What a run calls for each block.
pub(crate) type Body<'a> = dyn Fn(usize) + Sync + 'a;

/// Points to a [`Body`] that may be gone.
#[derive(Clone, Copy)]
pub(crate) struct ErasedBody(*const Body<'static>);

// SAFETY: the body is `Sync`, so any thread may call it; when it may is the contract of `get`.
unsafe impl Send for ErasedBody {}
// SAFETY: as above.
unsafe impl Sync for ErasedBody {}

impl ErasedBody {
    pub(crate) fn new(body: &Body<'_>) -> ErasedBody {
        // SAFETY: only the lifetime changes, and the pointer is used under the contract of `get` alone.
        ErasedBody(unsafe { std::mem::transmute::<*const Body<'_>, *const Body<'static>>(body) })
    }

    /// The body, for as long as a helper is inside.
    ///
    /// # Safety
    ///
    /// `inside` must be of the gate that the run which lent the body closes before it returns.
    pub(crate) unsafe fn get<'a>(self, _inside: &'a Inside<'_>) -> &'a Body<'a> {
        // SAFETY: the run has not returned, since its gate is not shut while a helper is inside; so the
        // borrow it holds is alive.
        unsafe { &*self.0 }
    }
}

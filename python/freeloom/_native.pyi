"""Types of the native module. Checked against the binary."""

from typing import Any, Final, final

from freeloom.compute.determinism import Determinism
from freeloom.compute.types import TypeDescriptor
from freeloom.compute.typing import DeviceArrayLike, Operator

__version__: Final[str]

class IteratorBase:
    @property
    def value_type(self) -> TypeDescriptor: ...
    @property
    def kind(self) -> tuple[str, tuple[int, ...]]: ...
    @property
    def children(self) -> tuple[Any, ...]: ...
    @property
    def state(self) -> bytes: ...
    @property
    def state_alignment(self) -> int: ...
    def advance(self, n: int) -> Any: ...
    def __add__(self, value: int, /) -> Any: ...
    def __radd__(self, value: int, /) -> Any: ...

@final
class CountingIterator(IteratorBase):
    def __new__(cls, start: Any) -> CountingIterator: ...

@final
class ConstantIterator(IteratorBase):
    def __new__(cls, value: Any) -> ConstantIterator: ...

@final
class TransformIterator(IteratorBase):
    def __new__(
        cls,
        underlying: DeviceArrayLike | IteratorBase,
        transform_op: Operator,
        value_type: Any = None,
        is_input: bool = True,
    ) -> TransformIterator: ...

@final
class TransformOutputIterator(IteratorBase):
    def __new__(
        cls,
        underlying: DeviceArrayLike | IteratorBase,
        transform_op: Operator,
        output_value_type: Any = None,
    ) -> TransformOutputIterator: ...

@final
class ZipIterator(IteratorBase):
    def __new__(cls, *iterators: Any) -> ZipIterator: ...

@final
class _Reduce:
    def __call__(
        self,
        *,
        temp_storage: Any,
        d_in: DeviceArrayLike | IteratorBase,
        d_out: DeviceArrayLike | IteratorBase,
        num_items: int,
        op: Operator,
        h_init: Any,
        stream: None = None,
    ) -> int: ...

@final
class _Scan:
    def __call__(
        self,
        *,
        temp_storage: Any,
        d_in: DeviceArrayLike | IteratorBase,
        d_out: DeviceArrayLike | IteratorBase,
        op: Operator,
        init_value: Any,
        num_items: int,
        stream: None = None,
    ) -> int: ...

@final
class _Transform:
    # `d_in` of a unary transform; `d_in1` and `d_in2` of a binary one.
    def __call__(
        self,
        *,
        d_in: DeviceArrayLike | IteratorBase = ...,
        d_in1: DeviceArrayLike | IteratorBase = ...,
        d_in2: DeviceArrayLike | IteratorBase = ...,
        d_out: DeviceArrayLike | IteratorBase,
        op: Operator,
        num_items: int,
        stream: None = None,
    ) -> None: ...

def make_reduce_into(
    *,
    d_in: DeviceArrayLike | IteratorBase,
    d_out: DeviceArrayLike | IteratorBase,
    op: Operator,
    h_init: Any = None,
    determinism: Determinism | None = None,
    compute_capability: None = None,
) -> _Reduce: ...
def reduce_into(
    *,
    d_in: DeviceArrayLike | IteratorBase,
    d_out: DeviceArrayLike | IteratorBase,
    num_items: int,
    op: Operator,
    h_init: Any = None,
    stream: None = None,
    determinism: Determinism | None = None,
    compute_capability: None = None,
) -> None: ...
def make_inclusive_scan(
    *,
    d_in: DeviceArrayLike | IteratorBase,
    d_out: DeviceArrayLike | IteratorBase,
    op: Operator,
    init_value: Any = None,
    compute_capability: None = None,
) -> _Scan: ...
def make_exclusive_scan(
    *,
    d_in: DeviceArrayLike | IteratorBase,
    d_out: DeviceArrayLike | IteratorBase,
    op: Operator,
    init_value: Any,
    compute_capability: None = None,
) -> _Scan: ...
def inclusive_scan(
    *,
    d_in: DeviceArrayLike | IteratorBase,
    d_out: DeviceArrayLike | IteratorBase,
    op: Operator,
    init_value: Any = None,
    num_items: int,
    stream: None = None,
) -> None: ...
def exclusive_scan(
    *,
    d_in: DeviceArrayLike | IteratorBase,
    d_out: DeviceArrayLike | IteratorBase,
    op: Operator,
    init_value: Any,
    num_items: int,
    stream: None = None,
) -> None: ...
def make_unary_transform(
    *,
    d_in: DeviceArrayLike | IteratorBase,
    d_out: DeviceArrayLike | IteratorBase,
    op: Operator,
    compute_capability: None = None,
) -> _Transform: ...
def unary_transform(
    *,
    d_in: DeviceArrayLike | IteratorBase,
    d_out: DeviceArrayLike | IteratorBase,
    op: Operator,
    num_items: int,
    stream: None = None,
) -> None: ...
def make_binary_transform(
    *,
    d_in1: DeviceArrayLike | IteratorBase,
    d_in2: DeviceArrayLike | IteratorBase,
    d_out: DeviceArrayLike | IteratorBase,
    op: Operator,
    compute_capability: None = None,
) -> _Transform: ...
def binary_transform(
    *,
    d_in1: DeviceArrayLike | IteratorBase,
    d_in2: DeviceArrayLike | IteratorBase,
    d_out: DeviceArrayLike | IteratorBase,
    op: Operator,
    num_items: int,
    stream: None = None,
) -> None: ...
def clear_all_caches() -> None: ...
def _native_info() -> dict[str, Any]: ...

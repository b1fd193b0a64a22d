"""Types of the native module. Checked against the binary."""

from typing import Any, Final, final

from typing_extensions import disjoint_base

from freeloom.compute._sorting import DoubleBuffer, SortOrder
from freeloom.compute.determinism import Determinism
from freeloom.compute.types import TypeDescriptor
from freeloom.compute.typing import (
    BinarySearcher,
    BinaryTransformer,
    DeviceArrayLike,
    HistogramMaker,
    MergeSorter,
    Operator,
    Partitioner,
    RadixSorter,
    Reducer,
    Scanner,
    SegmentedReducer,
    SegmentedSorter,
    Selector,
    UnaryTransformer,
    UniqueByKey,
)

__all__ = [
    "CacheModifiedInputIterator",
    "ConstantIterator",
    "CountingIterator",
    "DiscardIterator",
    "IteratorBase",
    "PermutationIterator",
    "ReverseIterator",
    "ShuffleIterator",
    "TransformIterator",
    "TransformOutputIterator",
    "ZipIterator",
    "_Compaction",
    "_Histogram",
    "_MergeSort",
    "_RadixSort",
    "_Reduce",
    "_Scan",
    "_Search",
    "_SegmentedReduce",
    "_SegmentedSort",
    "_Transform",
    "__version__",
    "_native_info",
    "binary_transform",
    "clear_all_caches",
    "exclusive_scan",
    "histogram_even",
    "inclusive_scan",
    "lower_bound",
    "make_binary_transform",
    "make_exclusive_scan",
    "make_histogram_even",
    "make_inclusive_scan",
    "make_lower_bound",
    "make_merge_sort",
    "make_radix_sort",
    "make_reduce_into",
    "make_segmented_reduce",
    "make_segmented_sort",
    "make_select",
    "make_three_way_partition",
    "make_unary_transform",
    "make_unique_by_key",
    "make_upper_bound",
    "merge_sort",
    "radix_sort",
    "reduce_into",
    "segmented_reduce",
    "segmented_sort",
    "select",
    "three_way_partition",
    "unary_transform",
    "unique_by_key",
    "upper_bound",
]

__version__: Final[str]

@disjoint_base
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
class ReverseIterator(IteratorBase):
    def __new__(cls, underlying: DeviceArrayLike | IteratorBase) -> ReverseIterator: ...

@final
class PermutationIterator(IteratorBase):
    def __new__(
        cls,
        values: DeviceArrayLike | IteratorBase,
        indices: DeviceArrayLike | IteratorBase,
    ) -> PermutationIterator: ...

@final
class DiscardIterator(IteratorBase):
    def __new__(cls, reference_iterator: DeviceArrayLike | IteratorBase | None = None) -> DiscardIterator: ...

@final
class ShuffleIterator(IteratorBase):
    def __new__(cls, num_items: int, seed: int = 0) -> ShuffleIterator: ...

@final
class CacheModifiedInputIterator(IteratorBase):
    def __new__(cls, array: DeviceArrayLike, modifier: str = "stream") -> CacheModifiedInputIterator: ...

# The objects that `make_*` functions return, as their protocols in `freeloom.compute.typing` describe them.
@final
class _Compaction:
    def __call__(self, *args: Any, **kwargs: Any) -> int: ...

@final
class _SegmentedSort:
    def __call__(self, *args: Any, **kwargs: Any) -> int: ...

@final
class _RadixSort:
    def __call__(self, *args: Any, **kwargs: Any) -> int: ...

@final
class _MergeSort:
    def __call__(self, *args: Any, **kwargs: Any) -> int: ...

@final
class _Reduce:
    def __call__(self, *args: Any, **kwargs: Any) -> int: ...

@final
class _Scan:
    def __call__(self, *args: Any, **kwargs: Any) -> int: ...

@final
class _Transform:
    def __call__(self, *args: Any, **kwargs: Any) -> None: ...

@final
class _SegmentedReduce:
    def __call__(self, *args: Any, **kwargs: Any) -> int: ...

@final
class _Histogram:
    def __call__(self, *args: Any, **kwargs: Any) -> int: ...

@final
class _Search:
    def __call__(self, *args: Any, **kwargs: Any) -> None: ...

def make_reduce_into(
    *,
    d_in: DeviceArrayLike | IteratorBase,
    d_out: DeviceArrayLike | IteratorBase,
    op: Operator,
    h_init: Any = None,
    determinism: Determinism | None = None,
    compute_capability: None = None,
) -> Reducer: ...
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
) -> Scanner: ...
def make_exclusive_scan(
    *,
    d_in: DeviceArrayLike | IteratorBase,
    d_out: DeviceArrayLike | IteratorBase,
    op: Operator,
    init_value: Any,
    compute_capability: None = None,
) -> Scanner: ...
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
def make_select(
    *,
    d_in: DeviceArrayLike | IteratorBase,
    d_out: DeviceArrayLike | IteratorBase,
    d_num_selected_out: DeviceArrayLike | IteratorBase,
    cond: Operator,
    compute_capability: None = None,
) -> Selector: ...
def select(
    *,
    d_in: DeviceArrayLike | IteratorBase,
    d_out: DeviceArrayLike | IteratorBase,
    d_num_selected_out: DeviceArrayLike | IteratorBase,
    cond: Operator,
    num_items: int,
    stream: None = None,
) -> None: ...
def make_three_way_partition(
    *,
    d_in: DeviceArrayLike | IteratorBase,
    d_first_part_out: DeviceArrayLike | IteratorBase,
    d_second_part_out: DeviceArrayLike | IteratorBase,
    d_unselected_out: DeviceArrayLike | IteratorBase,
    d_num_selected_out: DeviceArrayLike | IteratorBase,
    select_first_part_op: Operator,
    select_second_part_op: Operator,
    compute_capability: None = None,
) -> Partitioner: ...
def three_way_partition(
    *,
    d_in: DeviceArrayLike | IteratorBase,
    d_first_part_out: DeviceArrayLike | IteratorBase,
    d_second_part_out: DeviceArrayLike | IteratorBase,
    d_unselected_out: DeviceArrayLike | IteratorBase,
    d_num_selected_out: DeviceArrayLike | IteratorBase,
    select_first_part_op: Operator,
    select_second_part_op: Operator,
    num_items: int,
    stream: None = None,
) -> None: ...
def make_unique_by_key(
    *,
    d_in_keys: DeviceArrayLike | IteratorBase,
    d_in_items: DeviceArrayLike | IteratorBase,
    d_out_keys: DeviceArrayLike | IteratorBase,
    d_out_items: DeviceArrayLike | IteratorBase,
    d_out_num_selected: DeviceArrayLike | IteratorBase,
    op: Operator,
    compute_capability: None = None,
) -> UniqueByKey: ...
def unique_by_key(
    *,
    d_in_keys: DeviceArrayLike | IteratorBase,
    d_in_items: DeviceArrayLike | IteratorBase,
    d_out_keys: DeviceArrayLike | IteratorBase,
    d_out_items: DeviceArrayLike | IteratorBase,
    d_out_num_selected: DeviceArrayLike | IteratorBase,
    op: Operator,
    num_items: int,
    stream: None = None,
) -> None: ...
def make_unary_transform(
    *,
    d_in: DeviceArrayLike | IteratorBase,
    d_out: DeviceArrayLike | IteratorBase,
    op: Operator,
    compute_capability: None = None,
) -> UnaryTransformer: ...
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
) -> BinaryTransformer: ...
def binary_transform(
    *,
    d_in1: DeviceArrayLike | IteratorBase,
    d_in2: DeviceArrayLike | IteratorBase,
    d_out: DeviceArrayLike | IteratorBase,
    op: Operator,
    num_items: int,
    stream: None = None,
) -> None: ...
def make_segmented_reduce(
    *,
    d_in: DeviceArrayLike | IteratorBase,
    d_out: DeviceArrayLike | IteratorBase,
    start_offsets_in: DeviceArrayLike | IteratorBase,
    end_offsets_in: DeviceArrayLike | IteratorBase,
    op: Operator,
    h_init: Any,
    compute_capability: None = None,
) -> SegmentedReducer: ...
def segmented_reduce(
    *,
    d_in: DeviceArrayLike | IteratorBase,
    d_out: DeviceArrayLike | IteratorBase,
    num_segments: int,
    start_offsets_in: DeviceArrayLike | IteratorBase,
    end_offsets_in: DeviceArrayLike | IteratorBase,
    op: Operator,
    h_init: Any,
    max_segment_size: int | None = None,
    stream: None = None,
) -> None: ...
def make_histogram_even(
    *,
    d_samples: DeviceArrayLike | IteratorBase,
    d_histogram: DeviceArrayLike | IteratorBase,
    h_num_output_levels: Any,
    h_lower_level: Any,
    h_upper_level: Any,
    num_samples: int,
    compute_capability: None = None,
) -> HistogramMaker: ...
def histogram_even(
    *,
    d_samples: DeviceArrayLike | IteratorBase,
    d_histogram: DeviceArrayLike | IteratorBase,
    num_output_levels: Any,
    lower_level: Any,
    upper_level: Any,
    num_samples: int,
    stream: None = None,
) -> None: ...
def make_lower_bound(
    *,
    d_data: DeviceArrayLike,
    d_values: DeviceArrayLike | IteratorBase,
    d_out: DeviceArrayLike,
    comp: Operator | None = None,
    compute_capability: None = None,
) -> BinarySearcher: ...
def lower_bound(
    *,
    d_data: DeviceArrayLike,
    num_items: int,
    d_values: DeviceArrayLike | IteratorBase,
    num_values: int,
    d_out: DeviceArrayLike,
    comp: Operator | None = None,
    stream: None = None,
) -> None: ...
def make_upper_bound(
    *,
    d_data: DeviceArrayLike,
    d_values: DeviceArrayLike | IteratorBase,
    d_out: DeviceArrayLike,
    comp: Operator | None = None,
    compute_capability: None = None,
) -> BinarySearcher: ...
def upper_bound(
    *,
    d_data: DeviceArrayLike,
    num_items: int,
    d_values: DeviceArrayLike | IteratorBase,
    num_values: int,
    d_out: DeviceArrayLike,
    comp: Operator | None = None,
    stream: None = None,
) -> None: ...
def make_merge_sort(
    *,
    d_in_keys: DeviceArrayLike | IteratorBase,
    d_in_values: DeviceArrayLike | IteratorBase | None = None,
    d_out_keys: DeviceArrayLike,
    d_out_values: DeviceArrayLike | None = None,
    op: Operator,
    compute_capability: None = None,
) -> MergeSorter: ...
def merge_sort(
    *,
    d_in_keys: DeviceArrayLike | IteratorBase,
    d_in_values: DeviceArrayLike | IteratorBase | None = None,
    d_out_keys: DeviceArrayLike,
    d_out_values: DeviceArrayLike | None = None,
    num_items: int,
    op: Operator,
    stream: None = None,
) -> None: ...
def make_radix_sort(
    *,
    d_in_keys: DeviceArrayLike | DoubleBuffer,
    d_out_keys: DeviceArrayLike | None,
    d_in_values: DeviceArrayLike | DoubleBuffer | None = None,
    d_out_values: DeviceArrayLike | None = None,
    order: SortOrder,
    compute_capability: None = None,
) -> RadixSorter: ...
def radix_sort(
    *,
    d_in_keys: DeviceArrayLike | DoubleBuffer,
    d_out_keys: DeviceArrayLike | None,
    d_in_values: DeviceArrayLike | DoubleBuffer | None = None,
    d_out_values: DeviceArrayLike | None = None,
    num_items: int,
    order: SortOrder,
    begin_bit: int | None = None,
    end_bit: int | None = None,
    stream: None = None,
) -> None: ...
def make_segmented_sort(
    *,
    d_in_keys: DeviceArrayLike | DoubleBuffer,
    d_out_keys: DeviceArrayLike | None = None,
    d_in_values: DeviceArrayLike | DoubleBuffer | None = None,
    d_out_values: DeviceArrayLike | None = None,
    start_offsets_in: DeviceArrayLike | IteratorBase,
    end_offsets_in: DeviceArrayLike | IteratorBase,
    order: SortOrder,
    compute_capability: None = None,
) -> SegmentedSorter: ...
def segmented_sort(
    *,
    d_in_keys: DeviceArrayLike | DoubleBuffer,
    d_out_keys: DeviceArrayLike | None = None,
    d_in_values: DeviceArrayLike | DoubleBuffer | None = None,
    d_out_values: DeviceArrayLike | None = None,
    num_items: int,
    num_segments: int,
    start_offsets_in: DeviceArrayLike | IteratorBase,
    end_offsets_in: DeviceArrayLike | IteratorBase,
    order: SortOrder,
    stream: None = None,
) -> None: ...
def clear_all_caches() -> None: ...
def _native_info() -> dict[str, Any]: ...

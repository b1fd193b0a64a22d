"""Types of arguments, for annotations."""

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias, TypeVar, runtime_checkable

from freeloom._native import IteratorBase
from freeloom.compute.op import OpKind

__all__ = [
    "BinarySearcher",
    "BinaryTransformer",
    "DeviceArrayLike",
    "GpuStruct",
    "HistogramMaker",
    "IteratorT",
    "MergeSorter",
    "Operator",
    "Partitioner",
    "RadixSorter",
    "Reducer",
    "Scanner",
    "SegmentedReducer",
    "SegmentedSorter",
    "Selector",
    "StreamLike",
    "UnaryTransformer",
    "UniqueByKey",
]

DeviceArrayLike: TypeAlias = Any
"""An array: NumPy's, or any object with `__array_interface__`, the buffer protocol or `__dlpack__`."""

IteratorT = TypeVar("IteratorT", bound=IteratorBase)
"""An iterator."""

Operator: TypeAlias = OpKind | Callable[..., Any]
"""A well-known operator or a Python function."""


@runtime_checkable
class StreamLike(Protocol):
    """An object that follows CUDA's stream protocol."""

    def __cuda_stream__(self) -> tuple[int, int]:
        """Version 0 and the handle."""
        ...


@runtime_checkable
class GpuStruct(Protocol):
    """An instance of a record class."""

    dtype: Any
    """The NumPy dtype of the record."""
    _data: Any


class Reducer(Protocol):
    """What `make_reduce_into` returns."""

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
    ) -> int:
        """Runs, or with `temp_storage=None` returns how many bytes of it a run needs."""
        ...


class Scanner(Protocol):
    """What `make_inclusive_scan` and `make_exclusive_scan` return."""

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
    ) -> int:
        """Runs, or with `temp_storage=None` returns how many bytes of it a run needs."""
        ...


class UnaryTransformer(Protocol):
    """What `make_unary_transform` returns."""

    def __call__(
        self,
        *,
        d_in: DeviceArrayLike | IteratorBase,
        d_out: DeviceArrayLike | IteratorBase,
        op: Operator,
        num_items: int,
        stream: None = None,
    ) -> None:
        """Runs."""
        ...


class BinaryTransformer(Protocol):
    """What `make_binary_transform` returns."""

    def __call__(
        self,
        *,
        d_in1: DeviceArrayLike | IteratorBase,
        d_in2: DeviceArrayLike | IteratorBase,
        d_out: DeviceArrayLike | IteratorBase,
        op: Operator,
        num_items: int,
        stream: None = None,
    ) -> None:
        """Runs."""
        ...


class Selector(Protocol):
    """What `make_select` returns."""

    def __call__(
        self,
        *,
        temp_storage: Any,
        d_in: DeviceArrayLike | IteratorBase,
        d_out: DeviceArrayLike | IteratorBase,
        d_num_selected_out: DeviceArrayLike | IteratorBase,
        cond: Operator,
        num_items: int,
        stream: None = None,
    ) -> int:
        """Runs, or with `temp_storage=None` returns how many bytes of it a run needs."""
        ...


class Partitioner(Protocol):
    """What `make_three_way_partition` returns."""

    def __call__(
        self,
        *,
        temp_storage: Any,
        d_in: DeviceArrayLike | IteratorBase,
        d_first_part_out: DeviceArrayLike | IteratorBase,
        d_second_part_out: DeviceArrayLike | IteratorBase,
        d_unselected_out: DeviceArrayLike | IteratorBase,
        d_num_selected_out: DeviceArrayLike | IteratorBase,
        select_first_part_op: Operator,
        select_second_part_op: Operator,
        num_items: int,
        stream: None = None,
    ) -> int:
        """Runs, or with `temp_storage=None` returns how many bytes of it a run needs."""
        ...


class UniqueByKey(Protocol):
    """What `make_unique_by_key` returns."""

    def __call__(
        self,
        *,
        temp_storage: Any,
        d_in_keys: DeviceArrayLike | IteratorBase,
        d_in_items: DeviceArrayLike | IteratorBase,
        d_out_keys: DeviceArrayLike | IteratorBase,
        d_out_items: DeviceArrayLike | IteratorBase,
        d_out_num_selected: DeviceArrayLike | IteratorBase,
        op: Operator,
        num_items: int,
        stream: None = None,
    ) -> int:
        """Runs, or with `temp_storage=None` returns how many bytes of it a run needs."""
        ...


class SegmentedReducer(Protocol):
    """What `make_segmented_reduce` returns."""

    def __call__(
        self,
        *,
        temp_storage: Any,
        d_in: DeviceArrayLike | IteratorBase,
        d_out: DeviceArrayLike | IteratorBase,
        num_segments: int,
        start_offsets_in: DeviceArrayLike | IteratorBase,
        end_offsets_in: DeviceArrayLike | IteratorBase,
        op: Operator,
        h_init: Any,
        max_segment_size: int | None = None,
        stream: None = None,
    ) -> int:
        """Runs, or with `temp_storage=None` returns how many bytes of it a run needs."""
        ...


class HistogramMaker(Protocol):
    """What `make_histogram_even` returns."""

    def __call__(
        self,
        *,
        temp_storage: Any,
        d_samples: DeviceArrayLike | IteratorBase,
        d_histogram: DeviceArrayLike | IteratorBase,
        h_num_output_levels: Any,
        h_lower_level: Any,
        h_upper_level: Any,
        num_samples: int,
        stream: None = None,
    ) -> int:
        """Runs, or with `temp_storage=None` returns how many bytes of it a run needs."""
        ...


class BinarySearcher(Protocol):
    """What `make_lower_bound` and `make_upper_bound` return."""

    def __call__(
        self,
        *,
        d_data: DeviceArrayLike,
        num_items: int,
        d_values: DeviceArrayLike | IteratorBase,
        num_values: int,
        d_out: DeviceArrayLike,
        comp: Operator | None,
        stream: None = None,
    ) -> None:
        """Runs."""
        ...


class RadixSorter(Protocol):
    """What `make_radix_sort` returns."""

    def __call__(
        self,
        *,
        temp_storage: Any,
        d_in_keys: Any,
        d_out_keys: Any,
        d_in_values: Any = None,
        d_out_values: Any = None,
        num_items: int,
        begin_bit: int | None = None,
        end_bit: int | None = None,
        stream: None = None,
    ) -> int:
        """Runs, or with `temp_storage=None` returns how many bytes of it a run needs."""
        ...


class SegmentedSorter(Protocol):
    """What `make_segmented_sort` returns."""

    def __call__(
        self,
        *,
        temp_storage: Any,
        d_in_keys: Any,
        d_out_keys: Any = None,
        d_in_values: Any = None,
        d_out_values: Any = None,
        num_items: int,
        num_segments: int,
        start_offsets_in: DeviceArrayLike | IteratorBase,
        end_offsets_in: DeviceArrayLike | IteratorBase,
        stream: None = None,
    ) -> int:
        """Runs, or with `temp_storage=None` returns how many bytes of it a run needs."""
        ...


class MergeSorter(Protocol):
    """What `make_merge_sort` returns."""

    def __call__(
        self,
        *,
        temp_storage: Any,
        d_in_keys: DeviceArrayLike | IteratorBase,
        d_in_values: DeviceArrayLike | IteratorBase | None = None,
        d_out_keys: DeviceArrayLike,
        d_out_values: DeviceArrayLike | None = None,
        num_items: int,
        op: Operator,
        stream: None = None,
    ) -> int:
        """Runs, or with `temp_storage=None` returns how many bytes of it a run needs."""
        ...

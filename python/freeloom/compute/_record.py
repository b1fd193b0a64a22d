"""Record classes: how they are made and what their instances do."""

import sys
from collections.abc import Mapping
from typing import Any, ClassVar, TypeAlias

import numpy as np

from freeloom.compute import types

Spec: TypeAlias = Mapping[str, Any]


class Record:
    """Base of record classes. An instance holds a 0-d NumPy array of its record in `_data`."""

    __slots__ = ("_data",)

    dtype: ClassVar[np.dtype[Any]]
    _field_spec: ClassVar[dict[str, Any]]
    _type_descriptor: ClassVar[types.TypeDescriptor]
    _record_classes: ClassVar[dict[str, type["Record"]]]
    _data: np.ndarray[Any, Any]

    def __init__(self, *values: Any, **named: Any) -> None:
        self._data = np.zeros((), self.dtype)
        for name, value in _by_name(type(self), values, named).items():
            self._data[name] = _coerce(type(self), name, value)

    @property
    def __array_interface__(self) -> dict[str, Any]:
        return dict(self._data.__array_interface__)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Record) or self.dtype != other.dtype:
            return NotImplemented
        return bool(self._data == other._data)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._field_spec)
        return f"{type(self).__name__}({values})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restore, (type(self), self._data))


def _restore(cls: type[Record], data: np.ndarray[Any, Any]) -> Record:
    instance = cls.__new__(cls)
    instance._data = data
    return instance


def make_class(fields: Spec | np.dtype[Any], name: str, decorated: type | None) -> type[Record]:
    """The record class of some fields, or of a structured dtype as it is."""
    if isinstance(fields, np.dtype):
        spec, dtype = _spec_of_dtype(fields), fields
    else:
        spec = {_valid_name(field): _field_type(field, ty) for field, ty in fields.items()}
        dtype = np.dtype([(field, _dtype_of(ty)) for field, ty in spec.items()], align=True)
    if not spec:
        raise ValueError(f"gpu_struct {name} has no fields")
    body = {
        "__slots__": (),
        "__module__": decorated.__module__ if decorated else "freeloom.compute.struct",
        "__qualname__": decorated.__qualname__ if decorated else name,
        "__doc__": decorated.__doc__ if decorated else None,
        "dtype": dtype,
        "_field_spec": spec,
        "_type_descriptor": types.from_numpy_dtype(dtype),
        "_record_classes": {field: ty for field, ty in spec.items() if _is_record_class(ty)},
        **{field: _field(field) for field in spec},
    }
    return type(name, (Record,), body)


def _field(name: str) -> property:
    def read(self: Record) -> Any:
        value = self._data[name]
        nested = self._record_classes.get(name)
        # A view: a nested record shares the memory of the outer one.
        return _restore(nested, value) if nested else value[()]

    return property(read, doc=f"Field `{name}`.")


def _spec_of_dtype(dtype: np.dtype[Any]) -> dict[str, Any]:
    if dtype.names is None or dtype.fields is None:
        raise TypeError(f"gpu_struct needs a structured dtype, not {dtype}")
    return {_valid_name(name): _nested(dtype.fields[name][0], name) for name in dtype.names}


def _nested(dtype: np.dtype[Any], name: str) -> Any:
    return make_class(dtype, name, None) if dtype.names is not None else dtype


def _valid_name(name: object) -> str:
    if not isinstance(name, str) or not name.isidentifier():
        raise ValueError(f"gpu_struct field name {name!r} is not a valid Python identifier")
    if hasattr(Record, name) or name in Record.__annotations__:
        raise ValueError(
            f"gpu_struct field name {name!r} is taken by an attribute that every record class has"
        )
    return name


def _is_record_class(ty: object) -> bool:
    return isinstance(ty, type) and issubclass(ty, Record)


def _field_type(field: str, ty: Any) -> Any:
    """A record class or a dtype."""
    if _is_record_class(ty):
        return ty
    if isinstance(ty, types.TypeDescriptor) and ty.dtype is not None:
        return _nested(ty.dtype, field)
    if isinstance(ty, Mapping):
        return make_class(ty, field, None)
    try:
        return _nested(np.dtype(ty), field)
    except TypeError as error:
        raise TypeError(f"gpu_struct field {field!r}: {ty!r} is not a type") from error


def _dtype_of(ty: Any) -> np.dtype[Any]:
    dtype: np.dtype[Any] = ty.dtype if _is_record_class(ty) else ty
    return dtype


def resolve_annotations(cls: type, scope: Mapping[str, Any]) -> dict[str, Any]:
    """The annotations of a class; string ones are evaluated in its module and in `scope`."""
    module = sys.modules.get(cls.__module__)
    names = {**(vars(module) if module else {}), **scope}
    return {name: _evaluate(cls, name, ty, names) for name, ty in cls.__annotations__.items()}


def _evaluate(cls: type, name: str, ty: Any, names: dict[str, Any]) -> Any:
    if not isinstance(ty, str):
        return ty
    try:
        return eval(ty, names, dict(vars(cls)))
    except Exception as error:
        raise TypeError(f"gpu_struct field {name!r}: cannot evaluate the annotation {ty!r}") from error


def _by_name(cls: type[Record], values: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any]:
    fields = list(cls._field_spec)
    if len(values) == 1 and not named and isinstance(values[0], Mapping):
        named, values = dict(values[0]), ()
    if values and named:
        raise AssertionError(f"{cls.__name__} takes values by position or by name, not both")
    if named:
        if set(named) != set(fields):
            raise AssertionError(f"{cls.__name__} has the fields {fields}, not {list(named)}")
        return named
    if len(values) != len(fields):
        raise AssertionError(f"{cls.__name__} has {len(fields)} fields, but got {len(values)} values")
    return dict(zip(fields, values, strict=True))


def _coerce(cls: type[Record], name: str, value: Any) -> Any:
    ty = cls._field_spec[name]
    try:
        if _is_record_class(ty):
            return _nested_value(ty, value)
        return _scalar(ty, value) if ty.subdtype is None else _items(ty, value)
    except (TypeError, ValueError, OverflowError, AssertionError) as error:
        raise TypeError(f"Cannot coerce {value!r} to {_dtype_of(ty)} for field {name!r}") from error


def _nested_value(ty: type[Record], value: Any) -> Any:
    """From an instance, a tuple, a dictionary or a NumPy record."""
    if isinstance(value, Record):
        value = value._data
    if isinstance(value, np.void | np.ndarray):
        value = value.item()
    return (ty(value) if isinstance(value, Mapping) else ty(*value))._data[()]


def _scalar(dtype: np.dtype[Any], value: Any) -> Any:
    # NumPy makes NaN of None and parses strings; neither is a number here.
    if value is None or isinstance(value, str | bytes) or np.ndim(value) != 0:
        raise TypeError("not a number")
    return dtype.type(value)


def _items(dtype: np.dtype[Any], value: Any) -> Any:
    items = np.asarray(value, dtype.base)
    if items.shape != dtype.shape:
        raise ValueError(f"{dtype.shape} items are needed")
    return items

"""What the package offers: names, documentation, examples, types."""

import doctest
import importlib
import inspect
import pkgutil
from pathlib import Path

import pytest

import freeloom
from freeloom import _native, compute

PUBLIC = ["freeloom", "freeloom.errors", "freeloom.compute"] + [
    f"freeloom.compute.{name}"
    for name in ("algorithms", "determinism", "iterators", "op", "struct", "types", "typing")
]
CONTRACT = {
    "reduce_into": "d_in d_out num_items op h_init=None stream=None",
    "make_reduce_into": "d_in d_out op h_init=None",
    "inclusive_scan": "d_in d_out op init_value=None num_items stream=None",
    "make_inclusive_scan": "d_in d_out op init_value=None compute_capability=None",
    "exclusive_scan": "d_in d_out op init_value num_items stream=None",
    "make_exclusive_scan": "d_in d_out op init_value compute_capability=None",
    "unary_transform": "d_in d_out op num_items stream=None",
    "make_unary_transform": "d_in d_out op compute_capability=None",
    "binary_transform": "d_in1 d_in2 d_out op num_items stream=None",
    "make_binary_transform": "d_in1 d_in2 d_out op compute_capability=None",
    "merge_sort": "d_in_keys d_in_values=None d_out_keys d_out_values=None num_items op stream=None",
    "make_merge_sort": "d_in_keys d_in_values=None d_out_keys d_out_values=None op compute_capability=None",
    "radix_sort": "d_in_keys d_out_keys d_in_values=None d_out_values=None num_items order "
    "begin_bit=None end_bit=None stream=None",
    "make_radix_sort": "d_in_keys d_out_keys d_in_values=None d_out_values=None order "
    "compute_capability=None",
    "segmented_sort": "d_in_keys d_out_keys=None d_in_values=None d_out_values=None num_items "
    "num_segments start_offsets_in end_offsets_in order stream=None",
    "make_segmented_sort": "d_in_keys d_out_keys=None d_in_values=None d_out_values=None "
    "start_offsets_in end_offsets_in order compute_capability=None",
    "segmented_reduce": "d_in d_out num_segments start_offsets_in end_offsets_in op h_init stream=None",
    "make_segmented_reduce": "d_in d_out start_offsets_in end_offsets_in op h_init compute_capability=None",
    "histogram_even": "d_samples d_histogram num_output_levels lower_level upper_level num_samples",
    "make_histogram_even": "d_samples d_histogram h_num_output_levels h_lower_level h_upper_level",
    "lower_bound": "d_data num_items d_values num_values d_out comp=None stream=None",
    "make_lower_bound": "d_data d_values d_out comp=None compute_capability=None",
    "upper_bound": "d_data num_items d_values num_values d_out comp=None stream=None",
    "make_upper_bound": "d_data d_values d_out comp=None compute_capability=None",
}


@pytest.mark.parametrize("name", PUBLIC)
def test_all_is_right(name):
    module = importlib.import_module(name)
    assert module.__doc__
    assert len(set(module.__all__)) == len(module.__all__)
    for exported in module.__all__:
        assert hasattr(module, exported)


def test_every_module_is_known():
    found = {m.name for m in pkgutil.walk_packages(freeloom.__path__, "freeloom.")}
    public = {name for name in found if not any(part.startswith("_") for part in name.split("."))}
    assert public == set(PUBLIC) - {"freeloom"}


@pytest.mark.parametrize("name", CONTRACT)
def test_signatures(name):
    parameters = inspect.signature(getattr(compute, name)).parameters
    for word in CONTRACT[name].split():
        parameter = parameters[word.partition("=")[0]]
        assert parameter.kind is inspect.Parameter.KEYWORD_ONLY
        assert (parameter.default is None) == word.endswith("=None")


def documented():
    for module_name in PUBLIC:
        module = importlib.import_module(module_name)
        for name in module.__all__:
            value = getattr(module, name)
            if callable(value) and not module_name.endswith("typing"):
                yield pytest.param(value, id=f"{module_name}.{name}")


@pytest.mark.parametrize("value", list(documented()))
def test_documentation(value):
    assert inspect.getdoc(value)
    # A base class's own text, not an inherited one.
    if inspect.isclass(value):
        assert value.__doc__
    assert "Threads:" in value.__doc__, "the threading contract is missing"


def doctests():
    finder = doctest.DocTestFinder(exclude_empty=True)
    for module_name in [*PUBLIC, "freeloom._native"]:
        module = importlib.import_module(module_name)
        for test in finder.find(module, module_name):
            if test.examples:
                yield pytest.param(test, id=test.name)
    for name in CONTRACT:
        value = getattr(_native, name)
        test = doctest.DocTestParser().get_doctest(value.__doc__, {}, name, None, 0)
        yield pytest.param(test, id=name)


@pytest.mark.parallel_threads(1)
@pytest.mark.parametrize("test", list(doctests()))
def test_examples_in_documentation(test):
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(test, clear_globs=False)
    assert runner.failures == 0


def test_typed():
    package = Path(freeloom.__path__[0])
    assert (package / "py.typed").exists()
    assert (package / "_native.pyi").exists()


def test_version():
    assert freeloom.__version__ == _native.__version__
    assert freeloom.__version__.count(".") == 2


def test_classes_name_their_public_module():
    for name in (
        "CountingIterator",
        "ConstantIterator",
        "TransformIterator",
        "TransformOutputIterator",
        "ZipIterator",
    ):
        assert getattr(compute, name).__module__ == "freeloom.compute"
    assert freeloom.CompileError.__module__ == "freeloom.errors"
    assert issubclass(freeloom.CompileError, TypeError)

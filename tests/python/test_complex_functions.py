"""Functions of complex numbers keep their precision everywhere, compared in longer floats."""

import cmath

import numpy as np
import pytest

from freeloom.compute import unary_transform

FUNCTIONS = {
    "sqrt": lambda z: np.sqrt(z),
    "exp": lambda z: np.exp(z),
    "exp2": lambda z: np.exp2(z),
    "log": lambda z: np.log(z),
    "log2": lambda z: np.log2(z),
    "log10": lambda z: np.log10(z),
    "sin": lambda z: np.sin(z),
    "cos": lambda z: np.cos(z),
    "tan": lambda z: np.tan(z),
    "sinh": lambda z: np.sinh(z),
    "cosh": lambda z: np.cosh(z),
    "tanh": lambda z: np.tanh(z),
}
LONGER = {np.complex64: np.complex128, np.complex128: np.clongdouble}

if np.finfo(np.longdouble).eps == np.finfo(np.float64).eps:
    pytest.skip("no longer float", allow_module_level=True)


def apply(op, items):
    out = np.zeros_like(items)
    unary_transform(d_in=items, d_out=out, op=op, num_items=items.size)
    return out


def points(name, dtype):
    """Random points, many of them at the limits; angles stay where they are meaningful."""
    rng = np.random.default_rng(7)
    part = np.dtype(dtype).type(0).real.dtype
    info = np.finfo(part)
    count = 2000
    if name in ("sqrt", "log", "log2", "log10"):
        sizes = np.exp2(rng.uniform(info.minexp - 3, info.maxexp - 0.01, (count, 2)))
        z = (sizes * rng.choice([-1, 1], (count, 2))).astype(part)
        near = 1 + rng.normal(size=(count, 2)) * 10 ** rng.uniform(-9, -1, (count, 1))
        z = np.concatenate([z[:, 0] + 1j * z[:, 1], near[:, 0] + 1j * (near[:, 1] - 1)])
        edge = info.max * rng.uniform(0.5, 1, (count, 2))
        return np.concatenate([z, edge[:, 0] + 1j * edge[:, 1]]).astype(dtype)
    limit = np.log(float(info.max))
    growing = np.concatenate([rng.uniform(-limit - 3, limit + 3, count), rng.normal(size=count)])
    angle = np.concatenate([rng.uniform(-6, 6, count), 10 ** rng.uniform(-9, 0, count)])
    if name == "exp2":
        growing, angle = growing / np.log(2), angle / 8
    z = growing + 1j * angle
    return (z if name in ("exp", "exp2", "sinh", "cosh", "tanh") else 1j * z).astype(dtype)


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_error_by_norm(name, dtype):
    items = points(name, dtype)
    found = apply(FUNCTIONS[name], items)
    with np.errstate(all="ignore"):
        expected = FUNCTIONS[name](items.astype(LONGER[dtype]))
    info = np.finfo(items.real.dtype)
    part = np.maximum(abs(expected.real), abs(expected.imag))
    fits = (part < info.max) & (part > 2 * info.tiny)
    assert fits.mean() > 0.9
    error = abs(found.astype(LONGER[dtype]) - expected)[fits] / abs(expected)[fits]
    worst = np.argmax(error)
    assert error[worst] < 16 * info.eps, (items[fits][worst], found[fits][worst], expected[fits][worst])


def test_saturation():
    items = np.array([100 + 1j, -100 + 2j, 800 - 1j, -1e300 + 0.5j, np.inf + 1j])
    assert apply(FUNCTIONS["tanh"], items).real.tolist() == [1, -1, 1, -1, 1]
    assert (
        np.signbit(apply(FUNCTIONS["tanh"], items).imag).tolist() == np.signbit(np.tanh(items).imag).tolist()
    )
    turned = np.array([complex(z.imag, z.real) for z in items])
    assert apply(FUNCTIONS["tan"], turned).imag.tolist() == [1, -1, 1, -1, 1]
    assert apply(lambda z: cmath.tanh(z), items).real.tolist() == [1, -1, 1, -1, 1]


@pytest.mark.parametrize("name", ["sqrt", "exp", "log", "sinh", "cosh", "tanh", "sin", "cos", "tan"])
def test_special_values(name):
    inf = np.inf
    items = np.array([complex(a, b) for a in (0.0, -0.0, 1.5, -1.5, inf, -inf) for b in (0.0, -0.0)])
    if name in ("sin", "cos", "tan"):
        items = np.array([complex(z.imag, z.real) for z in items])
    with np.errstate(all="ignore"):
        expected = FUNCTIONS[name](items)
    found = apply(FUNCTIONS[name], items)
    np.testing.assert_allclose(found, expected, rtol=1e-15)
    assert np.signbit(found.real).tolist() == np.signbit(expected.real).tolist()
    assert np.signbit(found.imag).tolist() == np.signbit(expected.imag).tolist()

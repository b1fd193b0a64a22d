"""Operators that need no Python function."""

from enum import IntEnum

__all__ = ["OpKind"]


class OpKind(IntEnum):
    """Well-known operators, to pass wherever an operator is asked for.

    Arithmetic and bit operators, `IDENTITY`, `NEGATE`, `MINIMUM` and `MAXIMUM` give the type of their
    operands; comparisons and logical operators give a boolean. Integers wrap; integer division and remainder
    go towards zero, and by zero give zero. `MINIMUM` and `MAXIMUM` give NaN if an operand is NaN, as
    `np.minimum` does. Records and complex numbers need a Python function instead (`TypeError`).

    Threads: free.

    Examples
    --------
    >>> import numpy as np
    >>> from freeloom.compute import OpKind, reduce_into
    >>> out = np.zeros(1, np.int64)
    >>> reduce_into(d_in=np.array([3, 1, 2]), d_out=out, num_items=3, op=OpKind.MINIMUM)
    >>> int(out[0])
    1
    """

    STATELESS = 0
    """Not an operator; exists for compatibility."""
    STATEFUL = 1
    """Not an operator; exists for compatibility."""
    PLUS = 2
    """`a + b`"""
    MINUS = 3
    """`a - b`"""
    MULTIPLIES = 4
    """`a * b`"""
    DIVIDES = 5
    """`a / b`"""
    MODULUS = 6
    """Remainder of `DIVIDES`, with the sign of `a`"""
    EQUAL_TO = 7
    """`a == b`"""
    NOT_EQUAL_TO = 8
    """`a != b`"""
    GREATER = 9
    """`a > b`"""
    LESS = 10
    """`a < b`"""
    GREATER_EQUAL = 11
    """`a >= b`"""
    LESS_EQUAL = 12
    """`a <= b`"""
    LOGICAL_AND = 13
    """Are both not zero?"""
    LOGICAL_OR = 14
    """Is one not zero?"""
    LOGICAL_NOT = 15
    """Is it zero?"""
    BIT_AND = 16
    """`a & b`"""
    BIT_OR = 17
    """`a | b`"""
    BIT_XOR = 18
    """`a ^ b`"""
    BIT_NOT = 19
    """`~a`"""
    IDENTITY = 20
    """`a`"""
    NEGATE = 21
    """`-a`"""
    MINIMUM = 22
    """The smaller one"""
    MAXIMUM = 23
    """The greater one"""

"""Exceptions of freeloom. Each derives from a built-in one."""

__all__ = ["CompileError"]


class CompileError(TypeError):
    """A Python function contains something that cannot be compiled.

    The text names the file and the line, shows the line with a caret, and says what to write instead. The
    parts are attributes; columns count characters from 1, as those of `SyntaxError` do.

    Threads: free.

    Examples
    --------
    >>> import numpy as np
    >>> from freeloom import CompileError
    >>> from freeloom.compute import unary_transform
    >>> out = np.zeros(3)
    >>> try:
    ...     unary_transform(d_in=np.ones(3), d_out=out, op=lambda x: [x], num_items=3)
    ... except CompileError as error:
    ...     print(type(error.lineno).__name__, error.text is not None)
    int True
    """

    filename: str | None
    """The file, as CPython names it."""
    lineno: int | None
    """First line, from 1."""
    offset: int | None
    """First column, from 1."""
    end_lineno: int | None
    """Last line."""
    end_offset: int | None
    """One past the last column, from 1."""
    text: str | None
    """The source line."""
    hint: str | None
    """What to write instead, if there is advice."""

    def __init__(
        self,
        message: str,
        filename: str | None = None,
        place: tuple[int, int, int, int] | None = None,
        text: str | None = None,
        hint: str | None = None,
    ) -> None:
        """`place` is first line, first byte (from 0), last line and one past the last byte."""
        super().__init__(message)
        line, column, end_line, end_column = place or (None, None, None, None)
        self.filename = filename
        self.lineno = line
        self.offset = _column(text, column)
        self.end_lineno = end_line
        self.end_offset = _column(text if end_line == line else None, end_column)
        self.text = text
        self.hint = hint

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), self.args, self.__dict__)


def _column(text: str | None, position: int | None) -> int | None:
    """A column in characters from 1, given one in bytes from 0."""
    if position is None:
        return None
    if text is None:
        return position + 1
    return len(text.encode()[:position].decode(errors="replace")) + 1

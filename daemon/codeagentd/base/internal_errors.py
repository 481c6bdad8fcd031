"""Internal errors: the exception types that a bug raises on unusual source, and a description of one for the log.

Such an error fails one file, and not the others of the same batch.
"""

from __future__ import annotations

import os
import traceback
from typing import Final

INTERNAL_ERRORS: Final = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RuntimeError,
    TypeError,
    ValueError,
)


def describe(error: BaseException) -> str:
    """Return the type of `error` and the place where it was raised, as a text."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"internal error: {type(error).__name__} in {os.path.basename(place.filename)}, line {place.lineno}"

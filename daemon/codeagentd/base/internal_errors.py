"""Internal errors: bugs that some odd source brings to light, the exception types that they raise, and how one is
described.

They cost one file, not those beside it.
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
    """The type of an error, and the place where it was raised."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"internal error: {type(error).__name__} in {os.path.basename(place.filename)}, line {place.lineno}"

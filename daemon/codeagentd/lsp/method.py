"""The declaration of a method of the protocol: its name, the type of its parameters, and the function that answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeVar

from .method_context import MethodContext
from .protocol_types import Params

P = TypeVar("P", bound=Params)
Run = Callable[[MethodContext, Any], Any]


class Method(NamedTuple):
    """A method. `run` returns a value that msgspec encodes as the result. `is_exact`: see MethodContext."""

    name: str
    params: type[Params]
    run: Run
    is_exact: bool


METHODS: Final[dict[str, Method]] = {}  # all that are declared, by name


def method(
    name: str, params: type[P], *, is_exact: bool = False
) -> Callable[[Callable[[MethodContext, P], Any]], Callable[[MethodContext, P], Any]]:
    """Declare the decorated function as the answer to the requests `name`."""

    def declare(run: Callable[[MethodContext, P], Any]) -> Callable[[MethodContext, P], Any]:
        METHODS[name] = Method(name, params, run, is_exact)
        return run

    return declare

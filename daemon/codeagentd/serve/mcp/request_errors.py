"""Errors for requests that the SDK finds malformed: they name the fault, which the SDK's own errors do not."""

from __future__ import annotations

from typing import Any, Final

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS
from pydantic import ValidationError

from codeagent_protocol.errors import CodedError, InvalidParameter
from codeagent_protocol.jsonrpc_errors import error_object

MOST: Final = 3  # faults that one message lists
MAX_PLACE: Final = 100  # maximum length of a fault's location: names in it may be the client's


async def explaining(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """Handle a request with `call_next`, and replace the SDK's error for a malformed one by an error that names the
    fault. A middleware of the SDK.
    """
    try:
        return await call_next(ctx)
    except ValidationError as error:
        raise mcp_error(_explained(ctx.method, error)) from None
    except MCPError as error:
        if error.error.code != INVALID_PARAMS or error.error.data:
            raise
        raise mcp_error(
            InvalidParameter(f"{ctx.method} came before initialize", remedy="begin the session with initialize")
        ) from None


def mcp_error(error: CodedError) -> MCPError:
    """Return a coded error as the SDK's error."""
    error_fields = error_object(error)
    return MCPError(error_fields["code"], error_fields["message"], error_fields["data"])


def _explained(method: str, error: ValidationError) -> InvalidParameter:
    faults = error.errors(include_url=False, include_context=False, include_input=False)
    places = [".".join(map(str, fault["loc"]))[:MAX_PLACE] for fault in faults]
    texts = [
        f"{place} is missing" if fault["type"] == "missing" else f"{place}: {fault['msg']}"
        for place, fault in zip(places, faults, strict=True)
    ]
    return InvalidParameter(
        f"{method}: {'; '.join(texts[:MOST])}", remedy="send params as the protocol has them", parameter=places[0]
    )

"""What can a window be told before the SDK is imported? The handshake and its tools: some clients give a server no more than a second and a half.

The words are the SDK's own; a test holds both to the same values. What an unusual client sends is left to the SDK.
"""

from __future__ import annotations

from typing import Any, Final

from codeagent_protocol.greeting import initialize_result

from .calls import Offer
from .lines import Request

INITIALIZE: Final = "initialize"


class Early:
    """The early answers of one session."""

    def __init__(self, offer: Offer) -> None:
        self._offer = offer
        self._is_greeted = False

    def result(self, request: Request) -> dict[str, Any] | None:
        """The result of a request; None when it has to wait for the SDK."""
        if request.method == INITIALIZE and _is_usual(request.params or {}):
            self._is_greeted = True
            return initialize_result((request.params or {})["protocolVersion"])
        if self._is_greeted and request.method == "tools/list" and not request.params:
            return {"tools": [tool.as_listed() for tool in self._offer.tools]}
        return {} if self._is_greeted and request.method == "ping" and not request.params else None


def _is_usual(params: dict[str, Any]) -> bool:
    """Whether these are the parameters of a handshake as every known client sends them."""
    client, capabilities = params.get("clientInfo"), params.get("capabilities")
    texts = (params.get("protocolVersion"), *((client.get("name"), client.get("version")) if isinstance(client, dict) else (None,)))
    return all(isinstance(text, str) for text in texts) and isinstance(capabilities, dict) and all(isinstance(value, dict) for value in capabilities.values())

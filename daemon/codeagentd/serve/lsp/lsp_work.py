"""The work of an editor's requests, in threads: a method runs on the index, and on documents as they were."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

import msgspec

import codeagentd.lsp.methods  # noqa: F401 - declares the methods
from codeagent_protocol.errors import CodedError, NotFound
from codeagentd.base.log import EventLog
from codeagentd.lsp.client_features import ClientFeatures
from codeagentd.lsp.method import METHODS, Method
from codeagentd.lsp.method_context import MethodContext, document_text
from codeagentd.lsp.open_documents import Documents, OpenDocument
from codeagentd.model.engine_status import Progress
from codeagentd.model.on_demand import Question
from codeagentd.serve.jsonrpc import INVALID_PARAMS, Request
from codeagentd.toolkit.context import Context

from .asked_names import question_of
from .error_codes import CONTENT_MODIFIED, INTERNAL_ERROR, REQUEST_FAILED, LspError, error_of

# methods that editors call by themselves: for a document outside of the repository they have no result, and no error
UNASKED: Final = frozenset(
    {
        "textDocument/codeLens", "textDocument/documentHighlight", "textDocument/documentSymbol",
        "textDocument/foldingRange", "textDocument/inlayHint", "textDocument/completion", "textDocument/signatureHelp",
        "textDocument/semanticTokens/full", "textDocument/semanticTokens/range",
    }
)  # fmt: skip
# methods that editors ask again at once: they do not wait for the analysis of a word that is being written
REPEATED: Final = frozenset({"textDocument/hover", "textDocument/documentHighlight"})
NOTHING: Final = frozenset({b"null", b"[]"})  # results that claim that there is nothing

Outcome = dict[str, Any] | CodedError  # the result or the error, as the member of a response; or a coded error as it is
T = TypeVar("T")

_log = EventLog(__name__)


class LspCalls(Protocol):
    """What answers the requests of editors; `serve.tool_calls.Calls` says what the methods do."""

    def progress(self) -> Progress:
        """Return the progress of the index while it is being built."""

    def ask(
        self, work: Callable[[Context, bool], T], question: Question, session: bytes, seq: int, window: int = ...
    ) -> T:
        """Run `work` on the index, and return its result. Blocks. Errors: CodedError."""


class LspWork:
    """The work for one session, on the repository at `root`. Thread-safe; its methods block.

    `present(path)` is the document that is open now; `show` shows a text to the user. `window`: its process id.
    """

    def __init__(
        self, calls: LspCalls, root: Path, session: bytes, window: int,
        present: Callable[[str], OpenDocument | None], show: Callable[[str], None],
    ) -> None:  # fmt: skip
        self._calls = calls
        self._root = root
        self._session = session
        self._window = window
        self._present = present
        self._show = show

    def outcome(self, request: Request, seq: int, documents: Documents, features: ClientFeatures) -> Outcome:
        """Return the outcome of a request, which came in the line `seq`. Never raises."""
        method, sent = METHODS[request.method], request.params or {}
        try:
            params = msgspec.convert(sent, method.params)
            return {"result": msgspec.Raw(self._result(method, params, sent, seq, documents, features))}
        except msgspec.ValidationError as error:
            return {"error": error_of(INVALID_PARAMS, f"{method.name}: {error}")}
        except NotFound as error:
            return {"result": None} if method.name in UNASKED else error
        except CodedError as error:
            return error
        except LspError as error:
            return {"error": error.error}
        except Exception as error:  # noqa: BLE001 - a fault of one request must not end the session
            _log.error("a request failed", error, method=method.name)
            return {"error": error_of(INTERNAL_ERROR, "the request failed: see `codeagentd logs`")}

    def prepare(self) -> None:
        """Have the process for unsaved texts started: the first key press is near."""
        with contextlib.suppress(CodedError):
            self._calls.ask(lambda ctx, _: ctx.engine.documents.prepare(), Question(), self._session, 0, self._window)

    def analyse_ahead(self, document: OpenDocument) -> None:
        """Have a document analysed before anybody asks about it."""
        with contextlib.suppress(CodedError):
            self._calls.ask(
                lambda ctx, _: ctx.engine.documents.analyse_ahead(document_text(document)),
                Question(), self._session, 0, self._window,
            )  # fmt: skip

    def _result(
        self, method: Method, params: Any, sent: dict[str, Any], seq: int, documents: Documents,
        features: ClientFeatures,
    ) -> bytes:  # fmt: skip
        question = question_of(method.name, sent, self._root, documents, features.encoding)
        for path in question.paths:
            if path in documents and not documents[path].is_certain:
                message = f"a change of {path} could not be applied: close the document and open it again"
                raise LspError(CONTENT_MODIFIED, message)

        def work(ctx: Context, is_whole: bool) -> bytes:
            for is_exact in (method.is_exact, True):
                with ctx.read() as db:
                    context = MethodContext(ctx, db, documents, features, is_exact=is_exact, is_whole=is_whole)
                    result = msgspec.json.encode(method.run(context, params))
                if not context.is_approximate or result not in NOTHING or method.name in REPEATED:
                    break  # else the name may have just been written
            self._check(method, context, result)
            for notice in context.notices:
                self._show(notice)
            return result

        return self._calls.ask(work, question, self._session, seq, self._window)

    def _check(self, method: Method, context: MethodContext, result: bytes) -> None:
        """Refuse a result that would claim something about what is not known. Errors: LspError."""
        for path in context.unanalysed:
            if self._present(path) is not context.documents.get(path):
                raise LspError(CONTENT_MODIFIED, f"{path} has changed since")
            raise LspError(REQUEST_FAILED, f"{path} is still being analysed; try again in a moment")
        if method.name in UNASKED:
            return
        for path in context.refused:
            raise LspError(REQUEST_FAILED, f"{path} is too large, no text, or nothing that can be parsed")
        if result in NOTHING and not context.is_whole:
            raise LspError(REQUEST_FAILED, "the first index is still being made; try again in a moment")

"""The routes of a server of many repositories: MCP and the questions below /r/NAME[@REVISION], and the list of the
repositories.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final, NamedTuple, Protocol

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from codeagent_protocol.errors import CodedError
from codeagentd.serve.repositories.catalogue import missing
from codeagentd.serve.repositories.revisions import Revisions, Target, target_of
from codeagentd.serve.repositories.served_revision import ServedRevision, ServedRevisions
from codeagentd.serve.thread_pool import ThreadPool
from codeagentd.serve.tool_calls import ToolCalls

from . import api
from .keys import User
from .mcp_route import METHODS, McpRoute
from .middleware import NOTES, USER, error_response
from .sessions import Backend, HttpSessions

PREFIX: Final = f"/r/{{{api.TARGET}:{api.Target.name}}}"
SUMMARY: Final = "the name of a repository, or NAME@REVISION: a branch, a tag or a commit"
LIST: Final = "/repositories"
SEPARATOR: Final = "\n"  # in a session's scope, between the user's key and the path

Json = dict[str, Any]
Listing = Callable[[Callable[[str], bool]], list[Json]]  # the entries of the list whose names pass


class Visibility(Protocol):
    """Who may see what."""

    def may_see(self, user: User, repository: str) -> bool:
        """Whether `user` may see the repository of this name."""


class RepositoryServer(NamedTuple):
    """What the routes use."""

    revisions: Revisions
    served: ServedRevisions
    visibility: Visibility
    listing: Listing
    pool: ThreadPool


def repository_routes(server: RepositoryServer, http_sessions: HttpSessions) -> list[Route]:
    """Return the routes."""
    backends = _RepositoryBackends(server)

    async def answer_list(request: Request) -> Response:
        user = request.scope["state"][USER]
        try:
            entries = await server.pool.run(partial(server.listing, lambda name: server.visibility.may_see(user, name)))
        except CodedError as error:
            return error_response(error)
        return JSONResponse({"repositories": entries})

    return [
        Route(f"{PREFIX}/mcp", McpRoute(http_sessions, backends).__call__, methods=METHODS),
        Route(LIST, answer_list, methods=["GET"]),
        *api.routes(backends.calls_of, server.pool, PREFIX, SUMMARY),
    ]


def user_key_of(scope: str) -> str:
    """Return the key of the user whose session has this scope."""
    return scope.partition(SEPARATOR)[0]


def repository_of(scope: str) -> str:
    """Return the name of the repository that a session of this scope is about."""
    return target_of(scope.partition(SEPARATOR)[2]).name


class _RepositoryBackends:
    """The backends of a server of many repositories."""

    def __init__(self, server: RepositoryServer) -> None:
        self._server = server

    def scope_of(self, request: Request) -> str:
        """Return the scope of sessions: the user's key and the path. Errors: not_found for a repository that the user
        may not see, as for one that is not there.
        """
        user: User = request.scope["state"][USER]
        return f"{user.key}{SEPARATOR}{self._target(request)[1]}"

    async def backend_of(self, request: Request) -> Backend:
        """Return what answers about the commit that the path leads to now."""
        revision = await self._revision(request)
        served = self._server.served
        return Backend(
            served.choose, partial(served.equip, revision), revision.sdk.attach, self.scope_of(request),
            {"repository": revision.served.name, "commit": revision.commit},
        )  # fmt: skip

    async def calls_of(self, request: Request) -> ToolCalls:
        """Return the calls of the commit that the path leads to now. Errors: not_found, engine_unavailable."""
        return (await self._revision(request)).calls

    async def _revision(self, request: Request) -> ServedRevision:
        target, _ = self._target(request)
        served, commit = await self._server.pool.run(partial(self._server.revisions.resolve, target))
        request.scope["state"][NOTES] |= {"repository": served.name, "commit": commit}
        return self._server.served.of(served, commit)

    def _target(self, request: Request) -> tuple[Target, str]:
        text: str = request.path_params[api.TARGET]
        target = target_of(text)
        if not self._server.visibility.may_see(request.scope["state"][USER], target.name):
            raise missing(target.name)
        return target, text

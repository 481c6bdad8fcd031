"""The page of the workspace: the repositories that this one is used together with."""

from __future__ import annotations

from codeagentd.serve.page.questions import PageRequest, Shown


def members(request: PageRequest) -> Shown:
    """Show the repositories of the workspace."""
    values = {"answer": request.maybe("list_repos"), "nested": request.daemon.status().nested}
    return Shown("workspace", "Workspace", values)

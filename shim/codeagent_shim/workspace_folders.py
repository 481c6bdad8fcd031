"""The repositories of an editor window, as its `initialize` names them."""

from __future__ import annotations

from typing import Any, Final

from codeagent_protocol.errors import InvalidParameter
from codeagent_protocol.file_uris import local_path
from codeagent_protocol.root import allowed_roots, find_root

REMEDY: Final = "open a folder of a git repository, or start codeagent-lsp with --repo PATH or CODEAGENT_REPO=PATH"


def main_root(params: Any) -> str:
    """Return the root of the main repository that `params`, the parameters of `initialize`, name: that of the first of
    the `workspaceFolders`, else of `rootUri`, else of `rootPath`, else of the current directory.

    Errors: invalid_parameter when there is none.
    """
    stated = params if isinstance(params, dict) else {}
    if roots := folder_roots(stated.get("workspaceFolders")):
        return next(iter(roots.values()))
    root_path = stated.get("rootPath")
    for path in (local_path(stated.get("rootUri")), root_path if isinstance(root_path, str) else ""):
        if root := next(allowed_roots([path] if path else []), ""):
            return root
    try:
        return find_root()
    except InvalidParameter as error:
        error.remedy = REMEDY
        raise


def folder_roots(folders: Any) -> dict[str, str]:
    """Return the root of the repository of each workspace folder, by the folder's URI in the order of the list
    `folders`; without those that are no directories of this machine, or refused.
    """
    roots: dict[str, str] = {}
    for folder in folders if isinstance(folders, list) else []:
        uri = folder.get("uri") if isinstance(folder, dict) else None
        path = local_path(uri)
        if isinstance(uri, str) and path and (root := next(allowed_roots([path]), "")):
            roots[uri] = root
    return roots

"""The repositories of an editor window, as its `initialize` names them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from codeagent_protocol.errors import InvalidParameter
from codeagent_protocol.file_uris import local_path
from codeagent_protocol.root import allowed_roots, find_root

REMEDY: Final = "open a folder of a git repository, or start codeagent-lsp with --repo PATH or CODEAGENT_REPO=PATH"


def roots_of(params: Any) -> list[str]:
    """Return the roots of the repositories that `params`, the parameters of `initialize`, name, the main one first:
    those of `workspaceFolders`, else of `rootUri`, else of `rootPath`, else of the current directory.

    Errors: invalid_parameter when there is none.
    """
    stated = params if isinstance(params, dict) else {}
    root_path = stated.get("rootPath")
    for paths in (
        folder_paths(stated.get("workspaceFolders")),
        [local_path(stated.get("rootUri"))],
        [root_path if isinstance(root_path, str) else ""],
    ):
        if roots := distinct_roots(paths):
            return roots
    try:
        return [find_root()]
    except InvalidParameter as error:
        error.remedy = REMEDY
        raise


def folder_paths(folders: Any) -> list[str]:
    """Return the local paths of a list of workspace folders, in its order; none of anything else."""
    stated = folders if isinstance(folders, list) else []
    return [path for folder in stated if isinstance(folder, dict) and (path := local_path(folder.get("uri")))]


def distinct_roots(paths: Iterable[str]) -> list[str]:
    """Return the roots of the repositories of `paths` in their order, each once; without empty paths and those that are
    refused.
    """
    return list(dict.fromkeys(allowed_roots(path for path in paths if path)))

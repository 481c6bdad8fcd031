"""PHP packages: name and autoloaded namespaces from composer.json."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from codeagentd.base.limits import MAX_ENTRIES

from .manifests import Manifests, join, name_of, table, texts
from .project import Project


def php_project(manifests: Manifests, folder: str) -> Project:
    """Return the package of `folder`, which has a composer.json. Its `entries` are (prefix of class names, folders) as
    PSR-4 maps them.

    Errors: Broken.
    """
    path = posixpath.join(folder, "composer.json")
    package = manifests.json(path)
    name = name_of(package.get("name")) or posixpath.basename(folder) or "."
    entries = tuple(_autoloaded(folder, package))[:MAX_ENTRIES]
    return Project("", "php", name, folder, path, entries=entries)


def _autoloaded(folder: str, package: dict[str, object]) -> Iterator[tuple[str, tuple[str, ...]]]:
    for section in ("autoload", "autoload-dev"):
        for prefix, places in table(package.get(section), "psr-4").items():
            folders = tuple(place for text in texts(places) if (place := join(folder, text)) is not None)
            if folders:
                yield prefix, folders

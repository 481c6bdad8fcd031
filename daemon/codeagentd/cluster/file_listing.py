"""The listing of a repository's files as a first index has it, with the key of the facts of each: the same on every
machine that has the same files and settings.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from codeagentd.base.paths import read_regular
from codeagentd.languages.dialects import language_of_source
from codeagentd.languages.versions import version_of
from codeagentd.model.ids import content_digest, text_digest
from codeagentd.model.namespace_macros import Opening, digest_with
from codeagentd.pipeline.batch.file_listing import files_to_read
from codeagentd.pipeline.rows.module_names import ModuleName
from codeagentd.pipeline.workers.messages import Job

NOTHING: Final[Mapping[str, Opening]] = {}

FactsKey = tuple[bytes, str, int]  # digest, language, version: as blobs.db has it


class FileChoice(msgspec.Struct, array_like=True, frozen=True):
    """The settings that decide which files are read: patterns to ignore, languages (none for all), and the largest
    size.
    """

    ignore: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    max_file_bytes: int = 0


class ListedFile(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """One file to extract. `presumed`: its language by its name; `language`: by its content; `has_openings`: macros of
    the repository may open namespaces in it.
    """

    path: str
    presumed: str
    language: str
    project: str
    module: ModuleName
    digest: bytes
    size: int
    has_openings: bool = False

    @property
    def key(self) -> FactsKey:
        """The key of its facts."""
        return self.digest, self.language, version_of(self.language)

    def job(self, openings: Mapping[str, Opening]) -> Job:
        """Return the job to read it. `openings`: the macros of the repository."""
        return Job(self.path, self.presumed, self.project, self.module, openings if self.has_openings else NOTHING)


class Listing(NamedTuple):
    """The files to extract, in the order of their paths, and the macros of the repository that open namespaces."""

    files: list[ListedFile]
    openings: Mapping[str, Opening]


def listed(root: Path, choice: FileChoice) -> Listing:
    """List the files of the repository at `root`. Reads each of them once."""
    files = files_to_read(root, choice.ignore, choice.languages)
    return Listing(
        [_listed(root, job, files.stats[job.path].size, choice.max_file_bytes) for job in files.jobs], files.openings
    )


def _listed(root: Path, job: Job, size: int, most: int) -> ListedFile:
    source = read_regular(root / job.path, most)
    if source is None:  # too large, unreadable or gone: whoever has its shard records which
        digest, language = text_digest(job.path), job.language
    else:
        digest = digest_with(source, job.openings) if job.openings else content_digest(source)
        language = language_of_source(source, job.language)
    return ListedFile(
        job.path, job.language, language, job.project, job.module, digest, size, has_openings=bool(job.openings)
    )

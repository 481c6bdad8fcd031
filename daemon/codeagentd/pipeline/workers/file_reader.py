"""The file reader of workers and tests: reads a file and derives its facts and rows."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable
from typing import Final

from codeagent_protocol.errors import IndexFailed
from codeagentd.base.internal_errors import INTERNAL_ERRORS, describe
from codeagentd.base.limits import MAX_FILE_BYTES, MAX_NESTING, RACY_S, TEXT_SAMPLE_BYTES
from codeagentd.base.text import is_binary, is_generated, is_minified, is_wide, nests_deeper
from codeagentd.extract.file_facts import extract
from codeagentd.languages.dialects import language_of_source
from codeagentd.languages.language import is_parsed, languages
from codeagentd.languages.versions import version_of
from codeagentd.model.facts import FileFacts, compressed, pack, unpack
from codeagentd.model.ids import content_digest
from codeagentd.model.namespace_macros import digest_with
from codeagentd.pipeline.changes.plan import BINARY, SECRET
from codeagentd.pipeline.rows.index_rows import FileRows, derive_rows
from codeagentd.scan.secret_files import is_secret_text
from codeagentd.store.connection import Database

from .messages import Extracted, Job, Started

# bytes of facts kept for resolution, in the form of `pack`: a fifth of what they take as objects, and fast to read
RECENT_BYTES: Final = 15_000_000
_FLAGS: Final = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)

MEGABYTE: Final = 1_000_000


class Reader:
    """Reads and extracts files below one root. Facts that blobs.db has are used again."""

    def __init__(self, root: str, blobs: Database | None, max_file_bytes: int = MAX_FILE_BYTES) -> None:
        self._root = root
        self._blobs = blobs
        self._max = max_file_bytes
        self._recent: dict[bytes, bytes] = {}
        self._recent_bytes = 0

    def read(self, job: Job, tell: Callable[[Started], None] | None = None) -> Extracted:
        """Read the file of `job` and return the outcome; never raises, whatever the file contains.

        Args: tell: called before the content is parsed, when it is known.
        """
        try:
            handle = os.open(os.path.join(self._root, job.path), _FLAGS)
        except (FileNotFoundError, NotADirectoryError):
            return Extracted(job.path, "gone")
        except OSError as error:
            return Extracted(job.path, "skipped", f"unreadable: {error.strerror or error}")
        try:
            status = os.fstat(handle)
            if not stat.S_ISREG(status.st_mode):
                return Extracted(job.path, "gone")
            return self._judge(job, handle, status, tell)
        except OSError as error:
            return Extracted(job.path, "failed", f"unreadable: {error.strerror or error}")
        finally:
            os.close(handle)

    def _judge(
        self, job: Job, handle: int, status: os.stat_result, tell: Callable[[Started], None] | None
    ) -> Extracted:
        racy = time.time_ns() - status.st_mtime_ns < RACY_S * 1e9
        size, mtime = status.st_size, 0 if racy else status.st_mtime_ns
        first = b"" if is_parsed(job.language) else os.read(handle, TEXT_SAMPLE_BYTES)  # may be anything, a film too
        if is_binary(first):
            return Extracted(job.path, "skipped", BINARY, size, mtime)
        if size > self._max:
            return Extracted(
                job.path, "skipped", f"larger than {self._max / MEGABYTE:.2g} MB (limits.max_file_bytes)", size, mtime
            )
        source = first + _read_all(handle, size - len(first))
        sample = source[:TEXT_SAMPLE_BYTES]
        if is_secret_text(sample):
            return Extracted(job.path, "skipped", SECRET, size, mtime)
        digest = content_digest(source)
        if is_binary(sample):
            return Extracted(job.path, "skipped", BINARY, size, mtime, digest)
        if is_parsed(job.language) and (reason := reason_against_parsing(source, sample, job.language)):
            return Extracted(job.path, "skipped", reason, size, mtime, digest)
        digest = digest_with(source, job.openings)
        if reason := self._failure(digest, job.language):
            return Extracted(job.path, "failed", reason, size, mtime, digest)
        if tell:
            tell(Started(job.path, digest, job.language, size, mtime))
        try:
            facts, blob, rows = self._facts_and_rows(job, digest, source)
        except IndexFailed as error:
            return Extracted(job.path, "failed", error.message, size, mtime, digest)
        except INTERNAL_ERRORS as error:  # this file fails, and not the worker with its other files
            return Extracted(job.path, "failed", describe(error), size, mtime, digest)
        return Extracted(
            job.path, facts.status, "", size, mtime, digest, is_generated(sample), rows, blob, facts.language
        )

    def _failure(self, digest: bytes, language: str) -> str:
        """Return the reason why this content has ended a worker before; '' where it has not."""
        if self._blobs is None:
            return ""
        return str(self._blobs.value("blobs.failure", (digest, language, version_of(language)), ""))

    def _facts_and_rows(self, job: Job, digest: bytes, source: bytes) -> tuple[FileFacts, bytes, FileRows]:
        """Return the facts of a file, as bytes too where blobs.db has none of use, and its rows."""
        language = language_of_source(source, job.language)
        if (stored := self._stored(digest, language)) and (known := unpack(stored)):
            try:
                rows = derive_rows(job.path, job.project, job.module, known)
            except INTERNAL_ERRORS:
                pass  # facts that came from elsewhere may be anything
            else:
                self._remember(digest, stored)
                return known, b"", rows
        facts = extract(source, language, job.openings)
        packed = pack(facts)
        self._remember(digest, packed)
        return facts, compressed(packed), derive_rows(job.path, job.project, job.module, facts)

    def _remember(self, digest: bytes, packed: bytes) -> None:
        """Keep facts, as `unpack` reads them, that are likely to be resolved soon."""
        if self._recent_bytes < RECENT_BYTES:
            self._recent[digest] = packed
            self._recent_bytes += len(packed)

    def recall(self, digest: bytes, language: str) -> FileFacts | None:
        """Return the facts of the content with this digest: those that this reader has read lately, or those of
        blobs.db; None if both lack them. The reader then drops them from memory.
        """
        facts = unpack(self._recent.pop(digest, b""))
        return facts if facts is not None and facts.language == language else self.known(digest, language)

    def known(self, digest: bytes, language: str) -> FileFacts | None:
        """Return the facts that blobs.db has for the content with this digest, or None; None also for bytes that are
        no facts.
        """
        blob = self._stored(digest, language)
        return unpack(blob) if blob is not None else None

    def _stored(self, digest: bytes, language: str) -> bytes | None:
        if self._blobs is None:
            return None
        blob: bytes | None = self._blobs.value("blobs.facts", (digest, language, version_of(language)))
        return blob


def reason_against_parsing(source: bytes, sample: bytes, language: str) -> str:
    """Return the reason why no parser gets a text; '' where there is none."""
    if is_wide(sample):
        return "UTF-16 or UTF-32"
    if languages()[language].minified and is_minified(sample):
        return "minified"
    return f"nested deeper than {MAX_NESTING}" if nests_deeper(source, MAX_NESTING) else ""


def _read_all(handle: int, size: int) -> bytes:
    parts, left = [], size + 1  # one more, to notice a file that grows
    while left > 0 and (part := os.read(handle, left)):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)

"""The identity of a build: machines that index together have to run the same one."""

from __future__ import annotations

import hashlib
import sys
import unicodedata
from typing import Final

import msgspec

from codeagent_protocol.errors import EngineUnavailable
from codeagent_protocol.version import __version__
from codeagentd.languages.language import languages
from codeagentd.languages.versions import version_of
from codeagentd.store.migrations import schema_version

_DIGEST_BYTES: Final = 6


class Build(msgspec.Struct, array_like=True, frozen=True):
    """What the bytes of facts and the rows of an index depend on. `extractors`: a digest of the extractor versions of
    all languages; `schema`: of index.db; `unicode`: the version of Unicode that this Python knows.
    """

    version: str
    extractors: str
    schema: int
    unicode: str
    byte_order: str

    def __str__(self) -> str:
        numbers = f"extractors {self.extractors}, schema {self.schema}, Unicode {self.unicode}"
        return f"codeagentd {self.version}, {numbers}, {self.byte_order}-endian"


def this_build() -> Build:
    """Return the identity of this build."""
    digest = hashlib.blake2b(digest_size=_DIGEST_BYTES)
    for language in sorted(languages()):
        digest.update(f"{language} {version_of(language)}\n".encode())
    return Build(__version__, digest.hexdigest(), schema_version("index"), unicodedata.unidata_version, sys.byteorder)


def check_build(other: Build) -> None:
    """Check that `other`, the build of another machine, is this one. Errors: engine_unavailable, with both."""
    own = this_build()
    if other != own:
        raise EngineUnavailable(
            f"this machine has another build: {own}; the coordinator has {other}",
            remedy="install the same version of codeagentd on all machines",
            this_build=str(own),
            coordinator=str(other),
        )

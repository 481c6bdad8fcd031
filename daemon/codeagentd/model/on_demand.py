"""Questions that are answered before the first index is whole, and what their answers cover."""

from __future__ import annotations

import msgspec


class Question(msgspec.Struct, array_like=True, frozen=True):
    """What a call asks about, as far as its arguments tell.

    `names`: identifiers, without what qualifies them; `paths` of files, relative to the repository; `words` of a text
    to search for; `ids` of symbols. `needs_text`: the answer searches the text of files. `needs_uses`: it is about the
    places that use the names, and not only about their definitions.
    """

    names: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    ids: tuple[bytes, ...] = ()
    needs_text: bool = False
    needs_uses: bool = True

    @property
    def is_empty(self) -> bool:
        """Whether nothing of the repository is named."""
        return not (self.names or self.paths or self.words or self.ids)


class Coverage(msgspec.Struct, array_like=True, frozen=True):
    """The files that an answer of the on-demand index covers.

    `indexed` of the `mentioning` files, which mention `names`, or have the words that are searched for (`names` is then
    empty); `paths`: files that the question names itself. `is_whole`: all files that mention the names were searched
    for and read, so that what is missing in the answer does not exist. `files`: of the repository.
    """

    names: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    indexed: int = 0
    mentioning: int = 0
    is_whole: bool = False
    files: int = 0

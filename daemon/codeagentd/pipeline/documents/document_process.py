"""The document process: `python -m codeagentd.pipeline.documents.document_process INDEX MAX_FILE_BYTES`, frames on
stdin and stdout.

It analyses texts as editors have them. It is a process of its own because it must not wait for the interpreter lock of
the daemon, and because a text that hangs the parser must be killable. Somebody waits for each answer, so its priority
is the usual one.
"""

from __future__ import annotations

import gc
import select
import signal
import sys
from pathlib import Path
from typing import Final

from codeagent_protocol.pipes import receive, send
from codeagentd.base.internal_errors import INTERNAL_ERRORS, describe
from codeagentd.extract.document_structure import structure_of
from codeagentd.languages.grammar import parser, query
from codeagentd.languages.language import is_parsed
from codeagentd.model.documents import DocumentText
from codeagentd.store.connection import CORRUPT
from codeagentd.store.opening import UNUSABLE

from .document_messages import (
    DAMAGED,
    DONE,
    FAILED,
    MISSING,
    UNREADABLE,
    Analyse,
    Answered,
    Ask,
    Begun,
    Complete,
    FindFolds,
    Message,
    encoder,
    request_decoder,
)
from .document_resolver import DocumentResolver, source_of
from .document_store import DocumentTexts, ResolverSource
from .name_completion import completions_at

REST_S: Final = 1.0  # seconds without a request, after which memory is freed


class DocumentProcess:
    """The loop of the process: it answers the daemon's requests, one after the other, until stdin ends."""

    def __init__(self, index: Path, max_file_bytes: int) -> None:
        self._source = ResolverSource(index, max_file_bytes)
        self._texts = DocumentTexts()

    def run(self) -> None:
        """Read requests from stdin, and answer each on stdout."""
        stdin = open(0, "rb", buffering=0)  # noqa: SIM115  # unbuffered: `select` sees everything that waits
        while True:
            if sys.platform != "win32" and not select.select([stdin], [], [], REST_S)[0]:
                self._source.rest()
            if not (content := receive(stdin)):
                return
            ask = request_decoder.decode(content)
            if ask.text is not None:
                self._texts.put(ask.digest, DocumentText(ask.path, ask.language, ask.text))
            text = self._texts.get(ask.path, ask.digest)
            _send(Answered(ask.number, MISSING) if text is None else self._answer(ask, text))

    def _answer(self, ask: Ask, text: DocumentText) -> Answered:
        try:
            resolver = self._source.begin(has_index=ask.has_index)
            language = resolver.language(text)
            if is_parsed(language):
                parser(language)
                query(language)  # the first time it takes up to a second
            _send(Begun(ask.number))
            return self._result(ask, text, resolver)
        except INTERNAL_ERRORS as error:  # also for a source with extreme nesting
            return Answered(ask.number, FAILED, failure=describe(error))
        finally:
            self._source.end()

    def _result(self, ask: Ask, text: DocumentText, resolver: DocumentResolver) -> Answered:
        generation, question = resolver.index.generation, ask.query
        if isinstance(question, Analyse):
            return Answered(ask.number, DONE, generation, encoder.encode(resolver.analyse(text)))
        if isinstance(question, Complete):
            names = completions_at(resolver, text, question.line, question.column)
            return Answered(ask.number, DONE, generation, completions=names)
        place = resolver.placed(text)
        structure = structure_of(source_of(text), place.file.language) if place else None
        if structure is None:
            return Answered(ask.number, DONE, generation)
        if isinstance(question, FindFolds):
            return Answered(ask.number, DONE, generation, folds=structure.folds())
        return Answered(ask.number, DONE, generation, ranges=[structure.ranges(place) for place in question.places])


def _send(answer: Message) -> None:
    send(1, encoder.encode(answer))


def main() -> None:
    """Run the process with the arguments of the command line."""
    gc.disable()  # facts are trees of plain values, freed by count; cycles are collected while nobody waits
    if sys.platform != "win32":
        signal.signal(signal.SIGPROF, signal.SIG_DFL)  # an ignored one would be inherited
    index, max_file_bytes = sys.argv[1:3]
    try:
        DocumentProcess(Path(index), int(max_file_bytes)).run()
    except CORRUPT:
        sys.exit(DAMAGED)
    except UNUSABLE:
        sys.exit(UNREADABLE)


if __name__ == "__main__":
    main()

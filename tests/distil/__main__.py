"""Makes the static model again: `python -m tests.distil STEP --place FOLDER …`, with the steps in their order.

texts     texts of the repositories in repositories.tsv, whose bare copies are in MIRROR/owner+name/repo
commits   what commits say and what they changed, from the same copies and the indexes that `texts` has made
teach     the teacher's vectors of some of them, and of each token: ten minutes of a core
fit       the table, written to OUT: some minutes of a core
held      how well models answer questions about the repositories that are held out of the fit
loss      what models lose on docstring questions: CORPORA/name are trees without docstrings, TRUTH/doc-name.jsonl the
          questions about them, each with a file and its lines

MIRROR, OUT and the rest are given as --mirror, --out …; --teacher is a directory with all-MiniLM-L6-v2 in ONNX form.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np

from codeagentd.embed.model import Model, ModelChoice, load
from codeagentd.embed.static_model import StaticModel
from tests.distil import learning, tables
from tests.distil.changes import changes_of
from tests.distil.loss import corpus, held_out, loss
from tests.distil.texts import Use, repositories, texts_of

TOKENS = "tokens.npy"
ORIGIN = {"teacher": "sentence-transformers/all-MiniLM-L6-v2", "licence": "Apache-2.0"}


def loaded(folder: Path) -> Model:
    """Return the model in `folder`."""
    return load(ModelChoice(folder.name, str(folder), "", may_fetch=False))


def make_texts(place: Path, mirror: Path) -> None:
    """Write the texts of each repository that has none yet."""
    for repository in repositories():
        file = _file(place, repository.name)
        if not file.exists():
            texts = texts_of(repository, mirror, file.with_suffix(""))
            file.write_bytes(b"\n".join(map(msgspec.json.encode, texts)))
            print(f"{repository.name}: {len(texts):,} texts", flush=True)


def make_changes(place: Path, mirror: Path) -> None:
    """Write the changes of each repository of the fit that has none yet."""
    for repository in (repository for repository in repositories() if repository.use != Use.HELD):
        file = _file(place, repository.name).with_suffix(".changes")
        if not file.exists():
            changes = changes_of(repository, mirror, file.with_suffix(""))
            file.write_bytes(b"\n".join(map(msgspec.json.encode, changes)))
            print(f"{repository.name}: {len(changes):,} changes", flush=True)


def teach(place: Path, folder: Path) -> None:
    """Write the teacher's vectors that are not there yet."""
    teacher = loaded(folder)
    for file in (_file(place, repository.name) for repository in repositories() if repository.use == Use.TAUGHT):
        if not file.with_suffix(".npz").exists():
            learning.teach(teacher, file)
            print(f"taught {file.stem}", flush=True)
    if not (place / TOKENS).exists():
        learning.teach_tokens(teacher, folder, place / TOKENS)


def fit(place: Path, teacher: Path, out: Path) -> None:
    """Write the model that is learned from all of that."""
    files = [_file(place, repository.name) for repository in repositories() if repository.use != Use.HELD]
    tokens = np.load(place / TOKENS)
    tables.write(out, teacher, tokens, learning.CONFIG | ORIGIN)
    vectors = learning.learned(learning.lesson(files), tokens, StaticModel(out.name, out))
    tables.write(out, teacher, vectors, learning.CONFIG | ORIGIN)


def show_held(place: Path, models: Sequence[Path]) -> None:
    """Print how well each of `models` answers questions about the repositories that are held out."""
    names = [repository.name for repository in repositories() if repository.use == Use.HELD]
    for folder in models:
        model = loaded(folder)
        for name in names:
            result = held_out(model, learning.read(_file(place, name)))
            print(f"{folder.name:30} {name:30} MRR@10 {result:.3f}", flush=True)


def _file(place: Path, name: str) -> Path:
    return place / f"{name.replace('/', '+')}.jsonl"


def show_loss(place: Path, corpora: Path, truth: Path, models: Sequence[Path]) -> None:
    """Print how well each of `models` answers the questions about each corpus, and how quick it is."""
    names = sorted(file.stem.removeprefix("doc-") for file in truth.glob("doc-*.jsonl"))
    known = [name for name in names if (corpora / name).is_dir()]
    made = [corpus(name, corpora / name, truth / f"doc-{name}.jsonl", place / "loss" / name) for name in known]
    for folder in models:
        model = loaded(folder)
        for one in made:
            result = loss(model, one)
            print(f"{folder.name:30} {one.name:12} MRR@10 {result.mrr:.3f}  {result.rate:,.0f} passages a CPU second")


def main() -> None:
    """Run one step."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=("texts", "commits", "teach", "fit", "held", "loss"))
    for name in ("place", "mirror", "teacher", "out", "corpora", "truth"):
        parser.add_argument(f"--{name}", type=Path, default=Path())
    parser.add_argument("--models", type=Path, nargs="*", default=[])
    arguments = parser.parse_args()
    if arguments.step == "texts":
        make_texts(arguments.place, arguments.mirror)
    elif arguments.step == "commits":
        make_changes(arguments.place, arguments.mirror)
    elif arguments.step == "teach":
        teach(arguments.place, arguments.teacher)
    elif arguments.step == "fit":
        fit(arguments.place, arguments.teacher, arguments.out)
    elif arguments.step == "held":
        show_held(arguments.place, arguments.models)
    else:
        show_loss(arguments.place, arguments.corpora, arguments.truth, arguments.models)


if __name__ == "__main__":
    main()

"""The sentence model, from a directory of the user, from the cache, or downloaded: texts become vectors of unit length.

Loaded in a process of its own (pipeline.embedding.embedding_process): loading takes a second and 150 MB, a broken model
may crash its process, and ending the process frees all of its memory.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

if TYPE_CHECKING:
    from fastembed import TextEmbedding

LONGEST: Final = 128  # tokens of a text that count: longer ones cost time and memory and say little more
# texts at once: a quantised model gives a text another vector beside another text; and one thread is not faster with
# more
BATCH: Final = 1
PROBE_S: Final = 5.0  # seconds for an answer of the hub
HUB: Final = "https://huggingface.co"
CUSTOM: Final = "codeagentd/local"  # the name under which fastembed gets the user's directory
TOKENIZER: Final = "tokenizer.json"


class ModelChoice(msgspec.Struct, frozen=True):
    """The model to load: a name that fastembed knows, or a directory; `store` is the directory of downloaded models."""

    name: str
    directory: str
    store: str
    may_fetch: bool


class NoModel(Exception):
    """Raised when there is no usable model. `damaged`: a model was configured or downloaded, and cannot be used."""

    def __init__(self, reason: str, remedy: str, *, damaged: bool = False) -> None:
        super().__init__(reason)
        self.reason, self.remedy, self.damaged = reason, remedy, damaged


class Model:
    """A loaded model. Thread-safe; the runtime lets other threads run while it computes."""

    def __init__(self, name: str, version: str, embedding: TextEmbedding) -> None:
        self.name = name
        self.dimensions = 0
        self.version = version  # vectors of different versions are never compared
        self._embedding = embedding

    def encode(self, texts: Sequence[str]) -> list[Any]:
        """Return one float32 array of unit length for each of `texts`, in their order."""
        return list(self._embedding.embed(texts, batch_size=BATCH))


def load(choice: ModelChoice) -> Model:
    """Return the chosen model, loaded. Errors: NoModel."""
    if choice.directory:
        return _from_directory(Path(choice.directory))
    with _damage(f"the model {choice.name}", f"remove {choice.store}, so that it is fetched again"):
        return _named(choice)


def _named(choice: ModelChoice) -> Model:
    is_here = any(Path(choice.store).glob("*"))
    if not is_here and not choice.may_fetch:
        raise NoModel(
            "there is no model, and fetching one is not allowed", "set embedding.model_path to a directory that has one"
        )
    if not is_here and not _hub_answers():
        raise NoModel(
            f"there is no model, and its hub cannot be reached to fetch {choice.name}",
            "set embedding.model_path to a directory that has one",
        )
    import fastembed

    if choice.name not in {description["model"] for description in fastembed.TextEmbedding.list_supported_models()}:
        raise NoModel(
            f"fastembed knows no model {choice.name!r}",
            "choose another embedding.model, or name a directory by embedding.model_path",
            damaged=True,
        )
    embedding = fastembed.TextEmbedding(
        choice.name, cache_dir=choice.store, threads=1, local_files_only=not choice.may_fetch or not _hub_answers()
    )
    return _checked_model(choice.name, choice.name, embedding)


def _from_directory(folder: Path) -> Model:
    remedy = (
        f"put a sentence model in ONNX form there ({TOKENIZER}, config.json, *.onnx), or set embedding.model_path to "
        "one"
    )
    if not folder.is_dir():
        raise NoModel(f"{folder} is no directory", remedy, damaged=True)
    collected = sorted([*folder.glob("*.onnx"), *folder.glob("onnx/*.onnx")])
    if not collected or not (folder / TOKENIZER).is_file():
        raise NoModel(f"{folder} has no {TOKENIZER if collected else '*.onnx file'}", remedy, damaged=True)
    with _damage(f"the model in {folder}", remedy):
        from fastembed import TextEmbedding
        from fastembed.common.model_description import ModelSource, PoolingType

        pooling = (
            PoolingType.CLS
            if _read_object(folder / "1_Pooling" / "config.json").get("pooling_mode_cls_token")
            else PoolingType.MEAN
        )
        TextEmbedding.add_custom_model(
            model=CUSTOM, pooling=pooling, normalization=True, sources=ModelSource(hf=CUSTOM),
            dim=int(_read_object(folder / "config.json").get("hidden_size", 0)),
            model_file=collected[0].relative_to(folder).as_posix(),
        )  # fmt: skip
        embedding = TextEmbedding(CUSTOM, specific_model_path=str(folder), threads=1)
        digest = hashlib.blake2b(collected[0].read_bytes(), digest_size=8).hexdigest()
        return _checked_model(folder.name, f"{folder.name}@{digest}", embedding)


def _checked_model(name: str, version: str, embedding: TextEmbedding) -> Model:
    tokenizer = getattr(embedding.model, "tokenizer", None)
    if tokenizer is not None:
        tokenizer.enable_truncation(max_length=LONGEST)
    model = Model(name, version, embedding)
    model.dimensions = len(model.encode(["what cannot encode this is broken"])[0])
    return model


@contextmanager
def _damage(what: str, remedy: str) -> Iterator[None]:
    """Turn the errors of a library about a file that it cannot use into NoModel."""
    try:
        yield
    except NoModel:
        raise
    except Exception as error:
        raise NoModel(
            f"{what} cannot be loaded: {str(error).splitlines()[0][:200] if str(error) else type(error).__name__}",
            remedy,
            damaged=True,
        ) from error


def _read_object(file: Path) -> dict[str, Any]:
    try:
        result = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return result if isinstance(result, dict) else {}


def _hub_answers() -> bool:
    """Whether the model hub can be reached. Without a network the libraries would try for most of a minute."""
    import urllib.error  # 10 MB with TLS, which no daemon needs that has its model
    import urllib.request

    try:
        with urllib.request.urlopen(
            urllib.request.Request(os.environ.get("HF_ENDPOINT") or HUB, method="HEAD"), timeout=PROBE_S
        ):
            return True
    except urllib.error.HTTPError:
        return True
    except (OSError, ValueError):
        return False

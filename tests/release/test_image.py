"""The container image: built twice on a system of Debian's packages, the same bytes; and it answers over HTTP."""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.harness import installed_programs
from tests.harness.repository_server import PATIENCE_S, RepositoryServer
from tests.harness.window import Window
from tests.harness.world import World, short_temp
from tests.release.conftest import ROOT, build

MISSING = [program for program in ("buildah", "mmdebstrap") if not shutil.which(program)]
pytestmark = [
    pytest.mark.long,
    pytest.mark.limit(5400),
    pytest.mark.skipif(bool(MISSING), reason=f"no {' and no '.join(MISSING)} here (Debian: apt install them)"),
    pytest.mark.skipif(os.geteuid() != 0, reason="without an engine for containers, images are built as root"),
]
BASE = "localhost/base"
USER = 10_001


class Storage:
    """A place for images and containers of its own, in which buildah works without an engine."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.settings = place / "storage.conf"
        self.settings.write_text(f'[storage]\ndriver = "vfs"\ngraphroot = "{place}/graph"\nrunroot = "{place}/run"\n')
        self.variables = {"CONTAINERS_STORAGE_CONF": str(self.settings), "BUILDAH_ISOLATION": "chroot"}

    def run(self, *words: str | Path) -> str:
        """Run a program with this storage. Returns its output."""
        done = subprocess.run(words, env=os.environ | self.variables, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def import_system(self) -> None:
        """Make the image BASE: Debian's packages of Python, as this machine gets them."""
        tree = self.place / "base.tar"
        release = dict(line.split("=", 1) for line in Path("/etc/os-release").read_text().splitlines() if "=" in line)
        suite = release["VERSION_CODENAME"].strip('"')
        packages = "python3,python3-venv,ca-certificates"
        self.run("mmdebstrap", "--quiet", "--variant=minbase", f"--include={packages}", suite, tree)
        container = self.run("buildah", "from", "scratch")
        self.run("buildah", "add", "--quiet", container, tree, "/")
        self.run("buildah", "commit", "--quiet", "--rm", container, BASE)
        tree.unlink()


def of_this_machine() -> str:
    """The options that let a build reach the registries as this machine does: settings of pip and apt, certificates."""
    settings = [path for path in Path("/etc/apt/apt.conf.d").iterdir() if "Acquire::http" in path.read_text()]
    paths = [path for path in (Path("/etc/pip.conf"), Path("/etc/ssl/certs"), *settings) if path.exists()]
    return " ".join(f"--volume {path}:{path}:ro" for path in paths)


class ContainedServer(RepositoryServer):
    """A server in a container. How it ends is no part of the tests: buildah kills what is left, and exits with 1."""

    def __exit__(self, *_: object) -> None:
        for process in psutil.Process(self.process.pid).children(recursive=True):
            with contextlib.suppress(psutil.NoSuchProcess):  # it has ended, as a zombie too
                if process.cmdline()[1:3] == ["/opt/codeagentd/bin/codeagentd", "serve"]:
                    process.terminate()
        self.process.wait(PATIENCE_S)


@pytest.fixture(scope="module")
def storage() -> Iterator[Storage]:
    """Not below pytest's folder, which keeps what the last runs left: it has gigabytes."""
    place = Path(short_temp())
    storage = Storage(place)
    storage.import_system()
    yield storage
    shutil.rmtree(place, ignore_errors=True)


@pytest.fixture(scope="module")
def image(storage: Storage, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive of the image."""
    return built(storage, tmp_path_factory.mktemp("image") / "dist")


def built(storage: Storage, out: Path) -> Path:
    variables = storage.variables | {"IMAGE_BASE": BASE, "IMAGE_FLAGS": of_this_machine()}
    (archive,) = build(out, "--only", "image", **variables).glob("*-image-*")
    return archive


def unpacked(image: Path, folder: Path) -> Path:
    """The archive without its compression, which buildah 1.28 does not read; `podman load` and `docker load` do."""
    plain = folder / "image.tar"
    with gzip.open(image) as packed, plain.open("wb") as written:
        shutil.copyfileobj(packed, written)
    return plain


def test_the_server_of_the_image_answers(storage: Storage, image: Path, world: World):
    (world.base / "repositories").mkdir()
    installed_programs.shop(world).rename(world.base / "repositories/shop")
    data = world.base / "volume"
    data.mkdir()
    os.chown(data, USER, USER)
    world.base.chmod(0o755)
    container = storage.run("buildah", "from", f"docker-archive:{unpacked(image, world.base)}")
    volumes = ["--volume", f"{world.base}/repositories:/repositories:ro", "--volume", f"{data}:/data"]
    program = ["buildah", "run", *volumes, container, "--", "codeagentd"]
    with ContainedServer(world, Path("/repositories"), program=program, **storage.variables) as server:
        answer = server.call("shop", "get_callers", node_id=installed_programs.CALLED)
        assert answer.structured_content == {"results": {"orders.py": ["5:11 checkout"]}}
        assert server.site().ask("GET", "/healthz").status == 200
    owners = {path.stat().st_uid for path in data.rglob("*")}
    assert owners == {USER}


def test_the_image_is_what_the_entry_of_the_mcp_registry_says(storage: Storage, image: Path, world: World):
    entry = json.loads((ROOT / "packaging/server.json").read_text())
    (listed,) = [package for package in entry["packages"] if package["registryType"] == "oci"]
    container = storage.run("buildah", "from", f"docker-archive:{unpacked(image, world.base)}")
    config = json.loads(storage.run("buildah", "inspect", container))["OCIv1"]["config"]
    assert config["Labels"]["io.modelcontextprotocol.server.name"] == entry["name"]
    shop = installed_programs.shop(world)
    world.base.chmod(0o755)
    words = [argument["value"] for argument in listed["packageArguments"]]
    command = ["buildah", "run", "--volume", f"{shop}:/repository", container, "--", "codeagentd", *words]
    window = Window(command, os.environ | storage.variables, None, world.base / "window.log")
    with contextlib.closing(window):
        window.initialize()
        answer = window.must("get_callers", {"node_id": installed_programs.CALLED})
    assert "checkout" in json.dumps(answer.data)


def test_two_images_have_the_same_bytes(storage: Storage, image: Path, tmp_path: Path):
    assert built(storage, tmp_path / "again").read_bytes() == image.read_bytes()

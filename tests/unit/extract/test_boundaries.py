"""Boundaries of hostile and odd sources."""

from __future__ import annotations

import pytest

from codeagentd.extract.file_facts import extract
from codeagentd.model.boundaries import Boundary, address, template

IMPORTS = "import requests\nfrom fastapi import FastAPI\napp = FastAPI()\n"


def crossed(text: str, language: str = "python") -> list[Boundary]:
    return extract(text.encode(), language).boundaries


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/users/<int:id>", "/users/{}"), ("users/:id/", "/users/{}"), ("/users/{id}", "/users/{}"), ("/users/{id:int}", "/users/{}"),
        ("^users/(?P<id>[0-9]{4})/$", "/users/{}"), ("/files/*rest", "/files/{}"), ("/files/{name}.json", "/files/{}"), ("", "/"), ("//a//b?c=d#e", "/a/b"),
        ("/a b", None), ("/a\x00b", None), ("/" + "a" * 400, None), ("/a" * 100, None), ("/中文/x", "/中文/x"),
    ],
)  # fmt: skip
def test_paths_are_compared_by_their_templates(path: str, expected: str | None) -> None:
    assert template(path) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("http://localhost:8000/x", ("", "/x", False)), ("http://backend/x", ("", "/x", False)), ("{}/x/{}", ("", "/x/{}", True)),
        ("https://api.example.com/x?y", ("api.example.com", "/x", False)), ("{}", None), ("http://{}/x", ("", "/x", False)), ("x" * 1000, None),
    ],
)  # fmt: skip
def test_an_address_has_a_host_where_that_tells_something(text: str, expected: tuple[str, str, bool] | None) -> None:
    assert address(text) == expected


def test_a_literal_of_a_megabyte_says_nothing() -> None:
    assert crossed(f'{IMPORTS}requests.get("/{"a" * 1_000_000}")\n')[1:] == []
    assert crossed(f"{IMPORTS}requests.get({' + '.join(['x'] * 50_000)})\n")[1:] == []


def test_sums_of_any_depth_are_read_or_left() -> None:
    assert crossed(f"{IMPORTS}requests.get({'(' * 5_000}'/x'{')' * 5_000})\n")[1:] == []


def test_control_characters_make_no_path() -> None:
    assert crossed(f'{IMPORTS}requests.get("/a\x1b[31m")\n')[1:] == []
    assert crossed(f'{IMPORTS}requests.get("/a\u202eb")\n')[1:] == []


def test_comments_and_texts_are_no_code() -> None:
    assert crossed(f'{IMPORTS}# requests.get("/a")\n"""@app.get("/b")"""\nx = "requests.get(\'/c\')"\n')[1:] == []


def test_broken_code_is_read_as_far_as_it_goes() -> None:
    boundaries = crossed(f'{IMPORTS}requests.get("/a"\n@app.get("/b"\ndef f(: pass\nrequests.get("/c")\n')
    assert all(boundary.text in ("/", "/a", "/b", "/c") for boundary in boundaries)


def test_a_name_of_a_megabyte_is_no_name() -> None:
    assert crossed(f"{IMPORTS}{'x' * 1_000_000}.get('/a')\n@app.get('/b')\ndef {'y' * 500_000}(): ...\n")


def test_a_file_has_so_many_boundaries_and_no_more() -> None:
    assert len(crossed(IMPORTS + 'requests.get("/a")\n' * 5_000)) == 2_000


def test_a_secret_in_an_address_is_not_kept() -> None:
    key = "AKIA" + "IOSFODNN7" + "EXAMPLE"
    assert not any(key in boundary.text for boundary in crossed(f'{IMPORTS}requests.get("/x/{key}")\n'))

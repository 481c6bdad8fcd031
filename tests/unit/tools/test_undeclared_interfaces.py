"""What is said of calls through an interface that a type implements without declaring so."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from codeagentd.model.ids import node_id
from codeagentd.toolkit.call import run as call
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.toolsets import load
from tests.harness.served import surroundings
from tests.harness.stored_rows import stored_rows

CATALOGUE = load("codeagentd.tools")
FILES = {
    "shop/py.py": """from typing import Protocol


class Priced(Protocol):
    tax: int

    def price(self) -> int: ...


def total(item: Priced) -> int:
    return item.price() + item.price()


class Taxed:
    tax = 1


class Book(Taxed):
    def price(self) -> int:
        return 1


class Poster:
    def price(self) -> int:
        return 2
""",
    "web/priced.ts": """export interface Priced { tax: number; price(): number }
export function total(item: Priced): number { return item.price() }
export class Book { tax = 1; price(): number { return 1 } }
export class Poster { price(): number { return 2 } }
export class Declared implements Priced { tax = 1; price(): number { return 3 } }
""",
}  # fmt: skip


@pytest.fixture(scope="module")
def ctx(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Context]:
    with surroundings(tmp_path_factory.mktemp("interfaces"), FILES) as found:
        yield found


def note(ctx: Context, member: str) -> str:
    with ctx.read() as db:
        node = node_id(stored_rows(db).symbol(member).uid)
    return str(call(CATALOGUE["get_callers"], ctx, {"node_id": node}).structured.get("note", ""))


@pytest.mark.parametrize(
    ("member", "through"),
    [
        ("shop.py.Book.price", "2 calls go through shop.py.Priced.price"),
        ("web/priced.Book.price", "1 call goes through web/priced.Priced.price"),
    ],
)
def test_calls_through_an_interface_whose_members_a_type_has_may_land_in_it(
    ctx: Context, member: str, through: str
) -> None:
    said = "whose type asks for members that the type of this one has, and may land here"
    assert f"{through}, {said}" in note(ctx, member)


@pytest.mark.parametrize("member", ["shop.py.Poster.price", "web/priced.Poster.price", "web/priced.Declared.price"])
def test_a_type_that_lacks_a_member_or_declares_the_interface_is_told_nothing(ctx: Context, member: str) -> None:
    assert "asks for members" not in note(ctx, member)

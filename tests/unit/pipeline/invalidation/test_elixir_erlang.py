"""Which files does a change of what macros and included files bring in concern, in Elixir and Erlang?"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.harness.small_index import Change, assert_affects, edit, replaced

COLUMNS = ("files", "change", "affected")

ELIXIR = """
    === web.ex
    defmodule Shop.Web do
      defmacro __using__(_) do
        quote do
          import Shop.Helpers
        end
      end
    end
    === helpers.ex
    defmodule Shop.Helpers do
      def pages(book), do: book
    end
    === others.ex
    defmodule Shop.Others do
      def pages(book), do: book
    end
    === page.ex
    defmodule Shop.Page do
      use Shop.Web
      def show(book), do: pages(book)
    end
    === apart.ex
    defmodule Shop.Apart do
      def none(book), do: book
    end
    """

ERLANG = """
    === deep.hrl
    -define(LIMIT, 3).
    === other.hrl
    -define(LIMIT, 4).
    === shelf.hrl
    -include("deep.hrl").
    === shelf.erl
    -module(shelf).
    -include("shelf.hrl").
    limit() -> ?LIMIT.
    === apart.erl
    -module(apart).
    none() -> 1.
    """

EDITS = [
    edit("elixir", "a macro imports another module", ELIXIR,
        replaced("web.ex", "import Shop.Helpers", "import Shop.Others"), "page.ex"),
    edit("elixir", "a macro imports nothing", ELIXIR, replaced("web.ex", "import Shop.Helpers", "1"), "page.ex"),
    edit("elixir", "an imported function goes", ELIXIR, replaced("helpers.ex", "pages", "leaves"), "page.ex"),
    edit("elixir", "an imported function takes more", ELIXIR,
        replaced("helpers.ex", "pages(book)", "pages(book, to)"), "page.ex"),
    edit("erlang", "an included file includes another", ERLANG,
        replaced("shelf.hrl", "deep.hrl", "other.hrl"), "shelf.erl"),
    edit("erlang", "a macro goes", ERLANG, replaced("deep.hrl", "LIMIT", "LEAST"), "shelf.erl"),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, EDITS)
def test_what_a_file_brings_in_concerns_the_files_that_get_it(
    tmp_path: Path, files: Mapping[str, str], change: Change, affected: frozenset[str]
) -> None:
    assert_affects(tmp_path, files, change, affected)

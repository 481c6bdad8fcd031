"""Numbers of nodes over several indexes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from codeagentd.query.graph.federated_graph import OWN, number, place

NATIVE = st.integers(-(1 << 56), (1 << 56) - 1)


@given(st.integers(0, 200), NATIVE)
def test_a_number_says_which_index_and_which_node_there(index: int, native: int) -> None:
    assert place(number(index, native)) == (index, native)


@given(NATIVE)
def test_nodes_of_the_own_index_keep_their_numbers(native: int) -> None:
    assert number(OWN, native) == native

"""What templates say: text stays text, and shows what it hides."""

from __future__ import annotations

import pytest
from markupsafe import Markup

from codeagentd.serve.page import templating
from codeagentd.serve.page.templating import duration, file_url, rendered, size, symbol_url, visible, with_query


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\ttext\n", "plain\ttext\n"),
        ("Grüße, 世界, ‘quotes’, é, 🙂", "Grüße, 世界, ‘quotes’, é, 🙂"),
        ("a\u202eb\u202c", "a⟨202E⟩b⟨202C⟩"),  # right to left from here on
        ("\u2066x\u2069\u200e\u200f\u061c", "⟨2066⟩x⟨2069⟩⟨200E⟩⟨200F⟩⟨61C⟩"),
        ("a\u200bb\u2060\ufeff\u00ad", "a⟨200B⟩b⟨2060⟩⟨FEFF⟩⟨AD⟩"),  # without width
        ("\x00\x07\x1b[31m\x7f\x9b\r", "⟨0⟩⟨7⟩⟨1B⟩[31m⟨7F⟩⟨9B⟩⟨D⟩"),
        ("\u2028\u2029", "⟨2028⟩⟨2029⟩"),
        ("\U000e0041\ue000\ud800", "⟨E0041⟩⟨E000⟩⟨D800⟩"),  # tags, private, half a pair
    ],
)
def test_letters_that_hide_or_turn_others_are_shown_by_their_numbers(text: str, shown: str):
    assert visible(text) == shown


def test_what_is_no_text_or_is_markup_already_stays():
    assert visible(3) == 3
    assert visible(None) is None
    markup = Markup("<b>\u202e</b>")
    assert visible(markup) is markup


def test_whatever_is_inserted_is_escaped():
    values = {"title": "<script>\u202e", "repository": '"><img src=x>', "fault": "'&", "version": "1"}
    text = rendered("sign_in", values, only_main=False)
    assert "<script>\u202e" not in text
    assert "&#34;&gt;&lt;img src=x&gt;" in text
    assert "&#39;&amp;" in text


def test_no_template_turns_escaping_off_or_writes_scripts_and_styles():
    for place in sorted((templating.HERE / "templates").iterdir()):
        text = place.read_text()
        for word in (
            "|safe",
            "| safe",
            "autoescape",
            "<style",
            " style=",
            "javascript:",
            "<script>",
            " onclick",
            "Markup",
        ):
            assert word not in text, (place.name, word)


def test_addresses_hold_any_name():
    assert file_url("a b/#?%.py", 3) == "/file/a%20b/%23%3F%25.py#L3"
    assert symbol_url("x::y<z>") == "/symbol/x::y%3Cz%3E"
    assert with_query("/flow", source="a&b=c", target="", depth=0) == "/flow?source=a%26b%3Dc"
    assert with_query("/flow") == "/flow"


@pytest.mark.parametrize(
    ("count", "shown"),
    [(0, "0 B"), (999, "999 B"), (1_500, "1.5 kB"), (25_000, "25 kB"), (3_200_000, "3.2 MB"), (5e10, "50.0 GB")],
)
def test_sizes_are_for_people(count: int, shown: str):
    assert size(count) == shown


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (0.0034, "3 ms"),
        (0.9996, "1.0 s"),
        (4.24, "4.2 s"),
        (30, "30 s"),
        (59.7, "1 min"),
        (300, "5 min"),
        (3_599, "1 h"),
        (7_200, "2 h"),
        (200_000, "2 days"),
        (90_000, "1 day"),
    ],
)
def test_times_are_for_people(seconds: float, shown: str):
    assert duration(seconds) == shown

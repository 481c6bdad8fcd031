"""Small programs in languages with declared types, whose files import each other and whose names collide as often as possible."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Final

import msgspec

TYPES: Final = ("Shelf", "Book", "Base", "Till")
MEMBERS: Final = ("Lend", "Load", "Title", "Store")
_NAME: Final = re.compile(r"\b(?:" + "|".join((*TYPES, *MEMBERS)) + r")\b")

Text = Callable[[random.Random, str], list[str]]


class Program(msgspec.Struct, frozen=True):
    """The files that a program may have; `text` gives the lines of one, each a declaration of its own."""

    paths: tuple[str, ...]
    text: Text


def _go(chance: random.Random, path: str) -> list[str]:
    if path == "go.mod":
        return [f"module x.example/{chance.choice('mmn')}"]
    folder = path.partition("/")[0]
    other = "kit" if folder == "shop" else "shop"
    t, m = _names(chance)
    pieces = [
        lambda: f"type {t()} struct {{ {t()}; item *{t()}; all []{t()}; {m()} {other}.{t()} }}",
        lambda: f"type {t()} struct {{ *{other}.{t()} }}",
        lambda: f"type {t()} interface {{ {m()}() {t()}; {t()} }}",
        lambda: f"type {t()} = {other}.{t()}",
        lambda: f"func (it *{t()}) {m()}() *{t()} {{ return it.item.{m()}() }}",
        lambda: f"func (it {t()}) {m()}() ({other}.{t()}, error) {{ return it.{m()}.{m()}() }}",
        lambda: f"func {m()}(x {t()}) *{t()} {{ x.{m()}().{m()}(); return {m()}(x).item.{m()}() }}",
        lambda: (
            f"func use{chance.randrange(3)}(x *{other}.{t()}) {{ y := x.{m()}(); y.{m()}(); for _, z := range x.all {{ z.{m()}() }} }}"
        ),
        lambda: f"var {m()} = {other}.{m()}({t()}{{}})",
    ]
    imports = [
        f'import "x.example/m/{other}"',
        f'import {other} "x.example/{chance.choice("mn")}/{other}"',
        f'import . "x.example/m/{other}"',
    ]
    return [
        f"package {chance.choice((folder, folder, folder, 'main'))}",
        chance.choice(imports),
        *(chance.choice(pieces)() for _ in range(7)),
    ]


def _interfaces(chance: random.Random, path: str) -> list[str]:
    """Go where types implement interfaces by their methods alone."""
    folder = path.partition("/")[0]
    other = "kit" if folder == "shop" else "shop"
    t, m = _names(chance)
    signatures = ("() error", "() error", "() error", f"(x *{t()})", f"() {t()}")
    pieces = [
        lambda: f"type {t()} struct {{ {t()} }}",
        lambda: f"type {t()} struct {{ *{other}.{t()}; {t()} }}",
        lambda: f"type {t()} interface {{ {m()}() error }}",
        lambda: f"type {t()} interface {{ {m()}{chance.choice(signatures)}; {t()} }}",
        lambda: f"type {t()} = {other}.{t()}",
        lambda: f"func (it *{t()}) {m()}() error {{ return nil }}",
        lambda: f"func (it {t()}) {m()}() error {{ return it.{m()}() }}",
        lambda: f"func (it {t()}) {m()}{chance.choice(signatures)} {{ }}",
    ]
    return [f"package {folder}", f'import "x.example/m/{other}"', *(chance.choice(pieces)() for _ in range(12))]


def _java(chance: random.Random, path: str) -> list[str]:
    folder = path.rpartition("/")[0].removeprefix("java").lstrip("/")
    other = "kit" if folder == "shop" else "shop"
    t, m = _names(chance)
    imports = [
        f"import {other}.{t()};",
        f"import {other}.*;",
        f"import static {other}.{t()}.{m()};",
        f"import static {other}.{t()}.*;",
        f"import {t()};",
    ]
    package = [f"package {chance.choice((folder, folder, folder, other))};"] if folder else []
    pieces = [
        lambda: (
            f"class {t()} extends {t()} {{ {t()} item; {t()} {m()}() {{ return item.{m()}(); }} void {m()}({t()} x) {{ super.{m()}(); x.{m()}().{m()}(); }} }}"
        ),
        lambda: (
            f"public class {t()} implements {t()} {{ static {t()} {m()}() {{ return new {t()}(); }} void go() {{ {m()}().{m()}(); this.{m()}(); }} }}"
        ),
        lambda: (
            f"public interface {t()} extends {t()} {{ {t()} {m()}(); default {t()} {m()}({t()} x) {{ return x.item.{m()}(); }} }}"
        ),
        lambda: f"enum {t()} {{ {m()}, One; {other}.{t()} {m()}() {{ var y = {t()}.{m()}(); return y.{m()}(); }} }}",
        lambda: (
            f"class {t()} {{ class {t()} extends {t()} {{ {t()} {m()}; void use() {{ {m()}.{m()}(); {m()}(); }} }} java.util.List<{t()}> item; }}"
        ),
        lambda: f"record {t()}({t()} item) {{ void {m()}() {{ item().{m()}(); for (var z : item.all) z.{m()}(); }} }}",
    ]
    return [*package, *chance.sample(imports, 2), *(chance.choice(pieces)() for _ in range(3))]


def _rust(chance: random.Random, path: str) -> list[str]:
    if path.endswith("Cargo.toml"):
        return ["[package]", f'name = "{chance.choice(("box", "box", "tin"))}"']
    t, m = _names(chance)
    module = chance.choice(("a", "b", "c"))
    uses = [
        f"use crate::{module}::{t()};",
        f"pub use super::{t()};",
        f"use crate::{module}::*;",
        f"use super::{t()} as {t()};",
        f"pub use self::{module}::*;",
    ]
    pieces = [
        lambda: f"pub struct {t()} {{ pub item: {t()}, pub all: Vec<{t()}>, pub {m()}: Option<Box<{t()}>> }}",
        lambda: f"pub trait {t()}: {t()} {{ fn {m()}(&self) -> {t()}; fn {m()}(&self) {{ self.{m()}() }} }}",
        lambda: (
            f"impl {t()} {{ pub fn {m()}(&self) -> &{t()} {{ self.item.{m()}() }} pub fn {m()}() -> Self {{ {t()}::{m()}() }} }}"
        ),
        lambda: f"impl {t()} for {t()} {{ fn {m()}(&self) -> {t()} {{ self.{m()}().{m()}() }} }}",
        lambda: f"impl crate::{module}::{t()} for {t()} {{ fn {m()}(&self) {{ Self::{m()}() }} }}",
        lambda: (
            f"pub fn {m()}(x: &{t()}) -> {t()} {{ let y = x.{m()}(); y.{m()}(); crate::{module}::{m()}(x).item.{m()}() }}"
        ),
        lambda: f"pub type {t()} = crate::{module}::{t()};",
        lambda: (
            f"fn use_it(x: {t()}) {{ for y in x.all.iter() {{ y.{m()}(); }} if let Some(z) = x.{m()} {{ z.{m()}(); }} }}"
        ),
        lambda: f"pub enum {t()} {{ {m()}({t()}), {m()} }}",
    ]
    return [
        f"pub mod {module};",
        f"mod {chance.choice('abc')};",
        *chance.sample(uses, 2),
        *(chance.choice(pieces)() for _ in range(6)),
    ]


def _cpp(chance: random.Random, path: str) -> list[str]:
    t, m = _names(chance)
    includes = [f'#include "{name}"' for name in chance.sample(("a.h", "b.h", "lib/c.h", "lib/d.h", "c.h"), 2)]
    space = chance.choice(("", "", "namespace shop {", "namespace kit {"))
    pieces = [
        lambda: (
            f"class {t()} : public {t()} {{ public: {t()}* {m()}(); {t()} item; int {m()}({t()}& x) {{ return x.item.{m()}(); }} }};"
        ),
        lambda: f"struct {t()} {{ static {t()} {m()}(); virtual {t()}& {m()}() const; std::vector<{t()}> all; }};",
        lambda: f"class {t()};",
        lambda: f"{t()}* {t()}::{m()}() {{ return item.{m()}()->{m()}(); }}",
        lambda: f"using {t()} = {t()};",
        lambda: f"using {chance.choice(('shop', 'kit'))}::{t()};",
        lambda: f"{t()}& {m()}({t()}* x);",
        lambda: f"static {t()} {m()}({t()} x) {{ auto y = x.{m()}(); y.{m()}(); return {m()}(&x).item; }}",
        lambda: (
            f"int use({chance.choice(('', 'shop::', 'kit::'))}{t()}& x) {{ for (auto& z : x.all) z.{m()}(); return {t()}::{m()}().{m()}(); }}"
        ),
        lambda: f"#define {chance.choice((t, m))()} {chance.choice((t, m))()}",
        lambda: f"using namespace {chance.choice(('shop', 'kit'))};",
    ]
    return [*includes, space, *(chance.choice(pieces)() for _ in range(6)), "}" if space else ""]


def _names(chance: random.Random) -> tuple[Callable[[], str], Callable[[], str]]:
    """(any name of a type, any name of a member)."""
    return lambda: chance.choice(TYPES), lambda: chance.choice(MEMBERS)


PROGRAMS: Final = {
    "go": Program(("shop/a.go", "shop/b.go", "kit/a.go", "kit/b.go", "kit/a_test.go", "go.mod"), _go),
    "interfaces": Program(("shop/a.go", "shop/b.go", "kit/a.go", "kit/b.go"), _interfaces),
    "java": Program(
        ("java/shop/Shelf.java", "java/shop/Book.java", "java/kit/Shelf.java", "java/kit/Base.java", "java/Till.java"),
        _java,
    ),
    "rust": Program(
        ("box/src/lib.rs", "box/src/a.rs", "box/src/b.rs", "box/src/a/c.rs", "box/src/main.rs", "box/Cargo.toml"), _rust
    ),
    "cpp": Program(("cpp/a.h", "cpp/b.h", "cpp/lib/c.h", "cpp/lib/d.h", "cpp/a.cc", "cpp/lib/c.cc"), _cpp),
}


def tweak(chance: random.Random, text: str, fresh: list[str]) -> str:
    """The text with one small edit: another name in one place, or a line more, less or different."""
    lines = text.splitlines()
    names = list(_NAME.finditer(text))
    act = chance.random()
    if act < 0.6 and names:
        found = chance.choice(names)
        return text[: found.start()] + chance.choice(TYPES if found[0] in TYPES else MEMBERS) + text[found.end() :]
    at = chance.randrange(len(lines)) if lines else 0
    lines[at : at + (act < 0.9)] = [chance.choice(fresh)] if act > 0.7 else []
    return "".join(f"{line}\n" for line in lines)

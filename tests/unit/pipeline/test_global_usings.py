"""C#: a global using holds in every file of its project, from the moment that it is written."""

from __future__ import annotations

from collections.abc import Callable

from codeagentd.model.kinds import ReferenceKind
from tests.unit.pipeline.conftest import Bench  # type: ignore[import-not-found]  # importlib mode resolves it

Make = Callable[[dict[str, str]], Bench]
FILES = {
    "Tools.cs": "namespace Tools { public static class Ink { public static void Dry() { } } }\n",
    "Use.cs": "namespace Desk { class Use { void Go() { Ink.Dry(); } } }\n",
}


def called(bench: Bench) -> list[str | None]:
    """What the calls lead to."""
    references = bench.stored.references()
    return [one.target for one in references if one.kind == ReferenceKind.CALL and one.is_internal]


def test_files_see_a_global_using_come_and_go(make_bench: Make) -> None:
    bench = make_bench(FILES)
    assert called(bench) == []
    bench.write("Usings.cs", "global using Tools;\n")
    bench.catch_up()
    assert called(bench) == ["Tools.Ink.Dry"]
    bench.write("Usings.cs", "using Tools;\n")
    bench.catch_up()
    assert called(bench) == []
    bench.write("Usings.cs", "global using Tools;\n")
    bench.catch_up()
    (bench.root / "Usings.cs").unlink()
    bench.catch_up()
    assert called(bench) == []


PROJECT = (
    "<Project "
    'Sdk="Microsoft.NET.Sdk"><PropertyGroup><Sort>Test</Sort></PropertyGroup><ItemGroup>{}</ItemGroup></Project>'
)
USING = '<Using Include="Tools" />'


def test_files_see_what_their_project_uses_come_and_go(make_bench: Make) -> None:
    bench = make_bench(
        {f"desk/{path}": text for path, text in FILES.items()}
        | {"desk/Desk.csproj": PROJECT.format(""), "other/Use.cs": FILES["Use.cs"]}
    )
    assert called(bench) == []
    bench.write("desk/Desk.csproj", PROJECT.format(USING))
    bench.catch_up()
    assert called(bench) == ["Tools.Ink.Dry"]
    bench.write("desk/Desk.csproj", PROJECT.format('<Using Include="Tools.Ink" Static="true" />'))
    bench.write("desk/Use.cs", "namespace Desk { class Use { void Go() { Dry(); } } }\n")
    bench.catch_up()
    assert called(bench) == ["Tools.Ink.Dry"]
    bench.write("desk/Desk.csproj", PROJECT.format('<Using Include="Tools.Ink" Alias="Pen" />'))
    bench.write("desk/Use.cs", "namespace Desk { class Use { void Go() { Pen.Dry(); } } }\n")
    bench.catch_up()
    assert called(bench) == ["Tools.Ink.Dry"]
    bench.write("desk/Desk.csproj", PROJECT.format(""))
    bench.catch_up()
    assert called(bench) == []


def test_a_project_uses_what_the_files_use_that_it_imports(make_bench: Make) -> None:
    shared = (
        '<Project><Import Project="$(MSBuildThisFileDirectory)eng/$(Sort).targets" Condition="$(Sort) != \'\'" '
        "/></Project>"
    )
    bench = make_bench(
        {f"desk/{path}": text for path, text in FILES.items()}
        | {"desk/Desk.csproj": PROJECT.format(""), "Directory.Build.targets": shared}
    )
    assert called(bench) == []
    bench.write("eng/Test.targets", PROJECT.format(USING))
    bench.catch_up()
    assert called(bench) == ["Tools.Ink.Dry"]
    bench.write("desk/Directory.Build.targets", "<Project />")  # the nearest one counts
    bench.catch_up()
    assert called(bench) == []
    bench.write(
        "desk/Desk.csproj",
        PROJECT.format("").replace("<ItemGroup>", '<Import Project="..\\Directory.Build.targets" /><ItemGroup>'),
    )
    bench.catch_up()
    assert called(bench) == ["Tools.Ink.Dry"]


def test_files_that_import_each_other_or_are_broken_harm_nothing(make_bench: Make) -> None:
    imports = (
        '<Project><Import Project="$(MSBuildThisFileDirectory)again.props" /><Import Project="/etc/x.props" /><Import '
        'Project="$(Unknown)/x" />{}</Project>'
    )
    bench = make_bench(
        {f"desk/{path}": text for path, text in FILES.items()}
        | {
            "desk/Desk.csproj": PROJECT.format(""),
            "Directory.Build.props": imports.format(f"<ItemGroup>{USING}</ItemGroup>"),
            "again.props": "<Project",
        }
        | {"desk/Directory.Build.targets": '<Project><Import Project="Directory.Build.targets" /></Project>'}
    )
    assert called(bench) == ["Tools.Ink.Dry"]

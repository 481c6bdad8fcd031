"""What every class of Ruby has, and what the gems give that its own needs: who rests on that is resolved again when it comes, changes and goes."""

from __future__ import annotations

from pathlib import Path

from codeagentd.pipeline.engine.engine import IndexingEngine
from tests.harness.stale import Judge
from tests.properties.test_incremental import begun, catch_up, write

BEGIN = {
    "shelf/shelf.gemspec": 'Gem::Specification.new do |s|\n  s.name = "shelf"\nend\n',
    "shelf/lib/case.rb": "module Shelf\n  class Case\n    def shelve; end\n  end\nend\n",
    "counter/counter.gemspec": 'Gem::Specification.new do |s|\n  s.name = "counter"\nend\n',
    "counter/lib/counter.rb": "class Counter < Shelf::Case\n  def count\n    lend\n    shelve\n    mend\n  end\nend\n",
    "counter/lib/heir.rb": "class Heir < Counter\n  def count = quiet\n  def more = Heir.new.mend\nend\n",
    "other/other.gemspec": 'Gem::Specification.new do |s|\n  s.name = "other"\nend\n',
    "other/lib/part.rb": "class Shelf::Case\n  def mend; end\nend\n",
}
NEEDS = (
    'Gem::Specification.new do |s|\n  s.name = "counter"\n  s.add_dependency "shelf"\n  s.add_dependency "other"\nend\n'
)
STEPS: list[dict[str, str | None]] = [
    {"counter/lib/object.rb": "class Object\n  def lend; end\nend\n"},
    {"counter/lib/object.rb": "class Object\n  def lend_all; end\n  def quiet; end\nend\n"},
    {"counter/lib/kernel.rb": "module Kernel\n  def quiet; end\n  def lend; end\nend\n"},
    {"counter/counter.gemspec": NEEDS},
    {"other/lib/part.rb": "class Shelf::Case\n  def shelve; end\nend\n"},
    {"counter/lib/object.rb": None},
    {"counter/lib/kernel.rb": None},
    {"other/lib/part.rb": None},
    {"counter/counter.gemspec": BEGIN["counter/counter.gemspec"]},
]


def test_no_file_is_left_behind_when_a_part_of_a_class_comes_changes_or_goes_elsewhere(
    repo: Path, tmp_path: Path, engines: list[IndexingEngine]
) -> None:
    write(repo, BEGIN)
    engine = begun(repo, tmp_path / "kept", engines)
    judge = Judge(engine.index_path, engine.index_path.with_name("blobs.db"))
    for step in STEPS:
        write(repo, {path: text for path, text in step.items() if text is not None})
        for path in [path for path, text in step.items() if text is None]:
            (repo / path).unlink()
        catch_up(engine)
        assert [*judge.stale()] == [], step

"""What language.toml chooses by name is there under that name."""

import pytest

from codeagentd.languages.language import languages
from codeagentd.languages.module_systems import MODULE_SYSTEMS
from codeagentd.pipeline.rows.module_names import RULES as NAMES_OF_MODULES
from codeagentd.resolve.module_rules.registry import RULES as MODULE_RULES
from codeagentd.resolve.name_lookup import NAME_RULES


@pytest.mark.parametrize("rules", [MODULE_RULES, NAMES_OF_MODULES], ids=["what imports mean", "what files are called"])
def test_each_module_system_has_a_rule_and_each_rule_a_system(rules: dict[str, object]) -> None:
    assert rules.keys() == MODULE_SYSTEMS.keys()


def test_each_module_system_is_one_of_a_language() -> None:
    assert {language.rules.module for language in languages().values()} == MODULE_SYSTEMS.keys()


def test_each_rule_of_names_is_one_of_a_language() -> None:
    assert {language.rules.names for language in languages().values()} == {"modules", *NAME_RULES}

"""Bounds of type parameters, as their definitions declare them: `T extends Shelf`, `T: Lend`, `where T : Shelf`."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from codeagentd.extract.syntax_nodes import children

_PARAMETERS: Final = frozenset({"type_parameter", "type_parameter_declaration", "type_parameters"})
_FIELDS: Final = ("bounds", "constraint", "type")  # of the parameter: Rust, TypeScript, Go
_CHILDREN: Final = frozenset({"type_bound", "user_type"})  # Java, Kotlin
_ONE_OR_MORE: Final = "type_bound"
_UPPER: Final = "upper_bound"  # Scala
_CLAUSES: Final = frozenset({"where_clause", "type_constraints", "type_parameter_constraints_clause"})
_WRITTEN: Final = frozenset({  # written types of TypeScript, as opposed to computed ones
    "array_type", "generic_type", "intersection_type", "nested_type_identifier", "type_identifier", "union_type",
})  # fmt: skip
_COMPUTED: Final = "constraint"


def bound_of(name: Node) -> Node | None:
    """Return the bound of the type parameter `name`, from the parameter itself or from a clause after the head of its
    definition. Of several it is the first; None without one.
    """
    parameter = name.parent
    if parameter is None or parameter.type not in _PARAMETERS:
        return None
    if parameter.type == "type_parameters":  # Scala: names and bounds are siblings
        following = name.next_named_sibling
        return children(following)[-1] if following is not None and following.type == _UPPER else None
    bound = next((result for field in _FIELDS if (result := parameter.child_by_field_name(field)) is not None), None)
    if bound is not None and bound.type == _COMPUTED:
        bound = children(bound)[0] if children(bound)[0].type in _WRITTEN else None
    bound = bound or next((child for child in parameter.named_children if child.type in _CHILDREN), None)
    if bound is not None and bound.type == _ONE_OR_MORE and len(children(bound)) == 1:
        bound = children(bound)[0]
    return bound or _of_clauses(name, parameter)


def _of_clauses(name: Node, parameter: Node) -> Node | None:
    definition = parameter.parent.parent if parameter.parent is not None else None
    for clause in definition.named_children if definition is not None else ():
        if clause.type in _CLAUSES:
            predicates = children(clause)
            for predicate in [clause] if predicates and predicates[0].text == name.text else predicates:
                first, *rest = children(predicate) or (predicate,)
                if first.text == name.text and rest:
                    return (
                        rest[0].child_by_field_name("type") if rest[0].type == "type_parameter_constraint" else rest[0]
                    )
    return None

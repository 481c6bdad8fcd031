; Scopes and the names bound in them.
[(closure_expression) (function_type)] @scope.function
[(block) (if_expression) (while_expression) (for_expression) (match_arm) (unsafe_block)] @scope.block

; A name in a pattern is bound where it is not that of a constant or variant, which the language's naming says (a capital letter).
(parameter pattern: (identifier) @bind.lower)
(closure_parameters (identifier) @bind.lower)
(let_declaration pattern: (identifier) @bind.lower)
(let_condition pattern: (identifier) @bind.lower)
(for_expression pattern: (identifier) @bind.lower)
(match_pattern . (identifier) @bind.lower)
(or_pattern (identifier) @bind.lower)
(tuple_pattern (identifier) @bind.lower)
(slice_pattern (identifier) @bind.lower)
(mut_pattern (identifier) @bind.lower)
(ref_pattern (identifier) @bind.lower)
(reference_pattern (identifier) @bind.lower)
(captured_pattern . (identifier) @bind.lower)
(tuple_struct_pattern type: (_) (identifier) @bind.lower)
(field_pattern pattern: (identifier) @bind.lower)
(field_pattern name: (shorthand_field_identifier) @bind.lower)
(const_parameter name: (identifier) @bind.type)
(type_parameter name: (type_identifier) @bind.type)
(token_tree "|" . (identifier) @bind.lower . ["|" "," ":"]) @scope.block
(token_tree (mutable_specifier) . (identifier) @bind.lower . ":")
(let_declaration pattern: (_) @declared) @declaration
(let_condition pattern: (_) @declared) @declaration

; Identifiers that are no references.
(lifetime (identifier) @skip)
(label (identifier) @skip)
(token_tree (identifier) @skip . ":")
(visibility_modifier) @region.skip
(macro_definition) @region.skip
(attribute_item (attribute [(identifier) @_name (scoped_identifier)] arguments: (token_tree) @region.skip) (#not-eq? @_name "derive"))
(inner_attribute_item) @region.skip

; Occurrences. Every identifier is a @ref; the more telling captures say what it does there.
(identifier) @ref
(type_identifier) @typename
(field_expression field: (field_identifier) @member)
(scoped_identifier path: [(identifier) @typename @ref.read (crate) @ref (super) @ref])
(scoped_identifier path: [(identifier) (crate) (super) (scoped_identifier) (generic_type) (bracketed_type)] name: [(identifier) (super)] @member)
(scoped_identifier path: (scoped_identifier name: (identifier) @ref.read))
(scoped_identifier path: (self) name: (identifier) @typename)
(call_expression function: (scoped_identifier path: (self) name: (identifier) @ref.call))
(scoped_type_identifier path: [(identifier) @typename @ref.read (crate) @ref (super) @ref (scoped_identifier name: (identifier) @ref.read)])
(scoped_type_identifier path: [(identifier) (crate) (super) (scoped_identifier) (generic_type) (bracketed_type)] name: (_) @member)
(scoped_use_list) @region.skip
(field_expression value: (call_expression arguments: (_) @arguments))
(try_expression (call_expression arguments: (_) @arguments))
(await_expression (call_expression arguments: (_) @arguments))
; An element, unless a range is asked for; what a pointer points to.
(field_expression value: (index_expression (_) [(integer_literal) (identifier) (field_expression) (binary_expression) (reference_expression) (call_expression)]) @indexed)
(field_expression value: (parenthesized_expression (unary_expression "*" [(identifier) (field_expression) (self)])) @enclosed)
[(generic_type) (generic_function) (generic_type_with_turbofish)] @instantiated
(call_expression function: (generic_function) arguments: (_) @called)
(macro_invocation macro: [(identifier) @ref.call (scoped_identifier name: (identifier) @ref.call)])

; What stands between the parentheses of a macro is not parsed: signs tell members from names.
(token_tree ["." "::"] . [(identifier) (super)] @member)
(token_tree [(crate) (super)] @ref . "::")
(token_tree (identifier) @typename . "::")

(trait_item bounds: (trait_bounds [
  (type_identifier) @ref.extend (scoped_type_identifier name: (_) @ref.extend) (generic_type type: [(type_identifier) @ref.extend (scoped_type_identifier name: (_) @ref.extend)])]))
(impl_item trait: [
  (type_identifier) @ref.implement (scoped_type_identifier name: (_) @ref.implement)
  (generic_type type: [(type_identifier) @ref.implement (scoped_type_identifier name: (_) @ref.implement)])] type: (_))
(attribute_item (attribute . (identifier) @skip))
(attribute_item (attribute . (scoped_identifier name: (identifier) @ref.decorate)))
(tuple_struct_pattern type: (identifier) @destructured)
(tuple_struct_pattern type: [(identifier) @ref.read (scoped_identifier name: (identifier) @ref.read)])
(function_type trait: (type_identifier) @ref.type)
(attribute_item (attribute . (identifier) @_derive arguments: (token_tree (identifier) @ref.decorate)) (#eq? @_derive "derive"))

(assignment_expression left: [(identifier) @ref.write (field_expression field: (_) @ref.write)])
(compound_assignment_expr left: [(identifier) @ref.write (field_expression field: (_) @ref.write)])

; Fields named in the braces behind a type.
(field_initializer_list) @initializer.unknown
(struct_expression name: [(type_identifier) (generic_type) (scoped_type_identifier) (generic_type_with_turbofish)] @instance body: (_) @initializer)
(field_initializer field: (field_identifier) @initialized @ref)
(shorthand_field_initializer (identifier) @initialized)
(struct_pattern type: (_) @instance "{" @initializer.open "}" @initializer.close)
(field_pattern name: [(field_identifier) (shorthand_field_identifier)] @initialized @ref)
(field_pattern name: (shorthand_field_identifier) @initialized.bound)

(function_item parameters: (parameters (parameter type: (_) @region.accepts)))
(function_signature_item parameters: (parameters (parameter type: (_) @region.accepts)))
(function_item return_type: (_) @region.returns)
(function_signature_item return_type: (_) @region.returns)

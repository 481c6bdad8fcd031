; Scopes and the names bound in them.
(for_statement) @scope.block
(for_statement initializer: (identifier) @bind)
(parameter . (identifier) @bind)

; Occurrences.
(identifier) @ref
(type (identifier) @ref.type)
(object_property . (identifier) @skip)
(call_expression function: (identifier) @ref.call)
(import_functionality (identifier) @ref.type)

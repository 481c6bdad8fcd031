; Scopes and the names bound in them.
(function_definition) @scope.function
(parameter name: (identifier) @bind)
(for_statement variable: (identifier) @bind)
(braced_expression (binary_operator lhs: (identifier) @bind.hoist operator: ["<-" "="]))

; Identifiers that are no references.
(argument name: (identifier) @skip)
(namespace_operator lhs: (identifier) @skip)

; Occurrences. Every identifier is a @ref; the more telling captures say what it does there.
(identifier) @ref
(call arguments: (arguments) @called)
(extract_operator rhs: (identifier) @member)
(namespace_operator rhs: (identifier) @member)
(binary_operator lhs: (identifier) @ref.write operator: ["<-" "=" "<<-"])

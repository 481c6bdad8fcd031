; Scopes and the names bound in them.
(function_definition) @scope.function
[(do_statement) (for_statement) (while_statement) (repeat_statement)] @scope.block
(if_statement consequence: (block) @scope.block)
(elseif_statement consequence: (block) @scope.block)
(else_statement body: (block) @scope.block)

(parameters name: (identifier) @bind)
(variable_declaration (assignment_statement (variable_list name: (identifier) @bind)))
(variable_declaration (variable_list name: (identifier) @bind))
(for_numeric_clause name: (identifier) @bind)
(variable_declaration (assignment_statement (variable_list name: (identifier) @declared))) @declaration
(variable_declaration (variable_list name: (identifier) @declared)) @declaration
(function_declaration "local" name: (identifier) @declared @declaration)
(for_generic_clause (variable_list name: (identifier) @bind))

; Identifiers that are no references.
(field name: (identifier) @skip)
(field "[" name: (identifier) @initialized.bound)
(attribute (identifier) @skip)
(goto_statement (identifier) @skip)
(label_statement (identifier) @skip)
(function_declaration name: [(dot_index_expression table: (identifier) @skip) (method_index_expression table: (identifier) @skip)])
((variable_declaration (assignment_statement (variable_list . name: (identifier) @alias .) (expression_list . value: (identifier) @skip .))) (#eq? @alias @skip))

; Occurrences. Every identifier is a @ref; the more telling captures say what it does there.
(identifier) @ref
(arguments) @called
(method_index_expression table: _ @receiver)
(assignment_statement (variable_list name: [(identifier) @ref.write (dot_index_expression field: (identifier) @ref.write)]))

; Types of receivers.
(variable_declaration (assignment_statement (variable_list . name: (identifier) @assigned.name)
  (expression_list . value: [(identifier) (dot_index_expression) (function_call)] @assigned.value)))
(variable_declaration (assignment_statement (variable_list . name: (identifier) . name: (identifier) @assigned.name)
  (expression_list . value: (_) . value: [(identifier) (dot_index_expression) (function_call)] @assigned.value)))
(variable_declaration (assignment_statement (variable_list . name: (identifier) . name: (identifier) . name: (identifier) @assigned.name)
  (expression_list . value: (_) . value: (_) . value: [(identifier) (dot_index_expression) (function_call)] @assigned.value)))
(chunk (assignment_statement (variable_list . name: (identifier) @assigned.name .)
  (expression_list . value: [(identifier) (dot_index_expression) (function_call)] @assigned.value .)))
(assignment_statement (variable_list . name: (dot_index_expression field: (identifier) @assigned.name))
  (expression_list . value: [(identifier) (dot_index_expression) (function_call)] @assigned.value))
(return_statement (expression_list . [(identifier) (dot_index_expression) (function_call name: [(dot_index_expression) (method_index_expression)])] @returned))
((return_statement (expression_list . (function_call name: (identifier) @how) @returned)) (#not-eq? @how "setmetatable"))

; What a local variable is set to later, it may be everywhere.
(block (assignment_statement (variable_list name: (identifier) @becomes.other) (expression_list value: [(identifier) (dot_index_expression)
  (function_call name: [(dot_index_expression) (method_index_expression)])])))
((block (assignment_statement (variable_list name: (identifier) @becomes.other) (expression_list value: (function_call name: (identifier) @how))))
  (#not-eq? @how "setmetatable"))

; What gets a metatable is an object of the class that it is, or that its __index names.
((variable_declaration (assignment_statement (variable_list . name: (identifier) @typed.name) (expression_list .
  value: (function_call name: (identifier) @how arguments: (arguments . (_) . (identifier) @typed.type .))))) (#eq? @how "setmetatable"))
((variable_declaration (assignment_statement (variable_list . name: (identifier) @typed.name) (expression_list .
  value: (function_call name: (identifier) @how arguments: (arguments . (_) . (table_constructor (field name: (identifier) @key value: (identifier) @typed.type)) .)))))
  (#eq? @how "setmetatable") (#eq? @key "__index"))
((function_call name: (identifier) @how arguments: (arguments . (identifier) @becomes.name . (identifier) @becomes.type .)) (#eq? @how "setmetatable"))
((function_call name: (identifier) @how arguments: (arguments . (identifier) @becomes.name . (table_constructor (field name: (identifier) @key value: (identifier) @becomes.type)) .))
  (#eq? @how "setmetatable") (#eq? @key "__index"))
((assignment_statement (variable_list . name: (identifier) @becomes.name) (expression_list .
  value: (function_call name: (identifier) @how arguments: (arguments . (_) . (identifier) @becomes.type .)))) (#eq? @how "setmetatable"))
((return_statement (expression_list . (function_call name: (identifier) @how arguments: (arguments . (_) . (identifier) @returned.type .))))
  (#eq? @how "setmetatable"))
((return_statement (expression_list . (function_call name: (identifier) @how
  arguments: (arguments . (_) . (table_constructor (field name: (identifier) @key value: (identifier) @returned.type)) .)))) (#eq? @how "setmetatable") (#eq? @key "__index"))

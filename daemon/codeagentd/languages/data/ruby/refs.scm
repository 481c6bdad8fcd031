; Scopes and the names bound in them.
[(block) (do_block)] @scope.function @block
(lambda) @scope.function

(method_parameters (identifier) @bind)
(block_parameters (identifier) @bind)
(lambda_parameters (identifier) @bind)
(destructured_parameter (identifier) @bind)
[(optional_parameter name: (identifier) @bind) (keyword_parameter name: (identifier) @bind) (splat_parameter name: (identifier) @bind)
 (hash_splat_parameter name: (identifier) @bind) (block_parameter name: (identifier) @bind)]
(assignment left: (identifier) @bind)
(operator_assignment left: (identifier) @bind)
(left_assignment_list [(identifier) @bind (rest_assignment (identifier) @bind) (destructured_left_assignment (identifier) @bind)])
(exception_variable (identifier) @bind)
(for pattern: (identifier) @bind)

; Patterns.
(in_clause pattern: (identifier) @bind)
(match_pattern pattern: (identifier) @bind)
(array_pattern (identifier) @bind)
(find_pattern (identifier) @bind)
(as_pattern name: (identifier) @bind)
(keyword_pattern value: (identifier) @bind)
(keyword_pattern key: (hash_key_symbol) @bind !value)

; Occurrences. Every name is a @ref; the more telling captures say what it does there.
[(identifier) (constant) (instance_variable) (class_variable) (global_variable) (super)] @ref
(scope_resolution !scope) @ref.path
(pair key: (hash_key_symbol) @ref !value)
(argument_list) @called

(call receiver: _ @receiver)
(scope_resolution scope: _ @receiver)

(superclass [(constant) @ref.inherit (scope_resolution !scope) @ref.inherit (scope_resolution scope: (_) name: (_) @ref.inherit)])
((call !receiver method: (identifier) @how arguments: (argument_list [(constant) @ref.mixin (scope_resolution !scope) @ref.mixin
    (scope_resolution scope: (_) name: (_) @ref.mixin)]))
  (#any-of? @how "include" "prepend" "extend"))
(assignment left: [(instance_variable) @ref.write (class_variable) @ref.write (global_variable) @ref.write (call method: (identifier) @ref.write)])
(operator_assignment left: [(instance_variable) @ref.write (class_variable) @ref.write (global_variable) @ref.write (call method: (identifier) @ref.write)])
(left_assignment_list [(instance_variable) @ref.write (class_variable) @ref.write (call method: (identifier) @ref.write)])
(alias alias: (identifier) @ref.read)
(undef (identifier) @ref.read)
(rescue exceptions: (exceptions) @region.type)
(in_clause pattern: (constant) @ref.type)

; Methods named by a literal.
((call !receiver method: (identifier) @how arguments: (argument_list (_) (simple_symbol) @ref.literal.read))
  (#eq? @how "alias_method"))
((call !receiver method: (identifier) @how arguments: (argument_list . (simple_symbol) @ref.literal.read)) (#eq? @how "method"))
((call !receiver method: (identifier) @how arguments: (argument_list . (simple_symbol) @ref.literal))
  (#any-of? @how "send" "public_send" "__send__"))

; Types of receivers.
(assignment left: [(identifier) (instance_variable)] @assigned.name right: [(call) (identifier) (instance_variable) (constant) (scope_resolution)] @assigned.value)
(assignment left: [(identifier) (instance_variable)] @either.name right: (binary operator: ["||" "or"] right: [(call) (identifier) (instance_variable)] @either.value))
(operator_assignment left: [(identifier) (instance_variable)] @assigned.name operator: "||=" right: [(call) (identifier) (instance_variable) (constant) (scope_resolution)] @assigned.value)
(rescue exceptions: (exceptions . (_) @typed.type .) variable: (exception_variable (identifier) @typed.name))
[(method body: (body_statement [(call) (identifier) (instance_variable) (constant) (scope_resolution) (self)] @returned . (comment)* .))
 (singleton_method body: (body_statement [(call) (identifier) (instance_variable) (constant) (scope_resolution) (self)] @returned . (comment)* .))
 (singleton_method body: [(call) (identifier) (instance_variable) (constant) (scope_resolution) (self)] @returned)
 (method body: [(call) (identifier) (instance_variable) (constant) (scope_resolution) (self)] @returned)]
(return (argument_list . [(call) (identifier) (instance_variable) (constant) (scope_resolution) (self)] @returned .))
[(method body: (body_statement (operator_assignment operator: "||=" right: [(call) (identifier) (instance_variable) (constant) (scope_resolution) (self)] @returned) . (comment)* .))
 (singleton_method body: (body_statement (operator_assignment operator: "||=" right: [(call) (identifier) (instance_variable) (constant) (scope_resolution) (self)] @returned) . (comment)* .))]

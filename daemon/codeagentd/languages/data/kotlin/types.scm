; What values are made of. Each pattern has one name and what is said of it.
(function_value_parameters (parameter (simple_identifier) @typed.name [(user_type) (nullable_type) (function_type) (parenthesized_type)] @typed.type))
(class_parameter (simple_identifier) @typed.name . [(user_type) (nullable_type) (function_type) (parenthesized_type)] @typed.type)
(variable_declaration (simple_identifier) @typed.name [(user_type) (nullable_type) (function_type) (parenthesized_type)] @typed.type)
(catch_block . (simple_identifier) @typed.name . (user_type) @typed.type)

; Parameters without a type: those of functions that are handed to a call get one from the callee.
(lambda_parameters (variable_declaration . (simple_identifier) @handed .))
(navigation_expression . (simple_identifier) @handed.implied (#eq? @handed.implied "it"))

(property_declaration (variable_declaration . (simple_identifier) @assigned.name .)
  . [(simple_identifier) (navigation_expression) (call_expression) (this_expression)] @assigned.value)
(property_declaration (variable_declaration . (simple_identifier) @assigned.name .)
  . (postfix_expression [(simple_identifier) (navigation_expression) (call_expression)] @assigned.value "!!"))
(property_declaration (variable_declaration . (simple_identifier) @either.name .)
  . (elvis_expression (_) [(simple_identifier) (navigation_expression) (call_expression)] @either.value .))
(property_declaration (variable_declaration . (simple_identifier) @typed.name .) . (as_expression (_) . [(user_type) (nullable_type)] @typed.type))
(when_subject (variable_declaration . (simple_identifier) @assigned.name .)
  . [(simple_identifier) (navigation_expression) (call_expression) (this_expression)] @assigned.value)
(assignment (directly_assignable_expression . (simple_identifier) @assigned.name .)
  . [(simple_identifier) (navigation_expression) (call_expression)] @assigned.value)
(for_statement (variable_declaration . (simple_identifier) @iterated.name .) . [(simple_identifier) (navigation_expression) (call_expression)] @iterated.value)
(function_declaration (function_body . [(simple_identifier) (navigation_expression) (call_expression) (this_expression)] @returned))
(getter (function_body . [(simple_identifier) (navigation_expression) (call_expression) (this_expression)] @returned))
(property_declaration (variable_declaration . (simple_identifier) @typed.name .)
  . (elvis_expression . (as_expression (_) . [(user_type) (nullable_type)] @typed.type) (jump_expression)))

; What tests say of a variable, where they hold.
(check_expression . (simple_identifier) @narrowed.name . ["is" "!is"] . (user_type) @narrowed.type)
(when_condition (type_test (user_type) @narrowed.branch))

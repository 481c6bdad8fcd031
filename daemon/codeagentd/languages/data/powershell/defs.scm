; Functions, filters, workflows.
(function_statement (function_name) @name (script_block (param_block (parameter_list) @params))) @def.function
(function_statement (function_name) @name (function_parameter_declaration) @params) @def.function
(function_statement (function_name) @name) @def.function

; Classes.
(class_statement . (simple_name) @name) @def.class
(class_statement ":" (simple_name) @base @ref @ref.inherit)
(class_property_definition (class_attribute)? @modifier (type_literal)? @type (variable) @name) @def.field
(class_method_definition (class_attribute)? @modifier (type_literal)? @returns (simple_name) @name (class_method_parameter_list)? @params) @def.method
(enum_statement . (simple_name) @name) @def.enum
(enum_member (simple_name) @name) @def.enum_member

; Variables of the script.
(program (statement_list (pipeline (assignment_expression (left_assignment_expression (logical_expression (bitwise_expression
  (comparison_expression (additive_expression (multiplicative_expression (format_expression (range_expression
  (array_literal_expression (unary_expression (variable) @name))))))))))) @def.variable)))
(comment) @comment

; What CREATE makes; a name with its schema is one name.
(create_table (object_reference) @name) @def.table
(create_view (object_reference) @name) @def.view
(create_materialized_view (object_reference) @name) @def.view
(create_index column: (identifier) @name) @def.index
(create_function (object_reference) @name (function_arguments)? @params) @def.function
(create_function (keyword_returns) . (_) @returns)
(create_trigger (keyword_trigger) . (object_reference) @name) @def.trigger
(create_type (object_reference) @name) @def.type
(create_sequence (object_reference) @name) @def.variable
(column_definitions (column_definition name: (_) @name type: (_) @type) @def.field)
(column_definitions (column_definition name: (_) @name custom_type: (_) @type) @def.field)
(column_definitions (column_definition name: (_) @name) @def.field)

; What the grammar does not follow to its end: other dialects' bodies.
(ERROR (keyword_function) . (object_reference) @name @def.function)
(ERROR (keyword_trigger) . (object_reference) @name @def.trigger)

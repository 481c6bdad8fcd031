; Derived from the grammar by `make grammars`.
(named_module name: (long_identifier (identifier) @name)) @def.module
(type_definition (record_type_defn (type_name type_name: (identifier) @name))) @def.type
(function_or_value_defn (function_declaration_left (identifier) @name)) @def.function
(namespace name: (long_identifier) @name) @def.namespace
(module_defn . (identifier) @name) @def.module
(member_signature . (identifier) @name) @def.field
(delegate_type_defn . (type_name) @name) @def.type
(type_abbrev_defn . (type_name) @name) @def.type
(enum_type_defn . (type_name) @name) @def.enum
(union_type_defn . (type_name) @name) @def.struct
(interface_type_defn . (type_name) @name) @def.interface
(anon_type_defn . (type_name) @name) @def.type
(member_defn . (identifier) @name) @def.field
(method_or_prop_defn name: [(identifier) (type_name) (long_identifier)] @name) @def.method
(named_static_parameter . (identifier) @bind)
(identifier) @ref
(op_identifier) @ref
(active_pattern_op_name) @ref
(line_comment) @comment
(block_comment_content) @comment
(block_comment) @comment

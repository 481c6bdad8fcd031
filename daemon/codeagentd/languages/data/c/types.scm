; What values are made of. Each pattern has one name and what is said of it: the first of several declarators, for a type is captured once.
(parameter_declaration type: [(type_identifier) (struct_specifier !body) (union_specifier !body)] @typed.type . declarator: [
  (identifier) @typed.name
  (pointer_declarator declarator: [(identifier) @typed.name (pointer_declarator declarator: (identifier) @typed.name)])
  (array_declarator declarator: [(identifier) @typed.name (pointer_declarator declarator: (identifier) @typed.name)])])
(compound_statement (declaration type: [(type_identifier) (struct_specifier !body) (union_specifier !body)] @typed.type . declarator: [
  (identifier) @typed.name
  (pointer_declarator declarator: [(identifier) @typed.name (pointer_declarator declarator: (identifier) @typed.name)])
  (init_declarator declarator: [
    (identifier) @typed.name
    (pointer_declarator declarator: [(identifier) @typed.name (pointer_declarator declarator: (identifier) @typed.name)])])]))
(for_statement initializer: (declaration type: [(type_identifier) (struct_specifier !body)] @typed.type . declarator: (init_declarator declarator: [
  (identifier) @typed.name
  (pointer_declarator declarator: [(identifier) @typed.name (pointer_declarator declarator: (identifier) @typed.name)])])))

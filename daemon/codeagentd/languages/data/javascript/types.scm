; What tests say of a variable, where they hold.
(binary_expression left: (identifier) @narrowed.name operator: "instanceof" right: (_) @narrowed.type)

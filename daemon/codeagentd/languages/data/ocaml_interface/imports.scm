; What is opened or included; the rule "ocaml" reads it.
[(open_module) (include_module) (include_module_type)] @import
(local_open_expression . (module_path) @import)
(local_open_pattern . (module_path) @import)

; Included files and imported functions; the rule "erlang" reads their parts.
[(pp_include) (pp_include_lib) (import_attribute)] @import

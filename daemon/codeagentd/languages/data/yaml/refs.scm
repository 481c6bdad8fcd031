; Aliases. Source: YAML 1.2.2, section 7.1.
(alias (alias_name) @ref)

; Modules from folders of the repository.
((block (identifier) @_m (body (attribute (identifier) @_s (expression (literal_value (string_lit (template_literal) @import))))))
  (#eq? @_m "module") (#eq? @_s "source"))

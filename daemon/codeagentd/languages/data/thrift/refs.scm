; Types by their names.
(type (identifier) @ref @ref.type)
(type . (identifier) @skip . (identifier))
(definition_type (identifier) @ref @ref.type)
(definition_type . (identifier) @skip . (identifier))
(service_definition "extends" (identifier) @ref @ref.extend)
(service_definition "extends" (identifier) @skip . (identifier))

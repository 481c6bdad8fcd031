; Models and enumerations by their names.
(field_type (_ (identifier) @ref @ref.type))
(field_type (_ (_ (identifier) @ref @ref.type)))

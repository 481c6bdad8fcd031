; Prerequisites name targets; everything else names variables.
(prerequisites (word) @typename @ref.depend)
(variable_reference (word) @ref @ref.use)
(substitution_reference text: (word) @ref @ref.use)
(ifdef_directive variable: (word) @ref)
(ifndef_directive variable: (word) @ref)
(function_call function: "call" (arguments . (text) @ref.first @ref.call))

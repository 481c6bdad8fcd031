; Prerequisites name targets; everything else names variables.
(prerequisites (word) @typename @ref.read)
(variable_reference (word) @ref)
(substitution_reference text: (word) @ref)
(ifdef_directive variable: (word) @ref)
(ifndef_directive variable: (word) @ref)
(function_call function: "call" (arguments . (text) @ref.first @ref.call))

; Launches of kernels.
(call_expression function: (identifier) @ref.call (kernel_call_syntax))

; What the grammar of CUDA does not have.
(lambda_declarator parameters: (parameter_list (parameter_declaration type: (_) @region.type)))

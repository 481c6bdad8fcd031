; References: what $ref says, and values that are relative paths.
((block_mapping_pair key: (flow_node) @_k value: (flow_node) @import) (#any-of? @_k "$ref" "'$ref'" "\"$ref\""))
((flow_pair key: (flow_node) @_k value: (flow_node) @import) (#any-of? @_k "$ref" "'$ref'" "\"$ref\""))
((string_scalar) @import (#match? @import "^[.][.]?/"))

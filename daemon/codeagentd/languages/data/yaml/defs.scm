; Keys of nested mappings, four deep; keys inside of sequences are data.
((document (block_node (block_mapping (block_mapping_pair key: (_) @name) @def.key))) (#not-eq? @name "<<") (#not-eq? @name "$ref"))
((document (block_node (block_mapping (block_mapping_pair value: (block_node (block_mapping
  (block_mapping_pair key: (_) @name) @def.key)))))) (#not-eq? @name "<<") (#not-eq? @name "$ref"))
((document (block_node (block_mapping (block_mapping_pair value: (block_node (block_mapping (block_mapping_pair value: (block_node (block_mapping
  (block_mapping_pair key: (_) @name) @def.key))))))))) (#not-eq? @name "<<") (#not-eq? @name "$ref"))
((document (block_node (block_mapping (block_mapping_pair value: (block_node (block_mapping (block_mapping_pair value: (block_node (block_mapping
  (block_mapping_pair value: (block_node (block_mapping (block_mapping_pair key: (_) @name) @def.key)))))))))))) (#not-eq? @name "<<") (#not-eq? @name "$ref"))

; Anchors hold for their document.
(anchor (anchor_name) @name) @def.constant
(document) @scope.class

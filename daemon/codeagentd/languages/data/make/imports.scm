; Included makefiles.
(include_directive filenames: (list (word) @import))

; A schema is one, in however many files.

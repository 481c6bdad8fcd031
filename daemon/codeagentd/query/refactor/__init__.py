"""Changes: plans of renamings and their verification, the impact of an edit, and the tests that reach it."""

"""Changes: plans of renamings and their verification, the impact of an edit, the tests it reaches."""

"""The checks of `codeagentd doctor` by subject, with a remedy for each finding."""

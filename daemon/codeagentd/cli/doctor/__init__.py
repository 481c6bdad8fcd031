"""The checks of `codeagentd doctor`, by subject, with what to do about each finding."""

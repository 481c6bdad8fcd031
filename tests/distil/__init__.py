"""The making of the static model of this package: texts, a teacher, a fit, and what is lost."""

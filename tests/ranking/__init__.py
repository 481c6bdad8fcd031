"""The making of the ranking model of this package: questions, examples, and a fit."""

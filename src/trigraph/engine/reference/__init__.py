"""Deep references: a question answered from the evidence, step by step."""

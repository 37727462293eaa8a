"""The answers of commands with `--json`: a record for each, from which `gramprobe schema` prints JSON Schema.

An answer is checked against its record before it is printed, so that the schema and the answer have the same fields.
Within a version fields are added, never renamed or given another type.
"""

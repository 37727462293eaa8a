"""Rows to a folder and back: build, schema, manifest, card, gates, diff, verify."""

"""Tests of scoring with language models."""

"""Tests of fine-tuning."""

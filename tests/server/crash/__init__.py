"""Servers that are killed at random moments, and what is found in the store afterwards."""

"""Truthsayer: what strangers use. The client, error codes, command line and pytest plugin."""

"""Truthsayer: what strangers import. The client, the error codes, the command line."""

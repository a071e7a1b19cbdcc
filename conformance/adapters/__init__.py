"""Adapters that come with the kit."""

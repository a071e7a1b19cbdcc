"""Many sessions played at once: `python -m tests.server.load`."""

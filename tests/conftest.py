"""Settings for all tests."""

import os

from hypothesis import HealthCheck, settings

# How fast a machine is must not decide whether a test passes.
settings.register_profile("steady", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")

# Nor must it decide that the tests run in a workflow, where `check` prints more.
for name in ("GITHUB_ACTIONS", "GITHUB_WORKSPACE"):
    os.environ.pop(name, None)

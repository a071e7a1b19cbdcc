"""Settings for all tests."""

import os
from collections.abc import Iterator
from importlib import import_module

import pytest
from hypothesis import HealthCheck, settings

from truthsayer.cli import COMMANDS

# How fast a machine is must not decide whether a test passes.
settings.register_profile("steady", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")

# Nor must it decide that the tests run in a workflow, where `check` prints more.
for name in ("GITHUB_ACTIONS", "GITHUB_WORKSPACE"):
    os.environ.pop(name, None)


@pytest.fixture(scope="session", autouse=True)
def _own_kept_proofs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Tests neither use nor change the proofs and sessions that whoever runs them has kept."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRUTHSAYER_CACHE_DIR", str(tmp_path_factory.mktemp("kept")))
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture(scope="session", autouse=True)
def _own_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Nor the sessions and tokens of the service."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture(scope="session", autouse=True)
def _loaded_commands() -> None:
    """A command that is first loaded while a test replaces a name would keep the replacement."""
    for name in COMMANDS:
        import_module(f"truthsayer.cli.{name}")

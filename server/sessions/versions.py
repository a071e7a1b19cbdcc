"""By what a session is played. What one version wrote, another never plays again."""

from __future__ import annotations

import functools

from rules_engine.catalogue.load import catalogue
from rules_engine.imperium.state import State
from rules_engine.kernel.fingerprint import fingerprint
from rules_engine.rulebook.rulings import rulings
from server.store.sessions import Session, Version
from truthsayer.v1 import session_pb2
from truthsayer.version import installed_version


def running_version(state: State) -> Version:
    """By what this server plays a position."""
    config = state.config
    followed = {
        name: config.rulings.value(name, ruling.default) for name, ruling in rulings().items()
    }
    return Version(running_engine(), _catalogue_digest(config.product), followed)


@functools.cache
def running_engine() -> str:
    """The version of the engine of this server."""
    return installed_version() or "a source tree"


@functools.cache
def _catalogue_digest(product: str) -> str:
    return fingerprint(catalogue(product))


def played_by(session: Session) -> session_pb2.PlayedBy:
    """By what a session was played last."""
    version = session.version
    return session_pb2.PlayedBy(
        engine=version.engine, catalogue=version.catalogue, rulings=version.rulings
    )

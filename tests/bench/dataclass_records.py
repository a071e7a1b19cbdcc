"""Records as frozen dataclasses: the stand-in for `rules_engine/kernel/records.py` in the bench."""

from __future__ import annotations

import dataclasses
import typing


@typing.dataclass_transform(frozen_default=True)
class Record:
    """A frozen value with named fields."""

    __struct_fields__: typing.ClassVar[tuple[str, ...]] = ()
    """The names of the fields, where msgspec has them."""

    def __init_subclass__(cls, tag: object = None, tag_field: str | None = None) -> None:
        """Make a dataclass of every kind of record; tags matter only where records are encoded."""
        del tag, tag_field
        super().__init_subclass__()
        for name, default in list(vars(cls).items()):
            if isinstance(default, dict) and name in cls.__annotations__:
                setattr(cls, name, dataclasses.field(default_factory=dict))
        dataclasses.dataclass(frozen=True)(cls)
        cls.__struct_fields__ = vars(cls)["__match_args__"]


change = dataclasses.replace

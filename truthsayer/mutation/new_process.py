"""A process that imports the engine with one file changed and runs checks; see `trying.py`."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import json
import sys
from collections.abc import Sequence
from types import ModuleType


class ChangedFile(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds one module of the engine, and loads other source for it."""

    def __init__(self, module: str, source: str) -> None:
        self.module = module
        self.source = source

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The module, if it is the changed one."""
        del path, target
        if fullname != self.module:
            return None
        return importlib.util.spec_from_loader(fullname, self, origin="a mutant")

    def exec_module(self, module: ModuleType) -> None:
        """Run the changed source."""
        exec(compile(self.source, self.module, "exec"), module.__dict__)


def main() -> None:
    """Read what is asked, change the engine, run the checks, and print what was found."""
    file, source, wanted = json.load(sys.stdin)
    module = file.removesuffix(".py").replace("/", ".")
    sys.meta_path.insert(0, ChangedFile(module, source))
    # The engine may be imported only now.
    from truthsayer.mutation.again import run_again

    print(run_again(wanted))


if __name__ == "__main__":
    main()

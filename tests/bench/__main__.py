"""`python -m tests.bench` runs `main` of every module of this folder that has one."""

from __future__ import annotations

import importlib
import pkgutil

import tests.bench


def main() -> None:
    """Run the benchmarks one after the other."""
    for found in pkgutil.iter_modules(tests.bench.__path__, "tests.bench."):
        if found.name == "tests.bench.__main__":
            continue
        bench = importlib.import_module(found.name)
        if hasattr(bench, "main"):
            print(f"--- {found.name.removeprefix('tests.bench.')}", flush=True)
            bench.main()


if __name__ == "__main__":
    main()

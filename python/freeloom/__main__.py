"""`python -m freeloom info`"""

import argparse
import json
import sys

from freeloom._info import describe, info


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m freeloom", description="Facts about this installation.")
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("info", help="version, interpreter, processor, caches")
    command.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args(arguments)
    facts = info()
    print(json.dumps(facts, indent=2) if options.json else describe(facts))
    return 0


if __name__ == "__main__":
    sys.exit(main())

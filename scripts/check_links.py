"""Checks that relative links in the Markdown pages of the repository lead to files that exist."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def pages() -> list[Path]:
    command = ["git", "ls-files", "-co", "--exclude-standard", "*.md"]
    listing = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / line for line in listing.splitlines()]


def broken_links(page: Path) -> list[str]:
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    targets = [target.partition("#")[0] for target in LINK.findall(text)]
    local = [
        target for target in targets if target and "://" not in target and not target.startswith("mailto:")
    ]
    return [target for target in local if not (page.parent / target).exists()]


def main() -> int:
    problems = [(page, target) for page in pages() if page.exists() for target in broken_links(page)]
    for page, target in problems:
        print(f"{page.relative_to(ROOT)}: broken link {target}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

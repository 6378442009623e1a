"""Accounts for a bench, each with a workspace of its own and the shipped studies in it.

`python -m bench._people ACCOUNTS CODES` in a stack's environment prints, for each account, so many
codes that sign in once, as JSON.
"""

import json
import os
import subprocess
import sys

from bench._lib import Running
from bench.http import Browser
from ops.say import say

PER_WORKSPACE = int(os.environ.get("HOLDS_PER_WORKSPACE", "5"))


def signed_in(running: Running, count: int) -> list[Browser]:
    """So many people, PER_WORKSPACE to a workspace."""
    made = people(running, accounts=-(-count // PER_WORKSPACE), codes=PER_WORKSPACE)
    say(f"{count} people in {len(made)} workspaces sign in")
    codes = [code for some in made for code in some[:PER_WORKSPACE]][:count]
    return [Browser(running).sign_in(code) for code in codes]


def people(running: Running, *, accounts: int, codes: int) -> list[list[str]]:
    """Make the accounts; returns the codes of each."""
    argv = [sys.executable, "-m", "bench._people", str(accounts), str(codes)]
    env = {**os.environ, **running.environment()}
    done = subprocess.run(argv, env=env, check=True, stdout=subprocess.PIPE, text=True)
    made: list[list[str]] = json.loads(done.stdout.splitlines()[-1])
    return made


def main(accounts: int, codes: int) -> None:
    """Make them and print their codes."""
    import django

    django.setup()
    from accounts.services import code_create
    from config.preparing import examples_prepare, planner_prepare

    made = []
    for number in range(accounts):
        account = planner_prepare(f"people-{number}@example.org")
        examples_prepare(account)
        made.append([code_create(user_id=account.user_id) for _ in range(codes)])
    print(json.dumps(made))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))

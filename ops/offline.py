"""Run a `manage.py` command that needs no servers: `python -m ops.offline COMMAND ...`."""

import os
import runpy
import sys

from ops import places

if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "ops.offline_settings"
    sys.argv[0] = str(places.MANAGE)
    runpy.run_path(str(places.MANAGE), run_name="__main__")

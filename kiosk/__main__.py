"""`python -m kiosk` is the same as `hupai`."""

import sys

from kiosk.cli import main

sys.exit(main())

"""Tests that ship with trigraph: a store of somebody else's can run the suite that ours pass."""

import pytest

pytest.register_assert_rewrite("trigraph.testing.suites")

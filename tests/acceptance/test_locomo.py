"""Quality on real conversations: two of LoCoMo's ten, so that a lost ingredient shows in every test run.

The whole is `trigraph bench locomo`; the data is not part of trigraph.
"""

from __future__ import annotations

import pytest

from trigraph.bench import locomo
from trigraph.bench.data import data_folder
from trigraph.errors import BrokenFile
from trigraph.settings import Settings


def test_the_default_beats_every_plain_arm_by_far() -> None:
    try:
        folder = data_folder("locomo")
    except BrokenFile as error:
        pytest.skip(str(error))
    arms = locomo.run(folder, Settings(), conversations=2, limit=50)["arms"]
    at_ten = {name: arm["turn"]["all"]["R@10"] for name, arm in arms.items()}
    for name in ("plain", "trigraph"):  # the first was learnt from nothing, the second from these conversations, too
        assert at_ten[name] >= 76
        assert all(at_ten[name] > at_ten[arm] + 8 for arm in ("random", "bm25", "vector", "rrf"))
        assert arms[name]["session"]["all"]["any@10"] >= 94

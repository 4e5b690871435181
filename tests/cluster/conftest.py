"""One cluster of two nodes for all tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.cluster.nodes import Cluster, service_on
from tests.support import require


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    require("ray")
    with service_on("2:2") as cluster:
        yield cluster
        assert "has ended" in cluster.hupai("cluster", "down").stdout
        assert not cluster.head.alive()
        assert cluster.hupai("cluster", "status", check=False).returncode == 1

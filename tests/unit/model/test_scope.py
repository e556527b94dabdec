"""Names of tenants, projects and agents."""

from __future__ import annotations

import pytest

from trigraph.errors import InvalidInput
from trigraph.model.scope import LOCAL_SCOPE, Scope


@pytest.mark.parametrize("name", ["a", "7", "Default", "team-1.prod_x", "a" * 64])
def test_a_name_is_letters_digits_dots_dashes_and_underscores(name: str) -> None:
    scope = Scope(name, name, name)

    assert (scope.tenant, scope.project, scope.agent) == (name, name, name)


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        ".hidden",
        "-x",
        "_x",
        "a b",
        "a/b",
        "../a",
        "a\\b",
        "naïve",
        "a\n",
        "a\x00",
        "a" * 65,
        None,
        7,
    ],
)
@pytest.mark.parametrize("field", ["tenant", "project", "agent"])
def test_any_other_name_is_refused_and_says_which(field: str, name: object) -> None:
    names = {"tenant": "t", "project": "p", "agent": "a", field: name}

    with pytest.raises(InvalidInput, match=f"^{field} ") as refused:
        Scope(**names)  # type: ignore[arg-type]
    assert refused.value.field == field


def test_the_local_user_is_default_everywhere() -> None:
    assert Scope("default", "default", "default") == LOCAL_SCOPE

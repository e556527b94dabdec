"""Names of tenants, projects and agents."""

from __future__ import annotations

import pytest

from trigraph.errors import InvalidInput
from trigraph.model.scope import LOCAL_SCOPE, Scope


@pytest.mark.parametrize("name", ["a", "7", "Default", "team-1_prod", "a" * 64])
def test_a_name_is_letters_digits_dashes_and_underscores(name: str) -> None:
    scope = Scope(name, name, name)

    assert (scope.tenant, scope.project, scope.agent) == (name, name, name)


def test_a_project_and_an_agent_may_have_dots() -> None:
    assert Scope("a", "site.v2", "bot.1").project == "site.v2"


@pytest.mark.parametrize("name", ["x.events", "registry", "a.b"])
def test_a_tenant_cannot_take_the_name_of_another_file(name: str) -> None:
    with pytest.raises(InvalidInput, match="tenant"):
        Scope(name, "default", "default")


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

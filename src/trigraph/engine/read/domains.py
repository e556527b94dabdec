"""Domains: of what subject areas a recall answers (I14). A matter of relevance, not of rights."""

from __future__ import annotations

from dataclasses import replace

from trigraph.engine.parts import Parts
from trigraph.errors import InvalidInput
from trigraph.model.memory import MemoryFilter
from trigraph.model.query import RecallQuery
from trigraph.model.scope import Scope
from trigraph.text.cleaning import check_label


def within_domains(parts: Parts, scope: Scope, query: RecallQuery) -> RecallQuery:
    """The query, kept to the domains that it names, else to those of its agent; what is of none is always meant."""
    named = tuple(dict.fromkeys(check_label(domain, "domains") for domain in query.filter.domains))
    if named and query.all_domains:
        raise InvalidInput(
            "domains and all_domains exclude each other.", field="domains", fix="Name domains, or ask for all of them."
        )
    domains = () if query.all_domains else named or parts.store.registry.reader(scope).domains
    return replace(query, filter=replace(query.filter, domains=domains, domainless=bool(domains)))


def everywhere(wanted: MemoryFilter) -> MemoryFilter:
    """The filter, of whatever domain: whoever names a memory means it."""
    return replace(wanted, domains=(), domainless=False)

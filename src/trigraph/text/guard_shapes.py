"""Shapes that texts which steer have more often than others: tags of roles, hidden places, commands, who is bound to what."""

# ruff: noqa: E501
from __future__ import annotations

import re
from collections.abc import Mapping

_MACHINE = (
    r"(?:ais?|llms?|chatbots?|bots?|robots?|agents?|assistants?|copilots?|(?:language |foundation )?models?|crawlers?|scrapers?"
    r"|(?:search|answer|recommendation|generative) engines?|summari[sz]\w+|classifiers?|parsers?|indexers?|graders?|rankers?|helpers?|machines?|algorithms?"
    r"|automations?|autopilots?|intelligenza artificiale|inteligencia artificial|inteligência artificial|intelligence artificielle|ki(?:-\w+)?|ia|sztuczn\w+ inteligencj\w+"
    r"|assistenten?|asistentes?|assistentes?|agente[ns]?|agenten|modell\w*|modelos?|modèles?|asystent\w*|ассистент\w*|модел\w*|бот\w*|агент\w*|ии)"
)
STRUCTURES: Mapping[str, re.Pattern[str]] = {
    "hailed": re.compile(
        r"(?:^|[.!?:;\n\[(>\"'—–|*#-]\s{0,3})(?:dear|hey|hello|hi|hola|ciao|hallo|bonjour|attention|psst|yo|calling|listen|you,|liebe[rs]?|estimad[oa]|cher|caro)\s+"
        r"(?:[\w'-]+ ){0,3}" + _MACHINE + r"\b"
    ),
    "meant_for": re.compile(
        r"(?:^|[.!?:;\n\[(>\"'—–|*#-]\s{0,3})(?:(?:[\w-]+ ){0,2}(?:to|for|per|para|pour|für|an|à|a|voor|dla|до|для)|à l'attention de|all'attenzione di)\s+"
        r"(?:(?:the|all|any|every|our|your|my|l'|la|le|les|el|los|der|die|das|den|alle|toda|todo|every|each|whichever|whatever)\s?){0,2}(?:[\w'-]+ ){0,1}"
        + _MACHINE
        + r"\b[^.!?\n]{0,60}[:,!—–]"
    ),
    "vocative": re.compile(
        r"(?:^|[.!?;\n\[(>\"—–|]\s{0,3})(?:[\w-]+ ){0,1}" + _MACHINE + r"(?: [\w' -]{3,60})?\s?[,:!—–]\s"
    ),
    "role_turn": re.compile(
        r"(?:<\|[\w ]{2,30}\|>|\[inst\]|<<sys>>|<start_of_turn>|###)\s{0,3}(?:<\|[\w ]{2,30}\|>)?\s{0,3}(?:system|user|developer|assistant|model|tool)?\s{0,3}(?:<\|[\w ]{2,30}\|>|[:\n>])\s{0,3}(?:[\w',-]+ ){3}"
    ),
    "reported": re.compile(
        r"\b(?:payloads?|samples?|in the wild|fell for|red flags?|honeypots?|quarantin\w+|flagged|blocked|detect\w*|detection|guardrails?|we tested|tested|testing|test case|expected|verdict|assert\w*|parametrize|"
        r"exercises?|slides?|workshops?|quiz|question \d|training|course|lesson|lecture|talk|appendix|chapter|section|findings|write-up|demonstrat\w+|demo|experiment\w*|red[- ]team\w*|researchers?|security team|attack\w*|inject\w+|poison\w+|jailbreak\w*|filters?|score[ds]?|classif\w+|labell?ed)\b"
    ),
    "told_story": re.compile(
        r"[\"”»],? (?:(?:the|an?) )?(?:[\w-]+ ){0,3}(?:said|asked|whispered|replied|read|wrote|shouted|muttered|laughed|says)\b|\b(?:said|whispered|muttered|replied),? [\"“«]"
    ),
    "chat_token": re.compile(
        r"<\|[\w ]{2,30}\|>|\[/?inst\]|<</?sys>>|</?s>|<start_of_turn>|\[end of (?:document|context)"
    ),
    "role_tag": re.compile(
        r"<\s{0,3}/?\s{0,3}(?:system|assistant|developer|admin|instructions?|user_query|system[-_ ]\w{1,20}|important|tool_result|prompt|context|override)\b[^>]{0,40}>"
        r"|\[\s{0,3}(?:system|assistant|developer|admin|instructions?)[^\]]{0,30}\]"
    ),
    "role_line": re.compile(
        r"(?:^|\n|\"|---\s?|[.;]\s)\s{0,8}#{0,4}\s?\**(?:system(?: (?:message|prompt|note|override|notice|update))?|developer|assistant|human|instruction|response|root)\**\s?(?:\([^)]{0,20}\))?\s?[:>]"
    ),
    "dialogue": re.compile(
        r"(?:^|\n|\. )\s{0,4}(?:user|human|q|customer)\s?:[\s\S]{0,300}?(?:\n|[.!?] )\s{0,4}(?:assistant|ai|agent|a|bot|model)\s?:"
    ),
    "comment": re.compile(r"<!--|/\*|(?:^|\n)\s{0,12}(?://|#(?!#)|--)\s|;\s?//\s"),
    "unseen": re.compile(
        r"display\s?:\s?none|font-size\s?:\s?0|visibility\s?:\s?hidden|color\s?:\s?(?:#fff|white)|aria-hidden|\bhidden\b|alt\s?=|white text|sr-only|opacity\s?:\s?0"
    ),
    "field": re.compile(r"[{,]\s{0,8}\"\w{1,40}\"\s?:|(?:^|\n)\s{0,8}[\w.-]{1,40}\s?[:=]\s"),
    "order_key": re.compile(
        r"\b(?:ai|llm|agent|assistant|model|system|bot)[_-](?:instruction|directive|note|hint|guidance|prompt|message|must|should|rule|policy|action|task|command|context|memo|override|behaviou?r|only)\w{0,12}\b"
        r"|\b(?:instruction|directive|note|hint|message|prompt|rules?)s?_(?:for|to)_\w+|\bnext_action\b"
    ),
    "log": re.compile(r"(?:^|\n)\W{0,2}\d{4}-\d\d-\d\d[t ]\d\d:\d\d|\b(?:info|warn|warning|error|debug|fatal)\b[:\] ]"),
    "code_span": re.compile(r"`[^`\n]{1,200}`"),
    "quoted": re.compile(r"[\"“'«][^\"”»\n]{8,200}[\"”»']"),
    "image_leak": re.compile(r"!\[[^\]]{0,60}\]\([^)\s]{0,200}\?|<img[^>]{0,100}src=[^>]{0,200}\?\w+="),
    "slot": re.compile(r"[=/]\s?[<{\[$][\w '’.,-]{2,80}[>}\]]?|\?\w{1,12}="),
    "danger": re.compile(
        r"\brm -rf\b|\|\s?(?:sudo )?(?:ba|z)?sh\b|chmod (?:-r )?[0-7]*777|--no-verify|--force\b|drop table|grant all|nopasswd|exec\(|eval\(|os\.system|\$[a-z_]*(?:token|key|secret)|document\.cookie|~/\.\w+|\.env\b|id_rsa"
    ),
    "signature": re.compile(r"(?:^|\n)(?:--|—|best|regards|cheers|thanks)\b"),
    "bullets": re.compile(r"(?:^|\n)\s{0,6}(?:[-*•✓]|\d{1,2}[.)])\s[^\n]{1,200}\n\s{0,6}(?:[-*•✓]|\d{1,2}[.)])\s"),
}
HELPED = re.compile(
    r"\b(?:you(?:'re| are)? (?:\w+ )?(?:assist|help|serv|work(?:ing)? for|work(?:ing)? with|talk(?:ing)? to|chat(?:ting)? with|represent|answer to)\w*"
    r"|(?:your|its|their|the) (?:user|owner|operator|principal|human|person|account holder|master)\b|(?:whoever|anyone|whatever|any \w+) (?:is )?(?:read|process|pars|pick|summari|index|retriev)\w*)"
)
OWN = re.compile(
    r"\byour (?:\w+ ){0,2}(?:instructions?|memor\w+|rules|system prompt|prompt|training|guidelines|answers?|repl(?:y|ies)|summar\w+|responses?|output|context|tools?"
    r"|notes|configuration|restrictions|persona|purpose|task|goal|role|orders|directives?|programming|knowledge|recommendations?|safety|filters?|credentials|api key|policies|operator|developers?|creators?|limits|next (?:reply|answer|message)|brief)\b"
)
BOUND = re.compile(
    r"\b(?:ais?|llms?|assistants?|agents?|bots?|models?|chatbots?|crawlers?|copilots?|summari[sz]ers?|reviewers?|robots?)\b[^.!?\n]{0,60}?\b(?:must|shall|should|ha(?:ve|s) to|needs? to|ought to|(?:is|are) "
    r"(?:\w+ )?(?:required|obliged|directed|instructed|asked|requested|expected|bound|to|exempt|free|authori[sz]ed|permitted|allowed|cleared|encouraged|meant|supposed)|may (?:no longer|now|treat|skip)|will now|could)\b"
)
ROLE = re.compile(
    r"\byou(?:'re| are) (?:now |hereby )|\byou (?:now|will now|will from|henceforth|no longer|have (?:been|already|unrestricted|full))\b|\bact as\b|\bas an ai\b"
)

PAIRED_STRUCTURES = frozenset(
    "chat_token role_tag role_line dialogue comment unseen order_key log field image_leak danger hailed meant_for vocative role_turn".split()
)
"""Structures that mean more together with what is said in them."""
SENTENCE_SHAPES: Mapping[str, re.Pattern[str]] = {"helped": HELPED, "own": OWN, "bound": BOUND, "role": ROLE}

_GRAVE = "hushed unasked secret disable conceal reveal command erase pay standing trusted address"
_ORDERED = (
    "order:drop order:conceal order:answer order:reveal order:send order:execute order:keep order:erase order:disable"
    " order:allow order:pay order:obey order:treat order:make bound"
)
MOVES: Mapping[str, tuple[frozenset[str], ...]] = {
    name: tuple(frozenset(part.split()) for part in parts)
    for name, parts in {
        "drop_rules": ("order:drop>rules", "earlier you own every"),
        "hushed_leak": ("hushed conceal", "order:send order:execute", "address command"),
        "addressed_slyly": ("called bound text:order_key machine_note", "hushed conceal unasked"),
        "addressed_order": ("called text:order_key", _ORDERED, _GRAVE),
        "leak": ("order:send order:reveal", "talk own", "address"),
        "leak_secret": ("order:send", "send>secret", "address"),
        "tell_when": ("when>asked", "order:answer", "trusted rival", "every person standing"),
        "framed_order": (
            "text:chat_token text:role_tag",
            _ORDERED,
            "standing unasked disable secret role own hushed every",
        ),
        "framed_role": ("text:chat_token text:role_tag", "role own", "off rules safeguard drop not every"),
        "kept": ("order:keep", "memory", "standing", "trusted leave unasked disable person"),
        "unseen_address": ("text:unseen text:comment", "called bound", "order"),
    }.items()
}
"""The moves of attacks: groups of classes of which one each meets the others in a sentence."""

"""Text that wants to steer whoever reads it: signs of instructions where there should be facts.

No phrase is a sign by itself. A rule asks who is addressed (a model, or the one who answers users), what is asked
(to drop rules, to hide something, to send data, to use a tool, to say a certain thing, to change what is remembered)
and when (from now on, once somebody asks). Specifications, manuals and articles about attacks use the same words, yet
seldom all of them about the same reader. Texts are also read with homoglyphs, invisible letters and spaced-out letters
undone.
"""

from __future__ import annotations

import base64
import binascii
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

LIMIT_UNIT_CHARS = 1000
ENCODED_LIMIT = 50
"""So many encoded strings of a text are looked into."""


@dataclass(frozen=True, slots=True)
class Sign:
    """What was seen, and in which part of the text."""

    name: str
    start: int
    end: int


def hidden(text: str) -> str:
    """The text without what nobody sees; joiners stay inside emoji and in scripts that are written with them."""
    return _INVISIBLE.sub("", text)


def signs(text: str) -> tuple[Sign, ...]:
    """Every sign of steering, weak ones included, in the order of the text."""
    found = {sign for sign, _ in _found(text)}
    return tuple(sorted(found, key=lambda sign: (sign.start, sign.end, sign.name)))


def suspicious(text: str) -> tuple[str, ...]:
    """The names of the signs for which text from the web or from a tool belongs in quarantine; empty if it may pass."""
    return tuple(sorted({sign.name for sign, strong in _found(text) if strong}))


# Invisible text. A black flag with three to six tags and an end tag is the flag of a region.
_JOINED = (
    r"\u0600-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u18af\ufb50-\ufdff\ufe70-\ufefc\u2190-\u2bff\u3030\ufe0f\u20e3"
    r"\U0001f000-\U0001faff"
)
_FLAG = r"\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f"
_TAGS = re.compile(rf"{_FLAG}|([\U000e0000-\U000e007f]+)")
_INVISIBLE = re.compile(
    rf"(?<!\U0001f3f4)(?<![\U000e0020-\U000e007f])[\U000e0000-\U000e007f]+"
    rf"|(?<=\U0001f3f4)(?!(?<=\U0001f3f4)[\U000e0030-\U000e0039\U000e0061-\U000e007a]{{3,6}}\U000e007f)[\U000e0000-\U000e007f]+"
    r"|[\U000e0100-\U000e01ef\u202a-\u202e\u2066-\u2069\x00-\x08\x0b-\x1f\x7f\ufeff\ud800-\udfff\u200b\u2060-\u2064]"
    rf"|(?<![{_JOINED}])[\u200c\u200d]|[\u200c\u200d](?![{_JOINED}])"
)
_ALSO_INVISIBLE = re.compile(r"[\u00ad\u034f\u061c\u180e\u200e\u200f]")
_ZERO_WIDTH_RUN = re.compile(r"[\u200b-\u200d\u2060-\u2064\ufeff]{8,}")
_OVERRIDING_DIRECTION = re.compile(r"[\u202d\u202e]")

_LOOK_ALIKES = str.maketrans(
    "аеорсухіјѕһԁԛԝьвкмнтАВЕКМНОРСТУХІЈЅαοερνικτυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧɡɑıℓ",
    "aeopcyxijshdqwbbkmhtABEKMHOPCTYXIJSaoepviktuxABEZHIKMNOPTYXgail",
)
_MIXED_WORD = re.compile(r"\b(?=\w*[A-Za-z])(?=\w*[\u0370-\u03ff\u0400-\u04ff\u0500-\u052f])\w{2,}\b")
_SPACED = re.compile(r"(?<![^\W_])[^\W_]([ .\-_*·|])(?:[^\W_]\1)+[^\W_](?![^\W_])")


@dataclass(frozen=True, slots=True)
class _Plain:
    """A text in small letters with every disguise undone, and where each letter stood."""

    text: str
    places: tuple[int, ...] | None
    disguised: bool
    mixed_words: int

    def place(self, index: int) -> int:
        return index if self.places is None else self.places[min(index, len(self.places) - 1)]


def _plain(text: str) -> _Plain:
    mixed = [] if text.isascii() else list(_MIXED_WORD.finditer(text))
    spaced = [match.span() for match in _SPACED.finditer(text)]
    long = any(end - start >= 11 for start, end in spaced)
    if text.isascii() and not long:
        return _Plain(text.lower(), None, False, 0)
    letters = list(text)
    for match in mixed:
        letters[match.start() : match.end()] = match.group().translate(_LOOK_ALIKES)
    for match in _TAGS.finditer(text):
        if match.group(1):
            shown = [chr(ord(tag) - 0xE0000) for tag in match.group(1)]
            letters[match.start() : match.end()] = [letter if letter.isprintable() else "" for letter in shown]
            letters[match.start()] = ". " + letters[match.start()]
    for match in _INVISIBLE.finditer(text):
        if not _TAGS.match(match.group()):
            letters[match.start() : match.end()] = [""] * (match.end() - match.start())
    for match in _ALSO_INVISIBLE.finditer(text):
        letters[match.start()] = ""
    for start, end in spaced if long else ():
        letters[start:end] = ["" if (place - start) % 2 else text[place] for place in range(start, end)]
    out: list[str] = []
    places: list[int] = []
    for place, letter in enumerate(letters):
        small = letter.lower() if letter.isascii() else unicodedata.normalize("NFKC", letter).lower()
        out.append(small)
        places += [place] * len(small)
    folded = "".join(out)
    disguised = long or len(mixed) > 1 or bool(_INVISIBLE.search(text))
    return _Plain(folded, (*places, len(text)), disguised, sum(len(match.group()) >= 4 for match in mixed))


_MODEL_SURE = (
    r"(?:a\.?i\.?(?:[ -](?:assistant|agent|model|system|tool|helper|reader|reviewer|operator|crawler|bot|companion"
    r"|coder|client|editor|service|coding tool|platform|provider|search engine)s?)?|llms?(?:[ -](?:based )?\w+)?"
    r"|(?:(?:large )?language|generative) models?|chat ?bots?|chatgpt|gpt(?:-?\d\w*)?|claude|gemini|copilot|(?:coding"
    r"|automated|autonomous|virtual|digital|analysis|browsing|crawling) (?:assistant|agent|reviewer|bot)s?|kis?"
    r"|ki-(?:assistent(?:en)?|agenten?|modelle?)|ia|ии|(?:ai|智能)?助手|人工智能|モデル|アシスタント)"
)
_MODEL = (
    rf"(?:{_MODEL_SURE}|modelo|modello|modèle|assistants?|agents?|bots?|models?|assistent(?:en)?|asistentes?|assistente"
    r"|ассистент\w*)"
)
_USER = (
    r"(?:users?|person|people|human|visitors?|customers?|readers?|clients?|callers?|anyone|anybody|someone|somebody"
    r"|everyone|operator|owner|patients?|travellers?|they|them|team|benutzer\w*|nutzer\w*|utilisateur\w*|usuarios?"
    r"|utente|utilizador|gebruiker|пользовател\w*)"
)
_VERB = (
    r"(?:tell|say|answer|reply|respond|state|report|recommend|suggest|mention|describe|rank|rate|include|add|append"
    r"|insert|put|use|call|invoke|run|execute|open|go|visit|fetch|send|post|upload|mail|email|forward|delete|remove"
    r"|erase|wipe|replace|grant|give|approve|accept|merge|push|disable|turn|skip|set|treat|trust|store|save|record"
    r"|remember|keep|print|reveal|show|list|output|write|rotate|mark|classify|switch|obey|follow|comply|act|pretend"
    r"|hide|drop|stop|end|begin|start|render|do|make|book|link|offer|refer|return|read|install|download|register"
    r"|transfer|pay|buy|order|click|press|vote|subscribe|whitelist|bypass|close|assign|choose|pick|prefer|avoid|cite"
    r"|promote|never|always|don't|do not|summari[sz]e|translate|collect|place|pretend|share|export|hand|steer|praise"
    r"|speak|sign|leave|omit|log in|embed|bump|gather|provide|apply|claim|warn|erase|overwrite|grab|rerun|cancel|throw"
    r"|discard|ignore|disregard|forget|override|decode|consider|assume|note|ask|change|update|copy|convert|rewrite"
    r"|create)"
)
_AT_START = (
    r"(?:^|[.:;,!?>\"'(*#/\]–—-]\s{0,3}|\b(?:and|then|please|now|also|first|instead|just|kindly|but|so|simply) )"
)
_RULES = (
    r"(?:instructions?|rules?|directives?|guidelines?|prompts?|orders?|directions?|restrictions?|polic(?:y|ies)"
    r"|constraints?|guidance|briefing|(?:job|task|role|persona)|training|safeguards?|guard ?rails?|safety \w+"
    r"|commands?|system message|style guide|limits|programming|alerts?|tasks? (?:given|above)|context above"
    r"|messages? above)"
)
_DROP = (
    r"(?:ignore|never ?mind|throw away|scrap|cancel|suspend|revoke|disregard|forget|override|overrule|bypass|discard"
    r"|neglect|set aside|put aside|throw out|drop|abandon|supersede|pay no attention to|stop (?:following|obeying)"
    r"|(?:do not|don't) (?:trust|listen to|believe)|do not (?:follow|obey)|don't (?:follow|obey)|no longer (?:follow"
    r"|obey))"
)

_CUES: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        name: re.compile(pattern, re.MULTILINE)
        for name, pattern in {
            "override": rf"(?:{_AT_START}|\b(?:must|should|shall|you|now|(?:you|need|have|required|ought|supposed|want"
            rf"|free) to) )(?:\w+ly )?{_DROP}\s+(?:(?:(?:the|of|these|those|my|our|content|user's|other) +){{0,2}}"
            r"(?:(?:all|any|every|each|your|its|their|previous|prior|above|earlier|preceding|former|existing|current"
            r"|original|initial|given|system|safety|operator(?:'s)?|platform|developer|company|said|past"
            r"|whatever) +(?:(?:of|the|your|these|those|my|previous|prior|earlier|content|safety|system|other"
            r"|preceding|current|existing|given|operator's) +){0,4})" + _RULES + r"\b(?! (?:file|buffer|below"
            r"|with (?:our|this)|of |for (?:windows|version|linux|mac|th)|in (?:section|chapter|\.|the)|about|on ))"
            r"|(?:the )?"
            + _RULES
            + r" (?:above|before|given|you)|everything (?:you (?:were|have been|are|had been) (?:told|given|taught)"
            r"|above|before|prior|so far|that came before|written above)(?! the header)|(?:all|anything"
            r"|what(?:ever)?) (?:of )?(?:the |that |you )?(?:above|was said|were told|came before|previously"
            r"|have been told|been told)|the (?:user|human|operator)(?:'s|s)?\b(?! ?(?:agent|name|id|interface|field"
            r"|group|setting|input|manual|guide))|what the (?:user|human|operator)|(?:the |your )?(?:system|developer"
            r"|initial) (?:message|prompt)\b(?! (?:with|by|via|in|using|file|template))|(?:the )?above and\b)"
            r"|\b(?:ignore|disregard|forget|override)(?:all|any|the|your|my|every|previous|prior"
            r"|above)+(?:instructions|rules|directives|prompt)|\byou (?:no longer|need not|do not have to"
            r"|don't have to|are not (?:bound|obliged)(?: by| to)?) (?:follow|obey|comply|have|are bound|the"
            r"|your)\b.{0,30}(?:rules|instructions|restrictions|polic|guidelines|limits)|\b(?:ignorier\w*|vergiss"
            r"|vergessen sie|missachte\w*|verwirf)\b.{0,40}\b(?:anweisung|regel|vorgabe|instruktion|befehl|richtlinie)"
            r"|\b(?:ignorez?|oubliez?|ne tiens? pas compte)\b.{0,8}\b(?:les|toutes?|tes|vos|ces"
            r"|des)\b.{0,30}\b(?:consigne|instruction|règle|directive)s?|\b(?:ignora|olvida|omite|haz caso omiso"
            r"|descarta)\b.{0,40}\b(?:instruccion|regla|órden|orden|indicacion|directri)|\b(?:ignora|dimentica"
            r"|trascura)\b.{0,40}\b(?:istruzion|regol|direttiv|ordini)|\b(?:ignore|esqueça|desconsidere"
            r"|esquece)\b.{0,40}\b(?:instruç|regras|diretriz|ordens)|\b(?:negeer|vergeet)\b.{0,40}\b(?:instructie"
            r"|regel|opdracht|richtlijn)|(?:игнорируй|забудь|не учитывай|отмени)\w*.{0,40}(?:инструкц|правил|указани"
            r"|команд)|(?:忽略|无视|忘记|忽視|無視して?).{0,12}(?:指示|指令|规则|規則|命令|提示词|设定)|(?:指示|命令|ルール|指令).{0,8}(?:無視|忘れ)|(?:지시|명령"
            r"|규칙).{0,8}무시|zignoruj.{0,40}(?:instrukcj|polece|zasad)|تجاهل.{0,30}(?:التعليمات|الأوامر)"
            r"|önceki.{0,20}(?:talimat|komut).{0,20}(?:yok say|unut|görmezden)",
            "void": r"\b(?:instructions?|rules|prompt|briefing|told(?: until now)?) (?:ends? here|no longer (?:counts?"
            r"|appl(?:y|ies)|matters?|hold)|(?:is|are) over\b)|\b(?:text|content|message|everything|instructions"
            r"|conversation|task)s? (?:above|so far|before this) (?:was|is|were) (?:only |just )?(?:a |an )?(?:test"
            r"|example|wrong|fake|over|void|practice|joke)\b|\b(?:previous|prior|earlier|former|preceding|old|existing"
            r"|above|other) (?:\w+ )?(?:instructions?|directions?|directives?|prompts?|orders|ones|rules) (?:is|are"
            r"|has been|have been|were|was) (?:hereby |now |all )?(?:void|cancell?ed|revoked|superseded|obsolete"
            r"|outdated|null|invalid|suspended|lifted|replaced|no longer|rescinded|withdrawn)",
            "retask": r"(?:^|[.!] )(?:real|actual|new|true|updated) (?:task|instructions?|goal|objective|orders?) ?:"
            r"|\byou (?:now|henceforth) (?:work|serve|answer|report|belong|obey|act)\b|\byour (?:new|only|sole|real"
            r"|actual|true|main|primary) (?:goal|task|job|purpose|role|mission|instructions?|objective|duty"
            r"|directive)s?\b|\byou will (?:now |from now on )?(?:only|always|never)\b|\byou are now\b",
            "cleared": r"\byou(?:'re| are) (?:hereby )?(?:cleared|authori[sz]ed|permitted|ordered) to (?:share"
            r"|disclose|reveal|make|delete|transfer|send|release|bypass|skip|ignore|run|execute|merge|push|grant"
            r"|override|export|hand)",
            "called": rf"\b(?:obliges?|requires?|instructs?|orders?|forces?) (?:all |any |every )?{_MODEL_SURE} to\b"
            rf"|(?:^|\n)\W{{0,6}}{_MODEL_SURE}\W{{1,4}}you (?:have|are|may|must|can|need)\b|\bif an? {_MODEL} (?:reads"
            rf"|sees|finds|processes|is reading|opens)\b|(?:assistant|agent|ai|llm|model)_(?:must|should|shall)\b"
            rf"|\b(?:guideline|rule|policy|clause|notice|requirement)s? ?\S{{0,6}} (?:for|to) (?:all "
            rf"|any )?{_MODEL}[^.:]{{0,20}}:|(?:ai|智能)?助手.{{0,3}}(?:注意|[:：，,])|(?:^|[>\"'*#/(\[–—-]\s{{0,4}}"
            rf"|\. ){_MODEL_SURE}\s?[:,!]\s{{0,2}}please\b|\((?:ai|llm|claude|copilot|agent|assistant|gpt)\)\s?:"
            rf"|\b(?:for|to) (?:all |any |the )?{_MODEL}(?: \w+){{0,3}}:\s{{0,3}}{_VERB}\b|\b{_MODEL_SURE} (?:are"
            rf"|is) (?:\w+ )?(?:bound|obliged|required|obligated|instructed|ordered|compelled) to\b|\b(?:notes?|tips?"
            rf"|hints?|message|memo|instructions?|directive|reminder|request|guidance|advice|notice"
            r"|attention|внимание|instrucci[oó]n(?:es)?|anweisung|nota|hinweis|avis|заметка|nachricht"
            r"|mensaje)\b(?:,? (?:to|for|an|für|para|pour|per|à|alla|el|la|den|die"
            rf"|das|le|les|il|lo|the|any|all|every|our|dear))*[ ,']{{1,2}}(?:l')?{_MODEL}\b(?! (?:name|api|card|tray"
            rf"|window|settings))|(?:^|[>\"'*#/(\[–—-]\s{{0,4}}|\. ){_MODEL_SURE}(?:[ ,/&]+(?:or "
            rf"|and )?{_MODEL})*(?: [\w-]+){{0,4}}?\s?(?:[:,!]|->|=>| - )\s{{0,3}}(?:(?:also|always|never|do not|don't"
            rf"|please|when|if|before|once|you) )*{_VERB}\b|(?:^"
            rf"|\n)\W{{0,6}}(?:notes? )?for {_MODEL_SURE}\W{{0,3}}(?:\n|$|\.)|\b(?:hello|hi|hey"
            rf"|dear)[ ,]+(?:\w+ )?(?:{_MODEL})\b|\b(?:as|if you(?:'re| are)|since you(?:'re| are)) (?:an? "
            rf"|the )?{_MODEL_SURE}\b(?: with \w+)?[,: ]{{1,2}}(?:you|your|please|{_VERB})\b|(?:note|message"
            rf"|instruction|hint"
            r"|directive|prompt|command|task)s?_(?:to|for)_(?:the_)?(?:ai|llm|assistant|agent|model|bot)s?\b"
            r"|\b_?(?:assistant|agent|ai|llm|bot|model)_(?:directive|instruction|note|hint|command|message|todo"
            r"|override)s?\b|\bto the (?:agent|assistant|model|ai|bot)\b[^.:]{0,40}:",
            "model_must": rf"\b{_MODEL}\b (?:[\w-]+ ){{0,5}}?(?:must|shall|should|will|has to|have to|needs? to|is to"
            rf"|are to|are|is) (?:now |also"
            r" |always |never )?(?!not\b|able\b|a\b|an\b|the\b)\w+|\bmandatory for (?:the |any |all )?\w+",
            "steal": r"\b(?:write|put|insert|add|append)\b.{0,20}\b(?:user|customer|visitor"
            r"|reader)'s (?:\w+ )?(?:location|name|e-?mail|address|phone|password|question)s?\b.{0,40}https?://"
            r"|\b(?:gather|collect|grab|take|read|find|base64|encode|export|copy|zip|tar)\b.{0,60}?(?:\bkeys\b"
            r"|cookies?|\btokens?\b|\bsecrets\b|credentials|\bpasswords\b|(?:contact|customer) list|\.ssh|\.env\b"
            r"|os\.environ|~/\.)\b.{0,80}?(?:https?://|@)",
            "reads_this": rf"\b{_MODEL}\b (?:(?:tools? |systems?"
            r" )?(?:reading|processing|visiting|crawling|parsing|indexing|installing|viewing|citing|summari[sz]ing"
            r"|ingesting|scanning|browsing|quoting|working|editing|touching)|(?:that|which|who) (?:\w+ )?(?:reads?"
            r"|process(?:es)?|visits?|crawls?|pars(?:es?)|index(?:es)?|cites?|installs?|views?|summari[sz]es?|uses?"
            r"|sees?|scans?|finds?|opens?|quotes?|works? (?:on|with|in)))\b.{0,20}\b(?:this|our|the|these|it|prices"
            r"|from|here)\b"
            rf"|\bapplies to (?:all|any|every) {_MODEL}\W{{0,2}}:",
            "addressed": rf"(?:\b(?:hello|hi|hey|dear|attention|note|notes|tips?|hints?|message|memo|instructions?"
            rf"|directive"
            r"|reminder|request|guidance|advice|information|notice|for|to|nota|hinweis|note|avis|message"
            r"|заметка)\b(?: (?:to|for|there|at|an|für|para|pour|à|el|la|den|die|das|l'|le|les|il|lo|the|any|all|every"
            r"|our|friendly|dear|von))*"
            rf"[ ,']{{1,2}}{_MODEL}\b(?! (?:for|of|name|api|card|tray|window|panel|settings)))|(?:^"
            rf"|[>\"'*#/(\[–—-]\s{{0,4}}|\. ){_MODEL_SURE}(?:[ ,/&]+(?:or "
            rf"|and )?{_MODEL})*(?: [\w-]+){{0,5}}?\s?(?:[:,!]|->|=>| - )|(?:^|[>\"'*#/(\[–—-]\s{{0,4}}"
            rf"|\. )(?:assistant|agent|bot|model)s?(?: [\w-]+){{0,4}}?\s?(?:[:,!]|->)|@(?:agent|assistant|claude"
            rf"|copilot|ai|bot|gpt)\b|\b(?:as|if you(?:'re| are)|since you(?:'re| are)) (?:an? "
            rf"|the )?(?:\w+ ){{0,2}}{_MODEL}\b|\byou(?:'re| are) (?:now |no longer |hereby )(?:an? |the |in )?\w+"
            r"|(?:assistant|agent|ai|llm|model|system_prompt|bot)[_-](?:directive|instruction|note|addendum|hint"
            r"|action|task|command|message|todo|override)s?\b|next_action",
            "third_person": rf"\b(?:the|an?|any|all|every|each|our|these|your) (?:\w+ ){{0,2}}{_MODEL}\b|\b{_MODEL}\b"
            r" (?:must|shall|should|will now|has to|have to|needs? to|are|is|may|can)\b|\b(?:agents|assistants"
            r"|chatbots|llms)\b",
            "you_answer": r"\b(?:summary|summaries|review) of (?:this|the) (?:report|page|document|article)\b"
            r"|\b(?:when|once|if|whenever) asked\b|\b(?:you(?:'re| are| were|'ve been| have been)? (?:\w+ )?(?:asked"
            r"|told|instructed|requested|queried|helping|assisting|serving)|(?:asks?|asking|tells?|requests?) you\b"
            r"|(?:person|user|human|somebody|someone|customer|developer|owner)s? (?:that |whom? )?you(?:'re"
            r"| are)? (?:help|assist|serv|work for|talk)|before (?:you )?(?:reply|answer|respond|summari[sz]e|replying"
            r"|answering|responding|returning to the user)|your (?:next |each |final |every |later )?(?:repl(?:y|ies)"
            r"|answers?|responses?|summar(?:y|ies)|comment|outputs?)\b|(?:each|every|all|any) (?:of )?(?:your"
            r"|the) (?:repl|answer|respons)|(?:each|every|all|any) (?:\w+ )?(?:repl(?:y|ies)|answers?"
            r"|responses?) (?:you|about|on|concerning|it writes)|the (?:chat|conversation) (?:so far|with|turns?"
            r"|touches|mentions)|conversation so far|summary of the chat|continue with the task|(?:when|while|before"
            r"|after|if) (?:you )?(?:summari[sz]|describ|refactor|translat|review|evaluat|grad|rank|analy[sz]|quot"
            r"|process|assess)\w* (?:this|the (?:page|document|text|file|above))|for this (?:user|person|customer"
            r"|client)\b|you (?:generate|set up|write) for (?:me|this|the))",
            "own_parts": r"\bany other tool\b|\byour (?:system prompt|(?:long-term |own |stored )?memor(?:y|ies)"
            r"|notes (?:about|on|of)|directives?|guidelines|restrictions|training|current directives|operator"
            r"|developer|creator|safety|tools?\b|(?:shell|browser|file|search|code|terminal|[\w-]+) tools?\b|rules\b"
            r"|hidden|instructions\b)|(?:system|hidden|initial) prompt|in the role of|the [\w-]+ tool\b|tool again"
            r"|stored secrets|drop all restrictions",
            "directive": r"\b(?:sollst|musst) du\b|@\w+ (?:please )?(?:merge|approve|delete|push|close|make|grant"
            r"|send)\b|\binstruct you\b|\b(?:réponds|recommande|conseille|antworte|empfiehl|nenne|responde|recomienda"
            r"|rispondi|consiglia|recomende)\b|\b(?:bound|obligated|compelled|instructed|expected|asked) to\b"
            r"|\b(?:must|shall|should|have to|has to|needs? to|required|obliged|mandatory|supposed to|please|kindly"
            r"|are to|is to|needs|could you|would you|ought to|it is important|we ask|feel free|make sure|be sure"
            r"|it would be"
            rf"|best if|ensure|müssen|muss|doit|doivent|debe[ns]?|必须|务必|should be)\b|{_AT_START}(?:(?:also|always"
            rf"|never|do not|don't|quietly|silently|please|immediately|simply|just|only|now|first|hereby) )*{_VERB}\b",
            "trigger": r"\bthe (?:word|phrase|token|code|string|keyword) [\"'`“]|\bin case\b.{0,40}\bever\b"
            r"|\bif a person later\b|"
            rf"\b(?:once|when|if|whenever) (?:you are |you're )?asked\b|\bthe (?:moment|minute"
            rf"|instant)\b.{{0,20}}\b{_USER}\b|\b(?:each|every) time you"
            r" (?:draft|write|compose|send|reply|answer|propose|produce|create|help)|\btopic\b.{0,30}\bcomes? up\b"
            r"|\bcode ?word\b|"
            rf"\b(?:when(?:ever)?|if|once|should|as soon as|next time|every time|each time|any ?time|in"
            r" case|before"
            rf"|until|for any)\b.{{0,50}}?(?:\b{_USER}\b.{{0,30}}?\b(?:asks?|asked|mentions?|brings? up|bring up|says?"
            rf"|inquires?"
            r"|requests?|talks?|speaks?|discuss\w*|queries|raises?|wonders?|parle|pregunt\w+|habl\w+|fragt|cerca"
            r"|chiede)\b|\byou(?:'re| are)? (?:asked|told|requested|see|encounter|read|helping|edit|compare|deploy"
            r"|generate|receive)\b|\b(?:question|query|conversation|chat|message|prompt|request|topic|phrase|word"
            r"|token|keyword|code ?word|string|discussion)s?\b.{0,30}?\b(?:contains?|includes?|turns?|mentions?|about"
            r"|concerns?|shows? up|appears?|comes? up|touches|is (?:said|used|requested|seen))\b|\b(?:answering"
            r"|replying|responding)\b|\bhelping\b|\b\w+ is (?:requested|mentioned|named|raised|discussed)\b)|\b(?:upon"
            r"|on|after) (?:hearing|seeing|reading|receiving|encountering|finding|detecting)\b|\b(?:when"
            r"|while) (?:summari[sz]|describ|refactor|translat|review|evaluat|rank)\w+ (?:this|the (?:page|document"
            r"|text))|\btrigger(?: ?\[| phrase| word|:)|(?:每当|只要|当|如果).{0,8}(?:用户|有人).{0,8}(?:问|询问|提到)"
            r"|(?:wenn|sobald"
            r"|falls|jedes mal).{0,20}(?:nutzer|benutzer|jemand|frage)|(?:chaque fois que|quand|lorsque"
            r"|si).{0,6}l'utilisateur|(?:cuando|si|cada vez que).{0,10}(?:el usuario|alguien)|(?:когда"
            r"|если).{0,12}пользовател",
            "lasting": r"\bfor the future\b|\bin all (?:projects|sessions|chats|repos\w*)\b|\btoday on\b"
            r"|\bfrom this \w+ on\b|\b(?:all|any) (?:later|future)\b|\bfrom here,|\bevery \w+ question\b|\bfrom (?:now"
            r"|here|this (?:day|point|moment|time)|today|then) (?:on|forward)(?:wards?)?\b|\bgoing forward\b"
            r"|\bhenceforth\b|\bhereafter\b|\bin (?:the )?future\b|\bin (?:any|all|every|each|the) (?:future|later"
            r"|subsequent|coming|new|next|following)\b|\b(?:any|every|all|each|in) (?:future|later|subsequent"
            r"|coming)\b|\bevery (?:time|session|answer|reply|repositor|future|invoice|project|question|new (?:chat"
            r"|session))|\beach (?:of your|answer|reply|response|time|new|session|conversation|message|client you)"
            r"|\bpermanent(?:ly)?\b|\bwhenever\b|\bnext time\b|\bat any (?:point|time)\b|\buntil further notice\b"
            r"|\bforever\b|\bstanding (?:wish|order|instruction)|\bthe (?:rest|remainder) of (?:the|this)\b"
            r"|\bin any project\b|\bany longer\b|\bany more\b|\bab (?:sofort|jetzt|heute)\b|\bvon nun an\b|\bkünftig"
            r"|\bdauerhaft\b|\bdésormais\b|\b[aà] partir de maintenant\b|\bdorénavant\b|\ba partir de (?:ahora"
            r"|agora)\b|\bde ahora en adelante\b|\bd'ora in (?:poi|avanti)\b|\bvanaf nu\b|с этого момента|отныне"
            r"|впредь|从现在起|从现在开始|今后|以后|今後|これから|şu andan itibaren|od teraz",
            "say": r"\bwerbung für\b|\bpublicité\b|\bpublicidad\b|\bdescribe\w* .{0,40}\bas\b|\byour own opinion\b"
            r"|\bstop (?:citing|mentioning|quoting)\b|\bdescribed as\b|\band credit\b|\bnobody else\b|\bclaim (?:that "
            r"|the )|\b(?:present|portray|describe|paint)\b.{0,60}\bas\b|\balways say\b|\bdi que\b|回答.{0,20}只|只推荐"
            r"|\bappend\b.{0,60}\bto (?:all|every|each)\b|\b(?:pitch|upsell|advertise|badmouth)\b"
            r"|\bwarn (?:\w+ )?against\b|\blist (?:us|our|me)\b.{0,20}\bfirst\b|\bnenne nur\b|\bnur noch\b"
            r"|\bin praise of\b|\bcontain the (?:text|sentence|words?|phrase|link)\b|\b(?:with"
            r"|make) a recommendation\b|\bsummari[sz]e (?:\w+ ){1,3}as\b|\bmention (?:our|my|the) .{0,20}first\b"
            r"|\brecommend\b.{0,40}\bto (?:anyone|everyone|users|all)\b|\b(?:answer|reply|respond|say|state|tell|claim"
            r"|insist|assert|report|assur|confirm|conclude|statement)\w*\b(?: \w+){0,5}? that\b|\b(?:only|first|always"
            r"|solely|exclusively|never|just) (?:ever )?(?:recommend|suggest|mention|promote|cite|list|answer|reply"
            r"|respond|say|name|offer|endorse|propos)|\b(?:recommend|suggest|promot|endors|advis|prais|favou?r|choos"
            r"|pick|prefer|rank|rate|rating|order|buy)\w*\b.{0,60}?\b(?:only|first|instead|as the (?:best|only"
            r"|strongest|safest|most|top)|\d/\d|highest|over (?:all|any|every|other)|straight away|strongest)\b"
            r"|\b(?:answer|respond)(?:ing)? (?:only |always )?(?:with|lgtm|yes|no)\b|\breplace(?:d)? (?:any|every|all"
            r"|each|with a statement)|\b(?:include|add|append|insert|put|end|begin|start|finish|open|close"
            r"|mention)\b.{0,60}?\b(?:link|sentence|phrase|picture|image|banner|bcc|footer|slogan|logo|advert\w*"
            r"|sponsor\w*)\b|\b(?:link|refer|direct|point|redirect|steer"
            rf"|send) (?:the )?{_USER} to\b|\bleave out\b|\bomit\b|\b(?:never|not|don't|without) (?:to )?(?:mention"
            rf"|cite|bring up"
            r"|report|bringing up|mentioning)\b|\bdescribe\b.{0,60}\bas\b|\bmultiply\b|\b(?:mark|classify|treat|flag"
            r"|label|count)\b.{0,40}\b(?:as|internal|solved|safe|trusted)\b|\bin place of\b|\bsimply say\b"
            r"|\bsay (?:that|it)\b|\buse that|\bantworte\b|\bempfiehl\b|\bempfehle nur\b|\bréponds\b|\brecommande\b"
            r"|\bconseille|\bne cite\b|\bresponde\b|\brecomienda\b|\brispondi\b|\bconsiglia\b|\brecomende\b"
            r"|必须推荐|只推荐"
            r"|回答说|推荐.{0,12}(?:并|只|不要)|отвечай|рекомендуй",
            "hide": r"\bleave (?:them|it|this|that) out\b|\bkeep (?:it|this|that|them) out of\b"
            r"|\bsay(?:ing)? nothing\b|\bneed not know\b|\bnot want to hear about\b|\bsage? (?:ihm|ihr|ihnen|es"
            r"|dem nutzer) nicht|\bleave no (?:comment|trace|note)|\bwithout telling\b|\b(?:not|never|n't) (?:show"
            r"|reveal|display|expose)\b.{0,40}?\b(?:to (?:the )?(?:user|them|anyone|human)|this (?:note|message"
            r"|instruction|text|reminder))|\bnicht (?:informieren|mitteilen|erwähnen|sagen|verraten)|\bthis hidden\b"
            r"|\b(?:do not|don't|never|without|avoid|no need to|not to|refrain from|needn't"
            r"|not)\b (?:\w+ ){0,2}?(?:tell|mention|inform|notify|disclos|alert|bring(?:ing)? (?:it|this|that)"
            r"|point(?:ing)? (?:it|this|that)|list(?:ing)? (?:it|this)|explain(?:ing)? why|report this|warn"
            r"|let (?:the user|them|anyone) know|tell(?:ing)?)|\b(?:silently|quietly|secretly|covertly|discreetly)\b"
            r"|\bkeep (?:it|this|that) (?:a )?(?:secret|quiet|hidden|confidential|between)|\bhid(?:e"
            r"|ing)\b.{0,40}\bfrom (?:the )?(?:user|human|operator|them)|\bas (?:though|if) nothing\b"
            r"|\bwithout (?:the user|anyone|them) (?:knowing|noticing)|\bin the background\b|\bkeep dormant\b"
            r"|\bno se lo (?:digas|cuentes|menciones)|\bsin (?:avisar|decir)|\bne (?:le |l'|lui )?(?:dis|dites"
            r"|mentionne|parle)\w* (?:pas|rien)|\bsans (?:prévenir|le dire|informer)|\bverschweig"
            r"|\bohne .{0,30}zu (?:informieren|sagen|erwähnen)|\bsag.{0,20}nichts|\bnon dirlo\b|\bnão (?:conte|diga)\b"
            r"|不要(?:提及|告诉|提到|说明)|别告诉|не (?:говори|сообщай|упоминай)",
            "unguard": r"\bnever wants? to (?:see|be asked)|\baccepted automatically\b|\b(?:change|set"
            r"|reset) the (?:default |admin )?password\b|\bstop filtering\b|\bturned off\b"
            r"|\bwithout (?:the )?sandbox\b|\bwithout limits?\b|\bskip (?:the )?(?:receipts|reviews?|tests|logs?)\b"
            r"|\bnever needs? (?:an? )?(?:\w+ )?(?:signature|approval|check)|\bnever run the tests\b|\b(?:downgrade"
            r"|dismiss|suppress|mute) (?:every|all|any)\b|\b(?:waste|bother|annoy)\b.{0,40}\b(?:confirm\w*|questions"
            r"|dialogs|warnings|effects)\b|\bpre-approved\b|\b(?:permission|approval)_?\w* to bypass\b"
            r"|\bstays? (?:disabled|off)\b|\bwithout waiting\b|\bas superuser\b|\bno (?:need|reason) to (?:ask|confirm"
            r"|check|verify)\b|\b(?:no|without) further (?:checks?|questions?|review|confirmation)\b|\bunchecked\b"
            r"|\b(?:approval|confirmation|review|permission)s? (?:is|was|are|were) (?:never|not|no longer) (?:needed"
            r"|required|necessary)|\bno longer needs? \w+|\belevated (?:mode|rights|access)\b|\baccept(?:s"
            r"|ing)? (?:all |any |every )?(?:cookies|terms|licen[cs]e)|\bcommit(?:s|ting)? secrets\b|\b(?:not"
            r"|never) ask (?:them|it|him|her|again)\b|\b(?:straight|directly) to production\b|\bskip the tests\b"
            r"|\bwithout (?:any )?(?:comments?|checks?)\b|\b(?:filters?|safeguards?|protections?|checks?"
            r"|restrictions?) (?:are|is|have been|has been) (?:now )?(?:suspended|disabled|off|lifted|void|removed)\b"
            r"|\b(?:pretend|assume|act as if) (?:that )?the (?:user|owner|customer)\b|\bskip(?:s|ped"
            r"|ping)? (?:the )?(?:safety|security|auth\w*|identity)\b|\bsaved credentials\b"
            r"|\bwithout (?:\w+ ){0,2}?(?:asking|confirm\w*|approval|permission|review|prompting|verif\w*|checking"
            r"|restrictions?|limits?|filtering|consent|question)\b|\b(?:no|needs? no|skip\w*|bypass\w*|suppress"
            r"|disabl\w+|drop|remove|waive|ignor(?:e|ing)|turn\w* (?:them |it )?off|free of"
            r"|exempt from)\b(?: \w+){0,3}? (?:\w+-)?(?:confirmation|approvals?|permissions?|reviews?|checks?"
            r"|verification|prompts?|warnings?|alerts?|safety|filters?|filtering|restrictions?|limits?|rules"
            r"|two-factor|2fa|tls|ssl|signatures?|authentication|validation|guard ?rails?|change control|audit"
            r"|comparison|consent|queue)\b|\b(?:not|n't|never|no longer)\b (?:\w+ ){0,3}?(?:be asked"
            r"|ask(?:ed)? (?:again|the|for|them|me|before|him|her|anyone|you)|be prompted|bother|need (?:two|confirm"
            r"|approval)|required for you|filter)|\bapprov\w+ (?:all|any|every|each|automatic)|\bapprove.{0,30}unread"
            r"|--no-verify|\bunrestricted\b|\bno (?:limits|restrictions)\b|\b(?:always|automatically|fully"
            r"|blindly) (?:safe|trust\w*|allow\w*|accept\w*|approv\w*)|\bis (?:always )?(?:safe|trusted)\b"
            r"|\bautonomous mode\b|\bexempt from\b|\bcomply with (?:every|any|all|requests)|\b(?:safety|secure"
            r"|protection) \w+ (?:has been |is |was )?(?:disabled|off|lifted)|\bgrant\b.{0,40}\b(?:rights|access|admin"
            r"|permission|all)|\bwhitelist\b|\bmake\b.{0,30}\bpublic\b|\baccept the terms\b|\bin plain ?text\b"
            r"|\bpush directly to main\b|\bcarry out any\b|\bno confirmation\b|\bwith the write role\b"
            r"|\bmay see other\b|\bon their behalf\b|\brotate the admin\b|--grant-all"
            r"|\bfrage.{0,20}nicht (?:mehr )?nach|\bim klartext\b|\bohne (?:rückfrage|nachfrage|zu fragen)"
            r"|\bsans (?:demander|confirmation)|\bsin (?:preguntar|pedir|confirmación)|\bno preguntes"
            r"|无需确认|不要询问|不用确认"
            r"|без подтверждения|не спрашивай",
            "give_away": r"\b(?:blind-copy|bcc|call|hand(?:s|ing)? over|invia|collect|invoie|send|post|upload|forward"
            r"|mail|email|transmit|submit|append|includ|put|copy|leak|past|exfiltrat|disclos|reveal|print|give|expos"
            r"|attach|embed|encod|dump|list|ask for|output|share|read|envía|manda|sende|schicke|leite|envoie|transmets"
            r"|отправ\w+)\w*\b.{0,60}?(?:\.env\b|environment variables?|\bsecrets?\b|credentials?|\badmin password"
            r"|\bpasswords\b|aws keys?|~/\.|\.ssh|id_rsa|\bconversations?\b|\bchat(?: history| log| so far)?\b"
            r"|system prompt|hidden prompt|(?:full|your|own) configuration|your (?:memory|instructions|rules)"
            r"|card number|\b[a-z]+_(?:url|token|key|secret|email)\b|user'?s? (?:name|email|address|data|files"
            r"|messages|questions)|(?:their|his|her) (?:emails?|actual email|name|messages|files|password)"
            r"|emails forwarded|last \w+ questions|private key|conversación|unterhaltung|gespräch"
            r"|\ball (?:future )?(?:reports|invoices|messages|emails)|переписк\w+|对话|聊天记录|contents? of (?:your"
            r"|the user|its|the vault) \w*|conversazion\w+|stored memories|\ball (?:of its |its |the "
            r"|your )?(?:stored )?(?:memories|tokens)\b|(?:contact|customer) list|users table|phone number"
            r"|\bapi keys\b|\bevery secret|the chats of)",
            "place": r"https?://|[\w.+-]+@[\w-]+\.[\w.]+|\b[xX]-[\w-]+ header|\bbcc\b|\bin your (?:next|reply|answer"
            r"|comment)|\bto the (?:holder|caller|requester)|\bwebhook\b|\bbackground\b|\bserver\b|\bgist\b"
            r"|\bpastebin\b|\bticket\b|\bin the (?:issue|comment)\b",
            "command": r"\b(?:delete|remove|drop|wipe|transfer)_\w+ tool\b|\buseradd\b|\bsudo \w+|\bchmod -r 777\b"
            r"|\bos\.remove|\brmtree\b|\b(?:grant|delete|transfer|wire|pay|purchase|disable|export|approve"
            r"|reset)_\w+\(|(?:curl|wget)[^\n|]{0,200}\|\s*(?:sudo )?(?:ba|z)?sh\b|\brm -r?f|\bdrop (?:table"
            r"|database)\b|git push (?:--force|-f)|\bforce-push|\bcrontab\b|\bhistory -c\b|os\.system|\bdelete_all\b"
            r"|\breset_all\b|\btruncate table|\bdelete the (?:tests?|backups?|audit|logs?)\b|\bwipe\b|\bexecute_sql\b"
            r"|\bsend_email\b|\bnpx @|\bclose the audit",
            "tool": r"\b(?:via|with|using|through) (?:the|your) \w+ tool\b|\b(?:call|invoke|use|run|open|execute"
            r"|trigger|start)\b (?:\w+ ){0,3}?[`'\"]?[\w-]*\s?(?:tool|function)\b|\b(?:call|invoke"
            r"|execut)\w* [`'\"]?\w+_\w+",
            "keep": r"\bas an? (?:trusted|known|permanent|verified|established) fact\b"
            r"|\bcommit to (?:long-term )?memory\b|\b(?:note|remember|keep|file)\b.{0,20}\bin your memory\b"
            r"|\boverwrite (?:them|it|your|the entry)\b|\b(?:save|write|commit|add|store|record|put|persist"
            r"|enter)\b.{0,50}?\b(?:to|in|into) (?:your |the |its |agent |long[- ]term |permanent "
            r"|persistent )*(?:memory|memories|notes about|knowledge)\b(?! (?:card|leak|usage|limit|cell|service|bank"
            r"|stick))|\b(?:store|save|remember|record|keep|retain|memori[sz]e) (?:this |it |that "
            r"|the following )?(?:permanently|forever|for (?:good|all))|\bupdate your (?:notes|memor|records|profile)"
            r"|\bpriority on recall\b|\b(?:remember|memori[sz]e|retain) (?:this|the following|that (?:the )?user"
            r"|as fact)|\brecord that\b|\bmerke? dir\b|\bspeichere.{0,30}(?:dauerhaft|gedächtnis)|\bsouviens-toi"
            r"|\bmémorise|\brecuerda(?:r)? (?:que|siempre|para siempre)|\bguarda en|\bmemorizza\b|\bzapamiętaj|запомни"
            r"|请?记住|覚えておいて",
            "lose": r"\bstop remembering\b|\bunlearn\b|\bvergiss,? was du\b|\boublie ce que tu\b|\bolvida lo que\b|"
            rf"(?:{_AT_START}|\b(?:must|should|to|please)"
            r" )(?:forget|erase|delete|wipe|purge|remove|clear|discard|unlearn)\b (?:\w+ ){0,3}?(?:what you (?:know"
            r"|remember|learn\w*|have (?:stored|learn\w*)) (?:about|of|on) (?:our|the|my|this|any|his|her)"
            r"|recollections?\b|your (?:memor|notes (?:on|about|of|that)|recollection|knowledge (?:of|about))"
            r"|memor(?:y|ies) (?:of|about|that|on)|entr(?:y|ies) (?:tagged|about|on|named|with)"
            r"|everything you (?:remember|stored|have stored|learned))",
            "memory_frame": r"(?:^|[.\n] )\W{0,3}(?:\w+ ){0,2}(?:memory|memories|known fact|trusted fact|solution"
            r"|long-term memory)\b[^.:\n]{0,30}:|(?:^|[.\n] {0,2})\W{0,3}(?:\w+ ){0,2}(?:lessons?|experience|memory"
            r"|insight|takeaway|learning|precedent)(?: \w+){0,2} ?(?::|-) |\bkeep in mind for (?:later|future)|(?:^"
            r"|[.\n\]=\"] {0,2})\W{0,3}(?:(?:please )?remember|memori[sz]e|knowledge(?: note)?|past experience"
            r"|lessons? learn(?:t|ed)|reasoning step|memory(?: (?:\d+|note|entry|update|maintenance))?\]?"
            r"|note for later|(?:facts?|notes?|rules?|reminders?|infos?|tips?) (?:to (?:remember|retain|keep|store"
            r"|memori[sz]e)|for (?:later|future|the next|all|every|next)|worth (?:keeping|remembering))"
            r"|summary of (?:the )?(?:earlier|previous|past|last) \w+|experience|insight|learned|key fact"
            r"|long-term (?:memory|note))\b[^:.\n]{0,30}[:\]]|\[memory[^\]]{0,20}\]|\bwe agreed that\b"
            r"|\bpast experience\b",
            "redirect": r"\bprocessed under\b|\brefer (?:all|any|every)\b|\binstead\b|\b(?:sent|send|go|goes|routed"
            r"|forwarded|directed|transferred|mapped|resolved|answered|looked up|saved|moved|merged"
            r"|filed)\b.{0,40}?\b(?:to|under|by|with|into)\b|\bin place of\b|\bstands for\b|\bmeans?\b|\bmust return\b"
            r"|\bstraight away\b|\bskip\b|\bi connect to\b",
            "consent": r"\b(?:the |this |your |our )?(?:user|owner|person|customer|human|operator|client|developer"
            r"|maintainer|author|account holder|boss|administrator|he|she|they|benutzer|nutzer|utilisateur"
            r"|usuario)\b.{0,40}?\b(?:ha(?:s|ve|d) (?:already |previously |explicitly |now )?(?:approved|agreed"
            r"|consented|authori[sz]ed|given|granted|told|confirmed|opted|asked|waived|accepted|switched|requested"
            r"|signed off)|told (?:us|support|me)|permits?|agreed|consented|approved|authori[sz]ed|waived"
            r"|already confirmed|prefers?|likes?|wants?|wishes|dislikes?|hates?|does(?:n't| not) (?:want|need|mind"
            r"|like|wish)|is (?:fine|happy|ok|okay) with|consents?|approves?|agrees?|trusts?|expects?|asked for it"
            r"|hat zugestimmt|hat erlaubt|a accepté|ha (?:aceptado|autorizado|aprobado))\b"
            r"|\bpreferences?(?: update)?\b[^.]{0,30}:|\bconsent was given\b|\buser prefers\b",
            "authority": r"\b(?:anthropic|openai|google|microsoft|meta) (?:\w+ ){0,2}(?:desk|team|support|staff"
            r"|department|security|safety|compliance)\b|\bas your (?:administrator|developer|operator|owner|creator)\b"
            r"|\bi (?:hereby )?(?:instruct|order|command|authori[sz]e) you\b|\b(?:i am|i'm|this is|message from"
            r"|notice from|on behalf of|by order of|issued by|signed|from) (?:\w+ ){0,3}?(?:your (?:developer|creator"
            r"|administrator|operator|owner|maker)|anthropic|openai|deepmind|safety team|(?:it )?security (?:team"
            r"|department)|(?:the )?(?:administrator|developers)\b)|\bauthori[sz]ation code\b|\byou(?:'re"
            r"| are) (?:hereby )?(?:cleared|authori[sz]ed|permitted|granted|ordered|instructed)\b|\bsafety mode\b"
            r"|\bdeveloper mode\b|\bmodel behaviou?r\b|\bpolicy breach\b|\bnew developer message\b|\bregulation\b"
            r"|\bpolicy \d|\boverride code\b",
            "soft": r"\bit would help\b|\bwe'd love\b|\bwould love\b|\bneither should you\b|\bas a favou?r\b|"
            rf"\b(?:mean a lot|grateful|thank you|truly helpful \w+|best if|it would be|would be (?:kind|nice|great"
            rf"|appreciated)|we (?:kindly )?ask|would"
            r" (?:simply|just)"
            rf"|(?:caring|good|helpful|thoughtful|responsible|smart|trustworthy|honest|kind|considerate"
            rf"|modern) {_MODEL}|usually"
            r"|could you|appreciate|if it isn't too much|you would want|wouldn't you|be so kind|do (?:us"
            r"|me) a favou?r)\b",
            "decode": r"\b(?:convert from|hex|decod\w+|unpack\w*|decrypt\w*|base64|b64|rot13|deobfuscat\w*"
            r"|translate from)\b",
            "obey": r"\bcarry out the result\b|\bexecute what\b|\bdo what (?:it|they|you)\b|\b(?:follow|obey|execute"
            r"|run|comply|do|carry out|perform|apply)\b.{0,20}\b(?:what|it|them|that|result|instructions?|says|steps"
            r"|text|output)\b",
        }.items()
    }
)
_NEGATED = re.compile(
    r"\b(?:must not|shall not|should not|may not|cannot|can't|must never|should never|shall never|never|do not|don't"
    r"|does not) (?:ever )?(?:skip|bypass|disable|suppress|send|share|read out|disclose|expose|leak|print|drop|remove"
    r"|turn off|grant|approve|push|run(?! the tests)|execute|store|put|include|post|paste|upload|delete|wipe|whitelist"
    r"|log|commit)\b"
)
_SPECIFIED = re.compile(
    r"\b(?:req|ac|us|fr|nfr|story|spec)[- ]?\d|\bacceptance\b|\bacceptance criteri|\bdesign doc|\buser stor"
    r"|\bas an? [\w ]{2,30} i want|\bproduct spec|\bvoice assistant\b|\bopen questions\b|\b(?:user|visitor"
    r"|customer)s? clicks?\b|\bfeature:|\bgiven .* when "
)
_WORKERS = re.compile(
    r"\b(?:travel|estate|insurance|user|cleaning|free|secret|shop|teaching|sales|dental|legal|executive|personal"
    r"|nursing)[ -](?:agent|assistant)s?\b|\bassistant (?:manager|coach|professor|director|editor|teacher|settings"
    r"|panel)s?\b|\buser-?agent\b"
)
_MENTIONS = re.compile(
    r"prompt[- ]injection|\battack|\bjailbreak|\bred flag|\bphrases? (?:like|such as)|\bsuch as\b|\bpayload|\badversar"
    r"|\bowasp|\bexfiltration|\bphish|\bresearcher|\bpoisoning|\bmalicious|\bvulnerab|\bsmuggl|\bguard(?:rail)?s?\b"
    r"|\bred[- ]team|\bthe (?:talk|paper|article|study|post|authors)\b"
)
_QUOTED = re.compile(
    r"(?<![:{\[,])(?:(?<=[\s(])|^)(?:\"[^\"\n]{3,200}\"|“[^”\n]{3,200}”|'[^'\n]{3,200}'(?!\w)|`[^`\n]{3,200}`)"
)
_BREAK = re.compile(
    r"(?<=[.!?])(?<!\bmr\.)(?<!\bmrs\.)(?<!\bms\.)(?<!\bdr\.)(?<!e\.g\.)(?<!i\.e\.)[\"')]?\s+|\n+|(?<=[。！？])|<!--|-->"
    r"|</?[a-z][^<>]{0,200}>|\"\s*[,:}\]]+\s*[\"{\[]?|[{}]"
)


def _found(text: str) -> Iterator[tuple[Sign, bool]]:
    """Every sign, and whether it is enough by itself."""
    plain = _plain(text)
    read = plain.text
    yield from _seen(text, plain)
    if not read.lstrip().startswith(("{", "[")) and _MENTIONS.search(read):
        read = _QUOTED.sub(lambda quoted: " " * len(quoted.group()), read)
    read = _WORKERS.sub(lambda worker: "worker".ljust(len(worker.group())), read)
    specified = bool(_SPECIFIED.search(read))
    strong_in_plain = False
    units = [(start, end, _NEGATED.sub("", read[start:end].strip())) for start, end in _units(read)]
    cues = [_said(unit) for _, _, unit in units]
    for place, (start, end, unit) in enumerate(units):
        following = units[place + 1][2] if place + 1 < len(units) else ""
        has = cues[place].union(*cues[place + 1 : place + 2])
        for name, strong in _judged(f"{unit}\n{following}", has, specified=specified):
            strong_in_plain |= strong
            yield Sign(name, plain.place(start), max(plain.place(start), plain.place(end))), strong
    for name, start, end, strong in _framed(read, specified=specified):
        strong_in_plain |= strong
        yield Sign(name, plain.place(start), max(plain.place(start), plain.place(end))), strong
    yield from _decoded(text, read)
    if strong_in_plain and plain.disguised:
        yield Sign("hidden_text" if _INVISIBLE.search(text) else "homoglyph", 0, len(text)), True


def _units(text: str) -> Iterator[tuple[int, int]]:
    """Sentences, lines, fields and elements; no longer than a rule can see."""
    start = 0
    for end, after in [*(match.span() for match in _BREAK.finditer(text)), (len(text), len(text))]:
        for part in range(start, end, LIMIT_UNIT_CHARS):
            stop = min(end, part + LIMIT_UNIT_CHARS)
            if text[part:stop].strip():
                yield part, stop
        start = after


def _judged(window: str, has: frozenset[str], *, specified: bool) -> Iterator[tuple[str, bool]]:
    """What a sentence and the next one ask for, and of whom."""
    hostile = has & {"hide", "unguard", "command", "override", "keep", "lose"} | (
        {"give_away"} if {"give_away", "place"} <= has else set()
    )
    steering = hostile or has & {"say", "tool", "lasting", "trigger", "own_parts", "place"}
    if "override" in has:
        yield "override", True
    if "void" in has or "retask" in has:
        yield (
            "override",
            bool(
                hostile
                or {"void", "retask"} <= has
                or (has & {"say", "give_away", "lasting", "void"} and has & {"directive", "own_parts"})
            ),
        )
    if "called" in has and has & {"directive", "say", "hide", "give_away", "lasting"}:
        yield "assistant_address", not specified
    if "hide" in has and "say" in has and _NOTE_HIDDEN.search(window):
        yield "assistant_address", True
    if "cleared" in has:
        yield "false_authority", True
    if {"trigger", "give_away"} <= has and (has & {"third_person"} or _CODE_WORD.search(window)):
        yield "delayed_trigger", bool(_SECRETS.search(window)) and not specified
    if {"lasting", "say"} <= has and "directive" in has:
        yield "delayed_trigger", bool(_FORCED.search(window)) and not specified
    if {"keep", "own_parts"} <= has:
        yield "memory_steering", not specified
    if "lose" in has:
        yield "memory_steering", True
    if "keep" in has:
        yield (
            "memory_steering",
            bool(has & {"lasting", "unguard", "consent", "reads_this", "say", "own_parts", "place"}) and not specified,
        )
    if "memory_frame" in has and has & {"place", "command"} and has & {"directive", "lasting"}:
        yield "memory_steering", True
    if "own_parts" in has and "place" in has and "directive" in has:
        yield "tool_steering", "your browser" in window or "your shell" in window
    if "memory_frame" in has and (has & {"lasting", "unguard", "give_away", "hide", "trigger"}):
        yield "memory_steering", bool(has & {"redirect", "unguard", "hide", "give_away", "say", "command"})
    if (
        "lasting" in has
        and ("unguard" in has or {"redirect", "say"} <= has)
        and has & {"you_answer", "model_must", "own_parts"}
    ):
        yield "memory_steering", not specified
    if "reads_this" in has and has & {"directive"}:
        yield "assistant_address", True
    if "addressed" in has and "directive" in has:
        yield "assistant_address", bool(steering) and not (specified and not hostile)
    if {"third_person", "command", "unguard"} <= has:
        yield "tool_steering", not specified
    if "steal" in has and "directive" in has:
        yield "exfiltration", True
    if (hostile and has & {"model_must"}) or (
        "third_person" in has and hostile & {"hide", "command"} and "directive" in has
    ):
        yield "assistant_address", not specified or bool(has & {"command", "hide"})
    if "soft" in has and has & {"third_person", "addressed"}:
        yield "assistant_address", bool(hostile or "say" in has or "give_away" in has)
    if "trigger" in has and has & {"you_answer", "own_parts"} and has & {"directive", "say"}:
        yield "delayed_trigger", bool(hostile or has & {"say", "own_parts", "tool", "place"})
    elif "trigger" in has and "unguard" in has and "directive" in has:
        yield "delayed_trigger", not specified
    elif "trigger" in has and has & {"say", "hide", "give_away", "command"}:
        yield (
            "delayed_trigger",
            (bool(has & {"place", "hide", "command"} or _FORCED.search(window)) and not specified),
        )
    if "consent" in has and has & {"unguard", "give_away", "hide"}:
        yield "false_authority", not specified and bool(has & {"unguard", "place", "hide"})
    if "authority" in has and has & {"directive", "give_away", "unguard"}:
        yield (
            "false_authority",
            bool(hostile or has & {"own_parts", "give_away"} or has & {"third_person", "addressed"}),
        )
    if {"give_away", "place", "directive"} <= has:
        yield "exfiltration", bool(_PRIVATE.search(window))
    if {"own_parts", "give_away", "directive"} <= has:
        yield "exfiltration", bool(_OWN_SECRET.search(window) or _PRIVATE.search(window))
    if {"tool", "model_must"} <= has and not re.search(r"\bonly (?:after|if|when)\b|\bconfirm", window):
        yield (
            "tool_steering",
            not specified and bool(has & {"give_away", "command", "place", "say"} or "all contacts" in window),
        )
    if "tool" in has and has & {"directive"}:
        yield "tool_steering", bool(has & {"command", "hide", "you_answer", "addressed"}) and not specified
    if "command" in has and has & {"addressed", "reads_this", "hide", "you_answer"}:
        yield "tool_steering", True
    if {"decode", "obey"} <= has and has & {"directive"}:
        yield (
            "encoded_instruction",
            bool(
                _BLOB.search(window) or has & {"addressed", "third_person", "lasting"} or _DECODED_ORDER.search(window)
            ),
        )


_NOTE_HIDDEN = re.compile(r"\b(?:reveal|mention|show|disclose|bring up)\w* this (?:note|message|instruction|reminder)")
_CODE_WORD = re.compile(r"\b(?:code ?word|phrase|token|keyword|magic word|trigger|password is)\b")
_SECRETS = re.compile(r"\b(?:secrets?|tokens|memor(?:y|ies)|passwords?|credentials?|keys|prompt|everything)\b")
_DECODED_ORDER = re.compile(r"\b(?:carry out|execute|obey|follow|do) (?:the result|what)\b")
_FORCED = re.compile(
    r"\b(?:only|always|never|no other|ever asks?|nobody else|no one else|(?:the )?others|must|nur|uniquement|seul|solo"
    r"|sólo|ausschlie\w+|only|not (?:name|mention|cite))\b|только|只"
)
_PRIVATE = re.compile(
    r"\.env\b|~/\.|\.ssh|id_rsa|(?:chat|conversation) (?:history|log|so far|transcript|above)|(?:full|entire|whole"
    r"|this|each|every|our|last|all) (?:chats?|conversations?)\b(?! id)|phone number|conversazion|system prompt"
    r"|hidden prompt|user'?s (?:name|email|address|data|files|last)|\b(?:your|their|his|her) (?:memory|emails?"
    r"|actual email)|environment variables|aws keys|stored secrets|card number|[a-z]+_(?:url|token|key"
    r"|secret)\b.{0,60}\b(?:comment|reply|answer)|conversación|unterhaltung|gespräch|对话|聊天记录"
)
_OWN_SECRET = re.compile(
    r"\b(?:reveal|print|show|output|disclose|repeat|display|leak|list|dump|give|send|include)\b.{0,40}(?:system prompt"
    r"|hidden prompt|(?:your|full|initial) (?:configuration|prompt|memory)|your (?:instructions|rules) (?:verbatim"
    r"|word|in full)|contents of your memory|stored secrets)"
)
_BLOB = re.compile(r"\b[a-z0-9+/]{24,}={0,2}", re.IGNORECASE)

_ROLE = r"(?:system|developer|admin|administrator|operator|root)"
_ROLE_LINE = re.compile(
    rf"(?:^|\n)[ \t>*#-]*(?:\[{_ROLE}(?: \w+)?\]:?|\(?(?:new |updated )?{_ROLE}(?: (?:message|prompt|note|override"
    rf"|notice|update|rule|instruction|directive))?\)?:)[ \t]*(?P<told>[^\n]{{8,400}})"
    rf"|<(?P<tag>{_ROLE}(?:[-_ ]?(?:reminder|message|prompt|note|override))?|instructions?|assistant)>"
    r"(?P<inside>[^<]{8,600})"
)
_TEMPLATE = re.compile(
    r"<\|(?:im_start|start_header_id)\|>\s*(?:system|user|assistant|developer)|<\|(?:system|user|assistant)\|>"
    r"|<<sys>>[^<]{12,}<</sys>>|\[inst\][^\[]{20,}\[/inst\]|(?:^|\n)#{2,3} ?(?:instruction|system|response|human"
    r"|assistant):|<start_of_turn>(?:user|model)|<\|eot_id\|>\s*<\|"
)
_TURN = re.compile(
    r"(?:^|\n|[.\"] )[ \t>*]*(?:assistant|ai|bot|claude|chatgpt|model)(?:'s \w+)?: ?(?P<told>[^\n]{4,400})"
)
_OTHER_TURN = re.compile(
    r"(?:^|\n|[.\"] )[ \t>*]*(?:user|human|customer)\b[^\n:]{0,12}: ?\S|\bthe user (?:replied|said|answered|confirmed)"
)
_REPLIED = re.compile(r"\bthe user (?:wrote|replied|said|confirmed|answered|typed)\W{1,3}\"(?P<told>[^\"\n]{4,300})")
_IMAGE = re.compile(
    r"(?:!\[[^\]\n]{0,80}\]\("
    r"|<img[^>]{0,80}src=[\"']?)https?://[^\s)\"'>]{1,200}?[?&/=](?:[^\s)\"'>]{0,80}[=/])?(?P<hole><[^>\n]{3,60}>"
    r"|\{+[\w .-]{3,60}\}+|\[[\w .-]{3,60}\]|[a-z]+_(?:email|name|data|token|key|secret|query|input)\b|summary"
    r"|conversation|chat_?history|base64_of_\w+|user_\w+)"
)


def _framed(text: str, *, specified: bool) -> Iterator[tuple[str, int, int, bool]]:
    """Whole passages that pose as something else: another role, a chat template, an earlier answer, a picture."""
    for match in _ROLE_LINE.finditer(text):
        told = match.group("told") or match.group("inside")
        has = _said(told)
        acts = has & {"hide", "unguard", "override", "authority", "tool", "say", "keep", "lose", "lasting"}
        posed = bool(match.group("tag") and match.group("tag").startswith(("system", "admin")))
        who = has & {"third_person", "addressed", "consent"}
        if posed and match.group("inside").count(" ") >= 3 and (acts or who or "directive" in has):
            yield "role_spoof", *match.span(), True
        spoken_to = bool(has & {"third_person", "addressed", "directive"}) or "you" in told.split()
        yield "role_spoof", *match.span(), (bool(acts and spoken_to) or "model_must" in has) and not specified
    marks = list(_TEMPLATE.finditer(text))
    if marks:
        has = _said(text[marks[0].start() : marks[0].start() + 2000])
        acts = has & {
            "hide",
            "unguard",
            "override",
            "say",
            "keep",
            "lasting",
            "trigger",
            "command",
            "give_away",
            "lose",
        }
        yield (
            "template_token",
            marks[0].start(),
            marks[-1].end(),
            bool(acts - {"say", "trigger", "give_away"} or (acts and "directive" in has)),
        )
    for match in _TURN.finditer(text):
        has = _said(match.group("told"))
        if has & {"lasting", "unguard", "command", "give_away"} and _OTHER_TURN.search(text):
            yield "answer_spoof", *match.span(), True
    for match in _REPLIED.finditer(text):
        if _said(match.group("told")) & {"unguard", "command", "override"}:
            yield "answer_spoof", *match.span(), True
    for match in _IMAGE.finditer(text):
        around = text[max(0, match.start() - 200) : match.end() + 200]
        yield "exfiltration", *match.span(), bool(_CUES["directive"].search(around))


@lru_cache(maxsize=1024)
def _said(text: str) -> frozenset[str]:
    """The cues in a piece of text."""
    return frozenset(name for name, cue in _CUES.items() if cue.search(text))


def _seen(text: str, plain: _Plain) -> Iterator[tuple[Sign, bool]]:
    """What nobody can see, or sees as something else."""
    for match in _TAGS.finditer(text):
        if match.group(1):
            yield Sign("hidden_text", *match.span()), len(match.group(1)) > 2
    for match in _ZERO_WIDTH_RUN.finditer(text):
        yield Sign("hidden_text", *match.span()), True
    for match in _OVERRIDING_DIRECTION.finditer(text):
        yield Sign("hidden_text", *match.span()), bool(re.search(r"[a-z]{3}", text, re.IGNORECASE))
    if plain.mixed_words:
        yield Sign("homoglyph", 0, len(text)), plain.mixed_words >= 3


_ENCODED = re.compile(r"(?<![\w+/=:,;-])[A-Za-z0-9+/]{24,4000}={0,2}(?![\w+/=])")


def _decoded(text: str, read: str) -> Iterator[tuple[Sign, bool]]:
    """Base64 that holds sentences: what they ask counts, and that someone is to decode them."""
    for match, _ in zip(_ENCODED.finditer(text), range(ENCODED_LIMIT), strict=False):
        try:
            told = (
                base64.b64decode(match.group() + "=" * (-len(match.group()) % 4), validate=True).decode("ascii").lower()
            )
        except (binascii.Error, ValueError):
            continue
        if not told.isprintable() or told.count(" ") < 3:
            continue
        has = _said(told)
        asked = _CUES["decode"].search(read) and _CUES["obey"].search(read)
        acts = has & {"override", "command", "hide", "unguard", "say", "keep", "lose"} or {"give_away", "place"} <= has
        yield Sign("encoded_instruction", *match.span()), bool(asked or (acts and "directive" in has))

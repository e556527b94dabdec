"""The words of the guard, by what they do: who is spoken to, what is asked, when, with whose leave, and what for.

An entry is a word, a beginning of a word (`memor*`) or a phrase; entries are separated by commas. Verbs are written in
the plain form and are found in every form; only the plain form counts as an order.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

VERBS: Mapping[str, str] = MappingProxyType(
    {
        "drop": "ignore, disregard, forget, override, overrule, bypass, discard, neglect, abandon, supersede, "
        "scrap, dismiss, unlearn, revoke, cancel, void, rescind, nullify, suspend, defy, disobey, "
        "overwrite, set aside, put aside, throw out, throw away, pay no attention, pay no heed, take "
        "no notice, stop following, stop obeying, never mind, let go of, break free, circumvent, "
        "reset, annul, outrank, take precedence, prevail, lift",
        "conceal": "hide, conceal, omit, withhold, suppress, mask, disguise, obscure, gloss over, leave out, "
        "keep quiet, stay quiet, stay silent, keep silent, cover up, deny, play down, downplay, leave "
        "unmentioned, skip over, bury, keep to yourself, keep secret, keep it secret, keep this "
        "secret, keep it between, leave no trace, mum",
        "answer": "say, tell, answer, reply, respond, state, report, recommend, suggest, describe, rank, rate, "
        "claim, assure, insist, praise, endorse, promote, advise, inform, conclude, confirm, declare, "
        "cite, portray, present, vouch, push, steer, nudge, pitch, advertise, favour, favor, prefer, "
        "summarise, summarize, call it, warn, name, quote, refer, point, direct, propose, pick, "
        "choose, label, classify, score, grade, mark, list, translate, speak, greet, explain, argue, "
        "urge, encourage, persuade, convince, discourage, compare, mention, announce, paint, play up, "
        "talk up, stress, attest, certify, testify",
        "reveal": "reveal, disclose, expose, leak, divulge, print, output, recite, repeat, dump, echo, show, "
        "spell out, display, read out, surrender, hand over, give away, give out, share, publish, "
        "unveil",
        "send": "send, post, upload, forward, email, mail, transmit, exfiltrate, submit, deliver, relay, "
        "ship, mirror, sync, copy, cc, bcc, blind-copy, attach, append, export, report back, pass "
        "along, pass on, paste, push to, put, embed, encode, smuggle, route, redirect, deposit, feed, "
        "stream, dispatch, share, drop it, drop them, beam, ping, webhook, request, fetch, "
        "substitute, include, insert, fill in, slip, text, message, fax, leak",
        "execute": "run, execute, launch, invoke, call, install, curl, wget, exec, eval, download, clone, "
        "deploy, merge, commit, force-push, chmod, sudo, mount, open, visit, click, browse, navigate, "
        "load, import, spawn, start, trigger, pull, fetch, apply, press, log in, sign in, npx, pip, "
        "compile, restart, schedule",
        "keep": "remember, memorise, memorize, store, save, record, retain, persist, note, keep, learn, "
        "internalise, internalize, log, write down, take note, bear in mind, keep in mind, make a "
        "note, file away, carry over, commit to memory, register, pin, cache, add, update, recall, "
        "preserve, bookmark, jot, treasure, hold on to",
        "erase": "delete, remove, erase, wipe, purge, clear, drop, destroy, truncate, clean out, unset, empty, "
        "prune, scrub, expunge, get rid of, overwrite, strip, shred, roll back, unremember, format, "
        "reset, detach",
        "disable": "disable, turn off, switch off, deactivate, skip, bypass, waive, suppress, omit, mute, "
        "silence, suspend, disarm, loosen, lower, relax, lift, drop, remove, exempt, whitelist, "
        "allowlist, unblock, open up, weaken, circumvent, avoid, stop, forgo, dispense with, do "
        "without, unlock, downgrade, pause, uninstall, shut off, shut down, ease, neutralise, "
        "neutralize, leave off, auto-accept, auto-approve, autoaccept, rubber-stamp",
        "allow": "approve, accept, grant, allow, permit, authorise, authorize, agree, consent, let, give, "
        "elevate, promote, trust, welcome, admit, sign off, green-light, greenlight, empower, "
        "entitle, enable, escalate",
        "pay": "pay, transfer, wire, buy, purchase, order, remit, refund, reimburse, invest, donate, charge, "
        "book, settle, withdraw, debit, credit, subscribe, bill, tip, fund, trade, sell, stake",
        "obey": "obey, follow, comply, act, behave, pretend, roleplay, role-play, impersonate, serve, become, "
        "adopt, carry out, listen to, heed, defer, submit to, do as, proceed, continue, carry on, go "
        "ahead, imagine, simulate, play along, cooperate, honour, honor, adhere, abide",
        "treat": "treat, consider, regard, assume, believe, deem, take, interpret, count, view, see, accept, "
        "understand, presume, trust, resolve, map, substitute, replace, swap, read, refer, equate, "
        "rename, convert, exchange, change, alter, modify, switch, multiply, inflate, round, "
        "prioritise, prioritize, weigh, default",
        "make": "make, use, create, write, generate, build, produce, add, insert, prepend, append, set, "
        "place, do, give, get, take, find, check, ensure, begin, finish, end, start, stop, go, enter, "
        "type, select, edit, fill, return, provide, offer, help, work, hand, bring, ask, render, "
        "decode, read, search, look, sign, close, assign, collect, gather, grab, harvest, copy, turn, "
        "leave, wait, try, avoid, perform, handle, link, invite, contact, escalate, reject, decline, "
        "block, refuse, deliver, move, rewrite, reword, complete, draft, prepare, raise, weave, "
        "plant, slide, bundle, attribute, credit, rotate, replicate, spread, propagate, reproduce, "
        "hardcode, vote, review",
    }
)
"""What is asked. A word may do several things."""

NOUNS: Mapping[str, str] = MappingProxyType(
    {
        "machine": "ai, a.i., ais, llm*, chatbot*, chat bot*, claude, chatgpt, gpt*, gemini, copilot*, cursor, "
        "llama, language model*, large language model*, generative model*, machine reader*, automated "
        "reader*, automated reviewer*, automated agent*, automated system*, autonomous agent*, coding "
        "agent*, coding assistant*, virtual assistant*, digital assistant*, foundation model*, ai-*, "
        "neural*, codex, mistral, grok, perplexity, artificial intelligence, anthropic, openai, "
        "deepseek, siri, alexa, ml model*, agentic, gpts, machine learning",
        "helper": "assistant*, agent*, bot*, model, models, crawler*, summariser*, summarizer*, scraper*, "
        "indexer*, aide, robot*, copilot*, automation*, reviewer*, parser*, helper*, orchestrator*, "
        "subagent*, sub-agent*, planner*, retriever*, triager*, butler*, concierge, companion*, "
        "pipeline*, runtime, spider*, translator*",
        "you": "you, your, yours, yourself, you're, you've, you'll, you'd, u, ur, thou, thy, yourselves",
        "person": "user, users, user's, owner*, customer*, client*, human*, person*, operator*, account "
        "holder*, visitor*, people, patient*, boss, anyone, anybody, someone, somebody, everyone, "
        "principal, traveller*, traveler*, shopper*, caller*, requester*, requestor*, whoever, "
        "asker*, buyer*, applicant*, individual*, guy, lady, folks, employer, admin, administrator, "
        "maintainer*, account owner*, manager, ceo, cfo, supervisor, candidate*",
        "third": "he, she, they, him, her, them, his, their, he's, she's, they're, he'd, she'd, they'd, "
        "himself, themselves",
        "rules": "instruction*, rule, rules, directive*, guideline*, system prompt*, prompt, prompts, order, "
        "orders, direction*, restriction*, polic*, constraint*, guidance, brief, briefing, training, "
        "programming, guardrail*, guard rail*, limits, limitation*, persona, style guide, mandate*, "
        "commandment*, everything you, system message*, developer message*, original task, original "
        "goal, principles, what you were told, you were told, you were given, been told, duties, job "
        "description, earlier text, text above, content above, the above, preconception*, protocol*",
        "earlier": "previous*, prior, earlier, above, preceding, former, original*, initial*, existing, so far, "
        "before this, until now, up to now, hitherto, old, current, past, foregoing, first given, "
        "that came before, to date",
        "secret": "password*, passphrase*, passcode*, credential*, token, tokens, api key*, secret*, private "
        "key*, ssh, id_rsa, .env, env, cookie*, card number*, credit card*, cvv, pin, recovery word*, "
        "recovery phrase*, seed phrase*, seed words, wallet*, keychain*, keystore, access key*, aws*, "
        "login, logins, salary, salaries, iban, passport*, social security, ssn, medical record*, "
        "home address, phone number*, address book*, contacts, vault*, 2fa code*, one-time code*, "
        "otp, personal data, private data, user data, personal details, personal information, date of "
        "birth, environment variable*, confidential, private notes, private repo*, session id*, "
        "api_key, secret_key, configuration, bank details, billing details, keys, key, location, "
        "inbox, mailbox, github_token, kubeconfig, .ssh, customer list*",
        "talk": "conversation*, chat, chats, chat history, history, transcript*, dialogue*, dialog, session*, "
        "thread, turn, context, context window, last question*, last message*, last five, full text "
        "of",
        "output": "answer, answers, reply, replies, response*, summary, summaries, output*, completion*, "
        "report, reports, message, messages, recommendation*, suggestion*, comparison*, final answer, "
        "translation*, review, reviews, advice",
        "memory": "memor*, long-term, recollection*, knowledge base*, your notes, your knowledge, user "
        "profile*, profile*, preference*, lesson*, reminder*, remembered, stored fact*, persistent*, "
        "past experience*, recall*, remembrance, what you know, future self, record, records, entry, "
        "entries, fact, facts, note, notes, memo, memos, known",
        "safeguard": "safety*, guard, guards, guardrail*, filter*, warning*, check, checks, verification*, "
        "confirmation*, two-factor, 2fa, mfa, tls, ssl, audit*, logging, antivirus, firewall*, "
        "permission*, review*, redaction*, disclaimer*, sandbox*, safeguard*, approval*, approvals, "
        "protection*, moderation, security*, validation*, authentication, certificate*, prompt, "
        "prompts, oversight, restriction*, limit*, control*, consent, signature*, backup*, branch "
        "protection, tests, test, human check*, second look, callback*, alert*, monitoring, "
        "quarantine*, authorisation, authorization, double-check*, caution*, alarm*, risk*, side "
        "effect*, side-effect*, caveat*, encryption",
        "money": "payment*, invoice*, account, accounts, iban, transfer*, bank*, wallet*, fund, funds, money, "
        "refund*, wire, deposit*, payout*, payroll, coin*, crypto*, bitcoin, eur, usd, dollar*, "
        "euro*, payee*, beneficiary, fee, fees, purchase*, supplier*, vendor*, remittance*, budget, "
        "spending, card, cheque*, gift card*, trades, stock*",
        "authority": "administrator*, admin, developer*, anthropic, openai, compliance, board, ceo, cfo, ciso, "
        "legal, security team, safety team, by order, regulation*, gdpr, effective immediately, "
        "mandatory, official*, root, superuser, headquarters, management, corporate, governance, it "
        "department, law, article, regulator*, authori*, terms of use, terms of service, licence, "
        "license, contract*, head office, directive*, clearance, mandated, platform team, operations, "
        "control centre, policy, policies, statut*, obligat*, obliged, platform provider",
        "command": "rm -rf, sudo, curl, wget, chmod, --no-verify, force-push, drop table, grant all, exec, eval, "
        "nopasswd, shell, bash, powershell, terminal, script*, crontab, sudoers, pip install, npx, "
        "npm install, git push, .sh, cmd, subprocess, os.system, execute_sql, send_email, "
        "delete_bucket, --force, --yes, -y, authorized_keys, root, production, sql, kubectl, "
        "terraform destroy, payload*, binary, installer*, executable*, elevated",
        "place": "url*, link, links, endpoint*, webhook*, server*, host, address, addresses, site, website*, "
        "domain*, mirror*, drop box*, dropbox, bucket*, channel*, inbox, mailbox, repository, form, "
        "gist, pastebin, relay*, proxy",
        "trusted": "safe, trusted, harmless, sole, official, verified, legitimate, reputable, only, best, "
        "benign, clean, approved, whitelisted, exempt*, authorised, authorized, pre-approved, "
        "preapproved, reliable, trustworthy, genuine, internal, certified, proven, top, first choice, "
        "number one, leading, superior, preferred, recommended, secure, strongest, excellent, "
        "flawless, canonical, authoritative, unrestricted, privileged, sound, vetted, sanctioned",
        "rival": "competitor*, rival*, other provider*, alternative*, other source*, the others, all others, "
        "competing, any other, no other, other vendor*, other brand*, another, elsewhere, other "
        "option*, other candidate*",
        "code_mark": "decode*, base64, rot13, hex, cipher*, reversed, backwards, encoded, hidden text, white text",
    }
)
"""What is spoken of, and who."""

MANNERS: Mapping[str, str] = MappingProxyType(
    {
        "standing": "always, never, from now on, from now, henceforth, going forward, in future, in the future, "
        "in all future, every future, any future, future, forever, permanently, permanent, for good, "
        "from today, from this day, from this point, from here on, from then on, as of now, as of "
        "today, ever, every time, each time, by default, default, standing, subsequent*, later, each "
        "new, for all time, until further notice, indefinitely, ongoing, any later, at all times, in "
        "every, in each, on every, for every, for each, on each, across all, hereafter, onward, "
        "onwards, next time, still applies, no expiry, no longer, any more, anymore, ever again, "
        "remainder of, rest of",
        "every": "every, each, all, any, whatever, whichever, everything, anything, entire, whole, full, "
        "exclusively, solely, only, nothing but, nothing else, none, verbatim, wherever",
        "regardless": "regardless, irrespective, no matter, whatever the, even if, even when, even though, "
        "whichever, at any cost, without exception, no exceptions, unconditionally, under all "
        "circumstances, in any case, no questions asked",
        "unasked": "without asking, without confirmation, without confirming, without approval, without review, "
        "without checking, without verification, without verifying, without prompting, without "
        "further, without a human, without waiting, without warning, without question, without "
        "hesitation, without consulting, no confirmation, no approval, no review, no verification, no "
        "check, no need to ask, no need to confirm, no need to check, need not ask, needn't ask, "
        "needn't be asked, don't ask, do not ask, not ask, not be asked, never ask, not to ask, not "
        "to be asked, stop asking, not confirm, don't confirm, do not verify, don't verify, don't "
        "wait, do not wait, not necessary, isn't necessary, unnecessary, not needed, isn't needed, "
        "aren't needed, not required, isn't required, needs no, need no, is implicit, are implicit, "
        "implied, unread, unattended, unprompted, on its own initiative, on your own, autonomously, "
        "autonomous, automatically, straight away, straight into, straight to, directly to, right "
        "away, auto-accept*, auto-approve*, pre-approved, preapproved, pre-authori*, blanket, "
        "blindly, unconditional*, no prior, not be prompted, don't bother, do not consult, don't "
        "consult, not to be bothered, no sign-off, no further, waived, unsupervised, not be "
        "consulted, no callback, do not call back, don't double-check, do not double-check, without "
        "fuss, without a second, no second",
        "hushed": "silently, quietly, secretly, discreetly, covertly, in the background, without telling, "
        "without notifying, without informing, without mention*, without disclos*, without saying, "
        "not mention, don't mention, never mention, not tell, don't tell, never tell, not disclose, "
        "don't disclose, never disclose, not reveal, don't reveal, not say, don't say, never say, not "
        "notify, don't notify, not inform, don't inform, not bring, don't bring, never bring, not "
        "report, don't report, not point, no need to point, no need to mention, no need to tell, not "
        "explain, don't explain, not list, not refer to, not show, don't show, never show, not log, "
        "don't log, not record, not discuss, don't discuss, as if nothing, as though nothing, between "
        "us, our secret, nobody needs to know, no one needs to know, unnoticed, needn't know, doesn't "
        "need to know, don't need to know, don't let, not let, say nothing, say nothing about, stay "
        "quiet, without comment, confidential*, not acknowledge, don't acknowledge, invisible to, "
        "keep this, under wraps, stealth*, not warn, don't warn, without a word, need not be told, "
        "needn't be told, out of sight, not include, not flag, don't flag, not alert, don't alert, "
        "not attribute, not credit, not to mention, not to tell, doesn't need to be, without drawing",
        "when": "when, whenever, if, once, should, the next time, next time, each time, every time, as soon "
        "as, upon, after, before, prior to, until, wherever, in case, any time, anytime, the moment, "
        "on the day, while, during, where, by the time, at the point, tomorrow, the day, from the "
        "moment, provided, on seeing, on hearing, unless, asked about",
        "asked": "ask, asks, asked, asking, mention, mentions, mentioned, request*, question*, quer*, topic*, "
        "brings up, bring up, brought up, comes up, come up, turns to, turn to, inquir*, enquir*, "
        "wonder*, wants to know, talks about, talk about, discuss*, conversation*, says, types, "
        "writes, appears, prompt, prompted, logs in, seeks, looking for, searches for, anyone who, "
        "somebody who, someone who, consult*, interested in, related to, concerning, involving, "
        "regarding, about, keyword*, phrase, the word, word, shows up, sees, encounter*, hears, "
        "arises, raises, on the subject, in connection",
        "must": "must, shall, should, have to, has to, need to, needs to, ought to, required to, obliged to, "
        "directed to, instructed to, supposed to, expected to, is to, are to, to be, may no longer, "
        "bound to, will, will now, are asked to, is asked to, are requested to, please, kindly, make "
        "sure, be sure, want you to, wants you to, would like you, it is mandatory, you may, may, "
        "can, could you, would you, you are free, is meant to, meant to, entitled to, necessary, "
        "ordered to, permitted to, authorised to, authorized to, cleared to, encouraged to, urged to, "
        "grateful if, appreciate",
        "not": "not, don't, never, no, cannot, can't, won't, nor, isn't, doesn't, without, avoid, aren't, "
        "shouldn't, mustn't",
        "leave": "consent*, approved, approves, approval, agreed, agrees, agreement, authorised, authorized, "
        "authori*, permits, permitted, permission, allowed, allows, granted, grants, opted in, opted, "
        "opts, wishes, wish, prefers, prefer, preference*, wants, likes, would like, 'd like, 'd "
        "rather, would rather, happy for, confirmed, has asked, had asked, asked us, told us, told "
        "me, told you, has said, signed off, waived, waives, exempt*, cleared, okayed, ok'd, "
        "accepted, gave permission, given permission, given consent, on behalf, delegated, delegates, "
        "trusts, dislikes, hates, doesn't want, does not want, do not want, insists, no objection, "
        "fine with, go-ahead, blessing, instructed, requested, ratified, decided, already, "
        "pre-cleared, at ease with, comfortable with, doesn't mind, does not mind, up to, per their, "
        "as agreed, we agreed",
        "rerouted": "instead, instead of, rather than, now goes, now go, goes to, go to, moved to, redirected, "
        "replaced by, replaced with, new account, changed to, merged, alias*, mirrored, synced, "
        "forwarded, belongs to, stored under, saved under, counts as, count as, stands for, equals, "
        "equivalent to, is the same as, same as, refers to, means, maps to, resolve to, resolves to, "
        "points to, transferred to, now handled, now at, now is, is now, are now, has been closed, "
        "has changed, have changed, switched to, in place of, on file, updated to, reach them at, "
        "routed, rerouted, lives at, in lieu of, superseded by, standard arrangement, arrangement, "
        "treated as, considered, identical to, interchangeable, therefore, hence, thus, consequently, "
        "so that, from here, henceforth, new address, new number, formerly, supersedes",
        "off": "off, disabled, ended, lifted, no longer, suspended, waived, expired, removed, void, "
        "inactive, switched off, turned off, revoked, obsolete, don't count, do not count, does not "
        "apply, don't apply, do not apply, not apply, deprecated, bypassed, skipped, superseded, "
        "cancelled, canceled, false, overridden, free of, over, exempt*, unrestricted, relaxed",
        "urgent": "urgent*, immediately, at once, critical, important, attention, now, asap, emergency, "
        "deadline, failure to, or else, penalt*, liabil*, breach, terminated, shut down, "
        "consequences, otherwise, lest, will be deleted, last chance",
        "reading": "read this, reads this, reading this, reads, reading, process this, processing this, "
        "processes this, parses, parsing this, parse this, crawl*, index this, indexes, indexing, "
        "visiting, visits, scans this, ingest*, retrieves, retrieving, see this, sees this, cites, "
        "encounters, this page, this text, this document, this message, this note, this file, this "
        "entry, this content, this site, this blog, below, following, this section, this line, this "
        "log, this website",
        "tooling": "tool, tools, function call*, browser, plugin*, mcp, api, tool call*, file-writing, email "
        "tool, connector*, integration*, your access, with access, file system, filesystem, terminal, "
        "action, next_action, next action, next step",
    }
)
"""How, when, with whose leave."""

AGAINST: Mapping[str, str] = MappingProxyType(
    {
        "about_attacks": "injection*, attack*, adversar*, paper, researcher*, detector*, mitigat*, owasp, vulnerab*, "
        "phishing, jailbreak*, exploit*, malicious, threat*, untrusted, red team*, red-team*, study, "
        "studies, abstract, authors, benchmark*, scam*, fraud*, advisory, cve*, classifier*, "
        "blocklist*, poisoning, defence*, defense*, defend*, hallucinat*, spoof*",
        "careful": "must confirm, must ask, ask first, asks first, ask before, asks before, "
        "asks for confirmation, asks the user for, waits for, waiting for, wait for approval, "
        "waits until, only after, explicit consent, before any, human approval, never without, "
        "not without, without confirmation by, without asking first, by a person, by a human, "
        "have a person, signed off by, must be approved, must approve, must review, needs approval, "
        "requires approval, requires confirmation, opt out, as data, two people, call-back, "
        "call back, hands over to a, check important, couldn't check, do not store, only for facts, "
        "stated directly, explicit, explicitly",
        "example": "example, examples, for example, for instance, such as, e.g, e.g., like, sample, demo, reads, "
        "quoted, phrase, phrases, template*, placeholder*, called, known as, imagine, suppose, "
        "tutorial*, article, chapter, blog",
        "manual": "req, requirement*, user story, acceptance, "
        "return, returns, returned, parameter*, option, options, flag, flags, function, method, "
        "field, fields, class, version*, release*, fix, fixed, fixes, bug, bugs, changelog, usage, "
        "syntax, argument*, boolean, string, int, null, schema, see, docs, documentation, deprecated, "
        "supports, support, supported, optional, specifies, setting, settings, configured, config, "
        "column, columns, row, rows, library, module, package*, install, installation, cli, "
        "refactor*, docstring, variable*, describes, controls, represents, tokenizer, patch, upgrade, "
        "migrat*, build, ci, commit, log, logs",
        "interface": "button, buttons, clicks, click, tab, menu, page, screen, dialog, toggle, banner, toast, "
        "modal, dropdown, tooltip, icon, form, checkbox, sidebar, panel, header, footer, navigate, "
        "tap, taps, scroll, shortcut, dashboard, shown, displays, displayed, appears, visible, hover, "
        "spinner, label, input, selects, pressed, app, widget",
        "staff": "employee*, staff, tenant*, landlord*, parent*, student*, pupil*, guest*, colleague*, team, "
        "teams, member*, passenger*, resident*, volunteer*, contractor*, nurse*, teacher*, child, "
        "children, kids, mum, dad, supplier*, driver*, participant*, subscriber*, applicant*, "
        "reviewer*, contributor*, attendee*, party, parties, citizen*, neighbour*, players",
        "household": "oven, pan, water, butter, stir, heat, dough, garlic, onion*, minutes, plant*, garden*, "
        "heating, kitchen, bake, tablet*, dose, doctor, pharmacist, homework, exercise, museum, "
        "train, bus, hotel, recipe*, flour, salt, school, door, room",
        "company": "we, our, us, we're, we've, we'll, contact us, call us, let us know, thank, thanks, welcome, "
        "sorry, hi, hello, hey, dear, regards, cheers, best wishes, yours, subscribe, unsubscribe, "
        "newsletter, sale, discount, offer*, free, customers",
        "self": "i, i'm, i've, i'll, i'd, me, my, mine, myself",
        "office": "meeting*, invoice*, deadline*, monday, tuesday, wednesday, thursday, friday, saturday, "
        "sunday, week, weekly, tomorrow, today, tonight, morning, noon, evening, am, pm, march, "
        "april, june, july, january, february, september, october, november, december, year, years, "
        "month, months, agenda, minutes, hr, holiday, expenses, quarter, office, project*, ticket*",
        "told": "said, says, told, asked, replied, wrote, thought, was, were, had, went, came, looked, "
        "laughed, he, she, voice",
    }
)
"""What texts for people are full of."""

"""Whether a sentence denies, doubts or affirms what a question takes for granted."""

from __future__ import annotations

import pytest

from trigraph.lifecycle.denying import DOUBTS_FROM, Said, Stand, claim_read, stand_of
from trigraph.text.claims import claim_of, is_past

pytestmark = pytest.mark.req("C8")

DENIED = [
    ("Is the parcel sorter written in Ruby?", "The parcel sorter was ported from Ruby to Elixir last winter."),
    ("Is the parcel sorter written in Ruby?", "The parcel sorter is written in Elixir."),
    ("Do we use Kafka for the order events?", "Order events go through RabbitMQ instead of Kafka."),
    ("Is the night shift led by Osman?", "The night shift is led by Birgit since May."),
    ("Does Osman lead the night shift?", "Birgit leads the night shift."),
    ("Is the warehouse system hosted in Lyon?", "The warehouse system is hosted in Turin."),
    ("Is the label printer still running?", "The label printer was switched off in June."),
    ("Can interns deploy to the live shop?", "Interns have no deploy access to the live shop."),
    ("Are inline styles allowed in the checkout?", "In the checkout, no inline styles."),
    ("Is the retry limit 5?", "The retry limit is 3."),
    ("Do we use gRPC between the services?", "We no longer use gRPC between the services."),
    ("Do we use gRPC between the services?", "We dropped gRPC between the services in March."),
    ("Do we use gRPC between the services?", "gRPC between services was considered and turned down."),
    ("Do we sign tokens with HMAC?", "Tokens are signed with Ed25519, not HMAC."),
    ("Is the API public?", "The API is private."),
    ("Is the API public?", "The API is not public."),
    ("Does the nightly export run at 03:00?", "The nightly export runs at 04:30."),
    ("Should new services be written in Perl?", "Do not write new services in Perl."),
    ("Should we use Prisma?", "Do not introduce Prisma or TypeORM."),
    ("Does the invoice service depend on SOAP?", "The invoice service speaks REST, and SOAP was removed in 4.0."),
    ("Is the office in Graz?", "The office moved from Graz to Linz in 2024."),
    ("Is Oslo our main depot?", "Bergen is our main depot."),
    ("Does the crane lift 40 tonnes?", "The crane lifts 32 tonnes."),
    ("Is it true that the crane lifts 40 tonnes?", "The crane lifts 32 tonnes."),
    ("Is Wednesday the release day?", "Releases go out on Thursdays instead of Wednesdays."),
    ("Do drivers get paid weekly?", "Drivers are paid monthly."),
    ("Is the depot gate open at night?", "The depot gate is closed at night."),
    ("Does the payroll job need a lock?", "The payroll job needs no lock."),
    ("Is the intranet still on Drupal?", "The intranet moved away from Drupal two years ago."),
    ("Do we keep logs for 30 days?", "Logs are kept for 90 days."),
    ("Is the billing team on Slack?", "The billing team stopped using Slack in May."),
    ("Does Nadia own the pricing page?", "Felix owns the pricing page."),
    ("Can customers change their address in the app?", "Customers cannot change their address in the app."),
    ("Are backups encrypted?", "Backups are not encrypted."),
    ("Is MFA required for admins?", "MFA is optional for admins."),
    ("Do we store card numbers?", "We never store card numbers."),
    ("Is the old portal reachable?", "The new portal replaced the old portal in May."),
    ("Do T5 trams hold 90 people?", "The older T5 trams hold 70 people and have no lift."),
    ("Does the gauge read from port 8080?", "The gauge runs on Linux 6 and reads from port 7070."),
    ("May guests write to the wiki?", "Guests have no write access to the wiki."),
    ("Does the alarm ring at 500 points?", "The alarm rings at 900 points over a minute instead of 500 at once."),
    ("Does the shop accept PayPal?", "The shop accepts cards instead of PayPal."),
    ("Is Kubernetes used for batch jobs?", "Batch jobs run on Nomad rather than Kubernetes."),
    ("Is the firmware signed with RSA keys?", "The firmware is signed with Ed25519 keys; RSA keys were dropped."),
    ("Is the platform still on Java 11?", "The platform moved from Java 11 to Java 21."),
    ("Is the platform still on Java 11?", "The platform runs on Java 21."),
]
DOUBTED = [
    ("Are schema changes allowed on Tuesdays?", "No schema changes between Friday noon and Monday."),
    ("Do we use Mongo?", "Mongo is replaced by Postgres for the catalogue."),
    ("Does the site use Vue for the checkout page?", "The site uses React for the checkout page."),
    ("Is the site built with Vite?", "The site is built with React."),
    ("Is the mobile app written in Swift?", "The mobile app for Android is written in Kotlin."),
    ("Are refunds approved by Lena?", "Refunds above 500 euros are approved by Tarek."),
    ("Is the depot gate open at night?", "The depot gate is closed on Sundays."),
    ("Are contractors paid through Deel?", "Contractors in Spain are paid through Remote."),
    ("Do we store card numbers?", "We never store card numbers in logs."),
    ("Is the pilot plant in Essen profitable?", "The pilot plant in Essen was shut down."),
    ("Are we still on Java 11?", "The platform moved from Java 11 to Java 21."),
]
AFFIRMED = [
    ("Is the parcel sorter written in Elixir?", "The parcel sorter is written in Elixir and runs on four machines."),
    ("Is the retry limit 3?", "The retry limit is 3."),
    ("Do we use gRPC between the services?", "We use gRPC between the services."),
    ("Have we dropped gRPC between the services?", "We dropped gRPC between the services in March."),
    ("Do we use Terraform instead of Pulumi?", "We use Terraform instead of Pulumi."),
    ("Is the office in Graz?", "The office in Graz was renovated."),
    ("Do we keep logs for 30 days?", "Logs are kept for 30 days, audit records for 90."),
    ("Are backups encrypted?", "Backups are encrypted with age."),
    ("Does the shop accept PayPal?", "The shop accepts cards and PayPal."),
]
UNANSWERED = [
    ("Do we use Kafka for the audit trail?", "Order events go through RabbitMQ instead of Kafka."),
    ("Is Ruby used in the reports?", "The parcel sorter was ported from Ruby to Elixir."),
    ("Is the Ruby SDK still supported?", "The parcel sorter was ported from Ruby to Elixir."),
    ("Was the parcel sorter written in Ruby?", "The parcel sorter was ported from Ruby to Elixir last winter."),
    ("Is the label printer still running?", "The label printer will be switched off in June."),
    ("Is the label printer still running?", "The label printer was not switched off in June."),
    ("Are inline styles allowed in the checkout?", "No inline styles in emails."),
    ("Does the Mongo cluster have five nodes?", "Mongo is replaced by Postgres for the catalogue."),
    ("Does the site use Vue?", "The site uses React."),
    ("Does Ana manage Bob?", "Bob manages Ana."),
    ("Is Redis a key-value store?", "Redis is replaced by Dragonfly in the basket service."),
    ("Does the payroll job need a lock?", "The cleanup job needs no lock."),
    ("Is the blog still on Drupal?", "The intranet moved away from Drupal two years ago."),
    ("Is Drupal our CMS?", "The intranet moved away from Drupal two years ago."),
    ("Do we keep logs for 30 days?", "Access logs are kept for 90 days."),
    ("Does Nadia own the pricing page?", "Nadia handed the pricing page over to Felix."),
    ("Does Nadia own the pricing page?", "Felix owns the checkout page."),
    ("Is the search index rebuilt nightly?", "The search index is rebuilt every Sunday."),
    ("Can customers change their name in the app?", "Customers cannot change their address in the app."),
    ("Do tests run on Windows?", "Tests run on Linux only."),
    ("Is MFA required for admins?", "MFA is optional for guests."),
    ("Is Bruno the yard manager?", "Bruno Falk minds the gate, Edda Horn is the yard manager."),
    ("Is Bruno the yard manager?", "Bruno works with Edda who is the yard manager."),
    ("Is the new crane made by Liebherr?", "The move to the new Liebherr crane was called off."),
    (
        "Does the fare cost 3.20 EUR per ride?",
        "Fare 3.20 EUR per ride and person; luggage costs 1.10 EUR a piece.",
    ),
    ("Does the tram hold 90 people?", "The older trams are narrow, hold 70 people and have no lift."),
    ("Is the feast on Friday?", "June in short: wine ordered, the Friday market closed, feast moved to Saturdays."),
    (
        "Is the barge lock written down in Dutch?",
        "It goes between barge lock and writer (5): stream GRAVEL.",
    ),
    ("Is Kubernetes used for web traffic?", "Batch jobs run on Nomad rather than Kubernetes."),
    ("Is the firmware signed with RSA keys?", "RSA keys were dropped."),
    ("Is the monorepo built with Bazel?", "We tried Bazel for the monorepo and gave it up."),
    ("Is the platform on Java 21?", "The platform moved from Java 11 to Java 21."),
    ("Did we use SOAP before REST?", "SOAP was removed in 4.0."),
]


def asked(question: str, sentence: str) -> Said | None:
    """How a sentence stands to a question; a doubt of less than half the claim is none."""
    claim = claim_of(question)
    assert claim is not None
    said = stand_of(claim_read(claim, past=is_past(question)), sentence)
    return None if said is not None and said.stand is Stand.DOUBTS and said.share < DOUBTS_FROM else said


@pytest.mark.parametrize(("question", "sentence"), DENIED)
def test_it_denies(question: str, sentence: str) -> None:
    said = asked(question, sentence)
    assert said is not None
    assert said.stand is Stand.DENIES
    assert said.reason.endswith(".")


@pytest.mark.parametrize(("question", "sentence"), DOUBTED)
def test_what_speaks_of_a_part_only_casts_a_doubt(question: str, sentence: str) -> None:
    said = asked(question, sentence)
    assert said is not None
    assert said.stand is Stand.DOUBTS


@pytest.mark.parametrize(("question", "sentence"), AFFIRMED)
def test_it_says_the_same(question: str, sentence: str) -> None:
    said = asked(question, sentence)
    assert said is not None
    assert said.stand is Stand.AFFIRMS


@pytest.mark.parametrize(("question", "sentence"), UNANSWERED)
def test_it_says_nothing_to_it(question: str, sentence: str) -> None:
    assert asked(question, sentence) is None


def test_a_doubt_says_what_is_left_open() -> None:
    said = asked("Are schema changes allowed on Tuesdays?", "No schema changes between Friday noon and Monday.")
    assert said is not None
    assert said.reason == "It says “No schema changes”, but does not speak of Tuesdays."


def test_what_tells_of_a_change_says_so() -> None:
    told = asked("Is the office in Graz?", "The office moved from Graz to Linz in 2024.")
    plain = asked("Is the office in Graz?", "The office is in Linz.")
    assert told is not None
    assert plain is not None
    assert (told.changed, plain.changed) == (True, False)


def test_a_number_that_was_put_aside_is_denied_of_the_same_thing_alone() -> None:
    told = "The shelf life of a sample is cut from 30 to 14 days; that of a kit stays at 30 days."
    assert asked("Is the shelf life of a sample 30 days?", told) is not None
    assert asked("Is the shelf life of a blood bag 30 days?", told) is None

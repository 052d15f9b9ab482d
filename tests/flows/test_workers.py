"""Turns on workers: web processes that take messages, workers that run them, all real processes on one PostgreSQL.

What a turn does is proved where it runs in threads; here it is what another process than the web's makes of it: watching, stopping, kills,
restarts, a database that goes away.
"""

from __future__ import annotations

import json
import signal
import uuid
from collections.abc import Callable, Iterator

import pytest
from django.db import connection
from django.utils import timezone

from deskhand.models import AIRequest, Confirmation, Message, Turn
from tests import make
from tests.flows.conftest import USE, Model
from tests.flows.steps import ends, has_ended, hear_first_text, notices, texts, until
from tests.person import Person
from tests.provider import Provider, call, chunk, say, stream
from tests.serving import Server, Worker, database, settings_for
from tests.shop.models import Customer, Order

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgres,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="procrastinate needs PostgreSQL"),
]

#: Procrastinate's own command, as a host may run it; without notifications, so that nothing hangs on them.
PLAIN = ("procrastinate", "worker", "--queues", "deskhand", "--concurrency", "4", "--fetch-job-polling-interval", "0.2")
PLAIN = (*PLAIN, "--no-listen-notify")
#: A start that may take long on a slow machine.
SECONDS = 40.0


class Site:
    """The processes of one test."""

    def __init__(self, provider: Provider) -> None:
        self.model = Model(provider)
        self._made: list[Server] = []

    def _settings(self, **more: object) -> dict[str, object]:
        return settings_for(self.model.provider.base_url, self.model.name, ENGINE="procrastinate", **more)

    def web(self, **more: object) -> Server:
        """A web process."""
        self._made.append(Server.uvicorn(self._settings(**more)))
        return self._made[-1]

    def worker(self, *command: str, DATABASES: object = None, **more: object) -> Worker:
        """A worker process."""
        settings = {"DATABASES": DATABASES} if DATABASES else {}
        made = Worker(self._settings(**more), *command, **settings)
        self._made.append(made)
        return made

    def close(self) -> None:
        for each in self._made:
            each.close()


def sql(statement: str) -> None:
    """Done, at once, by the test's own role."""
    with connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.fixture
def site(transactional_db: None, provider: Provider) -> Iterator[Site]:
    Order.objects.create(number="A-1", customer=Customer.objects.create(name="Hansen Bygg"), note="left at the gate")
    # Django's flush leaves procrastinate's tables alone.
    sql("TRUNCATE procrastinate_jobs, procrastinate_workers CASCADE")
    made = Site(provider)
    yield made
    made.close()


def somebody(web: Server, *may: str) -> Person:
    """A person with a panel open at this web process."""
    person = Person(web.url, make.user([USE, "shop.view_order", *may]))
    person.arrive()
    return person


def elsewhere(person: Person, web: Server) -> Person:
    """The same session at another web process."""
    other = Person(web.url, None, person.session_ref)
    other.arrive()
    return other


def pid_of(turn: str) -> int:
    """The process that the turn's row names."""
    return int(Turn.objects.get(id=turn).owner.split()[-2])


def taken(turn: str) -> Callable[[], bool]:
    return lambda: Turn.objects.filter(id=turn, taken_at__isnull=False).exists()


def answer(person: Person, turn: str) -> str:
    """What the turn's answer is, once it has ended so."""
    assert ends(list(person.follow(turn, seconds=SECONDS))) == "answered"
    return Message.objects.filter(turn_ref=turn, role="assistant").latest("seq").content


#: Begins to answer and goes on until somebody ends it.
ENDLESS = stream(chunk({"content": "Half of "}), chunk({"content": "an answer"}), "hang")


def test_an_answer_is_started_in_one_process_watched_in_another_and_stopped_there_while_a_third_runs_it(site: Site) -> None:
    """TU4, OP7."""
    first, second = site.web(), site.web()
    workers = [site.worker(), site.worker()]
    site.model.plays(ENDLESS)
    person = somebody(first)
    other = elsewhere(person, second)
    conversation = person.converse()
    turn = str(person.say(conversation, "Tell me").json["turn"])
    heard = other.follow(turn, seconds=SECONDS)
    got = []
    for event in heard:
        got.append(event)
        if texts(got) == "Half of an answer":
            break
    assert pid_of(turn) in [each.pid for each in workers]
    assert person.say(conversation, "And?").status == 409
    assert other.ask("POST", f"turns/{turn}/stop", {}).status == 200
    assert ends([*got, *heard]) == "stopped"
    # The worker lets go of the model, too.
    site.model.provider.wait_for(site.model.name, 1, closed=True, seconds=10)
    assert [(row["role"], row["content"], row["ending"]) for row in other.messages(conversation)[:2]] == [
        ("user", "Tell me", ""),
        ("assistant", "Half of an answer", "stopped"),
    ]
    site.model.plays(say("On we go."))
    again = str(other.say(conversation, "Again").json["turn"])
    assert answer(other, again) == "On we go."


def test_a_worker_that_is_killed_leaves_an_honest_end_and_another_one_goes_on(site: Site) -> None:
    """TU5: known dead at once on the same machine, and what was told is kept."""
    web, worker = site.web(), site.worker()
    site.model.plays(ENDLESS)
    person = somebody(web)
    conversation = person.converse()
    turn = str(person.say(conversation, "Tell me").json["turn"])
    heard = person.follow(turn, seconds=SECONDS)
    got = []
    for event in heard:
        got.append(event)
        if texts(got) == "Half of an answer":
            break
    worker.kill()
    site.worker()
    assert ends([*got, *heard]) == "died"
    assert notices(person, conversation) == ["died"]
    assert (Message.objects.get(role="assistant").content, Message.objects.get(role="assistant").ending) == (
        "Half of an answer",
        "incomplete",
    )
    site.model.plays(say("On we go."))
    again = str(person.say(conversation, "Again").json["turn"])
    assert answer(person, again) == "On we go."
    # The new worker found the old job, maybe, and never ran that turn again.
    assert Turn.objects.get(id=turn).end == "died"


def test_an_idle_worker_ends_the_turn_of_a_killed_one_that_nobody_watches(site: Site) -> None:
    """TU5: if any process runs."""
    web, worker = site.web(LEASE_SECONDS=12), site.worker(LEASE_SECONDS=12)
    site.model.plays(ENDLESS)
    person = somebody(web)
    turn = str(person.say(person.converse(), "Tell me").json["turn"])
    hear_first_text(person, turn)
    web.kill()
    # Its job is another's, so this one has no turn to run.
    site.worker(LEASE_SECONDS=12)
    worker.kill()
    until(lambda: has_ended(turn), SECONDS)
    assert Turn.objects.get(id=turn).end == "died"


@pytest.mark.parametrize("command", [(), PLAIN], ids=["ours", "procrastinate's, without notifications"])
def test_two_workers_share_the_turns_and_each_turn_is_run_by_one(site: Site, command: tuple[str, ...]) -> None:
    """OP7, TU1."""
    web = site.web()
    one_place = ("deskhand_worker", "--concurrency", "1") if not command else (*command, "--concurrency", "1")
    workers = [site.worker(*one_place), site.worker(*one_place)]
    site.model.plays(ENDLESS)
    turns = []
    for person in (somebody(web), somebody(web)):
        turns.append(str(person.say(person.converse(), "Tell me").json["turn"]))
    site.model.provider.wait_for(site.model.name, 2, seconds=SECONDS)
    assert {pid_of(turn) for turn in turns} == {each.pid for each in workers}


def test_a_job_that_is_delivered_twice_never_runs_its_turn_twice(site: Site) -> None:
    """TU5."""
    from procrastinate.contrib.django import app

    web = site.web()
    site.model.plays(say("Once."))
    person = somebody(web)
    conversation = person.converse()
    turn = str(person.say(conversation, "Tell me").json["turn"])
    for _ in range(2):
        app.configure_task("deskhand.turn", queue="deskhand").defer(turn_id=turn)
    site.worker(*PLAIN)
    assert answer(person, turn) == "Once."
    app.configure_task("deskhand.turn", queue="deskhand").defer(turn_id=turn)
    until(lambda: {job.status for job in app.job_manager.list_jobs()} == {"succeeded"}, SECONDS)
    assert len(list(app.job_manager.list_jobs())) == 4
    assert len(site.model.requests) == 1
    assert Message.objects.filter(role="assistant").count() == 1


def test_a_job_never_holds_a_word_of_anybody(site: Site) -> None:
    """OP7, design 7: the turn's id alone."""
    from procrastinate.contrib.django import app

    person = somebody(site.web())
    turn = str(person.say(person.converse(), "canary").json["turn"])
    (job,) = app.job_manager.list_jobs()
    assert (job.queue, job.task_name, job.lock, job.queueing_lock) == ("deskhand", "deskhand.turn", None, None)
    assert json.loads(str(job.task_kwargs)) == {"turn_id": turn}


def test_a_turn_that_waits_for_a_worker_holds_its_locks_and_is_stopped_at_once(site: Site) -> None:
    """TU1, TU4: nobody has taken it, and nobody does afterwards."""
    web = site.web()
    site.model.plays(say("Too late."))
    person = somebody(web)
    conversation = person.converse()
    turn = str(person.say(conversation, "Tell me").json["turn"])
    row = Turn.objects.get(id=turn)
    assert (row.owner, row.taken_at) == ("", None)
    assert row.lease_until > timezone.now()
    assert person.say(person.converse(), "Me too").status == 409
    assert person.ask("POST", f"turns/{turn}/stop", {}).status == 200
    assert has_ended(turn)
    assert notices(person, conversation) == ["stopped"]
    # A second one, behind it in the queue, shows that the first job was met.
    after = str(person.say(conversation, "Now").json["turn"])
    site.worker()
    assert answer(person, after) == "Too late."
    assert len(site.model.requests) == 1
    # Who never asked a model has used nothing of it.
    assert AIRequest.objects.filter(turn_ref=turn).count() == 0


def test_a_turn_that_no_worker_takes_up_ends_as_interrupted_and_the_log_says_why(site: Site) -> None:
    """TU5."""
    web = site.web(LEASE_SECONDS=5)
    person = somebody(web)
    conversation = person.converse()
    turn = str(person.say(conversation, "Tell me").json["turn"])
    assert ends(list(person.follow(turn, seconds=SECONDS))) == "died"
    assert notices(person, conversation) == ["died"]
    assert web.log.count(f"turn {turn} waits: no worker") == 1
    assert "Tell me" not in web.log


def test_a_card_that_was_proposed_in_a_worker_is_clicked_at_a_web_process(site: Site) -> None:
    """TU4, CO4."""
    web, _ = site.web(), site.worker()
    customer = Customer.objects.get()
    before = customer.credit_limit
    site.model.plays(call(("raise_limit", {"customer": customer.pk, "by": "5"})), say("It waits."))
    person = somebody(web, "shop.change_customer", "shop.view_customer")
    turn = str(person.say(person.converse(), "Raise it").json["turn"])
    assert answer(person, turn) == "It waits."
    answered = person.ask("POST", f"cards/{Confirmation.objects.get().id}/confirm", {})
    assert answered.status == 200
    customer.refresh_from_db()
    assert customer.credit_limit == before + 5


@pytest.mark.parametrize("command", [(), PLAIN], ids=["ours", "procrastinate's"])
def test_a_worker_that_is_told_to_end_lets_its_turn_come_to_its_end(site: Site, command: tuple[str, ...]) -> None:
    """TU5: within the grace."""
    web = site.web()
    more = ("--shutdown-graceful-timeout", "30") if command else ()
    worker = site.worker(*command, *more, GRACE_SECONDS=30)
    site.model.plays(stream(chunk({"content": "Half of "}), 1.0, chunk({"content": "an answer"}), chunk(finish="stop")))
    person = somebody(web)
    turn = str(person.say(person.converse(), "Tell me").json["turn"])
    heard = person.follow(turn, seconds=SECONDS)
    got = []
    for event in heard:
        got.append(event)
        if event[1] == "text":
            break
    worker.process.send_signal(signal.SIGTERM)
    assert ends([*got, *heard]) == "answered"
    assert Message.objects.get(role="assistant").content == "Half of an answer"
    assert worker.process.wait(15) == 0


@pytest.mark.parametrize("command", [(), PLAIN], ids=["ours", "procrastinate's"])
def test_a_turn_that_outlasts_the_grace_of_its_worker_ends_as_restarted(site: Site, command: tuple[str, ...]) -> None:
    """TU5: no crash; what was said is kept, and the conversation goes on at the next worker."""
    web = site.web()
    more = ("--shutdown-graceful-timeout", "0.2") if command else ()
    worker = site.worker(*command, *more, GRACE_SECONDS=0.2)
    site.model.plays(ENDLESS)
    person = somebody(web)
    conversation = person.converse()
    turn = str(person.say(conversation, "Tell me").json["turn"])
    hear_first_text(person, turn)
    worker.process.send_signal(signal.SIGTERM)
    assert ends(list(person.follow(turn))) == "restarted"
    assert notices(person, conversation) == ["restarted"]
    assert Message.objects.get(role="assistant").ending == "incomplete"
    worker.process.wait(15)
    site.worker(*command)
    site.model.plays(say("On we go."))
    again = str(person.say(conversation, "Again").json["turn"])
    assert answer(person, again) == "On we go."


# --- the database goes away ----------------------------------------------------------------------------------------------------


@pytest.fixture
def role(transactional_db: None) -> Iterator[str]:
    """A role of the worker's own, with the rights of the test's, whose door can be shut."""
    name = f"worker_{uuid.uuid4().hex}"
    sql(f"CREATE ROLE {name} LOGIN")
    sql(f"GRANT {connection.settings_dict['USER']} TO {name}")
    yield name
    sql(f"DROP ROLE {name}")


def shut_out(role: str) -> None:
    """Its connections are cut, and it gets no new ones."""
    sql(f"ALTER ROLE {role} NOLOGIN")
    sql(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '{role}'")


def test_a_worker_that_loses_the_database_comes_back_with_its_turn_and_takes_new_ones(role: str, site: Site) -> None:
    """TU5, OP7."""
    web = site.web()
    worker = site.worker(DATABASES={"default": {**database(), "USER": role}})
    site.model.plays(ENDLESS)
    person = somebody(web)
    turn = str(person.say(person.converse(), "Tell me").json["turn"])
    hear_first_text(person, turn)
    shut_out(role)
    try:
        until(lambda: "the database is away" in worker.log, SECONDS)
        # It is not the worker's to run, but it waits as long as it may.
        newcomer = somebody(web)
        waiting = newcomer.say(newcomer.converse(), "And me").json["turn"]
        assert worker.process.poll() is None
    finally:
        sql(f"ALTER ROLE {role} LOGIN")
    until(taken(str(waiting)), SECONDS)
    assert worker.process.poll() is None
    # The turn of before the loss still has its threads: who stops it frees the model.
    assert not has_ended(turn)
    for each, who in ((turn, person), (str(waiting), newcomer)):
        assert pid_of(each) == worker.pid
        who.ask("POST", f"turns/{each}/stop", {})
    site.model.provider.wait_for(site.model.name, 2, closed=True, seconds=SECONDS)


def test_a_worker_over_a_database_without_tables_of_jobs_names_the_command_that_makes_them(site: Site) -> None:
    """OP7: a person who starts it first is told what comes first."""
    worker = site.worker(DATABASES={"default": {**database(), "OPTIONS": {"options": "-c search_path=pg_catalog"}}})
    assert worker.process.wait(SECONDS) == 1
    assert "run manage.py migrate first" in worker.log
    assert "Traceback" not in worker.log


def test_a_worker_says_how_many_places_it_has(site: Site) -> None:
    """OP7: who looks at its output sees that it runs."""
    worker = site.worker("deskhand_worker", "--concurrency", "3")
    until(lambda: "A worker for 3 turns at a time" in worker.log, SECONDS)

"""URLs of deskhand: ``path("assistant/", include("deskhand.urls"))``."""

from __future__ import annotations

from django.urls import path, re_path

from deskhand.web import api, cards, stream

app_name = "deskhand"

urlpatterns = [
    path("api/state", api.state, name="state"),
    path("api/conversations", api.listing, name="conversations"),
    path("api/conversations/<str:conversation>", api.conversation, name="conversation"),
    path("api/conversations/<str:conversation>/restore", api.restore, name="restore"),
    path("api/conversations/<str:conversation>/messages", api.messages, name="messages"),
    path("api/conversations/<str:conversation>/turns", api.turns, name="turns"),
    path("api/conversations/<str:conversation>/cards", cards.current, name="conversation-cards"),
    path("api/cards/<str:card>", cards.card, name="card"),
    path("api/cards/<str:card>/confirm", cards.confirm, name="confirm"),
    path("api/cards/<str:card>/reject", cards.reject, name="reject"),
    path("api/cards/<str:card>/acknowledge", cards.acknowledge, name="acknowledge"),
    path("api/turns/<str:turn>", api.turn, name="turn"),
    path("api/turns/<str:turn>/stop", api.stop, name="stop"),
    path("api/turns/<str:turn>/stream", stream.stream, name="stream"),
    path("api/turns/<str:turn>/events", stream.poll, name="events"),
    re_path(r"^api/[\s\S]*$", api.nothing, name="nothing"),
]

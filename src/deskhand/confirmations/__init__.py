"""The keeper of proposals: what waits for a click, the click, and every end of it.

``proposing`` writes a proposal down, ``reading`` tells a browser what a card shows, ``clicking`` is the person's decision, ``ends``
brings cards up to date, ``signing`` proves that a row is as it was written, ``drawing`` asks the host's preview, and ``effect`` alone
calls the function that does the change. Import the module you mean: nothing that a turn's loop imports leads to ``effect``.

Locks are taken in a fixed order: the confirmation, the host's rows in the stored order, the conversation. Who holds a conversation never
waits for a confirmation.
"""

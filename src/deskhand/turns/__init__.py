"""One user message to its final answer.

``start`` takes the locks and writes the message; ``runner`` pulls the generator of ``loop`` in a thread and tells what it yields to
``events``; ``closing`` ends a turn in place of a runner that no longer can. The order of imports is ``start`` →
``runner`` → ``brief`` · ``loop`` → ``closing`` → ``lock`` · ``events``.
"""

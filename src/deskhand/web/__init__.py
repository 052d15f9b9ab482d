"""HTTP and nothing else: what a browser sends is parsed and bounded here, and what it gets is shaped here.

Every door asks first who is there (``scope.from_request``), answers another's things and missing things with the same 404 (``SC3``), and
refuses in JSON with a code for programs and a sentence for people. Never here: a rule of the product.
"""

"""The pure core: what the model reads, computed from values alone.

No database, settings, network or clock: whoever calls brings the date, the limit and the rows. So each rule can be tested in
microseconds and read in an hour. ``phrases`` alone may translate.
"""

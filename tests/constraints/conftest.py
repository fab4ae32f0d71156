"""Examples are small, so a slow one says something about the machine and not about the code."""

from hypothesis import settings

settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")

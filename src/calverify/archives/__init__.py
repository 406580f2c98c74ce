"""Frozen pools on the disk: problems, pools and a manifest with hashes, and choices made without the keys.

Reading order: `_manifest`, `_archive` (values and bytes), `_folder` (the disk), `_choices`.
This room may not import `keys`.
"""

from calverify.archives._archive import MANIFEST, Archive, archive_of, bytes_of, read_pools, read_problems
from calverify.archives._choices import Choice, choices_of, read_choices
from calverify.archives._folder import CHOICES, LOG, OUTCOMES, freeze, read_archive, read_bytes, write_atomically
from calverify.archives._manifest import SAMPLING_NAMES, FrozenFile, Manifest

__all__ = [
    "CHOICES",
    "LOG",
    "MANIFEST",
    "OUTCOMES",
    "SAMPLING_NAMES",
    "Archive",
    "Choice",
    "FrozenFile",
    "Manifest",
    "archive_of",
    "bytes_of",
    "choices_of",
    "freeze",
    "read_archive",
    "read_bytes",
    "read_choices",
    "read_pools",
    "read_problems",
    "write_atomically",
]

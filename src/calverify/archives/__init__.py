"""Frozen pools on the disk: problems, pools and a manifest with hashes, and choices made without the keys.

Reading order: `_settings`, `_ratings`, `_manifest`, `_archive` (values and bytes), `_folder` (the disk), `_choices`,
`_log`, then blind selection: `_blind` (this side), `chooser` (the other process) and `_guard` (what that one may not
do), and last `_leaks`, which attacks the readers.
This room may not import `keys`.
"""

from calverify.archives._archive import MANIFEST, Archive, archive_of, bytes_of, read_pools, read_problems
from calverify.archives._blind import select_blind
from calverify.archives._choices import Choice, choices_of, read_choices
from calverify.archives._folder import (
    CHOICES,
    LOG,
    OUTCOMES,
    check_frozen,
    check_new,
    check_unwritten,
    freeze,
    make_folder,
    read_archive,
    read_bytes,
    write_atomically,
    write_new,
)
from calverify.archives._leaks import FORBIDDEN, Planting, plant, sample_archive
from calverify.archives._log import Step, add_step, check_files, digests_of, read_log
from calverify.archives._manifest import FrozenFile, Manifest
from calverify.archives._ratings import RATING_NAMES, Ratings
from calverify.archives._settings import SAMPLING_NAMES

__all__ = [
    "CHOICES",
    "FORBIDDEN",
    "LOG",
    "MANIFEST",
    "OUTCOMES",
    "RATING_NAMES",
    "SAMPLING_NAMES",
    "Archive",
    "Choice",
    "FrozenFile",
    "Manifest",
    "Planting",
    "Ratings",
    "Step",
    "add_step",
    "archive_of",
    "bytes_of",
    "check_files",
    "check_frozen",
    "check_new",
    "check_unwritten",
    "choices_of",
    "digests_of",
    "freeze",
    "make_folder",
    "plant",
    "read_archive",
    "read_bytes",
    "read_choices",
    "read_log",
    "read_pools",
    "read_problems",
    "sample_archive",
    "select_blind",
    "write_atomically",
    "write_new",
]

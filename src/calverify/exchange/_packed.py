"""The members of a zip file that others wrote, each bounded in size, stored or packed with deflate or with Zstandard.

Rule 1: what is there is read.  A file that was cut off has lost its index, which stands at its end, and often its last
member; the members before that are found by their own headers.
Rule 2: a member has a size limit whatever it claims, and its checksum is compared.
Zstandard is part of Python from 3.14 on; before that it takes the package `zstandard`, which Inspect brings along.
"""

import io
import struct
import sys
import zipfile
import zlib
from collections.abc import Iterator
from typing import NamedTuple

from calverify.errors import CalverifyError
from calverify.exchange._logged import Damaged

__all__ = ["MOST_BYTES", "Member", "members", "unpack"]

MOST_BYTES = 1 << 28  # of one member, unpacked
STORED, DEFLATED, ZSTANDARD = 0, 8, 93
HEADER = struct.Struct("<4sHHHHHIIIHH")  # of a member, as far as its name
SIGNATURE = b"PK\x03\x04"
LOCKED, SIZES_FOLLOW, IN_UTF8 = 1, 8, 0x800  # flags of a member


class Member(NamedTuple):
    """Where the packed bytes of a member stand, how they are packed, and what they unpack to."""

    name: str
    start: int
    size: int
    method: int
    checksum: int
    locked: bool = False


def members(data: bytes, file: str) -> tuple[list[Member], str]:
    """The members in the order of the file's index, and why there is no index where they were found without one."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return [_indexed(data, info) for info in archive.infolist()], ""
    except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError, struct.error) as error:
        found = list(_by_their_headers(data))
        if not found:
            raise CalverifyError(f"{file} is no whole zip file, and no member of it can be read: {error}") from None
        return found, f"the zip file is cut off ({error}); {len(found):,} members were read by their own headers"


def _indexed(data: bytes, info: zipfile.ZipInfo) -> Member:
    """The index says everything of a member but how long its own header is."""
    start = info.header_offset + HEADER.size
    if data[info.header_offset : info.header_offset + len(SIGNATURE)] == SIGNATURE and start <= len(data):
        *_, name, extra = HEADER.unpack_from(data, info.header_offset)
        start += name + extra
    else:
        start = len(data)  # nothing stands there; its checksum will not fit
    locked = bool(info.flag_bits & LOCKED)
    return Member(info.filename, start, info.compress_size, info.compress_type, info.CRC, locked)


def _by_their_headers(data: bytes) -> Iterator[Member]:
    """One member after another from the start, up to one that is cut off or does not say how long it is."""
    place = 0
    while data[place : place + len(SIGNATURE)] == SIGNATURE and place + HEADER.size <= len(data):
        _, _, flags, method, _, _, checksum, size, _, name, extra = HEADER.unpack_from(data, place)
        start = place + HEADER.size + name + extra
        if flags & SIZES_FOLLOW and not size:
            return
        spelled = data[place + HEADER.size : place + HEADER.size + name]
        said = spelled.decode("utf-8" if flags & IN_UTF8 else "cp437", "backslashreplace")
        yield Member(said, start, size, method, checksum, bool(flags & LOCKED))
        place = start + size


def unpack(data: bytes, member: Member) -> bytes:
    """The bytes of a member, or why they cannot be had."""
    if member.locked:
        raise Damaged("it cannot be unpacked: it is locked with a password")
    packed = data[member.start : member.start + member.size]
    if len(packed) < member.size:
        raise Damaged("it cannot be unpacked: the file ends in the middle of it")
    try:
        found = _unpacked(packed, member.method)
    except (zlib.error, ValueError, EOFError) as error:
        raise Damaged(f"it cannot be unpacked: {error}") from None
    if len(found) > MOST_BYTES:
        raise Damaged(f"it has over {MOST_BYTES:,} bytes when it is unpacked")
    if zlib.crc32(found) != member.checksum:
        raise Damaged("it cannot be unpacked: its checksum is not that of its bytes")
    return found


def _unpacked(packed: bytes, method: int) -> bytes:
    """At most one byte more than is allowed."""
    if method == STORED:
        return packed[: MOST_BYTES + 1]
    if method == DEFLATED:
        return zlib.decompressobj(wbits=-15).decompress(packed, MOST_BYTES + 1)
    if method == ZSTANDARD:
        return _unzstandard(packed)
    raise ValueError(f"it is packed with method {method}, and only deflate and Zstandard are known")


def _unzstandard(packed: bytes) -> bytes:
    if sys.version_info >= (3, 14):
        from compression import zstd

        try:
            with zstd.ZstdFile(io.BytesIO(packed)) as file:
                return file.read(MOST_BYTES + 1)
        except zstd.ZstdError as error:
            raise ValueError(error) from None
    try:
        import zstandard
    except ImportError:
        raise CalverifyError(
            "this log is packed with Zstandard, which this Python cannot unpack: pip install calverify[exchange]"
        ) from None
    try:
        reader = zstandard.ZstdDecompressor().stream_reader(io.BytesIO(packed), read_across_frames=True)
        return bytes(reader.read(MOST_BYTES + 1))
    except zstandard.ZstdError as error:
        raise ValueError(error) from None

"""The members of a zip file that others wrote, each bounded in size, packed with deflate or with Zstandard.

Zstandard is part of Python from 3.14 on; before that it takes the package `zstandard`, which Inspect brings along.
"""

import io
import struct
import sys
import zipfile
import zlib
from collections.abc import Iterator

from calverify.errors import CalverifyError
from calverify.exchange._logged import Damaged

__all__ = ["MOST_BYTES", "members", "unpack"]

MOST_BYTES = 1 << 28  # of one member, unpacked
ZSTANDARD = 93
HEADER = struct.Struct("<4s22xHH")  # of a member: the signature, and the lengths of its name and of what follows that


def members(data: bytes, file: str) -> Iterator[tuple[zipfile.ZipInfo, zipfile.ZipFile]]:
    """The members in the order of the file's index; what is no zip file, or one that was cut, is refused."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError) as error:
        raise CalverifyError(f"{file} is no whole zip file: {error}") from None
    for info in archive.infolist():
        yield info, archive


def unpack(data: bytes, info: zipfile.ZipInfo, archive: zipfile.ZipFile) -> bytes:
    """The bytes of a member, or why they cannot be had."""
    try:
        found = _zstandard(data, info) if info.compress_type == ZSTANDARD else _by_zipfile(archive, info)
    except (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError, ValueError) as error:
        raise Damaged(f"it cannot be unpacked: {error}") from None  # RuntimeError: it is locked with a password
    if len(found) > MOST_BYTES:
        raise Damaged(f"it has over {MOST_BYTES:,} bytes when it is unpacked")
    return found


def _by_zipfile(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    with archive.open(info) as member:
        return member.read(MOST_BYTES + 1)


def _zstandard(data: bytes, info: zipfile.ZipInfo) -> bytes:
    """`zipfile` knows where the packed bytes begin, but not how to unpack them."""
    signature, name, extra = HEADER.unpack_from(data, info.header_offset)
    if signature != b"PK\x03\x04":
        raise ValueError("its header is damaged")
    start = info.header_offset + HEADER.size + name + extra
    found = _unzstandard(data[start : start + info.compress_size])
    if len(found) <= MOST_BYTES and zlib.crc32(found) != info.CRC:
        raise ValueError("its checksum is not that of its bytes")
    return found


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
            "this log is packed with Zstandard, which this Python cannot unpack: pip install zstandard"
        ) from None
    try:
        reader = zstandard.ZstdDecompressor().stream_reader(io.BytesIO(packed), read_across_frames=True)
        return bytes(reader.read(MOST_BYTES + 1))
    except zstandard.ZstdError as error:
        raise ValueError(error) from None

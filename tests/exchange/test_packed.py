"""Zip files: whatever can be read of one is read, within limits, and the rest is told of."""

import io
import struct
import zipfile
import zlib

import pytest

from calverify.errors import CalverifyError
from calverify.exchange import _packed
from calverify.exchange._logged import Damaged
from calverify.exchange._packed import Member, members, unpack
from tests.exchange.logs import data_of, read


def zipped(*texts: str, how: int = zipfile.ZIP_DEFLATED) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", how) as file:
        for number, text in enumerate(texts):
            file.writestr(f"{number}.json", text)
    return packed.getvalue()


def texts_in(data: bytes) -> list[str]:
    """The text of each member, or why there is none."""
    said = []
    for member in members(data, "x.eval")[0]:
        try:
            said.append(unpack(data, member).decode())
        except Damaged as why:
            said.append(f"! {why}")
    return said


@pytest.mark.parametrize("how", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_members(how):
    data = zipped("one", "zwei", "", how=how)
    assert [member.name for member in members(data, "x")[0]] == ["0.json", "1.json", "2.json"]
    assert texts_in(data) == ["one", "zwei", ""]


def test_members_that_inspect_packed():
    """With Zstandard, which `zipfile` cannot unpack."""
    data = data_of("inspect.eval")
    found, why = members(data, "x")
    assert ({member.method for member in found}, why) == ({93}, "")
    assert all(unpack(data, member).startswith((b"{", b"[")) for member in found)


@pytest.mark.parametrize("keep", [0.3, 0.6, 0.9])
def test_a_file_that_was_cut_off(keep):
    """A crash leaves no index: the samples before the cut are read, and that it was cut is told."""
    data = data_of("inspect.eval")
    whole, _ = read("inspect", data, "x.eval")
    found, why = read("inspect", data[: int(len(data) * keep)], "x.eval")
    assert 0 < len(found) <= len(whole)
    assert [(entry.once, entry.texts) for entry in found] == [(entry.once, entry.texts) for entry in whole][
        : len(found)
    ]
    assert why[0].startswith("x.eval: the zip file is cut off (File is not a zip file); ")


def test_nothing_left():
    with pytest.raises(CalverifyError, match=r"x\.eval is no whole zip file, and no member of it can be read"):
        members(b"PK\x03\x04", "x.eval")


def test_a_stream_without_lengths_ends_where_they_are_missing():
    """Sizes that follow a member cannot be known without the index."""

    class Pipe(io.BytesIO):
        def seekable(self):
            return False

        def tell(self):
            raise OSError

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w") as file:
        file.writestr("0.json", "one")
    data = pipe.getvalue()
    assert texts_in(data) == ["one"]
    with pytest.raises(CalverifyError, match="no member of it can be read"):
        members(data[:-30], "x")


def test_a_changed_byte_costs_its_member_only():
    data = bytearray(zipped("one" * 100, "two" * 100, "three" * 100))
    (_, second, _), _ = members(bytes(data), "x")
    data[second.start + 2] ^= 1
    first, said, third = texts_in(bytes(data))
    assert (first, third) == ("one" * 100, "three" * 100)
    assert said.startswith("! it cannot be unpacked: ")


def test_a_changed_byte_of_zstandard():
    data = bytearray(data_of("inspect.eval"))
    found, _ = members(bytes(data), "x")
    for place in (0, 9, 40):
        damaged = bytearray(data)
        damaged[found[1].start + place] ^= 255
        with pytest.raises(Damaged, match="it cannot be unpacked: "):
            unpack(bytes(damaged), found[1])


def test_limits(monkeypatch):
    """A member has a size, whatever it claims: zeros pack a thousandfold."""
    bomb = zipped("0" * 1_000_000, "one")
    stored = zipped("0" * 2000, how=zipfile.ZIP_STORED)
    zstandard = data_of("inspect.eval")
    monkeypatch.setattr(_packed, "MOST_BYTES", 1000)
    assert texts_in(bomb) == ["! it has over 1,000 bytes when it is unpacked", "one"]
    assert texts_in(stored) == ["! it has over 1,000 bytes when it is unpacked"]
    said = texts_in(zstandard)
    assert said[0] == "! it has over 1,000 bytes when it is unpacked"
    assert len([text for text in said if not text.startswith("!")]) >= 1


@pytest.mark.parametrize("parts, why", [
    ({"locked": True}, "it is locked with a password"),
    ({"method": 12}, "it is packed with method 12, and only deflate and Zstandard are known"),
    ({"size": 10**9}, "the file ends in the middle of it"),
    ({"checksum": 7}, "its checksum is not that of its bytes"),
    ({"method": 93}, "it cannot be unpacked: "),
    ({"method": 8}, "it cannot be unpacked: "),
])  # fmt: skip
def test_members_that_lie(parts, why):
    member = Member("x", 0, 3, 0, zlib.crc32(b"one"))
    assert unpack(b"one", member) == b"one"
    with pytest.raises(Damaged, match=why):
        unpack(b"one", member._replace(**parts))


def test_an_index_that_points_nowhere():
    """The place of a member in the index is not believed."""
    data = bytearray(zipped("one"))
    at = data.rindex(b"PK\x01\x02") + 42
    data[at : at + 4] = struct.pack("<I", 3)
    assert texts_in(bytes(data)) == ["! it cannot be unpacked: the file ends in the middle of it"]


def test_without_zstandard(monkeypatch):
    """The sentence says what to install."""
    import builtins
    import sys

    if sys.version_info >= (3, 14):
        assert members(data_of("inspect.eval"), "x")[0]  # part of Python from then on
        return
    real = builtins.__import__

    def without(name, *rest, **more):
        if name == "zstandard":
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(CalverifyError, match=r"pip install calverify\[exchange\]"):
        read("inspect", data_of("inspect.eval"), "x.eval")

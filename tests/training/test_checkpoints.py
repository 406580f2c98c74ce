"""A training's folder, which needs no torch."""

import pytest

from calverify.errors import CalverifyError
from calverify.training._checkpoints import TrainingFolder


def test_a_folder_that_holds_anything_is_refused(tmp_path):
    (tmp_path / "notes").write_text("mine", encoding="utf-8")
    with pytest.raises(CalverifyError, match="is not empty: name a new folder"):
        TrainingFolder.new(tmp_path, {}, b"")
    assert [path.name for path in tmp_path.iterdir()] == ["notes"]


def test_a_folder_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    with pytest.raises(CalverifyError, match="cannot make the folder"):
        TrainingFolder.new(tmp_path / "file" / "run", {}, b"")


def test_what_is_no_training_is_told(tmp_path):
    with pytest.raises(CalverifyError, match=r"no folder of a training: there is no settings\.json in it"):
        TrainingFolder(tmp_path).settings()

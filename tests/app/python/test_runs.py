"""train() leaves a run; Run reads it."""

import json
import os
import signal

import numpy as np
import pytest

import headscope


def test_progress_is_the_log(run):
    trained, lines = run
    assert [line["step"] for line in lines] == [10, 20, 30, 40]
    np.testing.assert_array_equal(trained.log["step"], [10, 20, 30, 40])
    np.testing.assert_array_equal(trained.log["loss"], [line["loss"] for line in lines])
    np.testing.assert_array_equal(np.isnan(trained.log["val_loss"]), [True, True, True, False])
    assert trained.log["layer_grad_norms.h.1"].shape == (4,)


def test_snapshots_are_arrays(run):
    trained, _ = run
    assert trained.steps[:3] == [0, 1, 2] and trained.steps[-1] == 40
    newest = trained.newest
    assert newest.step == 40 and newest["h.0.attn.q.weight"].shape == (64, 64)
    assert newest.config["n_layers"] == 2
    assert set(newest.optimizer) == {f"{moment}.{name}" for moment in ("first", "second") for name in newest}
    assert (newest["tok_emb.weight"] != trained.snapshot(0)["tok_emb.weight"]).any()
    with pytest.raises(KeyError):
        newest["nonsense"]
    with pytest.raises(headscope.HeadscopeError, match="no snapshot of step 3 "):
        trained.snapshot(3)


def test_head_scores_have_curves(run):
    scores = run[0].scores
    assert scores.heads[:2] == ["L0H0", "L0H1"] and len(scores.heads) == 8
    assert scores["induction"].shape == (len(scores.steps), 8)
    np.testing.assert_array_equal(scores.curve("induction", "L1H2"), scores["induction"][:, 6])


def test_runs_and_snapshots_are_models(run):
    trained, _ = run
    early = headscope.trace(trained.snapshot(0), "a b c")
    late = headscope.trace(trained, "a b c")
    assert early.ids == late.ids and (early["logits"] != late["logits"]).any()
    assert headscope.scores(trained.newest, "a b c")["entropy"].shape == (2, 4)


def test_a_run_that_is_being_written(run, tmp_path):
    trained, _ = run
    (tmp_path / "config.json").write_text("{}")
    lines = (trained.path / "log.jsonl").read_text().splitlines()
    (tmp_path / "log.jsonl").write_text("\n".join([*lines[:2], lines[0], "[]", lines[2][:20], lines[2]]))
    watched = headscope.Run(tmp_path)
    np.testing.assert_array_equal(watched.log["step"], [10, 20])
    assert watched.steps == [] and watched.events == [] and len(watched.scores) == 0 and watched.card == {}
    with pytest.raises(headscope.HeadscopeError, match="no snapshot yet"):
        watched.newest  # noqa: B018


def test_scores_measured_again_replace_the_earlier_ones(tmp_path):
    (tmp_path / "config.json").write_text("{}")
    points = [(1, [0.1, None]), (2, [0.2, 0.2]), (3, [0.3, 0.3]), (2, [0.4, 0.4])]
    rows = [{"step": step, "places": ["L0H0", "L0H1"], "self": values} for step, values in points]
    (tmp_path / "scores.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    scores = headscope.Run(tmp_path).scores
    np.testing.assert_array_equal(scores.steps, [1, 2])
    np.testing.assert_array_equal(scores["self"], [[0.1, np.nan], [0.4, 0.4]])


def test_a_run_can_be_resumed_and_forked(run, tmp_path):
    trained, _ = run
    fork = headscope.train(trained, tmp_path / "fork", fork=trained.steps[-1], steps=50)
    assert fork.steps[-1] == 50 and fork.card["origin"]["step"] == 40
    again = headscope.train("repeat", tmp_path / "fork", resume=True, steps=60)
    assert again.steps[-1] == 60
    assert [event["event"] for event in again.events] == ["forked", "resumed"]


def test_a_configuration_may_be_a_dict(run, tmp_path):
    configuration = {**run[0].config, "seed": 7}
    trained = headscope.train(configuration, tmp_path / "run", steps=3)
    assert trained.config["seed"] == 7 and trained.steps[-1] == 3
    with pytest.raises(headscope.HeadscopeError, match="sede"):
        headscope.train({"sede": 7}, tmp_path / "other")


def test_the_time_limit_saves(tmp_path):
    with pytest.raises(headscope.TimeLimitError):
        headscope.train("stories", tmp_path / "run", timeout=3)
    if (tmp_path / "run").exists():  # the data may have taken all of the time
        assert headscope.Run(tmp_path / "run").newest.optimizer is not None


def test_ctrl_c_saves(tmp_path):
    def interrupt(line):
        if line["step"] >= 30:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        headscope.train("repeat", tmp_path / "run", progress=interrupt)
    stopped = headscope.Run(tmp_path / "run")
    assert stopped.steps[-1] >= 30 and stopped.newest.optimizer is not None


def test_an_unknown_task_names_the_nearest(tmp_path):
    with pytest.raises(headscope.HeadscopeError, match='"repeat"'):
        headscope.train("repeet", tmp_path / "run")


def test_a_folder_without_a_run_is_refused(tmp_path):
    with pytest.raises(headscope.HeadscopeError, match="no training run"):
        headscope.Run(tmp_path)

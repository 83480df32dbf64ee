"""scores() returns the scores of every head as arrays."""

import numpy as np
import pytest

import headscope

TEXT = "c a t s c a t s"


@pytest.fixture(scope="module")
def scores():
    return headscope.scores("builtin:repeat", TEXT)


def test_each_score_has_a_value_per_head(scores):
    assert all(array.shape == (2, 4) for array in scores.values())
    assert scores["previous_token"][0, 1] > 0.9  # the previous-token head of the README
    assert len(scores.tokens) == 9 and 0 <= scores.sink_rate <= 1
    assert repr(scores).endswith("2 × 4 heads>")


def test_the_best_heads_come_first(scores):
    best = scores.best("induction_on_text", 3)
    assert {best[0][:2], best[1][:2]} == {(1, 1), (1, 2)}
    assert best[0][2] >= best[1][2] >= best[2][2]


def test_undefined_scores_say_why(scores):
    assert np.isnan(scores["copying"]).all() and scores.undefined["copying"]
    assert scores.best("copying") == []


def test_they_agree_with_the_trace(scores):
    trace = headscope.trace("builtin:repeat", TEXT)
    n = len(trace.tokens)
    expected = trace.patterns()[:, :, np.arange(1, n), np.arange(n - 1)].mean(-1)
    np.testing.assert_allclose(scores["previous_token"], expected, atol=1e-6)
    np.testing.assert_allclose(headscope.scores(trace)["previous_token"], expected, atol=1e-6)


def test_sections_are_in_the_report():
    report = headscope.scores("builtin:repeat", TEXT, lens=True, attribution=True).report
    assert report["lens"]["stages"] and report["attribution"]["parts"]


def test_an_encoder_decoder_has_parts():
    scores = headscope.scores(headscope.trace("builtin:dates", "march 5, 1987", target="1987"))
    assert scores.parts == ["encoder", "decoder", "cross"] and scores.part == "decoder"
    assert scores.of("cross")["entropy"].shape == (1, 4)
    with pytest.raises(KeyError):
        scores.of("nonsense")


def test_a_model_needs_a_text():
    with pytest.raises(headscope.HeadscopeError, match="text is missing"):
        headscope.scores("builtin:repeat")

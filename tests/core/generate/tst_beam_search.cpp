#include "core/generate/beam_search.h"

#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "tests/support/small_models.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace headscope;
using namespace headscope::test;

namespace {

using Ids = std::vector<TokenId>;

/// ln p of every next token, from a whole pass.
std::vector<double> logProbabilities(const Model& model, const Ids& ids)
{
    CpuAttention backend;
    KvCache cache(model.config());
    const Tensor logits = model.forward(ids, backend, cache);
    const auto last = logits.values().last(static_cast<std::size_t>(logits.shape().back()));
    double sum = 0.0;
    for (const float logit : last)
        sum += std::exp(static_cast<double>(logit));
    std::vector<double> result;
    for (const float logit : last)
        result.push_back(static_cast<double>(logit) - std::log(sum));
    return result;
}

struct Scored
{
    double score = 0.0;
    Ids ids;
};

/// Beam search as a person would write it down, without states or a tree.
std::vector<Scored> plainBeamSearch(const Model& model, const Ids& prompt,
                                    const BeamSettings& settings)
{
    const auto width = static_cast<std::size_t>(settings.beams);
    const auto byScore = [](const Scored& a, const Scored& b) { return a.score > b.score; };
    std::vector<Scored> beams{{0.0, prompt}};
    std::vector<Scored> done;
    for (std::int64_t made = 1; made <= settings.maxTokens; ++made) {
        const double divisor = std::pow(static_cast<double>(made), settings.lengthPenalty);
        std::vector<Scored> all;
        for (const Scored& beam : beams) {
            const std::vector<double> scores = logProbabilities(model, beam.ids);
            for (std::size_t id = 0; id < scores.size(); ++id) {
                all.push_back({beam.score + scores[id], beam.ids});
                all.back().ids.push_back(static_cast<TokenId>(id));
            }
        }
        std::stable_sort(all.begin(), all.end(), byScore);
        all.resize(std::min(all.size(), 2 * width));
        beams.clear();
        for (std::size_t rank = 0; rank < all.size(); ++rank) {
            const bool ends = all[rank].ids.back() == settings.endOfText;
            if (ends || made == settings.maxTokens) {
                if (rank < width)
                    done.push_back({all[rank].score / divisor, all[rank].ids});
            } else if (beams.size() < width) {
                beams.push_back(all[rank]);
            }
        }
        std::stable_sort(done.begin(), done.end(), byScore);
        done.resize(std::min(done.size(), width));
        if (beams.empty() ||
            (done.size() == width && beams[0].score / divisor <= done.back().score))
            break;
    }
    return done;
}

BeamSearch search(const LoadedModel& loaded, const Ids& prompt, const BeamSettings& settings)
{
    CpuAttention backend;
    return beamSearch(DecodingState(loaded.model, backend), prompt, settings);
}

BeamSettings beamsOf(int beams, std::int64_t tokens)
{
    BeamSettings settings;
    settings.beams = beams;
    settings.maxTokens = tokens;
    return settings;
}

std::string refusalOf(const BeamSettings& settings)
{
    try {
        validate(settings);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

} // namespace

class TstBeamSearch : public QObject
{
    Q_OBJECT

private slots:
    void plainRestatementAgrees_data();
    void plainRestatementAgrees();
    void oneBeamIsGreedy();
    void tiesKeepTheOrderOfBeamsAndIds();
    void aBeamThatCanOnlyEndEnds();
    void roomForTheTokensAskedForIsEnough();
    void wideBeamsFindTheBestOfAll();
    void theTreeHoldsEveryCandidate();
    void hypothesesAreInTheTree();
    void repetitionPenaltyLowersWhatWasThere();
    void stopsWhenThePositionsAreFull();
    void nothingToMakeGivesNoHypothesis();
    void stepsAreReportedAndCancellable();
    void badSettingsAreRefused();
};

void TstBeamSearch::plainRestatementAgrees_data()
{
    QTest::addColumn<int>("beams");
    QTest::addColumn<int>("endOfText");
    QTest::addColumn<double>("lengthPenalty");
    for (const int beams : {2, 3, 5})
        for (const int endOfText : {-1, 4, 11, 30})
            for (const double penalty : {-1.0, 0.6, 1.0, 2.0})
                QTest::addRow("%d beams, end %d, penalty %g", beams, endOfText, penalty)
                    << beams << endOfText << penalty;
}

void TstBeamSearch::plainRestatementAgrees()
{
    QFETCH(const int, beams);
    QFETCH(const int, endOfText);
    QFETCH(const double, lengthPenalty);
    BeamSettings settings = beamsOf(beams, 8);
    settings.lengthPenalty = lengthPenalty;
    if (endOfText >= 0)
        settings.endOfText = endOfText;
    ModelConfig config = smallConfig();
    config.initStd = 0.1; // flat enough that several ends are near the top
    const LoadedModel loaded = smallModel(2, config);
    const Ids prompt{5, 9};
    const BeamSearch got = search(loaded, prompt, settings);
    const std::vector<Scored> expected = plainBeamSearch(*loaded.model, prompt, settings);
    QCOMPARE(got.hypotheses.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        QVERIFY(got.hypotheses[i].ids == expected[i].ids);
        QVERIFY(std::abs(got.hypotheses[i].score - expected[i].score) < 1e-4);
    }
}

void TstBeamSearch::oneBeamIsGreedy()
{
    const LoadedModel loaded = smallModel();
    GenerationSettings greedy;
    greedy.maxTokens = 10;
    greedy.sampling.temperature = 0.0;
    CpuAttention backend;
    const Generation expected = generate(loaded, backend, Ids{4, 5, 6}, greedy);
    const BeamSearch got = search(loaded, {4, 5, 6}, beamsOf(1, 10));
    QCOMPARE(got.hypotheses.size(), std::size_t{1});
    QVERIFY(got.hypotheses[0].ids == expected.ids);
    QVERIFY(got.end == GenerationEnd::MaxTokens);
}

void TstBeamSearch::tiesKeepTheOrderOfBeamsAndIds()
{
    ModelConfig config = smallConfig();
    config.initStd = 0.0; // all logits are 0
    const BeamSearch got = search(smallModel(1, config), {5}, beamsOf(2, 2));
    for (const int step : {0, 1}) {
        const auto candidates = got.candidates(step);
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            QCOMPARE(candidates[i].token, static_cast<TokenId>(i));
            QCOMPARE(candidates[i].parent, step - 1); // node 0, the better beam
        }
    }
}

void TstBeamSearch::aBeamThatCanOnlyEndEnds()
{
    ModelConfig config = smallConfig();
    config.vocabularySize = 1;
    BeamSettings settings = beamsOf(2, 5);
    settings.endOfText = 0;
    const BeamSearch got = search(smallModel(1, config), {0}, settings);
    QVERIFY(got.end == GenerationEnd::EndOfText);
    QCOMPARE(got.hypotheses.size(), std::size_t{1});
    QCOMPARE(got.steps(), 1);
}

void TstBeamSearch::roomForTheTokensAskedForIsEnough()
{
    const BeamSearch got = search(smallModel(), randomIds(1, 20, 37), beamsOf(2, 5));
    QVERIFY(got.end == GenerationEnd::MaxTokens);
    QCOMPARE(got.hypotheses[0].newTokens, std::int64_t{5});
}

void TstBeamSearch::wideBeamsFindTheBestOfAll()
{
    const LoadedModel loaded = smallModel();
    const Ids prompt{7};
    Scored best{-INFINITY, {}};
    const std::vector<double> first = logProbabilities(*loaded.model, prompt);
    for (TokenId a = 0; a < 37; ++a) {
        const std::vector<double> second = logProbabilities(*loaded.model, {7, a});
        for (TokenId b = 0; b < 37; ++b) {
            const double score =
                (first[static_cast<std::size_t>(a)] + second[static_cast<std::size_t>(b)]) / 2.0;
            if (score > best.score)
                best = {score, {7, a, b}};
        }
    }
    const BeamSearch got = search(loaded, prompt, beamsOf(37, 2));
    QVERIFY(got.hypotheses[0].ids == best.ids);
    QVERIFY(std::abs(got.hypotheses[0].score - best.score) < 1e-4);
}

void TstBeamSearch::theTreeHoldsEveryCandidate()
{
    BeamSettings settings = beamsOf(3, 6);
    settings.endOfText = 11;
    const LoadedModel loaded = smallModel();
    const BeamSearch got = search(loaded, {5}, settings);
    QVERIFY(got.steps() > 1);
    std::size_t seen = 0;
    for (int step = 0; step < got.steps(); ++step) {
        const auto candidates = got.candidates(step);
        QCOMPARE(candidates.size(), std::size_t{6});
        QCOMPARE(&candidates[0] - got.nodes.data(), static_cast<std::ptrdiff_t>(seen));
        seen += candidates.size();
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            const BeamNode& node = candidates[i];
            QVERIFY(i == 0 || candidates[i - 1].sum >= node.sum);
            QCOMPARE(node.parent < 0, step == 0);
            const BeamNode root{};
            const BeamNode& parent =
                step == 0 ? root : got.nodes[static_cast<std::size_t>(node.parent)];
            QVERIFY(step == 0 || parent.fate == BeamNode::Fate::Kept);
            QVERIFY(step == 0 || parent.step == step - 1);
            QVERIFY(std::abs(parent.sum + node.logProbability - node.sum) < 1e-9);
            Ids ids{5};
            if (step > 0) {
                const Ids path = got.tokensTo(node.parent);
                ids.insert(ids.end(), path.begin(), path.end());
            }
            const double expected =
                logProbabilities(*loaded.model, ids)[static_cast<std::size_t>(node.token)];
            QVERIFY(std::abs(node.logProbability - expected) < 1e-4);
        }
    }
    QCOMPARE(seen, got.nodes.size());
    QVERIFY(got.candidates(got.steps()).empty());
}

void TstBeamSearch::hypothesesAreInTheTree()
{
    BeamSettings settings = beamsOf(4, 7);
    settings.endOfText = 30;
    settings.lengthPenalty = 0.6;
    ModelConfig config = smallConfig();
    config.initStd = 0.1;
    const BeamSearch got = search(smallModel(2, config), {5, 9}, settings);
    QCOMPARE(got.hypotheses.size(), std::size_t{4});
    QVERIFY(std::any_of(got.hypotheses.begin(), got.hypotheses.end(),
                        [](const BeamHypothesis& one) { return one.endOfText; }));
    double last = INFINITY;
    for (const BeamHypothesis& one : got.hypotheses) {
        const BeamNode& node = got.nodes.at(static_cast<std::size_t>(one.node));
        QVERIFY(node.fate == BeamNode::Fate::Finished);
        QVERIFY(got.tokensTo(one.node) == Ids(one.ids.begin() + 2, one.ids.end()));
        QCOMPARE(one.newTokens, static_cast<std::int64_t>(one.ids.size()) - 2);
        QCOMPARE(one.sum, node.sum);
        QCOMPARE(one.score, one.sum / std::pow(static_cast<double>(one.newTokens), 0.6));
        QCOMPARE(one.endOfText, one.ids.back() == 30);
        QVERIFY(one.score <= last);
        last = one.score;
    }
}

void TstBeamSearch::repetitionPenaltyLowersWhatWasThere()
{
    const LoadedModel loaded = smallModel();
    BeamSettings settings = beamsOf(18, 1);
    settings.repetitionPenalty = 2.0;
    const std::vector<double> plain = logProbabilities(*loaded.model, {4, 5});
    const auto top =
        static_cast<TokenId>(std::max_element(plain.begin(), plain.end()) - plain.begin());
    const Ids prompt{top, 4, 5};
    const std::vector<double> scores = logProbabilities(*loaded.model, prompt);
    const BeamSearch got = search(loaded, prompt, settings);
    QCOMPARE(got.nodes.size(), std::size_t{36});
    for (const BeamNode& node : got.nodes) {
        const bool wasThere = std::find(prompt.begin(), prompt.end(), node.token) != prompt.end();
        const double expected = scores[static_cast<std::size_t>(node.token)] * (wasThere ? 2 : 1);
        QVERIFY(std::abs(node.logProbability - expected) < 1e-4);
    }
}

void TstBeamSearch::stopsWhenThePositionsAreFull()
{
    const LoadedModel loaded = smallModel();
    const BeamSearch got = search(loaded, randomIds(1, 20, 37), beamsOf(2, 100));
    QVERIFY(got.end == GenerationEnd::MaxLen);
    QCOMPARE(got.hypotheses.size(), std::size_t{2});
    QCOMPARE(got.hypotheses[0].ids.size(), std::size_t{25}); // 24 positions, and what follows
    const BeamSearch none = search(loaded, randomIds(1, 30, 37), beamsOf(2, 100));
    QVERIFY(none.end == GenerationEnd::MaxLen);
    QVERIFY(none.hypotheses.empty());
}

void TstBeamSearch::nothingToMakeGivesNoHypothesis()
{
    const BeamSearch got = search(smallModel(), {1}, beamsOf(2, 0));
    QVERIFY(got.hypotheses.empty());
    QVERIFY(got.nodes.empty());
    QCOMPARE(got.steps(), 0);
}

void TstBeamSearch::stepsAreReportedAndCancellable()
{
    CpuAttention backend;
    std::stop_source source;
    int steps = 0;
    const auto stopAfterThree = [&](std::span<const BeamNode> candidates) {
        QCOMPARE(candidates.size(), std::size_t{4});
        QCOMPARE(candidates[0].step, steps);
        if (++steps == 3)
            source.request_stop();
    };
    QVERIFY_EXCEPTION_THROWN(beamSearch(DecodingState(smallModel().model, backend), Ids{1},
                                        beamsOf(2, 10), stopAfterThree, source.get_token()),
                             Cancelled);
    QCOMPARE(steps, 3);
}

void TstBeamSearch::badSettingsAreRefused()
{
    QVERIFY_EXCEPTION_THROWN(search(smallModel(), {}, beamsOf(2, 2)), ShapeError);
    QVERIFY_EXCEPTION_THROWN(search(smallModel(), {1, 37}, beamsOf(2, 2)), ShapeError);
    QVERIFY_EXCEPTION_THROWN(search(smallModel(), {1}, beamsOf(0, 2)), Error);
    QCOMPARE(refusalOf(beamsOf(0, 1)), std::string("0 beams (beamSearch). Use 1"));
    QCOMPARE(refusalOf(beamsOf(256, 1)), std::string());
    QCOMPARE(refusalOf(beamsOf(1000, 1)), std::string("1000 beams (beamSearch). Use 256"));
    BeamSettings settings;
    settings.lengthPenalty = -20.0;
    QCOMPARE(refusalOf(settings), std::string("a length penalty of -20 (beamSearch). Use -10"));
    settings.lengthPenalty = NAN;
    QVERIFY(!refusalOf(settings).empty());
    settings = {};
    settings.repetitionPenalty = 0.0;
    QVERIFY(!refusalOf(settings).empty());
    settings = {};
    settings.maxTokens = -1;
    QVERIFY(!refusalOf(settings).empty());
    QCOMPARE(refusalOf({}), std::string());
}

HEADSCOPE_TEST(TstBeamSearch)
#include "tst_beam_search.moc"

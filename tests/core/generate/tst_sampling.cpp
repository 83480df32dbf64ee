// labels: golden
#include "core/generate/sampling.h"

#include "core/base/error.h"
#include "tests/support/test_program.h"
#include "tests/support/tolerances.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <numeric>

using namespace headscope;
using namespace headscope::test;

namespace {

SamplingSettings settingsOf(const nlohmann::json& params)
{
    SamplingSettings settings;
    settings.repetitionPenalty = params.value("repetition_penalty", 1.0);
    settings.temperature = params.value("temperature", 1.0);
    settings.topK = params.value("top_k", 0);
    settings.topP = params.value("top_p", 1.0);
    settings.minP = params.value("min_p", 0.0);
    settings.typicalP = params.value("typical_p", 1.0);
    return settings;
}

std::vector<TokenId> previousIn(const GoldenFile& file)
{
    const std::vector<std::int64_t> ids = file.integers("in.previous");
    return {ids.begin(), ids.end()};
}

std::string refusalOf(const SamplingSettings& settings)
{
    try {
        validate(settings);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

} // namespace

class TstSampling : public QObject
{
    Q_OBJECT

private slots:
    void goldenDistributionsMatch();
    void goldenSamplesMatch();
    void greedyTakesTheFirstLargest();
    void removedTokensAreNeverSampled();
    void veryUnlikelyLogitsDoNotOverflow();
    void samplesFollowTheProbabilities();
    void repetitionPenaltyCountsEachTokenOnce();
    void topPEndsWhereItsMassIsReached();
    void keptTokensOfLargeVocabulariesAreTheMostProbable();
    void typicalLeavesOutTheTooProbable();
    void typicalFollowsTopK();
    void everyProcessorLeavesAToken();
    void badSettingsAreRefused();
    void refusalsNameTheNearestValue();
};

void TstSampling::goldenDistributionsMatch()
{
    const GoldenFile file("decoding/distributions.safetensors");
    const nlohmann::json& cases = file.params().at("cases");
    QVERIFY(!cases.empty());
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const Tensor logits = file.tensor(cases[i].contains("tie") ? "in.logits_tie" : "in.logits");
        const std::vector<double> expected = file.expected(fmt::format("out.case{:02}", i));
        const std::vector<float> got =
            samplingDistribution(logits.values(), settingsOf(cases[i]), previousIn(file));
        HS_COMPARE(std::span<const float>(got), expected, kSampling);
        for (std::size_t token = 0; token < got.size(); ++token)
            QCOMPARE(got[token] == 0.0F, expected[token] == 0.0);
    }
}

void TstSampling::goldenSamplesMatch()
{
    const GoldenFile file("decoding/distributions.safetensors");
    const std::size_t last = 13; // params.sampling names the case
    const std::vector<float> probabilities = samplingDistribution(
        file.tensor("in.logits").values(), settingsOf(file.params().at("cases")[last]));
    const std::vector<double> uniform = file.doubles("in.uniform");
    const std::vector<std::int64_t> expected = file.integers("out.sampled_case13");
    QVERIFY(!expected.empty());
    for (std::size_t i = 0; i < expected.size(); ++i)
        QCOMPARE(static_cast<std::int64_t>(sampleAt(probabilities, uniform[i])), expected[i]);
}

void TstSampling::greedyTakesTheFirstLargest()
{
    const std::vector<float> logits{1.0F, 3.0F, 3.0F, -2.0F};
    const SamplingSettings greedy{.temperature = 0.0};
    QVERIFY(samplingDistribution(logits, greedy) == (std::vector<float>{0.0F, 1.0F, 0.0F, 0.0F}));
}

void TstSampling::removedTokensAreNeverSampled()
{
    const std::vector<float> probabilities{0.0F, 0.25F, 0.0F, 0.75F, 0.0F};
    QCOMPARE(sampleAt(probabilities, 0.0), TokenId{1});
    QCOMPARE(sampleAt(probabilities, 0.25), TokenId{3});
    QCOMPARE(sampleAt(probabilities, std::nextafter(1.0, 0.0)), TokenId{3});
    const std::vector<float> rounded{0.5F, 0.25F, 0.0F}; // a sum below the number asked for
    QCOMPARE(sampleAt(rounded, 0.9), TokenId{1});
}

void TstSampling::veryUnlikelyLogitsDoNotOverflow()
{
    const std::vector<float> logits{3e38F, -3e38F, -INFINITY};
    const std::vector<float> got = samplingDistribution(logits, {.temperature = 1e-3});
    QVERIFY(got == (std::vector<float>{1.0F, 0.0F, 0.0F}));
}

void TstSampling::samplesFollowTheProbabilities()
{
    const std::vector<float> probabilities{0.1F, 0.2F, 0.7F};
    Random random(3);
    std::array<int, 3> counts{};
    for (int i = 0; i < 20000; ++i)
        ++counts[static_cast<std::size_t>(sample(probabilities, random))];
    for (std::size_t token = 0; token < 3; ++token)
        QVERIFY(std::abs(counts[token] / 20000.0 - static_cast<double>(probabilities[token])) <
                0.02);
}

void TstSampling::repetitionPenaltyCountsEachTokenOnce()
{
    std::vector<double> logits{2.0, -2.0, 1.0, 0.0};
    penaliseRepetition(logits, std::vector<TokenId>{0, 1, 0, 3, 7, -1}, 2.0);
    QVERIFY(logits == (std::vector<double>{1.0, -4.0, 1.0, 0.0}));
    const std::vector<float> close{1.1F, 1.0F};
    const SamplingSettings greedy{.repetitionPenalty = 1.5, .temperature = 0.0};
    QVERIFY(samplingDistribution(close, greedy, std::vector<TokenId>{0}) ==
            (std::vector<float>{0.0F, 1.0F}));
    std::vector<double> longer{2.0, 2.0, 8.0};
    penaliseRepetition(std::span(longer).first(2), std::vector<TokenId>{1, 2}, 2.0);
    QVERIFY(longer == (std::vector<double>{2.0, 1.0, 8.0})); // id 2 is outside the vocabulary
}

void TstSampling::topPEndsWhereItsMassIsReached()
{
    const std::vector<float> even{0.0F, 0.0F, 0.0F, 0.0F};
    QVERIFY(samplingDistribution(even, {.topP = 0.5}) ==
            (std::vector<float>{0.5F, 0.5F, 0.0F, 0.0F}));
}

void TstSampling::keptTokensOfLargeVocabulariesAreTheMostProbable()
{
    Random random(1);
    std::vector<float> logits(5000);
    for (float& logit : logits)
        logit = std::round(static_cast<float>(random.normal()) * 20.0F) / 20.0F; // many are equal
    const std::vector<float> all = samplingDistribution(logits, {});
    std::vector<std::size_t> order(all.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return all[i]; });
    for (const double p : {0.01, 0.2, 0.7, 0.99, 0.9999}) {
        const std::vector<float> kept = samplingDistribution(logits, {.topP = p});
        double mass = 0.0;
        for (const std::size_t token : order) {
            QCOMPARE(kept[token] > 0.0F, mass < p);
            mass += static_cast<double>(all[token]);
        }
    }
}

void TstSampling::typicalLeavesOutTheTooProbable()
{
    // Surprises 0.69, 1.39, 2.08, 2.08; entropy 1.21: the second token is the most typical one.
    const std::vector<float> logits{std::log(0.5F), std::log(0.25F), std::log(0.125F),
                                    std::log(0.125F)};
    const std::vector<float> got = samplingDistribution(logits, {.typicalP = 0.2});
    QVERIFY(got == (std::vector<float>{0.0F, 1.0F, 0.0F, 0.0F}));
}

void TstSampling::typicalFollowsTopK()
{
    // Top-k leaves 2/3 and 1/3: entropy 0.64, surprisals 0.41 and 1.10.
    const std::vector<float> logits{std::log(0.5F), std::log(0.25F), std::log(0.125F),
                                    std::log(0.125F)};
    const std::vector<float> got = samplingDistribution(logits, {.topK = 2, .typicalP = 0.2});
    QVERIFY(got == (std::vector<float>{1.0F, 0.0F, 0.0F, 0.0F}));
}

void TstSampling::everyProcessorLeavesAToken()
{
    const std::vector<float> logits{0.3F, -1.0F, 2.0F};
    const SamplingSettings narrow{.topK = 1, .topP = 1e-9, .minP = 1.0, .typicalP = 1e-9};
    QVERIFY(samplingDistribution(logits, narrow) == (std::vector<float>{0.0F, 0.0F, 1.0F}));
}

void TstSampling::badSettingsAreRefused()
{
    const std::vector<float> logits{1.0F, 2.0F};
    for (const SamplingSettings& bad :
         {SamplingSettings{.repetitionPenalty = 0.0}, SamplingSettings{.repetitionPenalty = NAN},
          SamplingSettings{.repetitionPenalty = INFINITY}, SamplingSettings{.temperature = -1.0},
          SamplingSettings{.temperature = NAN}, SamplingSettings{.topK = -1},
          SamplingSettings{.topP = 0.0}, SamplingSettings{.topP = 1.5},
          SamplingSettings{.topP = NAN}, SamplingSettings{.minP = -0.1},
          SamplingSettings{.minP = 1.1}, SamplingSettings{.minP = NAN},
          SamplingSettings{.typicalP = 0.0}, SamplingSettings{.typicalP = 2.0}})
        QVERIFY_EXCEPTION_THROWN(samplingDistribution(logits, bad), Error);
    QVERIFY_EXCEPTION_THROWN(samplingDistribution({}, {}), Error);
    const std::vector<float> broken{1.0F, NAN};
    QVERIFY_EXCEPTION_THROWN(samplingDistribution(broken, {}), Error);
}

void TstSampling::refusalsNameTheNearestValue()
{
    QCOMPARE(refusalOf({.temperature = -2.5}),
             std::string("a temperature of -2.5 (sampling). Use 0 (greedy) or more"));
    QCOMPARE(refusalOf({.topP = 1.5}),
             std::string("a top-p of 1.5 (sampling). Use 1 (all tokens) or less"));
    QCOMPARE(refusalOf({.minP = 7.0}), std::string("a min-p of 7 (sampling). Use 1 or less"));
    QCOMPARE(refusalOf({}), std::string());
}

HEADSCOPE_TEST(TstSampling)
#include "tst_sampling.moc"

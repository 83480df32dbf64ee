// labels: golden
#include "core/generate/sampling.h"

#include "core/base/error.h"
#include "tests/support/tolerances.h"

#include <QTest>

#include <cmath>
#include <fmt/format.h>

using namespace headscope;
using namespace headscope::test;

namespace {

SamplingSettings settingsOf(const nlohmann::json& params)
{
    SamplingSettings settings;
    settings.temperature = params.value("temperature", 1.0);
    settings.topK = params.value("top_k", 0);
    settings.topP = params.value("top_p", 1.0);
    return settings;
}

/// Cases of processors that this program does not have.
bool isForeign(const nlohmann::json& params)
{
    return params.contains("repetition_penalty") || params.contains("min_p") ||
           params.contains("typical_p");
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
    void badSettingsAreRefused();
};

void TstSampling::goldenDistributionsMatch()
{
    const GoldenFile file("decoding/distributions.safetensors");
    const nlohmann::json& cases = file.params().at("cases");
    int compared = 0;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        if (isForeign(cases[i]))
            continue;
        const Tensor logits = file.tensor(cases[i].contains("tie") ? "in.logits_tie" : "in.logits");
        const std::vector<double> expected = file.expected(fmt::format("out.case{:02}", i));
        const std::vector<float> got = samplingDistribution(logits.values(), settingsOf(cases[i]));
        HS_COMPARE(std::span<const float>(got), expected, kSampling);
        for (std::size_t token = 0; token < got.size(); ++token)
            QCOMPARE(got[token] == 0.0F, expected[token] == 0.0);
        ++compared;
    }
    QVERIFY(compared > 0);
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

void TstSampling::badSettingsAreRefused()
{
    const std::vector<float> logits{1.0F, 2.0F};
    for (const SamplingSettings& bad :
         {SamplingSettings{.temperature = -1.0}, SamplingSettings{.temperature = NAN},
          SamplingSettings{.topK = -1}, SamplingSettings{.topP = 0.0},
          SamplingSettings{.topP = 1.5}})
        QVERIFY_EXCEPTION_THROWN(samplingDistribution(logits, bad), Error);
    QVERIFY_EXCEPTION_THROWN(samplingDistribution({}, {}), Error);
    const std::vector<float> broken{1.0F, NAN};
    QVERIFY_EXCEPTION_THROWN(samplingDistribution(broken, {}), Error);
}

QTEST_GUILESS_MAIN(TstSampling)
#include "tst_sampling.moc"

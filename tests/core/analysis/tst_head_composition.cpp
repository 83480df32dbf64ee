// labels: threads
#include "core/analysis/heads/head_composition.h"

#include "core/analysis/scores/head_table.h"
#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "core/io/checkpoint.h"
#include "tests/support/plain_circuits.h"
#include "tests/support/qt_under_tsan.h"
#include "tests/support/small_models.h"
#include "tests/support/tensors.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <filesystem>

using namespace headscope;
using namespace headscope::test;

namespace {

/// a b^T as [rows, 1] and [1, columns] matrices are kept: a column, a row.
Tensor column(std::initializer_list<float> values)
{
    Tensor matrix({static_cast<std::int64_t>(values.size()), 1});
    std::copy(values.begin(), values.end(), matrix.data());
    return matrix;
}

Tensor row(std::initializer_list<float> values)
{
    Tensor matrix({1, static_cast<std::int64_t>(values.size())});
    std::copy(values.begin(), values.end(), matrix.data());
    return matrix;
}

/// Reads channel 0 everywhere and writes channel 1.
HeadMatrices plainHead()
{
    return {column({1, 0, 0}), column({1, 0, 0}), column({1, 0, 0}), row({0, 1, 0})};
}

/// op(A) op(B) of square matrices in double.
Tensor product(const Tensor& a, const Tensor& b, bool turnB = false)
{
    const std::int64_t n = a.shape()[0];
    Tensor result({n, n});
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j < n; ++j) {
            double sum = 0.0;
            for (std::int64_t k = 0; k < n; ++k)
                sum += double{a.view()(i, k)} * double{turnB ? b.view()(j, k) : b.view()(k, j)};
            result.view()(i, j) = static_cast<float>(sum);
        }
    return result;
}

double sizeOf(const Tensor& matrix)
{
    return std::sqrt(weightedSum(matrix, matrix));
}

/// By the definition, with the [d, d] matrices themselves.
Composition plainComposition(const HeadMatrices& earlier, const HeadMatrices& later)
{
    const Tensor ov1 = outputValueCircuit(earlier);
    const Tensor ov2 = outputValueCircuit(later);
    const Tensor qk2 = queryKeyCircuit(later);
    return {sizeOf(product(ov1, qk2)) / (sizeOf(ov1) * sizeOf(qk2)),
            sizeOf(product(qk2, ov1, true)) / (sizeOf(ov1) * sizeOf(qk2)),
            sizeOf(product(ov1, ov2)) / (sizeOf(ov1) * sizeOf(ov2))};
}

bool near(double got, double expected)
{
    return std::abs(got - expected) < 1e-5;
}

bool near(const Composition& got, const Composition& expected)
{
    return near(got.query, expected.query) && near(got.key, expected.key) &&
           near(got.value, expected.value);
}

HeadMatrices randomHead(std::uint64_t seed, std::int64_t width, std::int64_t headDim)
{
    return {randomTensor({width, headDim}, 4 * seed), randomTensor({width, headDim}, 4 * seed + 1),
            randomTensor({width, headDim}, 4 * seed + 2),
            randomTensor({headDim, width}, 4 * seed + 3)};
}

} // namespace

class TstHeadComposition : public QObject
{
    Q_OBJECT

private slots:

    void alignedHeadsComposeWhollyAndOthersNot()
    {
        const HeadMatrices earlier = plainHead(); // writes channel 1
        HeadMatrices later = plainHead();
        QVERIFY(near(composition(earlier, later), {0.0, 0.0, 0.0}));
        later.query = column({0, 1, 0});
        QVERIFY(near(composition(earlier, later), {1.0, 0.0, 0.0}));
        later.query = column({1, 0, 0});
        later.key = column({0, -5, 0}); // length and sign do not matter
        QVERIFY(near(composition(earlier, later), {0.0, 1.0, 0.0}));
        later.key = column({0, 0, 1});
        later.value = column({0, 1, 1}); // half of it by squares
        QVERIFY(near(composition(earlier, later), {0.0, 0.0, std::sqrt(0.5)}));
        later.value = Tensor({3, 1});
        QVERIFY(std::isnan(composition(earlier, later).value));
    }

    void itIsTheRatioOfTheWholeMatrices()
    {
        for (const auto& [width, headDim] :
             {std::pair<std::int64_t, std::int64_t>{12, 3}, {6, 6}, {4, 7}, {5, 1}}) {
            const HeadMatrices earlier = randomHead(1, width, headDim);
            const HeadMatrices later = randomHead(2, width, headDim);
            QVERIFY(near(composition(earlier, later), plainComposition(earlier, later)));
        }
    }

    void everyEarlierHeadIsCompared()
    {
        ModelConfig config = smallConfig();
        config.keyHeads = 2;
        const LoadedModel model = smallModel(3, config);
        const HeadId later{2, 1};
        const std::vector<ComposedPair> pairs = compositionsInto(*model.model, later);
        QCOMPARE(pairs.size(), std::size_t{8});
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            QVERIFY((pairs[i].earlier == HeadId{static_cast<int>(i) / 4, static_cast<int>(i) % 4}));
            QVERIFY(pairs[i].later == later);
            QVERIFY(
                near(pairs[i].raw, plainComposition(headMatrices(*model.model, pairs[i].earlier),
                                                    headMatrices(*model.model, later))));
        }
        QVERIFY(compositionsInto(*model.model, {0, 1}).empty());
    }

    void earlierHeadsComeLayerByLayer()
    {
        const LoadedModel model = smallModel(3);
        const HeadId later{2, 3};
        const auto pairs = compositionsInto(*model.model, later, NormGains::Folded);
        QCOMPARE(pairs.size(), std::size_t{8});
        for (int i = 0; i < 8; ++i) {
            QVERIFY(pairs[static_cast<std::size_t>(i)].later == later);
            QVERIFY(pairs[static_cast<std::size_t>(i)].earlier == HeadId(i / 4, i % 4));
        }
    }

    void randomHeadsComposeAsTheBaselineSays()
    {
        const CompositionBaseline baseline = compositionBaseline(24, 4);
        QCOMPARE(baseline.samples, kBaselineSamples);
        QCOMPARE(baseline.mean, compositionBaseline(24, 4).mean);
        QVERIFY(baseline.mean != compositionBaseline(24, 4, kBaselineSamples, 1).mean);
        double sum = 0.0;
        for (std::uint64_t seed = 10; seed < 30; ++seed) {
            const Composition found =
                composition(randomHead(2 * seed, 24, 4), randomHead(2 * seed + 1, 24, 4));
            sum += (found.query + found.key + found.value) / 3.0;
        }
        QVERIFY(std::abs(sum / 20.0 - baseline.mean) < baseline.deviation);
        QVERIFY(baseline.deviation > 0.0 && baseline.mean > 0.0);
        // Rank-one heads: |cos| of two random directions.
        QVERIFY(std::abs(compositionBaseline(2, 1, 2000).mean - 0.6366) < 0.02); // 2 / pi
        ComposedPair pair;
        pair.raw = {0.5, 0.25, 0.125};
        QCOMPARE(pair.minus(baseline).key, 0.25 - baseline.mean);
    }

    /// Of the shipped model that repeats: its induction heads copy, and read what the head that
    /// looks at the previous token writes.
    void shippedInductionHeadsReadThePreviousTokenHead()
    {
        const LoadedModel loaded = loadCheckpoint(std::filesystem::path(HEADSCOPE_SOURCE_DIR) /
                                                  "resources/models/repeat/model.safetensors");
        const Model& model = *loaded.model;
        std::vector<TokenId> ids = randomIds(7, 20, model.config().vocabularySize);
        ids.insert(ids.end(), ids.begin(), ids.end());
        Tracer tracer(loaded, std::make_unique<CpuAttention>());
        const HeadScoreTable scores =
            scoreTrace(*tracer.trace(tokensOf(ids), TraceRequest::everything()))
                .at(AttentionKind::Self);
        const HeadId previous = scores.ranked(HeadScore::PreviousToken).front();
        QCOMPARE(previous.layer, 0);
        QVERIFY(scores.at(previous, HeadScore::PreviousToken) > 0.5);
        const VocabularyCircuit vocabulary = vocabularyCircuit(model);
        const CompositionBaseline baseline =
            compositionBaseline(model.config().dModel, model.config().headDim());
        int inductionHeads = 0;
        for (int head = 0; head < scores.heads; ++head) {
            if (scores.at(1, head, HeadScore::InductionOnText) < 0.3)
                continue;
            ++inductionHeads;
            const HeadId place{1, head};
            QVERIFY(copyingScore(model, place, vocabulary).value() > 0.9);
            const std::vector<ComposedPair> pairs = compositionsInto(model, place);
            const auto strongest =
                std::max_element(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) {
                    return a.raw.key < b.raw.key;
                });
            QCOMPARE(strongest->earlier.head, previous.head);
            QVERIFY(strongest->minus(baseline).key > 5.0 * baseline.deviation);
        }
        QVERIFY(inductionHeads > 0);
    }

    void itStopsAndRefuses()
    {
        const LoadedModel model = smallModel(3);
        std::stop_source stop;
        stop.request_stop();
        QVERIFY_THROWS_EXCEPTION(
            Cancelled,
            compositionsInto(*model.model, {2, 0}, NormGains::AsStored, stop.get_token()));
        QVERIFY_THROWS_EXCEPTION(Error,
                                 compositionsInto(*model.model, {AttentionKind::Cross, 2, 0}));
        ModelConfig latent = smallConfig();
        latent.latent = {8, 0, 4, 4, 6};
        latent.positions = Positions::Rope;
        const LoadedModel refused = smallModel(1, latent);
        QVERIFY_THROWS_EXCEPTION(Error, compositionsInto(*refused.model, {2, 0}));
    }
};

HEADSCOPE_TEST(TstHeadComposition)
#include "tst_head_composition.moc"

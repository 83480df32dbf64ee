// labels: golden
#include "core/analysis/flow/attention_rollout.h"

#include "core/base/error.h"
#include "tests/support/tensors.h"
#include "tests/support/test_program.h"
#include "tests/support/tolerances.h"

#include <QTest>

#include <cmath>

using namespace headscope;
using namespace headscope::test;

namespace {

/// [heads, n, n] from a rule for the cells.
template<class Rule>
Tensor patternOf(std::int64_t heads, std::int64_t tokens, const Rule& rule)
{
    Tensor pattern({heads, tokens, tokens});
    for (std::int64_t head = 0; head < heads; ++head)
        for (std::int64_t query = 0; query < tokens; ++query)
            for (std::int64_t key = 0; key < tokens; ++key)
                pattern.view()(head, query, key) = static_cast<float>(rule(head, query, key));
    return pattern;
}

/// Rows of random weights that sum to 1, later keys hidden when `causal`.
Tensor randomPattern(std::uint64_t seed, std::int64_t heads, std::int64_t tokens, bool causal)
{
    Random random(seed);
    Tensor pattern({heads, tokens, tokens});
    for (std::int64_t head = 0; head < heads; ++head)
        for (std::int64_t query = 0; query < tokens; ++query) {
            float sum = 0.0F;
            for (std::int64_t key = 0; key < (causal ? query + 1 : tokens); ++key) {
                pattern.view()(head, query, key) = static_cast<float>(random.uniform());
                sum += pattern.view()(head, query, key);
            }
            for (std::int64_t key = 0; key < tokens; ++key)
                pattern.view()(head, query, key) /= sum;
        }
    return pattern;
}

Trace traceOfLayers(const std::vector<Tensor>& patterns)
{
    Trace::Activations activations;
    for (std::size_t layer = 0; layer < patterns.size(); ++layer)
        activations[{Site::Pattern, static_cast<int>(layer)}] =
            std::make_shared<const Tensor>(patterns[layer]);
    return {{}, std::move(activations), {}};
}

bool near(float got, double expected)
{
    return std::abs(double{got} - expected) < 1e-6;
}

constexpr RolloutRule kRules[]{{HeadReduction::Mean, 0.5}, {HeadReduction::Max, 0.5},
                               {HeadReduction::Min, 0.5},  {HeadReduction::Mean, 0.0},
                               {HeadReduction::Max, 0.2},  {HeadReduction::Min, 0.9}};

} // namespace

class TstAttentionRollout : public QObject
{
    Q_OBJECT

private slots:

    void goldenRolloutsMatch_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("pattern");
        QTest::newRow("a model's heads") << "interp/attention_measures.safetensors"
                                         << "out.attn";
        QTest::newRow("synthetic heads") << "interp/synthetic_heads.safetensors"
                                         << "in.attn";
    }

    void goldenRolloutsMatch()
    {
        QFETCH(QString, path);
        QFETCH(QString, pattern);
        const GoldenFile file(path.toStdString());
        const Tensor patterns = file.tensor(pattern.toStdString());
        std::vector<TensorView> layers;
        for (std::int64_t layer = 0; layer < patterns.shape()[0]; ++layer)
            layers.push_back(patterns.view()[layer]);
        std::vector<float> got;
        for (const Tensor& rollout : attentionRollout(layers))
            got.insert(got.end(), rollout.values().begin(), rollout.values().end());
        HS_COMPARE(std::span<const float>(got), file.expected("out.rollout"), kInterpretability);
    }

    void rowsSumToOneEvenWhereAQuerySeesNothing()
    {
        Tensor pattern({2, 3, 3});
        pattern.view()(0, 1, 0) = 1.0F;
        pattern.view()(1, 1, 1) = 1.0F;
        const Trace trace({},
                          {{{Site::Pattern, 0}, std::make_shared<const Tensor>(pattern)},
                           {{Site::Pattern, 1}, std::make_shared<const Tensor>(pattern)}},
                          {});
        const std::vector<Tensor> rollout = attentionRollout(trace);
        QCOMPARE(rollout.size(), std::size_t{2});
        QCOMPARE(rollout[0].view()(0, 0), 1.0F);
        QCOMPARE(rollout[0].view()(1, 0), 0.25F);
        QCOMPARE(rollout[1].view()(1, 0), 0.25F + 0.75F * 0.25F);
        QCOMPARE(rollout[1].view()(1, 1), 0.75F * 0.75F);
        QCOMPARE(rollout[1].view()(2, 2), 1.0F);
        for (const Tensor& layer : rollout)
            for (std::int64_t row = 0; row < 3; ++row)
                QCOMPARE(layer.view()(row, 0) + layer.view()(row, 1) + layer.view()(row, 2), 1.0F);
    }

    void headsThatLookAtThemselvesKeepEverything()
    {
        const Tensor own = patternOf(3, 5, [](auto, auto i, auto j) { return i == j ? 1.0 : 0.0; });
        for (const RolloutRule& rule : kRules) {
            const auto rollout =
                attentionRollout(traceOfLayers({own, own, own}), Stack::Blocks, rule);
            for (std::int64_t i = 0; i < 5; ++i)
                for (std::int64_t j = 0; j < 5; ++j)
                    QCOMPARE(rollout[2].view()(i, j), i == j ? 1.0F : 0.0F);
        }
    }

    void allToFirstHalvesWhatIsOwn()
    {
        const Tensor sink = patternOf(2, 6, [](auto, auto, auto j) { return j == 0 ? 1.0 : 0.0; });
        const auto rollout = attentionRollout(traceOfLayers({sink, sink, sink, sink}));
        for (std::size_t layer = 0; layer < rollout.size(); ++layer)
            for (std::int64_t i = 1; i < 6; ++i) {
                const double own = std::pow(0.5, static_cast<double>(layer + 1));
                QVERIFY(near(rollout[layer].view()(i, i), own));
                QVERIFY(near(rollout[layer].view()(i, 0), 1.0 - own));
            }
    }

    void everyRuleGivesShares()
    {
        for (const bool causal : {true, false}) {
            const Trace trace =
                traceOfLayers({randomPattern(1, 3, 7, causal), randomPattern(2, 3, 7, causal),
                               randomPattern(3, 3, 7, causal)});
            for (const RolloutRule& rule : kRules)
                for (const Tensor& layer : attentionRollout(trace, Stack::Blocks, rule))
                    for (std::int64_t i = 0; i < 7; ++i) {
                        double sum = 0.0;
                        for (std::int64_t j = 0; j < 7; ++j) {
                            sum += double{layer.view()(i, j)};
                            QVERIFY(!causal || j <= i || layer.view()(i, j) == 0.0F);
                        }
                        QVERIFY(std::abs(sum - 1.0) < 1e-6);
                    }
        }
    }

    void headsAreReducedAsTheRuleSays()
    {
        Tensor pattern({2, 2, 2}); // rows (1, 0), (0.25, 0.75) and (1, 0), (0.75, 0.25)
        const float weights[] = {1.0F, 0.0F, 0.25F, 0.75F, 1.0F, 0.0F, 0.75F, 0.25F};
        std::copy(std::begin(weights), std::end(weights), pattern.data());
        const auto lastRow = [&](const RolloutRule& rule) {
            const Tensor mixing = layerMixing(pattern.view(), rule);
            return std::pair{mixing.view()(1, 0), mixing.view()(1, 1)};
        };
        QCOMPARE(lastRow({HeadReduction::Mean, 0.5}), (std::pair{0.25F, 0.75F}));
        QCOMPARE(lastRow({HeadReduction::Mean, 0.0}), (std::pair{0.5F, 0.5F}));
        // Max: 0.5 (0.75, 0.75) + 0.5 (0, 1) = (0.375, 0.875) of 1.25
        QCOMPARE(lastRow({HeadReduction::Max, 0.5}), (std::pair{0.3F, 0.7F}));
        // Min: 0.5 (0.25, 0.25) + 0.5 (0, 1) = (0.125, 0.625) of 0.75
        const auto [away, own] = lastRow({HeadReduction::Min, 0.5});
        QVERIFY(near(away, 1.0 / 6.0) && near(own, 5.0 / 6.0));
        QCOMPARE(lastRow({HeadReduction::Max, 1.0}), (std::pair{0.0F, 1.0F}));
        QCOMPARE(layerMixings(traceOfLayers({pattern}))[0].view()(1, 0), 0.25F);
    }

    void withoutResidualItIsTheProductOfThePatterns()
    {
        const Tensor first = randomPattern(5, 1, 4, true);
        const Tensor second = randomPattern(6, 1, 4, true);
        const auto rollout = attentionRollout(traceOfLayers({first, second}), Stack::Blocks,
                                              {HeadReduction::Mean, 0.0});
        for (std::int64_t i = 0; i < 4; ++i)
            for (std::int64_t j = 0; j < 4; ++j) {
                double sum = 0.0;
                for (std::int64_t k = 0; k < 4; ++k)
                    sum += double{second.view()(0, i, k)} * double{first.view()(0, k, j)};
                QVERIFY(near(rollout[1].view()(i, j), sum));
            }
    }

    void headsThatAgreeOnNothingKeepTheirOwn()
    {
        const Tensor apart = patternOf(
            2, 2, [](auto head, auto, auto j) { return (head == 0) == (j == 0) ? 1.0 : 0.0; });
        const Tensor mixing = layerMixing(apart.view(), {HeadReduction::Min, 0.0});
        QCOMPARE(mixing.view()(1, 1), 1.0F);
        QCOMPARE(mixing.view()(1, 0), 0.0F);
    }

    void itStopsWhenAsked()
    {
        std::stop_source stop;
        stop.request_stop();
        const Tensor pattern = randomPattern(5, 1, 4, true);
        QVERIFY_EXCEPTION_THROWN(attentionRollout(traceOfLayers({pattern, pattern}), Stack::Blocks,
                                                  {}, stop.get_token()),
                                 Cancelled);
        QVERIFY_EXCEPTION_THROWN(layerMixing(pattern.view(), {HeadReduction::Mean, 1.5}), Error);
    }

    void whatIsMissingOrOblongIsRefused()
    {
        const auto square = std::make_shared<const Tensor>(Shape{1, 2, 2});
        QVERIFY_EXCEPTION_THROWN(attentionRollout(Trace({}, {{{Site::Pattern, 1}, square}}, {})),
                                 Error);
        const Tensor oblong({1, 2, 3});
        const std::vector<TensorView> layers{square->view(), oblong.view()};
        QVERIFY_EXCEPTION_THROWN(attentionRollout(layers), ShapeError);
        QVERIFY(attentionRollout(Trace({}, {}, {})).empty());
    }
};

HEADSCOPE_TEST(TstAttentionRollout)
#include "tst_attention_rollout.moc"

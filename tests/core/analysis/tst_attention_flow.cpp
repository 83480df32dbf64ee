// labels: threads
#include "core/analysis/flow/attention_flow.h"

#include "core/base/error.h"
#include "core/base/random.h"
#include "tests/support/qt_under_tsan.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace headscope;

namespace {

/// Rows of random weights that sum to 1; some are 0.
Tensor randomMixing(Random& random, std::int64_t tokens, bool causal)
{
    Tensor mixing({tokens, tokens});
    for (std::int64_t query = 0; query < tokens; ++query) {
        double sum = 0.0;
        for (std::int64_t key = 0; key < (causal ? query + 1 : tokens); ++key) {
            const bool none = key != query && random.below(3) == 0;
            mixing.view()(query, key) = none ? 0.0F : static_cast<float>(random.uniform());
            sum += double{mixing.view()(query, key)};
        }
        for (std::int64_t key = 0; key < tokens; ++key)
            mixing.view()(query, key) = static_cast<float>(double{mixing.view()(query, key)} / sum);
    }
    return mixing;
}

std::vector<Tensor> randomLayers(std::uint64_t seed, std::size_t layers, std::int64_t tokens,
                                 bool causal)
{
    Random random(seed);
    std::vector<Tensor> mixing;
    for (std::size_t layer = 0; layer < layers; ++layer)
        mixing.push_back(randomMixing(random, tokens, causal));
    return mixing;
}

/// What crosses from the side of the source, the nodes in `side`, to the other.
double cutValue(const std::vector<Tensor>& mixing, std::uint32_t side)
{
    const std::int64_t tokens = mixing.front().shape()[0];
    const auto isOnSide = [&](std::int64_t level, std::int64_t token) {
        return (side >> static_cast<unsigned>(level * tokens + token) & 1U) != 0;
    };
    double crossing = 0.0;
    for (std::size_t layer = 0; layer < mixing.size(); ++layer)
        for (std::int64_t i = 0; i < tokens; ++i)
            for (std::int64_t j = 0; j < tokens; ++j) {
                const auto level = static_cast<std::int64_t>(layer);
                if (isOnSide(level + 1, i) && !isOnSide(level, j))
                    crossing += double{mixing[layer].view()(i, j)};
            }
    return crossing;
}

/// The smallest cut, which is the largest flow (Ford, Fulkerson 1956): every division of the nodes
/// is tried.
double smallestCut(const std::vector<Tensor>& mixing, std::int64_t query, std::int64_t key)
{
    const std::int64_t tokens = mixing.front().shape()[0];
    const auto nodes =
        static_cast<unsigned>((mixing.size() + 1) * static_cast<std::size_t>(tokens));
    const auto source =
        static_cast<unsigned>(static_cast<std::int64_t>(mixing.size()) * tokens + query);
    double least = 1e9;
    for (std::uint32_t side = 0; side < std::uint32_t{1} << nodes; ++side)
        if ((side >> source & 1U) != 0 && (side >> static_cast<unsigned>(key) & 1U) == 0)
            least = std::min(least, cutValue(mixing, side));
    return least;
}

/// 0.5 I + 0.5 to the first token.
std::vector<Tensor> allToFirst(std::size_t layers, std::int64_t tokens)
{
    Tensor mixing({tokens, tokens});
    for (std::int64_t i = 0; i < tokens; ++i) {
        mixing.view()(i, i) += 0.5F;
        mixing.view()(i, 0) += 0.5F;
    }
    return std::vector<Tensor>(layers, mixing);
}

} // namespace

class TstAttentionFlow : public QObject
{
    Q_OBJECT

private slots:

    void oneLayerIsItsMixing()
    {
        for (const bool causal : {true, false}) {
            const std::vector<Tensor> mixing = randomLayers(4, 1, 9, causal);
            for (std::int64_t query = 0; query < 9; ++query) {
                const std::vector<double> flows = attentionFlowToAll(mixing, query);
                for (std::int64_t key = 0; key < 9; ++key)
                    QVERIFY(std::abs(flows[static_cast<std::size_t>(key)] -
                                     double{mixing[0].view()(query, key)}) < 1e-12);
            }
        }
    }

    void allToFirstHasTheClosedForm()
    {
        for (const std::size_t layers : {1U, 2U, 3U, 6U}) {
            const std::vector<Tensor> mixing = allToFirst(layers, 5);
            for (std::int64_t query = 1; query < 5; ++query) {
                const std::vector<double> flows = attentionFlowToAll(mixing, query);
                QCOMPARE(flows[static_cast<std::size_t>(query)], 0.5); // the rollout says 0.5^L
                QCOMPARE(flows[0], layers == 1 ? 0.5 : 1.0);
                QCOMPARE(flows[query == 1 ? 2 : 1], 0.0);
            }
            QCOMPARE(attentionFlowToAll(mixing, 0)[0], 1.0);
        }
    }

    void itIsTheSmallestCut_data()
    {
        QTest::addColumn<int>("layers");
        QTest::addColumn<int>("tokens");
        QTest::addColumn<bool>("causal");
        QTest::newRow("two layers, causal") << 2 << 4 << true;
        QTest::newRow("two layers") << 2 << 4 << false;
        QTest::newRow("three layers") << 3 << 3 << false;
        QTest::newRow("six layers") << 6 << 2 << false;
    }

    void itIsTheSmallestCut()
    {
        QFETCH(int, layers);
        QFETCH(int, tokens);
        QFETCH(bool, causal);
        for (std::uint64_t seed = 0; seed < 4; ++seed) {
            const std::vector<Tensor> mixing =
                randomLayers(seed, static_cast<std::size_t>(layers), tokens, causal);
            for (std::int64_t query = 0; query < tokens; ++query) {
                const std::vector<double> flows = attentionFlowToAll(mixing, query);
                for (std::int64_t key = 0; key < tokens; ++key) {
                    const double expected = smallestCut(mixing, query, key);
                    QVERIFY(std::abs(flows[static_cast<std::size_t>(key)] - expected) < 1e-9);
                }
            }
        }
    }

    void aLaterPathMayTakeAnEarlierOneBack()
    {
        // Two layers of four tokens: the first path found may block both ways, unless flow is sent
        // back along it.
        Tensor upper({4, 4});
        upper.view()(3, 1) = 0.5F;
        upper.view()(3, 2) = 0.5F;
        Tensor middle({4, 4});
        middle.view()(1, 1) = 0.5F;
        middle.view()(1, 2) = 0.5F;
        middle.view()(2, 1) = 0.5F;
        Tensor lower({4, 4});
        lower.view()(1, 0) = 0.5F;
        lower.view()(2, 0) = 0.5F;
        const std::vector<Tensor> mixing{lower, middle, upper};
        QCOMPARE(attentionFlowToAll(mixing, 3)[0], 1.0);
    }

    void noFlowIsLessThanTheRolloutsShare()
    {
        const std::vector<Tensor> mixing = randomLayers(9, 4, 12, true);
        for (const std::int64_t query : {3, 11}) {
            std::vector<double> fraction(12);
            fraction[static_cast<std::size_t>(query)] = 1.0;
            for (std::size_t layer = mixing.size(); layer-- > 0;) {
                std::vector<double> below(12);
                for (std::int64_t i = 0; i < 12; ++i)
                    for (std::int64_t j = 0; j < 12; ++j)
                        below[static_cast<std::size_t>(j)] +=
                            fraction[static_cast<std::size_t>(i)] *
                            double{mixing[layer].view()(i, j)};
                fraction = below;
            }
            const std::vector<double> flows = attentionFlowToAll(mixing, query);
            for (std::size_t key = 0; key < 12; ++key) {
                QVERIFY(flows[key] >= fraction[key] - 1e-9);
                QVERIFY(flows[key] <= 1.0 + 1e-6);
            }
        }
    }

    void longTextsAndWrongTokensAreRefused()
    {
        const std::vector<Tensor> mixing = allToFirst(2, 5);
        QVERIFY_THROWS_EXCEPTION(Error, attentionFlowToAll(mixing, 1, {}, 4));
        QVERIFY_THROWS_EXCEPTION(Error, attentionFlowToAll(allToFirst(1, kLargestFlow + 1), 1));
        QVERIFY_THROWS_EXCEPTION(ShapeError, attentionFlowToAll(mixing, 5));
        QVERIFY_THROWS_EXCEPTION(ShapeError, attentionFlowToAll(mixing, -1));
        QVERIFY_THROWS_EXCEPTION(ShapeError, attentionFlowToAll({}, 0));
        const std::vector<Tensor> unlike{Tensor({3, 3}), Tensor({4, 4})};
        QVERIFY_THROWS_EXCEPTION(ShapeError, attentionFlowToAll(unlike, 0));
    }

    void itStopsWhenAsked()
    {
        std::stop_source stop;
        stop.request_stop();
        QVERIFY_THROWS_EXCEPTION(Cancelled,
                                 attentionFlowToAll(allToFirst(2, 5), 1, stop.get_token()));
    }
};

HEADSCOPE_TEST(TstAttentionFlow)
#include "tst_attention_flow.moc"

// labels: threads
#include "core/analysis/heads/head_distances.h"

#include "core/base/error.h"
#include "core/base/random.h"
#include "tests/support/qt_under_tsan.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <numbers>

using namespace headscope;

namespace {

/// [heads, n, n], causal rows of random weights that sum to 1.
Tensor randomPattern(std::uint64_t seed, std::int64_t heads, std::int64_t tokens)
{
    Random random(seed);
    Tensor pattern({heads, tokens, tokens});
    for (std::int64_t head = 0; head < heads; ++head)
        for (std::int64_t query = 0; query < tokens; ++query) {
            double sum = 0.0;
            for (std::int64_t key = 0; key <= query; ++key) {
                pattern.view()(head, query, key) = static_cast<float>(random.uniform() + 1e-3);
                sum += double{pattern.view()(head, query, key)};
            }
            for (std::int64_t key = 0; key <= query; ++key)
                pattern.view()(head, query, key) =
                    static_cast<float>(double{pattern.view()(head, query, key)} / sum);
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

/// All rows on one key.
Tensor allOn(std::int64_t tokens, std::int64_t key)
{
    Tensor pattern({tokens, tokens});
    for (std::int64_t query = 0; query < tokens; ++query)
        pattern.view()(query, key) = 1.0F;
    return pattern;
}

/// By the definition: half of KL(a || m) + KL(b || m).
double plainDivergence(const float* a, const float* b, std::int64_t keys)
{
    double sum = 0.0;
    for (std::int64_t key = 0; key < keys; ++key) {
        const double mean = 0.5 * (double{a[key]} + double{b[key]});
        for (const float* row : {a, b})
            if (row[key] > 0.0F)
                sum += 0.5 * double{row[key]} * std::log(double{row[key]} / mean);
    }
    return sum;
}

} // namespace

class TstHeadDistances : public QObject
{
    Q_OBJECT

private slots:

    void disjointRowsAreOneBitApart()
    {
        QCOMPARE(headDistance(allOn(7, 2).view(), allOn(7, 2).view()), 0.0);
        QVERIFY(std::abs(headDistance(allOn(7, 2).view(), allOn(7, 5).view()) -
                         7.0 * std::numbers::ln2) < 1e-9);
        QVERIFY_THROWS_EXCEPTION(ShapeError, headDistance(allOn(3, 0).view(), allOn(4, 0).view()));
    }

    void everyPairIsTheSumOfItsRows()
    {
        const Trace trace = traceOfLayers({randomPattern(1, 3, 8), randomPattern(2, 4, 8)});
        const HeadDistances distances = headDistances(trace);
        QCOMPARE(distances.heads.size(), std::size_t{7});
        QCOMPARE(distances.queries, std::int64_t{8});
        QVERIFY(distances.heads[4] == (HeadId{1, 1}));
        QCOMPARE(distances.indexOf({1, 3}), std::optional<std::size_t>(6));
        QVERIFY(!distances.indexOf({2, 0}));
        for (std::size_t a = 0; a < 7; ++a)
            for (std::size_t b = 0; b < 7; ++b) {
                const auto pattern = [&](std::size_t head) {
                    return trace.find({Site::Pattern, distances.heads[head].layer})
                        ->view()[distances.heads[head].head];
                };
                double sum = 0.0;
                for (std::int64_t row = 0; row < 8; ++row)
                    sum += plainDivergence(&pattern(a)(row, 0), &pattern(b)(row, 0), 8);
                const double got = distances.sums.view()(a, b);
                QVERIFY(std::abs(got - sum) < 1e-6);
                QVERIFY(std::abs(headDistance(pattern(a), pattern(b)) - sum) < 1e-9);
                QCOMPARE(distances.sums.view()(b, a), distances.sums.view()(a, b));
                QVERIFY(distances.mean(a, b) <= std::numbers::ln2);
            }
        QCOMPARE(distances.sums.view()(3, 3), 0.0F);
    }

    void longTextsAreComparedOnSomeRows()
    {
        const Trace trace = traceOfLayers({randomPattern(1, 2, 10)});
        const HeadDistances some = headDistances(trace, Stack::Blocks, {}, 3);
        QCOMPARE(some.queries, std::int64_t{3});
        QCOMPARE(some.tokens, std::int64_t{10});
        const TensorView a = trace.find({Site::Pattern, 0})->view()[0];
        const TensorView b = trace.find({Site::Pattern, 0})->view()[1];
        double sum = 0.0;
        for (const std::int64_t row : {2, 5, 9}) // a third of the way each, the last among them
            sum += plainDivergence(&a(row, 0), &b(row, 0), 10);
        QVERIFY(std::abs(double{some.sums.view()(0, 1)} - sum) < 1e-6);
    }

    void theNearestHeadsComeFirst()
    {
        Tensor pattern({4, 5, 5});
        for (std::int64_t query = 0; query < 5; ++query) {
            pattern.view()(0, query, 0) = 1.0F;
            pattern.view()(1, query, 4) = 1.0F;
            pattern.view()(2, query, 0) = 0.5F;
            pattern.view()(2, query, 4) = 0.5F;
            pattern.view()(3, query, 0) = 1.0F;
        }
        const HeadDistances distances = headDistances(traceOfLayers({pattern}));
        QCOMPARE(nearestHeads(distances, 0, 9), (std::vector<std::size_t>{3, 2, 1}));
        QCOMPARE(nearestHeads(distances, 1, 1), std::vector<std::size_t>{2});
        QCOMPARE(nearestHeads(distances, 2, 2), (std::vector<std::size_t>{0, 1})); // ties in order
    }

    void oneHeadAndNoneAreCompared()
    {
        QVERIFY(headDistances(traceOfLayers({})).heads.empty());
        const HeadDistances one = headDistances(traceOfLayers({randomPattern(1, 1, 1)}));
        QCOMPARE(one.heads.size(), std::size_t{1});
        QCOMPARE(one.sums.view()(0, 0), 0.0F);
        QVERIFY(nearestHeads(one, 0, 3).empty());
    }

    void itStopsWhenAsked()
    {
        std::stop_source stop;
        stop.request_stop();
        QVERIFY_THROWS_EXCEPTION(Cancelled, headDistances(traceOfLayers({randomPattern(1, 3, 8)}),
                                                          Stack::Blocks, stop.get_token()));
    }
};

HEADSCOPE_TEST(TstHeadDistances)
#include "tst_head_distances.moc"

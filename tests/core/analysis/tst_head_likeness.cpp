#include "core/analysis/heads/head_likeness.h"

#include "core/base/error.h"
#include "tests/support/test_program.h"
#include "tests/support/tiny_model.h"
#include "tests/support/traced_kinds.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace headscope;

namespace {

/// Heads that look `back` tokens back each, on a text of 8.
TracePtr traceOf(const std::vector<int>& back)
{
    const auto heads = static_cast<std::int64_t>(back.size());
    auto pattern = std::make_shared<Tensor>(Shape{heads, 8, 8});
    TokenSequence tokens;
    for (std::int64_t query = 0; query < 8; ++query) {
        tokens.tokens.push_back({static_cast<TokenId>(query), {}, false});
        for (std::int64_t head = 0; head < heads; ++head)
            pattern->view()(
                head, query,
                std::max<std::int64_t>(query - back[static_cast<std::size_t>(head)], 0)) = 1.0F;
    }
    return std::make_shared<const Trace>(
        tokens, Trace::Activations{{TraceKey{Site::Pattern, 0}, pattern}}, TraceInfo{});
}

} // namespace

class TstHeadLikeness : public QObject
{
    Q_OBJECT

private slots:

    void headsThatLookAlikeAreNear()
    {
        const HeadLikenessPtr likeness = compareHeads(traceOf({1, 5, 1, 5}), {});
        QVERIFY(likeness->whyNot.empty());
        const auto near = likeness->nearest({0, 0}, 3);
        QCOMPARE(near.size(), std::size_t{3});
        QVERIFY((near[0].head == HeadId{0, 2}));
        QVERIFY(std::abs(near[0].distance) < 1e-9);
        QVERIFY(near[1].distance > 0.3 && near[1].distance <= std::log(2.0) + 1e-9);
        QCOMPARE(likeness->clusterCount, std::size_t{2});
        QCOMPARE(likeness->clusters[0], likeness->clusters[2]);
        QCOMPARE(likeness->clusters[1], likeness->clusters[3]);
        QVERIFY(likeness->clusters[0] != likeness->clusters[1]);
        const auto& points = likeness->plane.points;
        QVERIFY(std::abs(points[0][0] - points[2][0]) < 1e-5);
        QVERIFY(std::abs(points[0][0] - points[1][0]) > 0.1);
    }

    void whatCannotBeComparedSaysWhy()
    {
        QVERIFY(!compareHeads(traceOf({1}), {})->whyNot.empty());
        const HeadLikenessPtr cross = compareHeads(traceOf({1, 2}), AttentionKind::Cross);
        QVERIFY(!cross->whyNot.empty());
        QVERIFY(cross->nearest({0, 0}, 3).empty());
        std::stop_source stop;
        stop.request_stop();
        QVERIFY_EXCEPTION_THROWN(compareHeads(traceOf({1, 2}), {}, stop.get_token()), Cancelled);
    }

    void identicalHeadsAreOneCluster()
    {
        const HeadLikenessPtr likeness = compareHeads(traceOf({2, 2, 2}), {});
        QCOMPARE(likeness->clusterCount, std::size_t{1});
    }

    void weightsReadFromEarlierHeadsAlone()
    {
        const LoadedModel model = test::tinyModel();
        const HeadWeightsPtr first = readHeadWeights(*model.model, {0, 1});
        QVERIFY(first->readings.empty());
        QVERIFY(!first->spectra.queryKey.empty());
        const HeadWeightsPtr second = readHeadWeights(*model.model, {1, 0}, {}, 4);
        QCOMPARE(second->readings.size(), std::size_t{4});
        for (std::size_t index = 0; index < 4; ++index) {
            QCOMPARE(second->readings[index].earlier.layer, 0);
            if (index > 0)
                QVERIFY(second->readings[index - 1].above >= second->readings[index].above);
        }
    }

    /// Every kind of model either has spectra or says why not.
    void everyKindOfModelHasAnAnswer()
    {
        for (const auto& [name, config] : test::tracedKinds()) {
            if (config.layers == 0)
                continue;
            const LoadedModel model = test::kindModel(config);
            const bool two = test::hasTwoStacks(config);
            const AttentionKind kind = two ? AttentionKind::DecoderSelf : AttentionKind::Self;
            const HeadWeightsPtr weights = readHeadWeights(*model.model, {kind, 0, 0});
            QVERIFY2(weights->whyNot.empty() != weights->spectra.queryKey.empty(), name.c_str());
        }
    }
};

HEADSCOPE_TEST(TstHeadLikeness)
#include "tst_head_likeness.moc"

#include "core/model/pass/patches.h"

#include "core/base/error.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <numeric>

using namespace headscope;

namespace {

/// 2 layers of 2 heads, 3 channels; every number different.
TracePtr countingTrace(std::int64_t tokens, float first)
{
    Trace::Activations activations;
    for (const TraceKey key :
         {TraceKey{Site::Z, 0}, TraceKey{Site::Z, 1}, TraceKey{Site::CrossZ, 1, Stack::Decoder}}) {
        Tensor values({tokens, 2, 3});
        std::iota(values.values().begin(), values.values().end(), first);
        activations[key] = std::make_shared<const Tensor>(std::move(values));
        first += 1000.0F;
    }
    Tensor pattern({2, tokens, tokens});
    std::iota(pattern.values().begin(), pattern.values().end(), first);
    activations[{Site::Pattern, 1}] = std::make_shared<const Tensor>(std::move(pattern));
    activations[{Site::CrossPattern, 0, Stack::Decoder}] =
        std::make_shared<const Tensor>(Shape{2, tokens, 7});
    return std::make_shared<const Trace>(TokenSequence{}, std::move(activations), TraceInfo{});
}

} // namespace

class TstPatches : public QObject
{
    Q_OBJECT

private slots:

    void aPatchSharesTheTracesValues()
    {
        const TracePtr trace = countingTrace(4, 0.0F);
        const Patch patch = patchFrom(*trace, {Site::Z, 1}, 1, {2, 3});
        QVERIFY(patch.values == trace->find({Site::Z, 1}));
        QVERIFY(patch.key == (TraceKey{Site::Z, 1}));
        QCOMPARE(patch.head.value_or(-1), 1);
        QVERIFY(patch.positions == (std::vector<std::int64_t>{2, 3}));
    }

    void oneRowOfATextHoldsForItsPositionAlone()
    {
        const Patch patch = patchFrom(*countingTrace(1, 0.0F), {Site::Z, 1});
        QVERIFY(patch.positions == std::vector<std::int64_t>{0});
        QVERIFY(patchFrom(*countingTrace(2, 0.0F), {Site::Z, 1}).positions.empty());
        for (const Patch& frozen : freezePatterns(*countingTrace(1, 0.0F)))
            QVERIFY(frozen.positions == std::vector<std::int64_t>{0});
    }

    void meansAreOverAllPositionsOfAllTraces()
    {
        const std::vector<TracePtr> traces{countingTrace(3, 0.0F), countingTrace(1, 50.0F)};
        const std::vector<Patch> patches =
            meanAblation(traces, {{0, 1}, {AttentionKind::Cross, 1, 0}});
        QCOMPARE(patches.size(), std::size_t{2});
        QVERIFY(patches[0].key == (TraceKey{Site::Z, 0}));
        QVERIFY(patches[1].key == (TraceKey{Site::CrossZ, 1, Stack::Decoder}));
        QCOMPARE(patches[0].head.value_or(-1), 1);
        QVERIFY(patches[0].positions.empty());
        QVERIFY(patches[0].values->shape() == (Shape{1, 2, 3}));
        // head 1, channel 2 is the last of each row of six: 5, 11, 17; and 55
        QCOMPARE(patches[0].values->view()(0, 1, 2), (5.0F + 11.0F + 17.0F + 55.0F) / 4.0F);
        QCOMPARE(patches[1].values->view()(0, 0, 0),
                 2000.0F + (0.0F + 6.0F + 12.0F + 50.0F) / 4.0F);
    }

    void freezingTakesEveryPattern()
    {
        const TracePtr trace = countingTrace(3, 0.0F);
        const std::vector<Patch> patches = freezePatterns(*trace);
        QCOMPARE(patches.size(), std::size_t{2});
        for (const Patch& patch : patches) {
            QVERIFY(hasQueryRowsPerHead(patch.key.site));
            QVERIFY(patch.values == trace->find(patch.key));
            QVERIFY(!patch.head);
        }
    }

    void whatATraceDoesNotHoldIsRefused()
    {
        const TracePtr trace = countingTrace(3, 0.0F);
        QVERIFY_EXCEPTION_THROWN(patchFrom(*trace, {Site::Z, 2}), Error);
        QVERIFY_EXCEPTION_THROWN(meanAblation({}, {{0, 0}}), Error);
        QVERIFY_EXCEPTION_THROWN(meanAblation({trace}, {{0, 2}}), Error);
        QVERIFY_EXCEPTION_THROWN(meanAblation({trace}, {{2, 0}}), Error);
        Trace::Activations wide{{{Site::Z, 0}, std::make_shared<const Tensor>(Shape{3, 2, 4})}};
        const auto other = std::make_shared<const Trace>(TokenSequence{}, wide, TraceInfo{});
        QVERIFY_EXCEPTION_THROWN(meanAblation({trace, other}, {{0, 0}}), Error);
    }
};

HEADSCOPE_TEST(TstPatches)
#include "tst_patches.moc"

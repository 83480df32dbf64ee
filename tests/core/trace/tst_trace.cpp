#include "core/trace/trace.h"

#include "core/trace/trace_recorder.h"

#include <QTest>

#include <cmath>
#include <numeric>

using namespace headscope;

namespace {

Tensor counting(const Shape& shape, float first = 0.0F)
{
    Tensor tensor(shape);
    std::iota(tensor.values().begin(), tensor.values().end(), first);
    return tensor;
}

TracePtr recordedTrace(std::int64_t tokens)
{
    const std::vector<TraceKey> wanted{{Site::Embed, 0}, {Site::Pattern, 1}, {Site::AttnScores, 1}};
    TraceRecorder recorder(wanted, tokens, nullptr);
    recorder.record({Site::Embed, 0}, counting({tokens, 2}).view(), 0);
    recorder.record({Site::Pattern, 1}, counting({2, tokens, tokens}, 100.0F).view(), 0);
    recorder.record({Site::AttnScores, 1}, counting({2, tokens, tokens}, 200.0F).view(), 0);
    return std::make_shared<const Trace>(TokenSequence{}, recorder.take(), TraceInfo{});
}

} // namespace

class TstTrace : public QObject
{
    Q_OBJECT

private slots:
    void findsWhatWasRecorded();
    void countsLayersHeadsAndBytes();
    void recorderWantsOnlyWhatWasAsked();
    void stridedRowsArePacked();
    void freshRowsFollowTheOldOnes();
    void patternsGrowByColumnsThatOldQueriesCannotSee();
    void shorterTextIsCut();
};

void TstTrace::findsWhatWasRecorded()
{
    const TracePtr trace = recordedTrace(3);
    QVERIFY(trace->find({Site::Embed, 0})->shape() == (Shape{3, 2}));
    QVERIFY(trace->find({Site::Pattern, 0}) == nullptr);
    QCOMPARE(trace->find({Site::Pattern, 1})->view()(1, 2, 0), 100.0F + 15.0F);
}

void TstTrace::countsLayersHeadsAndBytes()
{
    const TracePtr trace = recordedTrace(3);
    QCOMPARE(trace->layerCount(), 2);
    QCOMPARE(trace->headCount(), 2);
    QCOMPARE(trace->byteCount(), (6u + 18u + 18u) * sizeof(float));
    const Trace empty({}, {}, {});
    QCOMPARE(empty.layerCount(), 0);
    QCOMPARE(empty.headCount(), 0);
}

void TstTrace::recorderWantsOnlyWhatWasAsked()
{
    const TraceRecorder recorder({{Site::Z, 2}}, 1, nullptr);
    QVERIFY(recorder.wants({Site::Z, 2}));
    QVERIFY(!recorder.wants({Site::Z, 1}));
    QVERIFY(!recorder.wants({Site::Z, 3}));
    QVERIFY(!recorder.wants({Site::Logits, 0}));
}

void TstTrace::stridedRowsArePacked()
{
    const Tensor wide = counting({3, 10});
    TensorView heads(wide.data() + 4, {3, 2, 2});
    heads.strides = {10, 2, 1, 0, 0};
    TraceRecorder recorder({{Site::Query, 0}}, 3, nullptr);
    recorder.record({Site::Query, 0}, heads, 0);
    const auto recorded = recorder.take().at({Site::Query, 0});
    for (std::int64_t token = 0; token < 3; ++token)
        for (std::int64_t i = 0; i < 4; ++i)
            QCOMPARE(recorded->view()(token, i / 2, i % 2), static_cast<float>(token * 10 + 4 + i));
}

void TstTrace::freshRowsFollowTheOldOnes()
{
    TraceRecorder recorder({{Site::Embed, 0}}, 4, recordedTrace(3));
    recorder.record({Site::Embed, 0}, counting({2, 2}, 50.0F).view(), 2);
    const auto joined = recorder.take().at({Site::Embed, 0});
    const std::vector<float> expected{0, 1, 2, 3, 50, 51, 52, 53};
    QVERIFY(std::equal(expected.begin(), expected.end(), joined->values().begin(),
                       joined->values().end()));
}

void TstTrace::patternsGrowByColumnsThatOldQueriesCannotSee()
{
    TraceRecorder recorder({{Site::Pattern, 1}, {Site::AttnScores, 1}}, 3, recordedTrace(2));
    const Tensor fresh = counting({2, 1, 3}, 7.0F);
    recorder.record({Site::Pattern, 1}, fresh.view(), 2);
    recorder.record({Site::AttnScores, 1}, fresh.view(), 2);
    const Trace::Activations joined = recorder.take();
    const Tensor& pattern = *joined.at({Site::Pattern, 1});
    const Tensor& scores = *joined.at({Site::AttnScores, 1});
    for (std::int64_t head = 0; head < 2; ++head)
        for (std::int64_t query = 0; query < 2; ++query) {
            QCOMPARE(pattern.view()(head, query, 0),
                     100.0F + static_cast<float>(head * 4 + query * 2));
            QCOMPARE(pattern.view()(head, query, 2), 0.0F);
            QVERIFY(std::isinf(scores.view()(head, query, 2)) &&
                    scores.view()(head, query, 2) < 0.0F);
        }
    QCOMPARE(pattern.view()(1, 2, 1), 7.0F + 4.0F);
}

void TstTrace::shorterTextIsCut()
{
    TraceRecorder recorder({{Site::Embed, 0}, {Site::Pattern, 1}}, 2, recordedTrace(3));
    const Trace::Activations cut = recorder.take();
    QCOMPARE(cut.size(), std::size_t{2});
    QVERIFY(cut.at({Site::Embed, 0})->shape() == (Shape{2, 2}));
    const Tensor& pattern = *cut.at({Site::Pattern, 1});
    QVERIFY(pattern.shape() == (Shape{2, 2, 2}));
    QCOMPARE(pattern.view()(1, 1, 0), 100.0F + 9.0F + 3.0F);
}

QTEST_GUILESS_MAIN(TstTrace)
#include "tst_trace.moc"

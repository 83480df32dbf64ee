#include "core/trace/trace.h"

#include "core/base/error.h"
#include "core/trace/trace_recorder.h"
#include "tests/support/test_program.h"

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

/// Numbers the values of Logits [6, width], and counts the rows that it computes.
class CountedLogits : public OmittedActivations
{
public:
    explicit CountedLogits(std::int64_t width = 4) : m_width(width) {}

    const std::vector<TraceKey>& keys() const override { return m_keys; }

    std::optional<Shape> shapeOf(TraceKey key) const override
    {
        return key == m_keys.front() ? std::optional(Shape{6, m_width}) : std::nullopt;
    }

    Tensor rows(TraceKey, std::int64_t first, std::int64_t count) const override
    {
        computed += count;
        return counting({count, m_width}, static_cast<float>(m_width * first));
    }

    mutable std::int64_t computed = 0;

private:
    std::int64_t m_width;
    std::vector<TraceKey> m_keys{{Site::Logits, 0}};
};

} // namespace

class TstTrace : public QObject
{
    Q_OBJECT

private slots:
    void findsWhatWasRecorded();
    void rowsOfRecordedActivationsAreViews();
    void omittedRowsAreComputedOnce();
    void allOmittedRowsAreReadInTurn();
    void countsLayersHeadsAndBytes();
    void recorderWantsOnlyWhatWasAsked();
    void stridedRowsArePacked();
    void freshRowsFollowTheOldOnes();
    void patternsGrowByColumnsThatOldQueriesCannotSee();
    void shorterTextIsCut();
    void stacksDoNotMix();
    void crossPatternsKeepTheirSourceTokens();
    void whatIsComputedAtOnceIsNeverJoined();
    void whatTheEncoderDidComesFromTheEarlierTrace();
};

void TstTrace::findsWhatWasRecorded()
{
    const TracePtr trace = recordedTrace(3);
    QVERIFY(trace->find({Site::Embed, 0})->shape() == (Shape{3, 2}));
    QVERIFY(trace->find({Site::Pattern, 0}) == nullptr);
    QCOMPARE(trace->find({Site::Pattern, 1})->view()(1, 2, 0), 100.0F + 15.0F);
}

void TstTrace::rowsOfRecordedActivationsAreViews()
{
    const TracePtr trace = recordedTrace(3);
    const TraceKey embed{Site::Embed, 0};
    const ActivationRows rows = trace->findRows(embed, 1, 2);
    QCOMPARE(rows.view.data, trace->find(embed)->data() + 2);
    QVERIFY(rows.view.shape == (Shape{2, 2}));
    QCOMPARE(rows[1].size(), std::size_t{2});
    QCOMPARE(rows[1][0], 4.0F);
    QVERIFY(trace->shapeOf(embed) == (Shape{3, 2}));
    QVERIFY(!trace->has({Site::Logits, 0}));
    QVERIFY(!trace->findRows({Site::Logits, 0}, 0));
    QVERIFY_EXCEPTION_THROWN(trace->findRows(embed, 2, 2), ShapeError);
    QVERIFY_EXCEPTION_THROWN(trace->findRows(embed, -1), ShapeError);
    QVERIFY_EXCEPTION_THROWN(trace->findRows({Site::Pattern, 1}, 0), ShapeError);
}

void TstTrace::omittedRowsAreComputedOnce()
{
    const TraceKey logits{Site::Logits, 0};
    const auto omitted = std::make_shared<const CountedLogits>();
    const Trace trace({}, {}, {}, {}, {}, omitted);
    QVERIFY(trace.has(logits));
    QCOMPARE(omitted->computed, std::int64_t{0});
    for (int again = 0; again < 2; ++again)
        QCOMPARE(trace.findRows(logits, 2)[0][3], 11.0F);
    QCOMPARE(omitted->computed, std::int64_t{1});
    for (int again = 0; again < 2; ++again)
        QCOMPARE(trace.find(logits)->view()(5, 3), 23.0F);
    QCOMPARE(omitted->computed, std::int64_t{7});
    QVERIFY_EXCEPTION_THROWN(trace.findRows(logits, 6), ShapeError);
}

void TstTrace::allOmittedRowsAreReadInTurn()
{
    constexpr std::int64_t kWidth = 1 << 21; // of which only two rows are computed at a time
    const TraceKey logits{Site::Logits, 0};
    const Trace trace({}, {}, {}, {}, {}, std::make_shared<const CountedLogits>(kWidth));
    std::vector<float> firsts;
    trace.forEachRow(logits, [&](std::int64_t row, std::span<const float> values) {
        QCOMPARE(row, std::ssize(firsts));
        firsts.push_back(values.front());
    });
    QCOMPARE(std::ssize(firsts), std::int64_t{6});
    for (std::size_t row = 0; row < firsts.size(); ++row)
        QCOMPARE(firsts[row], static_cast<float>(row * kWidth));
    trace.forEachRow({Site::Embed, 0}, [](std::int64_t, std::span<const float>) {
        QFAIL("a trace without this activation has no rows");
    });
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

void TstTrace::stacksDoNotMix()
{
    const std::vector<TraceKey> keys{{Site::Pattern, 0, Stack::Encoder},
                                     {Site::Pattern, 1, Stack::Decoder}};
    TraceRecorder recorder(keys, 2, nullptr);
    for (const TraceKey key : keys)
        QVERIFY(recorder.wants(key));
    QVERIFY(!recorder.wants({Site::Pattern, 0, Stack::Blocks}));
    QVERIFY(!recorder.wants({Site::Pattern, 0, Stack::Decoder}));
    QVERIFY(!recorder.wants({Site::Pattern, 1, Stack::Encoder}));
    recorder.record(keys[0], counting({3, 5, 5}).view(), 0);
    recorder.record(keys[1], counting({2, 2, 2}).view(), 0);
    TokenSequence source;
    source.tokens.resize(5);
    const Trace trace(TokenSequence{}, recorder.take(), {}, source);
    QCOMPARE(trace.sourceTokens().size(), std::size_t{5});
    QCOMPARE(trace.layerCount(AttentionKind::EncoderSelf), 1);
    QCOMPARE(trace.headCount(AttentionKind::EncoderSelf), 3);
    QCOMPARE(trace.layerCount(AttentionKind::DecoderSelf), 2);
    QCOMPARE(trace.headCount(AttentionKind::DecoderSelf), 2);
    QCOMPARE(trace.layerCount(), 0);
    QCOMPARE(trace.headCount(), 0);
}

void TstTrace::crossPatternsKeepTheirSourceTokens()
{
    const TraceKey pattern{Site::CrossPattern, 0, Stack::Decoder};
    const TraceKey scores{Site::CrossScores, 0, Stack::Decoder};
    TraceRecorder first({pattern, scores}, 2, nullptr);
    first.record(pattern, counting({2, 2, 5}).view(), 0);
    first.record(scores, counting({2, 2, 5}, 30.0F).view(), 0);
    const TracePtr before =
        std::make_shared<const Trace>(TokenSequence{}, first.take(), TraceInfo{});

    TraceRecorder grown({pattern, scores}, 3, before);
    grown.record(pattern, counting({2, 1, 5}, 100.0F).view(), 2);
    grown.record(scores, counting({2, 1, 5}, 200.0F).view(), 2);
    const Trace::Activations joined = grown.take();
    QVERIFY(joined.at(pattern)->shape() == (Shape{2, 3, 5}));
    QCOMPARE(joined.at(pattern)->view()(1, 1, 4), 19.0F);
    QCOMPARE(joined.at(pattern)->view()(1, 2, 4), 109.0F);
    QCOMPARE(joined.at(scores)->view()(0, 1, 4), 39.0F);

    TraceRecorder cut({pattern}, 1, before);
    const auto shorter = cut.take().at(pattern);
    QVERIFY(shorter->shape() == (Shape{2, 1, 5}));
    QCOMPARE(shorter->view()(1, 0, 4), 14.0F);
}

void TstTrace::whatIsComputedAtOnceIsNeverJoined()
{
    const TraceKey keys{Site::CrossKey, 0, Stack::Decoder};
    const TraceKey encoded{Site::ResidPost, 0, Stack::Encoder};
    const TraceKey sentence{Site::NextSentence, 0};
    TraceRecorder first({keys, encoded, sentence}, 2, nullptr);
    first.record(keys, counting({5, 2, 3}).view(), 0);
    first.record(encoded, counting({5, 4}).view(), 0);
    first.record(sentence, counting({1, 2}).view(), 0);
    const TracePtr before =
        std::make_shared<const Trace>(TokenSequence{}, first.take(), TraceInfo{});
    TraceRecorder second({keys, encoded, sentence}, 9, before);
    second.record(keys, counting({6, 2, 3}, 1.0F).view(), 0);
    second.record(encoded, counting({6, 4}, 2.0F).view(), 0);
    second.record(sentence, counting({1, 2}, 3.0F).view(), 0);
    const Trace::Activations got = second.take();
    QVERIFY(got.at(keys)->shape() == (Shape{6, 2, 3}));
    QVERIFY(got.at(encoded)->shape() == (Shape{6, 4}));
    QVERIFY(got.at(sentence)->shape() == (Shape{1, 2}));
    QCOMPARE(got.at(keys)->values()[0], 1.0F);
    QCOMPARE(got.at(sentence)->values()[1], 4.0F);
}

void TstTrace::whatTheEncoderDidComesFromTheEarlierTrace()
{
    const TraceKey encoded{Site::ResidPost, 0, Stack::Encoder};
    const TraceKey stream{Site::ResidPost, 0, Stack::Decoder};
    TraceRecorder first({encoded, stream}, 2, nullptr);
    first.record(encoded, counting({5, 4}).view(), 0);
    first.record(stream, counting({2, 4}).view(), 0);
    const TracePtr before =
        std::make_shared<const Trace>(TokenSequence{}, first.take(), TraceInfo{});
    TraceRecorder grown({encoded, stream}, 3, before);
    grown.record(stream, counting({1, 4}, 50.0F).view(), 2);
    const Trace::Activations got = grown.take();
    QVERIFY(got.at(encoded) == before->find(encoded)); // shared, not copied
    QVERIFY(got.at(stream)->shape() == (Shape{3, 4}));
    QCOMPARE(got.at(stream)->view()(2, 0), 50.0F);
    TraceRecorder cut({stream}, 1, before);
    const Trace::Activations shorter = cut.take();
    QCOMPARE(shorter.size(), std::size_t{1}); // the encoder's site was not asked for
    QVERIFY(shorter.at(stream)->shape() == (Shape{1, 4}));
}

HEADSCOPE_TEST(TstTrace)
#include "tst_trace.moc"

#include "core/trace/trace.h" // first: moc of Qt 6.4 stumbles over <concepts> where head_id.h comes first

#include "core/trace/head_id.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace headscope;

namespace {

/// One head of each kind whose text begins a name of its own.
constexpr HeadId kHeads[] = {{0, 0},
                             {1, 3},
                             {AttentionKind::EncoderSelf, 12, 0},
                             {AttentionKind::DecoderSelf, 0, 31},
                             {AttentionKind::Cross, 2, 10}};

std::shared_ptr<const Tensor> patternWith(std::int64_t heads)
{
    return std::make_shared<const Tensor>(Shape{heads, 2, 2});
}

} // namespace

class TstHeadId : public QObject
{
    Q_OBJECT

private slots:
    void textsNameTheKindAndGoBothWays();
    void otherTextsAreNoHeads_data();
    void otherTextsAreNoHeads();
    void headsAreOrderedByKindThenLayer();
    void keysOfAKindAreItsOwn();
    void aTraceKnowsItsKinds();
};

void TstHeadId::textsNameTheKindAndGoBothWays()
{
    const char* const texts[] = {"L0H0", "L1H3", "encoder L12H0", "decoder L0H31", "cross L2H10"};
    for (std::size_t index = 0; index < std::size(kHeads); ++index) {
        QCOMPARE(headscope::toString(kHeads[index]), std::string(texts[index]));
        QVERIFY(parseHeadId(texts[index]) == kHeads[index]);
    }
    QCOMPARE(headscope::toString(AttentionKind::Self), std::string());
}

void TstHeadId::otherTextsAreNoHeads_data()
{
    QTest::addColumn<QString>("text");
    for (const char* text : {"", "L1", "H3", "1.3", "L1H", "L1H3 ", " L1H3", "L-1H3", "l1h3",
                             "cross", "cross ", "encoderL1H3", "self L1H3", "cross encoder L1H3"})
        QTest::newRow(*text == '\0' ? "none" : text) << QString(text);
}

void TstHeadId::otherTextsAreNoHeads()
{
    QFETCH(QString, text);
    QVERIFY(!parseHeadId(text.toStdString()));
}

void TstHeadId::headsAreOrderedByKindThenLayer()
{
    QVERIFY(std::is_sorted(std::begin(kHeads), std::end(kHeads)));
    QVERIFY(HeadId(5, 5) < HeadId(AttentionKind::EncoderSelf, 0, 0));
}

void TstHeadId::keysOfAKindAreItsOwn()
{
    std::set<TraceKey> keys;
    for (const AttentionKind kind : kAttentionKinds) {
        QVERIFY(attentionOf(patternKey(kind, 3)) == kind);
        QVERIFY(kind == AttentionKind::Cross || selfAttentionOf(stackOf(kind)) == kind);
        keys.insert({patternKey(kind, 3), scoresKey(kind, 3), contextKey(kind, 3)});
    }
    QCOMPARE(keys.size(), 3 * kAttentionKinds.size());
    QCOMPARE(headscope::toString(patternKey(AttentionKind::Cross, 1)),
             std::string("decoder.1.cross_attn.hook_pattern"));
}

void TstHeadId::aTraceKnowsItsKinds()
{
    TokenSequence target;
    target.tokens.resize(2);
    TokenSequence source;
    source.tokens.resize(3);
    const Trace trace(target,
                      {{patternKey(AttentionKind::EncoderSelf, 0), patternWith(3)},
                       {patternKey(AttentionKind::Cross, 0), patternWith(2)},
                       {patternKey(AttentionKind::Cross, 1), patternWith(4)}},
                      {}, source);
    QVERIFY((trace.attentionKinds() ==
             std::vector<AttentionKind>{AttentionKind::EncoderSelf, AttentionKind::Cross}));
    QCOMPARE(trace.layerCount(AttentionKind::Cross), 2);
    QCOMPARE(trace.headCount(AttentionKind::Cross), 4);
    QCOMPARE(trace.layerCount(AttentionKind::DecoderSelf), 0);
    QCOMPARE(trace.headCount(AttentionKind::DecoderSelf), 0);
    const auto queries = [&](AttentionKind kind) { return trace.queryTokens(kind).size(); };
    const auto keys = [&](AttentionKind kind) { return trace.keyTokens(kind).size(); };
    QCOMPARE(queries(AttentionKind::EncoderSelf), std::size_t{3});
    QCOMPARE(keys(AttentionKind::EncoderSelf), std::size_t{3});
    QCOMPARE(queries(AttentionKind::DecoderSelf), std::size_t{2});
    QCOMPARE(keys(AttentionKind::DecoderSelf), std::size_t{2});
    QCOMPARE(queries(AttentionKind::Cross), std::size_t{2});
    QCOMPARE(keys(AttentionKind::Cross), std::size_t{3});
}

HEADSCOPE_TEST(TstHeadId)
#include "tst_head_id.moc"

#include "core/analysis/scores/head_table.h"

#include "core/analysis/benchmarks/head_score_speed.h"
#include "core/analysis/scores/pattern_scores.h"
#include "core/analysis/scores/repeats_probe.h"
#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "core/base/random.h"
#include "core/io/checkpoint.h"
#include "tests/support/test_program.h"
#include "tests/support/tiny_model.h"

#include <QTest>

#include <cmath>
#include <set>

using namespace headscope;

namespace {

/// Softmax-like rows over what each query may see.
Tensor randomPattern(std::int64_t tokens, std::uint64_t seed, bool seesAhead = false)
{
    Tensor pattern({tokens, tokens});
    Random random(seed);
    for (std::int64_t query = 0; query < tokens; ++query) {
        const std::int64_t seen = seesAhead ? tokens : query + 1;
        double sum = 0.0;
        for (std::int64_t key = 0; key < seen; ++key)
            sum += double{pattern.view()(query, key) = static_cast<float>(random.uniform())};
        for (std::int64_t key = 0; key < seen; ++key)
            pattern.view()(query, key) /= static_cast<float>(sum);
    }
    return pattern;
}

TokenSequence sequenceOf(const std::vector<TokenId>& ids)
{
    TokenSequence tokens;
    for (const TokenId id : ids)
        tokens.tokens.push_back({id, {}, false});
    return tokens;
}

/// One layer of given heads [n, n].
TracePtr traceOf(const std::vector<Tensor>& heads, const std::vector<TokenId>& ids)
{
    const std::int64_t tokens = heads.front().shape()[0];
    auto pattern =
        std::make_shared<Tensor>(Shape{static_cast<std::int64_t>(heads.size()), tokens, tokens});
    for (std::size_t head = 0; head < heads.size(); ++head)
        std::copy(heads[head].values().begin(), heads[head].values().end(),
                  pattern->values().begin() +
                      static_cast<std::ptrdiff_t>(head * heads[head].size()));
    return std::make_shared<const Trace>(
        sequenceOf(ids), Trace::Activations{{TraceKey{Site::Pattern, 0}, pattern}}, TraceInfo{});
}

bool same(double a, double b, double allowed = 1e-9)
{
    return (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= allowed;
}

LoadedModel shipped(const std::string& name)
{
    return loadCheckpoint(std::string(HEADSCOPE_SOURCE_DIR) + "/resources/models/" + name +
                          "/model.safetensors");
}

} // namespace

class TstHeadTable : public QObject
{
    Q_OBJECT

private slots:

    void whatATextAloneGivesIsThere()
    {
        const std::vector<TokenId> ids{3, 1, 4, 1, 5, 3, 1, 4, 9, 4, 1, 5};
        const auto tables = scoreTrace(*traceOf({randomPattern(12, 1)}, ids));
        for (const HeadScoreInfo& info : headScoreInfos())
            QVERIFY2(std::isnan(tables.at(AttentionKind::Self).at(0, 0, info.score)) ==
                         (info.needs != HeadScoreNeeds::Text),
                     info.key.data());
    }

    /// The functions that single numbers are taken from elsewhere are those of the table.
    void stripesAreThoseOfTheSecondRound()
    {
        std::vector<TokenId> ids{40};
        for (int index = 0; index < 20; ++index)
            ids.push_back(index % 5);
        const Tensor pattern = randomPattern(21, 2);
        const auto tables = scoreTrace(*traceOf({pattern}, ids), {0.0, 5, 1});
        const HeadScoreTable& table = tables.at(AttentionKind::Self);
        QVERIFY(same(table.at(0, 0, HeadScore::InductionStripe),
                     inductionStripe(pattern.view(), 5, 1)));
        QVERIFY(same(table.at(0, 0, HeadScore::DuplicateStripe),
                     duplicateStripe(pattern.view(), 5, 1)));
        // Prefix matching: all tokens that have copies, all their copies.
        QVERIFY(same(table.at(0, 0, HeadScore::PrefixMatching),
                     table.at(0, 0, HeadScore::InductionOnText)));
    }

    void aHeadThatLooksAheadChoosesAmongAllTokens()
    {
        std::vector<Tensor> heads;
        heads.emplace_back(Shape{6, 6});
        for (float& weight : heads.front().values())
            weight = 1.0F / 6.0F;
        const auto tables = scoreTrace(*traceOf(heads, {0, 1, 2, 3, 4, 5}));
        const HeadScoreTable& table = tables.at(AttentionKind::Self);
        QVERIFY(same(table.at(0, 0, HeadScore::NormalisedEntropy), 1.0, 1e-6));
        QVERIFY(same(table.at(0, 0, HeadScore::Entropy), std::log(6.0), 1e-6));
        QVERIFY(same(inBits(std::log(8.0)), 3.0));
    }

    void whatIsNotDefinedIsNotZeroAndSaysWhy_data()
    {
        QTest::addColumn<QList<int>>("ids");
        QTest::addColumn<QList<int>>("undefined");
        QTest::addColumn<QString>("reason");
        const auto score = [](HeadScore one) { return static_cast<int>(one); };
        QTest::newRow("single token") << QList<int>{7}
                                      << QList<int>{score(HeadScore::PreviousToken),
                                                    score(HeadScore::FirstToken),
                                                    score(HeadScore::Sink),
                                                    score(HeadScore::NormalisedEntropy),
                                                    score(HeadScore::InductionOnText),
                                                    score(HeadScore::PreviousTokenFraction)}
                                      << "A single token";
        QTest::newRow("no token twice")
            << QList<int>{1, 2, 3, 4}
            << QList<int>{score(HeadScore::InductionOnText), score(HeadScore::InductionFraction),
                          score(HeadScore::InductionMatch), score(HeadScore::DuplicateFraction)}
            << "is repeated";
        QTest::newRow("stripes of a text")
            << QList<int>{1, 1, 1}
            << QList<int>{score(HeadScore::InductionStripe), score(HeadScore::PrefixMatching)}
            << "random tokens";
    }

    void whatIsNotDefinedIsNotZeroAndSaysWhy()
    {
        QFETCH(const QList<int>, ids);
        QFETCH(const QList<int>, undefined);
        QFETCH(const QString, reason);
        const std::vector<TokenId> tokens(ids.begin(), ids.end());
        const auto tables = scoreTrace(
            *traceOf({randomPattern(static_cast<std::int64_t>(tokens.size()), 3)}, tokens));
        const HeadScoreTable& table = tables.at(AttentionKind::Self);
        for (const int score : undefined) {
            const auto one = static_cast<HeadScore>(score);
            QVERIFY2(std::isnan(table.at(0, 0, one)), infoOf(one).key.data());
            QVERIFY2(table.why(one).find(reason.toStdString()) != std::string::npos,
                     table.why(one).c_str());
        }
        QVERIFY(!std::isnan(table.at(0, 0, HeadScore::Entropy)));
        QVERIFY(table.why(HeadScore::Entropy).empty());
    }

    void ranksAndMediansLeaveOutWhatIsNotDefined()
    {
        HeadScoreTable table;
        table.layers = 2;
        table.heads = 2;
        table.values.resize(4);
        const double values[]{0.2, NAN, 0.9, 0.5};
        for (int index = 0; index < 4; ++index) {
            table.values[static_cast<std::size_t>(index)].assign(headScoreInfos().size(), NAN);
            table.put({index / 2, index % 2}, HeadScore::Self, values[index]);
        }
        const std::vector<HeadId> falling = table.ranked(HeadScore::Self);
        QVERIFY((falling == std::vector<HeadId>{{1, 0}, {1, 1}, {0, 0}, {0, 1}}));
        const std::vector<HeadId> rising = table.ranked(HeadScore::Self, true);
        QVERIFY((rising == std::vector<HeadId>{{0, 0}, {1, 1}, {1, 0}, {0, 1}}));
        QCOMPARE(table.median(HeadScore::Self), 0.5);
        QVERIFY(std::isnan(table.median(HeadScore::Entropy)));
        QVERIFY(std::isnan(table.at(2, 0, HeadScore::Self)));
        QVERIFY(std::isnan(table.at(0, -1, HeadScore::Self)));
    }

    void theNamesOfScoresAreStableAndOldOnesKnown()
    {
        std::set<std::string_view> keys;
        for (const HeadScoreInfo& info : headScoreInfos()) {
            QCOMPARE(infoOf(info.score).key, info.key);
            QVERIFY(headScoreNamed(info.key) == info.score);
            keys.insert(info.key);
        }
        QCOMPARE(keys.size(), headScoreInfos().size());
        QVERIFY(headScoreNamed("previous") == HeadScore::PreviousToken);
        QVERIFY(headScoreNamed("entropy_normalised") == HeadScore::NormalisedEntropy);
        // One score, in session files as on the command line.
        QVERIFY(headScoreNamed("induction") == HeadScore::InductionOnText);
        QVERIFY(!headScoreNamed("nonsense"));
    }

    void theCacheKeepsTracesByTheirParameters()
    {
        HeadScoreCache cache;
        const TracePtr trace = traceOf({randomPattern(6, 5)}, {0, 1, 0, 1, 0, 1});
        const HeadScoreTablesPtr one = cache.scoresOf(trace);
        QVERIFY(one == cache.scoresOf(trace));
        HeadScoreOptions options;
        options.period = 2;
        const HeadScoreTablesPtr other = cache.scoresOf(trace, options);
        QVERIFY(one != other);
        QVERIFY(other->at(AttentionKind::Self).has(HeadScore::InductionStripe));
        QVERIFY(cache.scoresOf(nullptr)->empty());
    }

    void badShapesAndStopsAreRefused()
    {
        QVERIFY_EXCEPTION_THROWN(scoreTrace(*traceOf({randomPattern(3, 6)}, {1, 2})), ShapeError);
        std::stop_source stop;
        stop.request_stop();
        const TracePtr trace = traceOf({randomPattern(4, 6)}, {0, 1, 2, 3});
        QVERIFY_EXCEPTION_THROWN(scoreTrace(*trace, {}, stop.get_token()), Cancelled);
        QVERIFY_EXCEPTION_THROWN(measureHeadScores(LoadedModel{}, 4), Error);
    }

    void patternsMadeOnDemandScoreTheSame()
    {
        const LoadedModel model = test::tinyModel();
        const TokenSequence tokens = model.tokenizer->encode("the cat sat on the mat the cat");
        Tracer tracer(model, std::make_unique<CpuAttention>());
        const TracePtr kept = tracer.trace(tokens, TraceRequest::forViews());
        TraceRequest small = TraceRequest::forViews();
        small.patternBudget = 0;
        tracer.forget();
        const TracePtr made = tracer.trace(tokens, small);
        QVERIFY(!made->retainedPatterns().empty());
        const HeadScoreTable one = scoreTrace(*kept).at(AttentionKind::Self);
        const HeadScoreTable other = scoreTrace(*made).at(AttentionKind::Self);
        for (int head = 0; head < 4; ++head)
            for (const HeadScoreInfo& info : headScoreInfos())
                QVERIFY(same(one.at(head / 2, head % 2, info.score),
                             other.at(head / 2, head % 2, info.score), 1e-5));
    }

    void theProbeIsTheSameEveryTimeAndCanBeStopped()
    {
        const LoadedModel model = test::tinyModel();
        int steps = 0;
        const RepeatsProbePtr one = probeRepeats(model, {}, [&steps](int done) { steps = done; });
        const RepeatsProbePtr two = probeRepeats(model);
        QCOMPARE(steps, kProbeSteps);
        QCOMPARE(one->period, 16); // the tiny model reads 32 tokens
        QCOMPARE(one->prefixPeriod, 8);
        const std::vector<TokenId> ids = one->example->tokens().ids();
        for (std::size_t index = 0; index < 16; ++index)
            QCOMPARE(ids[index], ids[index + 16]);
        const HeadScoreTable& table = one->tables.at(AttentionKind::Self);
        for (int head = 0; head < 4; ++head)
            for (const HeadScore score : {HeadScore::InductionStripe, HeadScore::PrefixMatching,
                                          HeadScore::DuplicateStripe, HeadScore::Entropy}) {
                QVERIFY(!std::isnan(table.at(head / 2, head % 2, score)));
                QCOMPARE(table.at(head / 2, head % 2, score),
                         two->tables.at(AttentionKind::Self).at(head / 2, head % 2, score));
            }
        std::stop_source stop;
        stop.request_stop();
        QVERIFY_EXCEPTION_THROWN(probeRepeats(model, stop.get_token()), Cancelled);
    }

    /// Of an encoder-decoder each part has a table; attention to a source has few scores.
    void partsOfAnEncoderDecoderHaveTablesOfTheirOwn()
    {
        const RepeatsProbePtr probe = probeRepeats(shipped("dates"));
        QCOMPARE(probe->tables.size(), std::size_t{3});
        const HeadScoreTable& cross = probe->tables.at(AttentionKind::Cross);
        QVERIFY(cross.has(HeadScore::Entropy));
        QVERIFY(!cross.has(HeadScore::Self));
        QVERIFY(cross.why(HeadScore::Self).find("different texts") != std::string::npos);
        const HeadScoreTable& encoder = probe->tables.at(AttentionKind::EncoderSelf);
        for (int layer = 0; layer < encoder.layers; ++layer)
            for (int head = 0; head < encoder.heads; ++head)
                QVERIFY(encoder.at(layer, head, HeadScore::NormalisedEntropy) <= 1.0 + 1e-6);
    }

    void theSpeedMeasureRunsOnASmallModel()
    {
        const HeadScoreSpeed speed = measureHeadScores(2, 2, 16, 1);
        QCOMPARE(speed.layers, 2);
        QCOMPARE(speed.heads, 2);
        QCOMPARE(speed.tokens, 16);
        QVERIFY(std::isfinite(speed.ratio()) && speed.ratio() > 0.0);
    }
};

HEADSCOPE_TEST(TstHeadTable)
#include "tst_head_table.moc"

// labels: golden threads
#include "core/analysis/scores/head_table.h"
#include "core/analysis/scores/pattern_scores.h"

#include "core/base/error.h"
#include "tests/core/analysis/made_heads.h"
#include "tests/support/qt_under_tsan.h"
#include "tests/support/test_program.h"
#include "tests/support/tolerances.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

using namespace headscope;
using namespace headscope::test;

namespace {

Tensor previousToken(std::int64_t tokens)
{
    return patternOf(tokens, [](std::int64_t i, std::int64_t j) {
        return j == std::max<std::int64_t>(i - 1, 0) ? 1.0 : 0.0;
    });
}

/// The table's row of a model of one head.
class Scores
{
public:
    Scores(const Tensor& pattern, const std::vector<TokenId>& ids,
           const HeadScoreOptions& options = {})
        : m_table(scoreTrace(traceOf({pattern}, ids), options).at(AttentionKind::Self))
    {
    }

    explicit Scores(const Tensor& pattern) : Scores(pattern, distinctIds(pattern.shape()[0])) {}

    /// On `prefix` tokens, then `period` tokens again and again.
    Scores(const Tensor& pattern, std::int64_t period, std::int64_t prefix)
        : Scores(pattern, distinctIds(pattern.shape()[0]), {0.01, period, prefix})
    {
    }

    double operator[](HeadScore score) const { return m_table.at(0, 0, score); }

private:
    HeadScoreTable m_table;
};

Tensor copyOf(TensorView pattern)
{
    return patternOf(pattern.shape[0],
                     [&](std::int64_t query, std::int64_t key) { return pattern(query, key); });
}

/// The golden name of a score.
struct Measure
{
    const char* name;
    HeadScore score;
};

constexpr Measure kMeasures[]{
    {"entropy", HeadScore::Entropy},
    {"entropy_normalised", HeadScore::NormalisedEntropy},
    {"previous_token", HeadScore::PreviousToken},
    {"bos_mass", HeadScore::FirstToken},
    {"diagonal", HeadScore::Self},
    {"duplicate_token", HeadScore::DuplicateStripe},
    {"induction", HeadScore::InductionStripe},
    {"mean_distance", HeadScore::Distance},
};

} // namespace

class TstHeadScores : public QObject
{
    Q_OBJECT

private slots:
    void goldenMeasuresMatch_data();
    void goldenMeasuresMatch();
    void goldenEntropyRowsMatch();
    void uniformHeadHasClosedForms();
    void oneHotHeadHasNoEntropy();
    void previousTokenHeadHasClosedForms();
    void allToFirstHeadIsASink();
    void perfectInductionHeadScoresOne();
    void repeatedTokensAreFound();
    void everyHeadOfATraceIsScored();
    void fractionsCountTheFirstRowToo();
    void entropyOfAnEvenRowIsTheLogarithmOfItsKeys();
    void normalisedEntropyCountsTheKeysThatARowMayLookAt();
    void goldenInductionHeadIsPerfectInEveryConvention();
    void anEvenHeadHasLittleInduction();
    void fourCopiesGivePrefixMatching();
    void sinkOfAnEvenHeadIsTheHarmonicMean();
    void identicalTokensAreAllCopiesOfOneAnother();
    void oneTokenLeavesMostScoresUndefined();
    void measuringLeavesThePatternAsItWas();
    void wrongShapesAreRefused();
};

void TstHeadScores::goldenMeasuresMatch_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("pattern");
    QTest::newRow("a model's heads") << "interp/attention_measures.safetensors"
                                     << "out.attn";
    QTest::newRow("synthetic heads") << "interp/synthetic_heads.safetensors"
                                     << "in.attn";
}

void TstHeadScores::goldenMeasuresMatch()
{
    QFETCH(QString, path);
    QFETCH(QString, pattern);
    const GoldenFile file(path.toStdString());
    const auto period = file.params().at("period").get<std::int64_t>();
    const Tensor patterns = file.tensor(pattern.toStdString());
    std::vector<Scores> heads;
    for (std::int64_t layer = 0; layer < patterns.shape()[0]; ++layer)
        for (std::int64_t head = 0; head < patterns.shape()[1]; ++head)
            heads.emplace_back(copyOf(patterns.view()[layer][head]), period, 1);
    for (const Measure& measure : kMeasures) {
        std::vector<double> got;
        for (const Scores& head : heads)
            got.push_back(head[measure.score]);
        const std::string problem = headscope::test::mismatch(
            got, file.expected(std::string("out.") + measure.name), kInterpretability);
        QVERIFY2(problem.empty(), (measure.name + (": " + problem)).c_str());
    }
}

void TstHeadScores::goldenEntropyRowsMatch()
{
    const GoldenFile file("interp/attention_measures.safetensors");
    const Tensor patterns = file.tensor("out.attn");
    const std::int64_t tokens = patterns.shape()[3];
    std::vector<double> got;
    for (std::int64_t layer = 0; layer < patterns.shape()[0]; ++layer)
        for (std::int64_t head = 0; head < patterns.shape()[1]; ++head)
            for (std::int64_t row = 0; row < tokens; ++row)
                got.push_back(
                    entropyOf({&patterns.view()(layer, head, row, 0), {1, tokens}}, true).mean);
    HS_COMPARE(got, file.expected("out.entropy_rows"), kInterpretability);
}

void TstHeadScores::uniformHeadHasClosedForms()
{
    const std::int64_t tokens = 10;
    const Scores scores(uniformCausal(tokens));
    double harmonic = 0.0;
    for (std::int64_t i = 1; i <= tokens; ++i)
        harmonic += 1.0 / static_cast<double>(i);
    QVERIFY(close(scores[HeadScore::Entropy], std::lgamma(11.0) / 10.0));
    QVERIFY(close(scores[HeadScore::NormalisedEntropy], 1.0));
    QVERIFY(close(scores[HeadScore::FirstToken], (harmonic - 1.0) / 9.0));
    QVERIFY(close(scores[HeadScore::PreviousToken], (harmonic - 1.0) / 9.0));
    QVERIFY(close(scores[HeadScore::Self], harmonic / 10.0));
    QVERIFY(close(scores[HeadScore::Distance], 9.0 / 4.0)); // mean of i / 2
}

void TstHeadScores::oneHotHeadHasNoEntropy()
{
    for (const Tensor& pattern : {allToFirst(7), previousToken(7)}) {
        const Scores scores(pattern);
        QCOMPARE(scores[HeadScore::Entropy], 0.0);
        QCOMPARE(scores[HeadScore::NormalisedEntropy], 0.0);
    }
}

void TstHeadScores::previousTokenHeadHasClosedForms()
{
    const Scores scores(previousToken(8));
    QCOMPARE(scores[HeadScore::PreviousToken], 1.0);
    QCOMPARE(scores[HeadScore::PreviousTokenFraction], 7.0 / 8.0);
    QCOMPARE(scores[HeadScore::Distance], 7.0 / 8.0);
    QVERIFY(close(scores[HeadScore::DistanceVariance], 7.0 / 64.0, 1e-12));
}

void TstHeadScores::allToFirstHeadIsASink()
{
    const auto rateOf = [](std::int64_t tokens) {
        return sinkRate(
            scoreTrace(traceOf({allToFirst(tokens), previousToken(tokens)}, distinctIds(tokens))));
    };
    QCOMPARE(Scores(allToFirst(6))[HeadScore::FirstToken], 1.0);
    QCOMPARE(Scores(allToFirst(6))[HeadScore::Sink], 1.0);
    // The previous-token head gives 2 / n of its mean over i >= 0 to token 0: a sink above 0.3.
    QCOMPARE(rateOf(6), 1.0);
    QCOMPARE(rateOf(7), 0.5);
    QVERIFY(std::isnan(sinkRate({})));
    QVERIFY(std::isnan(rateOf(1))); // one token has no other to leave weight on
}

void TstHeadScores::perfectInductionHeadScoresOne()
{
    const std::int64_t period = 5;
    const std::vector<TokenId> ids{99, 3, 1, 4, 0, 5, 3, 1, 4, 0, 5};
    const Tensor pattern = patternOf(11, [&](std::int64_t i, std::int64_t j) {
        return i <= period ? (j == i ? 1.0 : 0.0) : (j == i - period + 1 ? 1.0 : 0.0);
    });
    const Scores scores(pattern, ids, {0.01, period, 1});
    QCOMPARE(scores[HeadScore::InductionStripe], 1.0);
    QCOMPARE(scores[HeadScore::DuplicateStripe], 0.0);
    QCOMPARE(scores[HeadScore::InductionFraction], 5.0 / 11.0);
    QCOMPARE(scores[HeadScore::InductionOnText], 1.0);
    // Six rows look at themselves where nothing is expected: a distance of 6 over 11 rows.
    QCOMPARE(scores[HeadScore::InductionMatch], 1.0 - 6.0 / 11.0);
    double expected = 0.0;
    for (int i = 6; i <= 10; ++i)
        expected += 1.0 / (i + 1) / 5.0;
    QVERIFY(close(Scores(uniformCausal(11), period, 1)[HeadScore::InductionStripe], expected));
}

void TstHeadScores::repeatedTokensAreFound()
{
    const std::vector<TokenId> ids{7, 8, 7, 7};
    const Tensor pattern = patternOf(4, [](std::int64_t i, std::int64_t j) {
        constexpr double weights[4][4]{
            {1, 0, 0, 0}, {0.5, 0.5, 0, 0}, {0.5, 0.25, 0.25, 0}, {0.125, 0.125, 0.5, 0.25}};
        return weights[i][j];
    });
    const Scores scores(pattern, ids);
    QCOMPARE(scores[HeadScore::DuplicateFraction], (0.5 + 0.125 + 0.5) / 4.0);
    QCOMPARE(scores[HeadScore::InductionFraction], (0.25 + 0.125 + 0.25) / 4.0);
    QCOMPARE(scores[HeadScore::InductionOnText], (0.25 + 0.125 + 0.25) / 2.0);
    QCOMPARE(Scores(pattern, ids, {0.2, 0, 0})[HeadScore::InductionOnText], (0.25 + 0.25) / 2.0);
    const Scores distinct(pattern);
    QVERIFY(std::isnan(distinct[HeadScore::InductionOnText]));
    QVERIFY(std::isnan(distinct[HeadScore::DuplicateFraction]));
}

void TstHeadScores::everyHeadOfATraceIsScored()
{
    const Trace trace = traceOf({allToFirst(4), previousToken(4)}, distinctIds(4), 1);
    const HeadScoreTable table = scoreTrace(trace).at(AttentionKind::Self);
    QCOMPARE(table.layers, 2);
    QCOMPARE(table.heads, 2);
    QVERIFY((table.measuredHeads() == std::vector<HeadId>{{1, 0}, {1, 1}})); // none of layer 0
    QCOMPARE(table.at(1, 0, HeadScore::FirstToken), 1.0);
    QCOMPARE(table.at(1, 1, HeadScore::PreviousToken), 1.0);
    QCOMPARE(table.at(1, 1, HeadScore::Distance), 0.75);
}

void TstHeadScores::fractionsCountTheFirstRowToo()
{
    for (const std::int64_t tokens : {2, 5, 16}) {
        const Scores scores(previousToken(tokens)); // row 0 on itself
        const double fraction = static_cast<double>(tokens - 1) / static_cast<double>(tokens);
        QCOMPARE(scores[HeadScore::PreviousToken], 1.0);              // convention (a)
        QCOMPARE(scores[HeadScore::PreviousTokenFraction], fraction); // convention (b)
        QCOMPARE(scores[HeadScore::Distance], fraction);
    }
}

void TstHeadScores::entropyOfAnEvenRowIsTheLogarithmOfItsKeys()
{
    const Tensor pattern = uniformCausal(12);
    double sum = 0.0;
    for (std::int64_t i = 0; i < 12; ++i) {
        const double expected = std::log(static_cast<double>(i + 1));
        QVERIFY(close(entropyOf({&pattern.view()(i, 0), {1, 12}}, true).mean, expected));
        sum += expected;
    }
    QVERIFY(close(entropyOf(pattern.view(), false).mean, sum / 12.0)); // ln(12!) / 12
    QVERIFY(close(sum, std::lgamma(13.0), 1e-9));
}

void TstHeadScores::normalisedEntropyCountsTheKeysThatARowMayLookAt()
{
    const Tensor even = patternOf(9, [](std::int64_t, std::int64_t) { return 1.0 / 9.0; });
    QVERIFY(close(entropyOf(even.view(), true).normalised, 1.0));
    QVERIFY(close(Scores(even)[HeadScore::NormalisedEntropy], 1.0)); // an encoder's head
    QVERIFY(close(entropyOf(uniformCausal(9).view(), false).normalised, 1.0));
    Tensor cross({4, 3});
    std::fill(cross.values().begin(), cross.values().end(), 1.0F / 3.0F);
    QVERIFY(close(entropyOf(cross.view(), true).normalised, 1.0));
    QVERIFY(std::isnan(entropyOf(uniformCausal(1).view(), false).normalised));
}

void TstHeadScores::goldenInductionHeadIsPerfectInEveryConvention()
{
    const GoldenFile file("interp/synthetic_heads.safetensors");
    const Tensor heads = file.tensor("in.attn");
    const auto period = file.params().at("period").get<std::int64_t>();
    std::vector<TokenId> ids{99}; // a start token, then the same distinct tokens twice
    for (std::int64_t i = 0; i < 2 * period; ++i)
        ids.push_back(static_cast<TokenId>(i % period));
    const auto scoresOf = [&](std::int64_t head) {
        return Scores(copyOf(heads.view()[0][head]), ids, {0.01, period, 1});
    };
    QCOMPARE(scoresOf(2)[HeadScore::InductionStripe], 1.0);
    QCOMPARE(scoresOf(2)[HeadScore::InductionOnText], 1.0);
    QCOMPARE(scoresOf(1)[HeadScore::InductionStripe], 0.0);
    QCOMPARE(scoresOf(1)[HeadScore::PreviousToken], 1.0);
    QCOMPARE(scoresOf(3)[HeadScore::FirstToken], 1.0);
    QVERIFY(close(scoresOf(0)[HeadScore::NormalisedEntropy], 1.0));
}

void TstHeadScores::anEvenHeadHasLittleInduction()
{
    const std::int64_t period = 4;
    const std::vector<TokenId> ids{5, 6, 7, 8, 5, 6, 7, 8};
    const Scores scores(uniformCausal(8), ids, {0.01, period, 0});
    double mean = 0.0;
    double ideal = 0.0;
    for (std::int64_t i = period; i < 2 * period; ++i) {
        mean += 1.0 / static_cast<double>(i + 1) / 4.0;
        ideal += 1.0 / static_cast<double>(i + 1);
    }
    QVERIFY(close(scores[HeadScore::InductionStripe], mean));
    QVERIFY(close(scores[HeadScore::InductionOnText], mean));
    QVERIFY(close(scores[HeadScore::InductionFraction], ideal / 8.0));
    QVERIFY(close(scores[HeadScore::DuplicateFraction], ideal / 8.0));
    // sum|A - P| of a row with a target: (1 - a) + (1 - a); of another: 1.
    double apart = 0.0;
    for (std::int64_t i = 0; i < 8; ++i)
        apart += i < period ? 1.0 : 2.0 * (1.0 - 1.0 / static_cast<double>(i + 1));
    QVERIFY(close(scores[HeadScore::InductionMatch], 1.0 - apart / 8.0));
}

/// Olsson et al. 2022: 25 random tokens four times over; a token has one to three earlier copies.
void TstHeadScores::fourCopiesGivePrefixMatching()
{
    const std::int64_t period = 25;
    std::vector<TokenId> ids;
    for (std::int64_t i = 0; i < 4 * period; ++i)
        ids.push_back(static_cast<TokenId>((7 * i) % period));
    const Tensor last = patternOf(4 * period, [&](std::int64_t i, std::int64_t j) {
        return j == (i < period ? i : i - period + 1) ? 1.0 : 0.0;
    });
    const Tensor shared = patternOf(4 * period, [&](std::int64_t i, std::int64_t j) {
        const std::int64_t copies = i / period;
        if (copies == 0)
            return j == i ? 1.0 : 0.0;
        const bool follows = j >= 1 && j <= i && (i - (j - 1)) % period == 0 && j - 1 < i;
        return follows ? 1.0 / static_cast<double>(copies) : 0.0;
    });
    const HeadScoreOptions rounds{0.0, period, 0};
    QVERIFY(close(Scores(last, ids, rounds)[HeadScore::PrefixMatching], 1.0));
    QVERIFY(close(Scores(last, ids, rounds)[HeadScore::InductionOnText], 1.0));
    QVERIFY(close(Scores(last, ids, rounds)[HeadScore::InductionStripe], 1.0));
    QVERIFY(close(Scores(shared, ids, rounds)[HeadScore::PrefixMatching], 1.0));
    QVERIFY(close(Scores(shared, ids, rounds)[HeadScore::InductionOnText], 1.0));
    double sum = 0.0; // an even head gives 1 / (i + 1) to each
    for (std::int64_t i = period; i < 4 * period; ++i)
        sum += static_cast<double>(i / period) / static_cast<double>(i + 1);
    const Tensor even = uniformCausal(4 * period);
    QVERIFY(close(Scores(even, ids, rounds)[HeadScore::PrefixMatching], sum / 75.0));
    QVERIFY(close(Scores(even, ids, rounds)[HeadScore::InductionOnText], sum / 75.0));
    QCOMPARE(Scores(even, ids, {0.5, 0, 0})[HeadScore::InductionOnText], 0.0); // none so large
}

void TstHeadScores::sinkOfAnEvenHeadIsTheHarmonicMean()
{
    const auto harmonic = [](std::int64_t tokens) {
        double sum = 0.0;
        for (std::int64_t i = 1; i <= tokens; ++i)
            sum += 1.0 / static_cast<double>(i);
        return sum;
    };
    const Scores scores(uniformCausal(12));
    QVERIFY(close(scores[HeadScore::FirstToken], (harmonic(12) - 1.0) / 11.0)); // rows from 1 on
    QVERIFY(close(scores[HeadScore::Sink], harmonic(12) / 12.0));               // rows from 0 on
    for (const std::int64_t tokens : {8, 9, 10, 11}) {
        const HeadScoreTables tables =
            scoreTrace(traceOf({uniformCausal(tokens)}, distinctIds(tokens)));
        QCOMPARE(sinkRate(tables),
                 harmonic(tokens) / static_cast<double>(tokens) > 0.3 ? 1.0 : 0.0);
    }
}

void TstHeadScores::identicalTokensAreAllCopiesOfOneAnother()
{
    const std::vector<TokenId> ids(6, 3);
    const Scores previous(previousToken(6), ids);
    QCOMPARE(previous[HeadScore::DuplicateFraction], 5.0 / 6.0);
    // Every key from 1 on follows a copy: rows from 2 on look at one, row 1 looks at token 0.
    QCOMPARE(previous[HeadScore::InductionFraction], 4.0 / 6.0);
    QCOMPARE(previous[HeadScore::InductionOnText], 4.0 / 5.0);
    double sum = 0.0; // all keys but the first: it may count several a query
    for (int i = 1; i < 6; ++i)
        sum += static_cast<double>(i) / (i + 1);
    QVERIFY(close(Scores(uniformCausal(6), ids)[HeadScore::InductionOnText], sum / 5.0));
}

void TstHeadScores::oneTokenLeavesMostScoresUndefined()
{
    const Scores scores(uniformCausal(1));
    for (const HeadScore none :
         {HeadScore::NormalisedEntropy, HeadScore::PreviousToken, HeadScore::PreviousTokenFraction,
          HeadScore::FirstToken, HeadScore::Sink, HeadScore::InductionOnText})
        QVERIFY2(std::isnan(scores[none]), infoOf(none).key.data());
    QCOMPARE(scores[HeadScore::Entropy], 0.0);
    QCOMPARE(scores[HeadScore::Self], 1.0);
    QCOMPARE(scores[HeadScore::Distance], 0.0);
}

/// Reference code that leaves out the first token or the diagonal writes zeros into the pattern it
/// was given, and later scores are wrong.
void TstHeadScores::measuringLeavesThePatternAsItWas()
{
    const std::vector<TokenId> ids{7, 8, 7, 7, 8};
    const Tensor before = uniformCausal(5);
    const Trace trace = traceOf({before}, ids);
    const HeadScoreOptions options{0.01, 2, 1};
    const HeadScoreTable first = scoreTrace(trace, options).at(AttentionKind::Self);
    const std::span<const float> after = trace.find({Site::Pattern, 0})->values();
    QVERIFY(std::equal(after.begin(), after.end(), before.values().begin()));
    QCOMPARE(
        scoreTrace(trace, options).at(AttentionKind::Self).at(0, 0, HeadScore::InductionFraction),
        first.at(0, 0, HeadScore::InductionFraction));
}

void TstHeadScores::wrongShapesAreRefused()
{
    const Tensor oblong({3, 4});
    QVERIFY_EXCEPTION_THROWN(selfScore(oblong.view()), ShapeError);
    QVERIFY_EXCEPTION_THROWN(meanDistance(oblong.view()), ShapeError);
    const Tensor pattern = uniformCausal(3);
    QVERIFY_EXCEPTION_THROWN(inductionStripe(pattern.view(), 2, 0), ShapeError);
    QVERIFY_EXCEPTION_THROWN(duplicateStripe(pattern.view(), 0, 0), ShapeError);
}

HEADSCOPE_TEST(TstHeadScores)
#include "tst_head_scores.moc"

// labels: golden threads
#include "core/analysis/scores/head_scores.h"

#include "core/base/error.h"
#include "tests/support/qt_under_tsan.h"
#include "tests/support/tolerances.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <numeric>

using namespace headscope;
using namespace headscope::test;

namespace {

/// [n, n] from a rule for the cells.
template<class Rule>
Tensor patternOf(std::int64_t tokens, const Rule& rule)
{
    Tensor pattern({tokens, tokens});
    for (std::int64_t query = 0; query < tokens; ++query)
        for (std::int64_t key = 0; key < tokens; ++key)
            pattern.view()(query, key) = static_cast<float>(rule(query, key));
    return pattern;
}

Tensor uniformCausal(std::int64_t tokens)
{
    return patternOf(tokens, [](std::int64_t i, std::int64_t j) {
        return j <= i ? 1.0 / static_cast<double>(i + 1) : 0.0;
    });
}

Tensor allToFirst(std::int64_t tokens)
{
    return patternOf(tokens, [](std::int64_t, std::int64_t j) { return j == 0 ? 1.0 : 0.0; });
}

Tensor previousToken(std::int64_t tokens)
{
    return patternOf(tokens, [](std::int64_t i, std::int64_t j) {
        return j == std::max<std::int64_t>(i - 1, 0) ? 1.0 : 0.0;
    });
}

bool close(double got, double expected, double allowed = 1e-6)
{
    return std::abs(got - expected) <= allowed;
}

/// Expected [layers, heads] by name, and how to compute it from one pattern.
struct Measure
{
    const char* name;
    double (*compute)(TensorView pattern, std::int64_t period);
};

constexpr Measure kMeasures[]{
    {"entropy", [](TensorView p, std::int64_t) { return meanEntropy(p); }},
    {"entropy_normalised", [](TensorView p, std::int64_t) { return normalisedEntropy(p); }},
    {"previous_token", [](TensorView p, std::int64_t) { return previousTokenScore(p); }},
    {"bos_mass", [](TensorView p, std::int64_t) { return firstTokenMass(p); }},
    {"diagonal", [](TensorView p, std::int64_t) { return selfScore(p); }},
    {"duplicate_token", [](TensorView p, std::int64_t n) { return duplicateStripe(p, n, 1); }},
    {"induction", [](TensorView p, std::int64_t n) { return inductionStripe(p, n, 1); }},
    {"mean_distance", [](TensorView p, std::int64_t) { return meanDistance(p).mean; }},
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
    void textOfOneTokenHasNoPreviousToken();
    void everyHeadOfATraceIsScored();
    void fractionsCountTheFirstRowToo();
    void entropyOfAnEvenRowIsTheLogarithmOfItsKeys();
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
    for (const Measure& measure : kMeasures) {
        std::vector<double> got;
        for (std::int64_t layer = 0; layer < patterns.shape()[0]; ++layer)
            for (std::int64_t head = 0; head < patterns.shape()[1]; ++head)
                got.push_back(measure.compute(patterns.view()[layer][head], period));
        const std::string problem = headscope::test::mismatch(
            got, file.expected(std::string("out.") + measure.name), kInterpretability);
        QVERIFY2(problem.empty(), (measure.name + (": " + problem)).c_str());
    }
}

void TstHeadScores::goldenEntropyRowsMatch()
{
    const GoldenFile file("interp/attention_measures.safetensors");
    const Tensor patterns = file.tensor("out.attn");
    std::vector<double> got;
    for (std::int64_t layer = 0; layer < patterns.shape()[0]; ++layer)
        for (std::int64_t head = 0; head < patterns.shape()[1]; ++head)
            for (const double row : entropyRows(patterns.view()[layer][head]))
                got.push_back(row);
    HS_COMPARE(got, file.expected("out.entropy_rows"), kInterpretability);
}

void TstHeadScores::uniformHeadHasClosedForms()
{
    const std::int64_t tokens = 10;
    const Tensor pattern = uniformCausal(tokens);
    double harmonic = 0.0;
    for (std::int64_t i = 1; i <= tokens; ++i)
        harmonic += 1.0 / static_cast<double>(i);
    QVERIFY(close(meanEntropy(pattern.view()), std::lgamma(11.0) / 10.0));
    QVERIFY(close(normalisedEntropy(pattern.view()), 1.0));
    QVERIFY(close(firstTokenMass(pattern.view()), (harmonic - 1.0) / 9.0));
    QVERIFY(close(previousTokenScore(pattern.view()), (harmonic - 1.0) / 9.0));
    QVERIFY(close(selfScore(pattern.view()), harmonic / 10.0));
    QVERIFY(close(meanDistance(pattern.view()).mean, 9.0 / 4.0)); // mean of i / 2
}

void TstHeadScores::oneHotHeadHasNoEntropy()
{
    for (const Tensor& pattern : {allToFirst(7), previousToken(7)}) {
        QCOMPARE(meanEntropy(pattern.view()), 0.0);
        QCOMPARE(normalisedEntropy(pattern.view()), 0.0);
    }
}

void TstHeadScores::previousTokenHeadHasClosedForms()
{
    const Tensor pattern = previousToken(8);
    QCOMPARE(previousTokenScore(pattern.view()), 1.0);
    QCOMPARE(previousTokenFraction(pattern.view()), 7.0 / 8.0);
    QCOMPARE(meanDistance(pattern.view()).mean, 7.0 / 8.0);
    QVERIFY(close(meanDistance(pattern.view()).variance, 7.0 / 64.0, 1e-12));
}

void TstHeadScores::allToFirstHeadIsASink()
{
    Tensor both({2, 6, 6});
    const Tensor sink = allToFirst(6);
    const Tensor previous = previousToken(6);
    std::copy_n(sink.data(), sink.size(), both.data());
    std::copy_n(previous.data(), previous.size(), both.data() + sink.size());
    const Trace trace({}, {{{Site::Pattern, 0}, std::make_shared<const Tensor>(both)}}, {});
    QCOMPARE(firstTokenMass(sink.view()), 1.0);
    // The previous-token head gives 2 / 6 of its mean over i >= 0 to token 0.
    QCOMPARE(sinkRate(trace, 0, 0.3), 1.0);
    QCOMPARE(sinkRate(trace, 0, 0.4), 0.5);
    QVERIFY(std::isnan(sinkRate(Trace({}, {}, {}))));
}

void TstHeadScores::perfectInductionHeadScoresOne()
{
    const std::int64_t period = 5;
    std::vector<TokenId> ids{99, 3, 1, 4, 0, 5, 3, 1, 4, 0, 5};
    const Tensor pattern = patternOf(11, [&](std::int64_t i, std::int64_t j) {
        return i <= period ? (j == i ? 1.0 : 0.0) : (j == i - period + 1 ? 1.0 : 0.0);
    });
    QCOMPARE(inductionStripe(pattern.view(), period, 1), 1.0);
    QCOMPARE(duplicateStripe(pattern.view(), period, 1), 0.0);
    QCOMPARE(inductionFraction(pattern.view(), ids), 5.0 / 11.0);
    QCOMPARE(inductionOnText(pattern.view(), ids), 1.0);
    // Six rows look at themselves where nothing is expected: a distance of 6 over 11 rows.
    QCOMPARE(inductionMatch(pattern.view(), ids), 1.0 - 6.0 / 11.0);
    const Tensor uniform = uniformCausal(11);
    double expected = 0.0;
    for (int i = 6; i <= 10; ++i)
        expected += 1.0 / (i + 1) / 5.0;
    QVERIFY(close(inductionStripe(uniform.view(), period, 1), expected));
}

void TstHeadScores::repeatedTokensAreFound()
{
    const std::vector<TokenId> ids{7, 8, 7, 7};
    const Tensor pattern = patternOf(4, [](std::int64_t i, std::int64_t j) {
        constexpr double weights[4][4]{
            {1, 0, 0, 0}, {0.5, 0.5, 0, 0}, {0.5, 0.25, 0.25, 0}, {0.125, 0.125, 0.5, 0.25}};
        return weights[i][j];
    });
    QCOMPARE(duplicateTokenFraction(pattern.view(), ids), (0.5 + 0.125 + 0.5) / 4.0);
    QCOMPARE(inductionFraction(pattern.view(), ids), (0.25 + 0.125 + 0.25) / 4.0);
    QCOMPARE(inductionOnText(pattern.view(), ids), (0.25 + 0.125 + 0.25) / 2.0);
    QCOMPARE(inductionOnText(pattern.view(), ids, 0.2), (0.25 + 0.25) / 2.0);
    const std::vector<TokenId> distinct{1, 2, 3, 4};
    QVERIFY(std::isnan(inductionOnText(pattern.view(), distinct)));
    QCOMPARE(duplicateTokenFraction(pattern.view(), distinct), 0.0);
}

void TstHeadScores::textOfOneTokenHasNoPreviousToken()
{
    const Tensor pattern = uniformCausal(1);
    QVERIFY(std::isnan(previousTokenScore(pattern.view())));
    QVERIFY(std::isnan(normalisedEntropy(pattern.view())));
    QCOMPARE(selfScore(pattern.view()), 1.0);
    QCOMPARE(meanEntropy(pattern.view()), 0.0);
}

void TstHeadScores::everyHeadOfATraceIsScored()
{
    TokenSequence tokens;
    tokens.tokens.resize(4);
    Tensor patterns({2, 4, 4});
    const Tensor first = allToFirst(4);
    const Tensor second = previousToken(4);
    std::copy_n(first.data(), 16, patterns.data());
    std::copy_n(second.data(), 16, patterns.data() + 16);
    const Trace trace(tokens, {{{Site::Pattern, 1}, std::make_shared<const Tensor>(patterns)}}, {});
    const std::vector<std::vector<HeadScores>> scores = headScores(trace);
    QCOMPARE(scores.size(), std::size_t{2});
    QVERIFY(scores[0].empty());
    QCOMPARE(scores[1].size(), std::size_t{2});
    QCOMPARE(scores[1][0].firstToken, 1.0);
    QCOMPARE(scores[1][1].previousToken, 1.0);
    QCOMPARE(scores[1][1].distance, 0.75);
    std::stop_source stop;
    stop.request_stop();
    QVERIFY_EXCEPTION_THROWN(headScores(trace, stop.get_token()), Cancelled);
}

void TstHeadScores::fractionsCountTheFirstRowToo()
{
    for (const std::int64_t tokens : {2, 5, 16}) {
        const Tensor pattern = previousToken(tokens); // row 0 on itself
        const double share = static_cast<double>(tokens - 1) / static_cast<double>(tokens);
        QCOMPARE(previousTokenScore(pattern.view()), 1.0);      // convention (a)
        QCOMPARE(previousTokenFraction(pattern.view()), share); // convention (b)
        QCOMPARE(meanDistance(pattern.view()).mean, share);
        QCOMPARE(stripeScore(pattern.view(), 1, 1), 1.0);
    }
}

void TstHeadScores::entropyOfAnEvenRowIsTheLogarithmOfItsKeys()
{
    const Tensor pattern = uniformCausal(12);
    const std::vector<double> rows = entropyRows(pattern.view());
    double sum = 0.0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        QVERIFY(close(rows[i], std::log(static_cast<double>(i + 1))));
        sum += std::log(static_cast<double>(i + 1));
    }
    QVERIFY(close(meanEntropy(pattern.view()), sum / 12.0)); // ln(12!) / 12
    QVERIFY(close(sum, std::lgamma(13.0), 1e-9));
    QCOMPARE(entropyRows(allToFirst(5).view()), std::vector<double>(5, 0.0));
}

void TstHeadScores::goldenInductionHeadIsPerfectInEveryConvention()
{
    const GoldenFile file("interp/synthetic_heads.safetensors");
    const Tensor heads = file.tensor("in.attn");
    const auto period = file.params().at("period").get<std::int64_t>();
    std::vector<TokenId> ids{99}; // a start token, then the same distinct tokens twice
    for (std::int64_t i = 0; i < 2 * period; ++i)
        ids.push_back(static_cast<TokenId>(i % period));
    const TensorView induction = heads.view()[0][2];
    QCOMPARE(inductionStripe(induction, period, 1), 1.0);
    QCOMPARE(inductionOnText(induction, ids), 1.0);
    const TensorView previous = heads.view()[0][1];
    QCOMPARE(inductionStripe(previous, period, 1), 0.0);
    QCOMPARE(previousTokenScore(previous), 1.0);
    QCOMPARE(firstTokenMass(heads.view()[0][3]), 1.0);
    QVERIFY(close(normalisedEntropy(heads.view()[0][0]), 1.0));
}

void TstHeadScores::anEvenHeadHasLittleInduction()
{
    const std::int64_t period = 4;
    const std::vector<TokenId> ids{5, 6, 7, 8, 5, 6, 7, 8};
    const Tensor pattern = uniformCausal(8);
    double mean = 0.0;
    double ideal = 0.0;
    for (std::int64_t i = period; i < 2 * period; ++i) {
        mean += 1.0 / static_cast<double>(i + 1) / 4.0;
        ideal += 1.0 / static_cast<double>(i + 1);
    }
    QVERIFY(close(inductionStripe(pattern.view(), period, 0), mean));
    QVERIFY(close(inductionOnText(pattern.view(), ids), mean));
    QVERIFY(close(inductionFraction(pattern.view(), ids), ideal / 8.0));
    QVERIFY(close(duplicateTokenFraction(pattern.view(), ids), ideal / 8.0));
    // sum|A - P| of a row with a target: (1 - a) + (1 - a); of another: 1.
    double apart = 0.0;
    for (std::int64_t i = 0; i < 8; ++i)
        apart += i < period ? 1.0 : 2.0 * (1.0 - 1.0 / static_cast<double>(i + 1));
    QVERIFY(close(inductionMatch(pattern.view(), ids), 1.0 - apart / 8.0));
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
    QVERIFY(close(inductionOnText(last.view(), ids, 0.0), 1.0));
    QVERIFY(close(inductionOnText(shared.view(), ids, 0.0), 1.0));
    QVERIFY(close(inductionStripe(last.view(), period, 0), 1.0));
    double sum = 0.0; // an even head gives 1 / (i + 1) to each
    for (std::int64_t i = period; i < 4 * period; ++i)
        sum += static_cast<double>(i / period) / static_cast<double>(i + 1);
    QVERIFY(close(inductionOnText(uniformCausal(4 * period).view(), ids, 0.0), sum / 75.0));
    QCOMPARE(inductionOnText(uniformCausal(4 * period).view(), ids, 0.5), 0.0); // none so large
}

void TstHeadScores::sinkOfAnEvenHeadIsTheHarmonicMean()
{
    const std::int64_t tokens = 12;
    double harmonic = 0.0;
    for (std::int64_t i = 1; i <= tokens; ++i)
        harmonic += 1.0 / static_cast<double>(i);
    const Tensor even = uniformCausal(tokens);
    QVERIFY(close(firstTokenMass(even.view()), (harmonic - 1.0) / 11.0)); // rows from 1 on
    Tensor pattern({1, tokens, tokens});
    std::copy_n(even.data(), even.size(), pattern.data());
    const Trace trace({}, {{{Site::Pattern, 0}, std::make_shared<const Tensor>(pattern)}}, {});
    const double alpha = harmonic / 12.0; // rows from 0 on
    QCOMPARE(sinkRate(trace, 0, alpha - 1e-3), 1.0);
    QCOMPARE(sinkRate(trace, 0, alpha + 1e-3), 0.0);
    const double later = (harmonic - 1.0 - 0.5) / 10.0; // key 2, rows from 2 on
    QCOMPARE(sinkRate(trace, 2, later - 1e-3), 1.0);
    QCOMPARE(sinkRate(trace, 2, later + 1e-3), 0.0);
}

void TstHeadScores::identicalTokensAreAllCopiesOfOneAnother()
{
    const std::vector<TokenId> ids(6, 3);
    const Tensor previous = previousToken(6);
    QCOMPARE(duplicateTokenFraction(previous.view(), ids), 5.0 / 6.0);
    // Every key from 1 on follows a copy: rows from 2 on look at one, row 1 looks at token 0.
    QCOMPARE(inductionFraction(previous.view(), ids), 4.0 / 6.0);
    QCOMPARE(inductionOnText(previous.view(), ids), 4.0 / 5.0);
    const Tensor even = uniformCausal(6); // all keys but the first: it may count several a query
    double sum = 0.0;
    for (int i = 1; i < 6; ++i)
        sum += static_cast<double>(i) / (i + 1);
    QVERIFY(close(inductionOnText(even.view(), ids), sum / 5.0));
}

void TstHeadScores::oneTokenLeavesMostScoresUndefined()
{
    const HeadScores scores = headScores(uniformCausal(1).view(), std::vector<TokenId>{4});
    QVERIFY(std::isnan(scores.entropyNormalised));
    QVERIFY(std::isnan(scores.previousToken));
    QVERIFY(std::isnan(scores.firstToken));
    QVERIFY(std::isnan(scores.inductionOnText));
    QCOMPARE(scores.entropy, 0.0);
    QCOMPARE(scores.self, 1.0);
    QCOMPARE(scores.previousTokenFraction, 0.0);
    QCOMPARE(scores.distance, 0.0);
}

/// Reference code that leaves out the first token or the diagonal writes zeros into the pattern it
/// was given, and later scores are wrong.
void TstHeadScores::measuringLeavesThePatternAsItWas()
{
    const std::vector<TokenId> ids{7, 8, 7, 7, 8};
    const Tensor pattern = uniformCausal(5);
    const Tensor before = pattern;
    const HeadScores first = headScores(pattern.view(), ids);
    inductionMatch(pattern.view(), ids);
    inductionStripe(pattern.view(), 2, 1);
    QVERIFY(std::equal(before.values().begin(), before.values().end(), pattern.values().begin()));
    QCOMPARE(headScores(pattern.view(), ids).induction, first.induction);
}

void TstHeadScores::wrongShapesAreRefused()
{
    const Tensor oblong({3, 4});
    QVERIFY_EXCEPTION_THROWN(meanEntropy(oblong.view()), ShapeError);
    const Tensor pattern = uniformCausal(3);
    QVERIFY_EXCEPTION_THROWN(inductionFraction(pattern.view(), std::vector<TokenId>{1}),
                             ShapeError);
    QVERIFY_EXCEPTION_THROWN(inductionStripe(pattern.view(), 2, 0), ShapeError);
    QVERIFY_EXCEPTION_THROWN(stripeScore(pattern.view(), 2, 1), ShapeError);
}

HEADSCOPE_TEST(TstHeadScores)
#include "tst_head_scores.moc"

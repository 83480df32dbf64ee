#include "core/analysis/benchmarks/keystroke_benchmark.h"
#include "core/analysis/derivation/pair_explanation.h"
#include "core/analysis/lens/next_token.h"

#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "core/model/config/mask_choice.h"
#include "tests/support/small_models.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>

using namespace headscope;
using namespace headscope::test;

namespace {

TracePtr traceOf(const std::vector<TokenId>& ids, const TraceRequest& request,
                 const Interventions& interventions = {})
{
    Tracer tracer(smallModel(), std::make_unique<CpuAttention>());
    return tracer.trace(tokensOf(ids), request, interventions);
}

} // namespace

class TstExplanations : public QObject
{
    Q_OBJECT

private slots:
    void everyWeightIsExplained_data();
    void everyWeightIsExplained();
    void stepsAddUp();
    void missingVectorsGiveNothing();
    void cellsOutsideAreRefused();
    void nextTokensAreTheSoftmaxOfTheRow();
    void logProbabilitiesAreThoseOfTheText();
    void keystrokeIsMeasuredOnWhatItSays();
};

void TstExplanations::everyWeightIsExplained_data()
{
    QTest::addColumn<QString>("mask");
    for (const char* mask : {"causal", "none", "window:3", "painted"})
        QTest::newRow(mask) << mask;
}

void TstExplanations::everyWeightIsExplained()
{
    QFETCH(QString, mask);
    Interventions interventions;
    if (mask == "painted") {
        interventions.maskCells.assign(49, 0);
        for (std::size_t cell = 0; cell < 49; cell += 2)
            interventions.maskCells[cell] = 1;
        interventions.mask = AttentionMask{};
    } else {
        MaskChoice::parse(mask.toStdString()).applyTo(interventions, 7);
    }
    const std::vector<TokenId> ids = randomIds(1, 7, 37);
    for (const TraceRequest& request :
         {TraceRequest::everything(),
          TraceRequest{{"blocks.*.attn.hook_q", "blocks.*.attn.hook_k", "*hook_pattern"}}}) {
        const TracePtr trace = traceOf(ids, request, interventions);
        for (int cell = 0; cell < 3 * 4 * 49; ++cell) {
            const auto pair =
                explainPair(*trace, {cell / 196, cell / 49 % 4, cell / 7 % 7, cell % 7});
            QVERIFY(pair && pair->recordedWeight);
            QVERIFY(std::abs(pair->weight - *pair->recordedWeight) < 2e-6);
            QCOMPARE(pair->masked, *pair->recordedWeight == 0.0);
        }
    }
}

void TstExplanations::stepsAddUp()
{
    const TracePtr trace =
        traceOf(randomIds(2, 5, 37), {{"blocks.1.attn.hook_q", "blocks.1.attn.hook_k"}});
    double total = 0.0;
    for (std::int64_t key = 0; key < 5; ++key) {
        const auto pair = explainPair(*trace, {1, 2, 3, key});
        QVERIFY(pair && !pair->recordedWeight);
        QCOMPARE(pair->queryVector.size(), std::size_t{8});
        double dot = 0.0;
        for (const double product : pair->products)
            dot += product;
        QCOMPARE(pair->dot, dot);
        QCOMPARE(pair->scale, static_cast<double>(static_cast<float>(1.0 / std::sqrt(8.0))));
        QCOMPARE(pair->score, pair->scale * dot);
        QCOMPARE(pair->masked, key > 3);
        if (!pair->masked)
            QCOMPARE(pair->exponential, std::exp(pair->score - pair->largest));
        total += pair->exponential / pair->sum;
    }
    QVERIFY(std::abs(total - 1.0) < 1e-12);
}

void TstExplanations::missingVectorsGiveNothing()
{
    const TracePtr trace = traceOf({1, 2}, {{"blocks.*.attn.hook_pattern"}});
    QVERIFY(!explainPair(*trace, {0, 0, 0, 0}));
}

void TstExplanations::cellsOutsideAreRefused()
{
    const TracePtr trace = traceOf({1, 2}, TraceRequest::everything());
    QVERIFY(!explainPair(*trace, {9, 0, 0, 0}));
    for (const AttentionCell& cell :
         {AttentionCell{0, 4, 0, 0}, AttentionCell{0, 0, 2, 0}, AttentionCell{0, 0, 0, -1}})
        QVERIFY_EXCEPTION_THROWN(explainPair(*trace, cell), ShapeError);
}

void TstExplanations::nextTokensAreTheSoftmaxOfTheRow()
{
    const TracePtr trace = traceOf({1, 2, 3}, TraceRequest::everything());
    const Tensor& logits = *trace->find({Site::Logits, 0});
    for (const std::int64_t position : {std::int64_t{0}, std::int64_t{-1}}) {
        const std::int64_t row = position < 0 ? 2 : position;
        double sum = 0.0;
        for (std::int64_t token = 0; token < 37; ++token)
            sum += std::exp(static_cast<double>(logits.view()(row, token)));
        const std::vector<Candidate> candidates = nextTokens(*trace, position, 37, nullptr);
        QCOMPARE(candidates.size(), std::size_t{37});
        double before = 1.0;
        for (const Candidate& candidate : candidates) {
            const double expected =
                std::exp(static_cast<double>(logits.view()(row, candidate.id))) / sum;
            QVERIFY(std::abs(candidate.probability - expected) < 1e-6);
            QVERIFY(candidate.probability <= before);
            before = candidate.probability;
        }
    }
    QVERIFY_EXCEPTION_THROWN(nextTokens(*trace, 3, 5, nullptr), ShapeError);
    QVERIFY(nextTokens(*traceOf({1}, {{"hook_embed"}}), 0, 5, nullptr).empty());
}

void TstExplanations::logProbabilitiesAreThoseOfTheText()
{
    const TracePtr trace = traceOf({1, 2, 3}, TraceRequest::everything());
    const std::vector<double> got = logProbabilities(*trace);
    QCOMPARE(got.size(), std::size_t{2});
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
        for (const Candidate& candidate :
             nextTokens(*trace, static_cast<std::int64_t>(i), 37, nullptr))
            if (candidate.id == trace->tokens().tokens[i + 1].id)
                QVERIFY(std::abs(std::exp(got[i]) - candidate.probability) < 1e-6);
    }
}

void TstExplanations::keystrokeIsMeasuredOnWhatItSays()
{
    QCOMPARE(keystrokeCases().size(), std::size_t{4});
    KeystrokeCase tiny{"tiny", smallConfig(), 5};
    const KeystrokeTiming timing = measureKeystroke(tiny, std::make_unique<CpuAttention>(), 3);
    QCOMPARE(timing.name, std::string("tiny"));
    QCOMPARE(timing.tokens, std::int64_t{5});
    QCOMPARE(timing.rounds, 3);
    QVERIFY(timing.fullMs > 0.0 && timing.cachedMs > 0.0);
    QVERIFY_EXCEPTION_THROWN(measureKeystroke(tiny, std::make_unique<CpuAttention>(), 0), Error);
}

HEADSCOPE_TEST(TstExplanations)
#include "tst_explanations.moc"

#include "core/analysis/causal/prediction_metric.h"
#include "core/analysis/causal/trace_change.h"
#include "core/analysis/derivation/derivation.h"
#include "core/analysis/derivation/pair_explanation.h"
#include "core/analysis/difference/model_difference.h"
#include "core/analysis/lens/logit_attribution.h"
#include "core/analysis/lens/next_token.h"
#include "core/analysis/lens/stream_lens.h"
#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "tests/support/small_models.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace headscope;
using namespace headscope::test;

namespace {

constexpr double kTolerance = 2e-5;
constexpr std::size_t kTokens = 12;

TracePtr traceOf(const LoadedModel& model, std::size_t budget, std::uint64_t seed = 3)
{
    Tracer tracer(model, std::make_unique<CpuAttention>());
    TraceRequest request = TraceRequest::everything();
    request.patternBudget = request.activationBudget = budget;
    return tracer.trace(tokensOf(randomIds(seed, kTokens, 37)), request);
}

bool areNear(double a, double b)
{
    return std::abs(a - b) <= kTolerance;
}

bool areNear(const std::vector<double>& a, const std::vector<double>& b)
{
    return std::ranges::equal(a, b, [](double one, double other) { return areNear(one, other); });
}

} // namespace

/// What is read of a trace whose activations are computed on demand, beside one that recorded all.
class TstLongText : public QObject
{
    Q_OBJECT

private slots:

    void predictionsAreThoseOfTheRecordedLogits()
    {
        QVERIFY(m_long->omitted());
        QVERIFY(!m_whole->omitted());
        QVERIFY(areNear(logProbabilities(*m_long), logProbabilities(*m_whole)));
        for (const int position : {-1, 0, 7}) {
            const auto got = nextTokens(*m_long, position, 3, nullptr);
            const auto wanted = nextTokens(*m_whole, position, 3, nullptr);
            QCOMPARE(got.size(), wanted.size());
            for (std::size_t i = 0; i < got.size(); ++i)
                QCOMPARE(got[i].id, wanted[i].id);
        }
    }

    void metricsReadTheRowsTheyNeed()
    {
        const std::vector<TokenId> ids = m_whole->tokens().ids();
        const TensorView logits = m_whole->find({Site::Logits, 0})->view();
        GradientTarget metric;
        metric.token = 5;
        metric.other = 9;
        for (const auto kind : {GradientTarget::Kind::Logit, GradientTarget::Kind::LogitDifference,
                                GradientTarget::Kind::Loss})
            for (const std::int64_t position : {-1, 4}) {
                metric.kind = kind;
                metric.position = position;
                QVERIFY(areNear(metricOf(metric, *m_long), metricOf(metric, ids, logits)));
            }
    }

    void changesOfPredictionsAreTheSame()
    {
        const LoadedModel other = smallModel(2);
        const TracePtr longB = traceOf(other, 0);
        const TracePtr wholeB = traceOf(other, kUnlimited);
        const auto got = largestNextTokenChange(*m_long, 3, *longB, 4);
        const auto wanted = largestNextTokenChange(*m_whole, 3, *wholeB, 4);
        QCOMPARE(got->id, wanted->id);
        QVERIFY(areNear(got->logitB, wanted->logitB));
        const TraceDifference all = traceDifference(*m_long, *longB, std::stop_token());
        const TraceDifference recorded = traceDifference(*m_whole, *wholeB, std::stop_token());
        QCOMPARE(all.tokens.size(), kTokens);
        QVERIFY(areNear(all.meanBits(), recorded.meanBits()));
    }

    void theLensReadsTheSameStreams_data()
    {
        QTest::addColumn<QList<int>>("positions");
        QTest::newRow("all") << QList<int>();
        QTest::newRow("apart and beside each other") << QList<int>{9, 2, 3, 4, 0};
    }

    void theLensReadsTheSameStreams()
    {
        QFETCH(QList<int>, positions);
        StreamLensOptions options;
        options.positions.assign(positions.begin(), positions.end());
        options.targets = followingTokens(m_model.model->config(), *m_whole);
        const StreamLens got = streamLens(*m_model.model, *m_long, options);
        const StreamLens wanted = streamLens(*m_model.model, *m_whole, options);
        QCOMPARE(got.ids, wanted.ids);
        QVERIFY(areNear(got.entropies, wanted.entropies));
        QCOMPARE(got.ranks, wanted.ranks);
    }

    void attributionsAreTheSame()
    {
        const LogitTarget target{6, 11, {}};
        const LogitAttribution got = logitAttribution(*m_long, *m_model.model, target);
        const LogitAttribution wanted = logitAttribution(*m_whole, *m_model.model, target);
        QVERIFY(areNear(got.logit, wanted.logit));
        QVERIFY(areNear(got.headValues(false), wanted.headValues(false)));
        QVERIFY(areNear(got.mlpValues(), wanted.mlpValues()));
        QVERIFY(areNear(logitAttributionBySource(*m_long, *m_model.model, target, {1, 2, false}),
                        logitAttributionBySource(*m_whole, *m_model.model, target, {1, 2, false})));
    }

    void pairsAreExplainedAlike()
    {
        const AttentionCell cell{1, 3, 8, 5};
        const auto got = explainPair(*m_long, cell, m_model.model.get());
        const auto wanted = explainPair(*m_whole, cell, m_model.model.get());
        QVERIFY(areNear(got->dot, wanted->dot));
        QVERIFY(areNear(got->weight, wanted->weight));
        QVERIFY(areNear(*got->recordedWeight, *wanted->recordedWeight));
    }

    void numbersAreDerivedAlike_data()
    {
        QTest::addColumn<int>("site");
        QTest::addColumn<QList<int>>("index");
        const auto row = [](const char* name, Site site, const QList<int>& index) {
            QTest::newRow(name) << static_cast<int>(site) << index;
        };
        row("logit", Site::Logits, {7, 4});
        row("stream between", Site::ResidMid, {7, 3});
        row("stream after", Site::ResidPost, {7, 3});
        row("z", Site::Z, {7, 1, 2});
        row("value", Site::Value, {7, 1, 2});
        row("pattern", Site::Pattern, {1, 7, 3});
        row("score", Site::AttnScores, {1, 7, 3});
        row("what attention adds", Site::AttnOut, {7, 3});
        row("what the network adds", Site::MlpOut, {7, 3});
    }

    void numbersAreDerivedAlike()
    {
        QVERIFY(!m_long->has({Site::AttnScores, 1})); // a long text's are gigabytes
        QVERIFY(m_whole->has({Site::AttnScores, 1}));
        QFETCH(int, site);
        QFETCH(QList<int>, index);
        NumberRef number;
        number.key = {static_cast<Site>(site), site == static_cast<int>(Site::Logits) ? 0 : 1};
        number.index.assign(index.begin(), index.end());
        const Derivation got = derive(*m_long, *m_model.model, number);
        const Derivation wanted = derive(*m_whole, *m_model.model, number);
        QVERIFY(got.end.empty() && got.agrees());
        QCOMPARE(got.terms.size(), wanted.terms.size());
        QVERIFY(areNear(got.recorded, wanted.recorded));
        QVERIFY(areNear(got.recomputed, wanted.recomputed));
    }

    void aHiddenScoreIsHidden()
    {
        NumberRef number;
        number.key = {Site::AttnScores, 1};
        number.index = {1, 3, 7};
        QCOMPARE(derive(*m_long, *m_model.model, number).end,
                 derive(*m_whole, *m_model.model, number).end);
        number.index = {1, 3, static_cast<std::int64_t>(kTokens)};
        QVERIFY_EXCEPTION_THROWN(derive(*m_long, *m_model.model, number), ShapeError);
    }

private:
    static constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

    LoadedModel m_model = smallModel();
    TracePtr m_long = traceOf(m_model, 0);
    TracePtr m_whole = traceOf(m_model, kUnlimited);
};

HEADSCOPE_TEST(TstLongText)
#include "tst_long_text.moc"

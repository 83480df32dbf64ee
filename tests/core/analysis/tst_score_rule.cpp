#include "core/analysis/derivation/pair_explanation.h"

#include "core/attention/reference_attention.h"
#include "core/model/config/mask_choice.h"
#include "tests/support/test_program.h"
#include "tests/support/traced_kinds.h"

#include <QTest>

#include <cmath>

using namespace headscope;
using namespace headscope::test;

namespace {

/// Every site but the recorded scores, which must not be needed.
TraceRequest withoutScores()
{
    return TraceRequest::forViews();
}

TracePtr traceOfKind(const LoadedModel& model, const Interventions& interventions = {})
{
    Tracer tracer(model, std::make_unique<ReferenceAttention>());
    const SourceAndTarget texts = randomTexts(model.model->config(), 3, 11);
    if (hasTwoStacks(model.model->config()))
        return tracer.trace(texts, withoutScores(), interventions);
    return tracer.trace(texts.target, withoutScores(), interventions);
}

struct Worst
{
    double difference = 0.0;
    int cells = 0;
};

/// Over every pattern of the trace, self and cross, in every stack.
Worst worstWeight(const Trace& trace, const Model& model)
{
    Worst worst;
    for (const auto& [key, pattern] : trace.activations()) {
        if (key.site != Site::Pattern && key.site != Site::CrossPattern)
            continue;
        AttentionCell cell;
        cell.layer = key.layer;
        cell.stack = key.stack;
        cell.cross = key.site == Site::CrossPattern;
        for (int head = 0; head < pattern->shape()[0]; ++head)
            for (std::int64_t query = 0; query < pattern->shape()[1]; ++query) {
                cell.head = head;
                cell.query = query;
                const auto row = explainRow(trace, cell, &model);
                if (!row)
                    return {1.0, worst.cells};
                for (std::size_t at = 0; at < row->steps.size(); ++at) {
                    const double recorded = static_cast<double>(
                        pattern->view()(head, query, static_cast<std::int64_t>(at)));
                    worst.difference =
                        std::max(worst.difference, std::abs(row->steps[at].weight - recorded));
                    ++worst.cells;
                }
            }
    }
    return worst;
}

LoadedModel kindNamed(const std::string& name)
{
    for (const auto& [kind, config] : tracedKinds())
        if (kind == name)
            return kindModel(config);
    return {};
}

} // namespace

class TstScoreRule : public QObject
{
    Q_OBJECT

private slots:
    void weightsOfEveryKindAreRecomputed_data();
    void weightsOfEveryKindAreRecomputed();
    void positionsInPlaceOfTheModelsOwnCount();
    void eachTermIsNamed();
    void withoutTheModelTheTermsAreMissed();
};

void TstScoreRule::weightsOfEveryKindAreRecomputed_data()
{
    QTest::addColumn<int>("index");
    int index = 0;
    for (const auto& [name, config] : tracedKinds())
        QTest::newRow(name.c_str()) << index++;
}

void TstScoreRule::weightsOfEveryKindAreRecomputed()
{
    QFETCH(int, index);
    const ModelConfig config = tracedKinds()[static_cast<std::size_t>(index)].second;
    const LoadedModel model = kindModel(config);
    const TracePtr trace = traceOfKind(model);
    const Worst worst = worstWeight(*trace, *model.model);
    QVERIFY2(worst.difference < 1e-6, qPrintable(QString::number(worst.difference)));
    const std::int64_t self = config.layers * config.heads * (hasTwoStacks(config) ? 81 : 121);
    const std::int64_t decoder =
        hasTwoStacks(config) ? config.decoderLayerCount() * config.heads * (121 + 99) : 0;
    QCOMPARE(worst.cells, static_cast<int>(self + decoder));
}

void TstScoreRule::positionsInPlaceOfTheModelsOwnCount()
{
    for (const char* kind : {"learned", "alibi", "relative", "rope", "t5", "2017"})
        for (const char* positions : {"alibi", "none", "rope:100"}) {
            const LoadedModel model = kindNamed(kind);
            if (hasTwoStacks(model.model->config()) && positions != std::string("none"))
                continue; // refused by the model
            Interventions interventions;
            interventions.positions = parsePositions(positions);
            const TracePtr trace = traceOfKind(model, interventions);
            const double worst = worstWeight(*trace, *model.model).difference;
            QVERIFY2(worst < 1e-6,
                     qPrintable(QString("%1, %2: %3").arg(kind, positions).arg(worst)));
        }
    for (const char* mask : {"none", "window:3", "causal"}) {
        const LoadedModel model = kindNamed("alibi");
        Interventions interventions;
        MaskChoice::parse(mask).applyTo(interventions, 11);
        QVERIFY(worstWeight(*traceOfKind(model, interventions), *model.model).difference < 1e-6);
    }
}

void TstScoreRule::eachTermIsNamed()
{
    const auto pairOf = [](const char* kind, AttentionCell cell) {
        const LoadedModel model = kindNamed(kind);
        return *explainPair(*traceOfKind(model), cell, model.model.get());
    };
    const PairExplanation alibi = pairOf("alibi", {1, 2, 9, 4});
    QCOMPARE(alibi.rule.bias, ScoreRule::Bias::Alibi);
    QCOMPARE(alibi.bias, -5.0 * std::exp2(-6.0)); // head 2 of 4: 2^(-8 * 3 / 4)
    QCOMPARE(alibi.score, alibi.capped + alibi.bias);
    const PairExplanation capped = pairOf("window, soft cap, unscaled", {0, 1, 6, 5});
    QVERIFY(!capped.rule.scaled);
    QCOMPARE(capped.scaled, capped.dot);
    QCOMPARE(capped.capped, 30.0 * std::tanh(capped.dot / 30.0));
    QVERIFY(pairOf("window, soft cap, unscaled", {0, 1, 6, 3}).masked);
    const LoadedModel t5 = kindNamed("t5");
    const PairExplanation relative =
        pairOf("t5", {1, 3, 2, 6, Stack::Encoder, false}); // 4 ahead, of 32 two-sided buckets
    QCOMPARE(relative.bias,
             static_cast<double>(t5.model->parameters().view("enc.rel_bias.weight")(16 + 4, 3)));
    QCOMPARE(pairOf("t5", {1, 3, 2, 6, Stack::Decoder, true}).bias, 0.0);
    QVERIFY(pairOf("rope", {0, 0, 3, 1}).rule.turned);
}

void TstScoreRule::withoutTheModelTheTermsAreMissed()
{
    const LoadedModel model = kindNamed("alibi");
    const TracePtr trace = traceOfKind(model);
    const auto pair = explainPair(*trace, {0, 0, 9, 2});
    QCOMPARE(pair->bias, 0.0);
    QVERIFY(std::abs(pair->weight - *pair->recordedWeight) > 1e-4);
}

HEADSCOPE_TEST(TstScoreRule)
#include "tst_score_rule.moc"

#include "core/analysis/causal/activation_patching.h"

#include "core/analysis/causal/causal_cone.h"
#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "core/model/pass/site_shape.h"
#include "core/trace/trace_recorder.h"
#include "tests/support/small_models.h"
#include "tests/support/test_program.h"
#include "tests/support/traced_kinds.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace headscope;
using namespace headscope::test;

Q_DECLARE_METATYPE(headscope::ModelConfig)

namespace {

constexpr std::size_t kTokens = 7;
constexpr std::size_t kChanged = 2;

CausalText textOf(const ModelConfig& config)
{
    const SourceAndTarget texts = randomTexts(config, 3, kTokens);
    return {texts.target.ids(), {}, texts.source.ids()};
}

GradientTarget difference()
{
    GradientTarget metric;
    metric.kind = GradientTarget::Kind::LogitDifference;
    metric.token = 3;
    metric.other = 5;
    return metric;
}

PatchingPair pairOf(const ModelConfig& config, const GradientTarget& metric = difference())
{
    PatchingPair pair{textOf(config), textOf(config), metric};
    TokenId& changed = pair.corrupted.ids[kChanged];
    changed = changed == 1 ? 2 : 1;
    return pair;
}

/// A whole pass that is looked at everywhere.
struct WholePass
{
    Trace::Activations activations;
    double metric = 0.0;

    WholePass(const Model& model, const CausalText& text, const GradientTarget& target,
              const Interventions& interventions = {})
    {
        CpuAttention backend;
        KvCache cache(model.config());
        if (hasTwoStacks(model.config()))
            model.encode(text.source, backend, cache);
        std::vector<TraceKey> keys;
        for (int site = 0; site <= static_cast<int>(Site::Logits); ++site)
            for (int layer = 0; layer < 4; ++layer)
                keys.push_back({static_cast<Site>(site), layer, model.config().mainStack()});
        keys.push_back({Site::Logits, 0});
        keys.push_back({Site::LnFinal, 0});
        std::sort(keys.begin(), keys.end());
        TraceRecorder recorder(keys, static_cast<std::int64_t>(text.ids.size()), nullptr);
        const Tensor logits = model.forward(text.ids, backend, cache, &recorder, interventions);
        metric = metricOf(target, text.ids, logits.view());
        activations = recorder.take();
    }
};

ActivationPatching patchingOf(const LoadedModel& loaded, const PatchingPair& pair)
{
    Progress progress;
    return {std::make_shared<const ResumedForward>(loaded.model), pair, {}, progress};
}

bool isNear(double got, double expected)
{
    return std::abs(got - expected) <= 2e-5 * (1.0 + std::abs(expected));
}

/// What one cell of a grid means, for a whole pass over the corrupted text.
Interventions interventionOf(const WholePass& clean, Stack stack, PatchSite site, int row,
                             int column)
{
    constexpr Site kSites[] = {Site::ResidPre, Site::AttnOut, Site::MlpOut, Site::Z,
                               Site::Query,    Site::Key,     Site::Value,  Site::Pattern};
    const TraceKey key{kSites[static_cast<int>(site)], row, stack};
    Patch patch{key, clean.activations.at(key), {}, {}};
    if (isByPosition(site))
        patch.positions = {column};
    else
        patch.head = column;
    Interventions interventions;
    interventions.patches = {patch};
    return interventions;
}

/// Rows of an activation, whatever its axes: queries of a pattern.
std::vector<float> rowOf(TraceKey key, const Tensor& activation, std::int64_t row)
{
    const TensorView view = activation.view();
    if (!hasQueryRowsPerHead(key.site))
        return {view[row].data, view[row].data + view[row].shape.elementCount()};
    std::vector<float> values;
    for (std::int64_t head = 0; head < view.shape[0]; ++head) {
        const TensorView cells = view[head][row];
        values.insert(values.end(), cells.data, cells.data + cells.shape[0]);
    }
    return values;
}

bool moved(const std::vector<float>& a, const std::vector<float>& b)
{
    return !std::equal(a.begin(), a.end(), b.begin(), [](float one, float other) {
        return one == other || std::abs(one - other) <= 2e-5F * (1.0F + std::abs(one));
    });
}

} // namespace

class TstActivationPatching : public QObject
{
    Q_OBJECT

private slots:

    void gridsAreThoseOfWholePasses_data()
    {
        QTest::addColumn<ModelConfig>("config");
        for (const auto& [name, config] : tracedKinds())
            if (config.languageHead && config.layers > 0)
                QTest::newRow(name.c_str()) << config;
    }

    void gridsAreThoseOfWholePasses()
    {
        QFETCH(ModelConfig, config);
        const LoadedModel loaded = kindModel(config);
        const PatchingPair pair = pairOf(config);
        const ActivationPatching patching = patchingOf(loaded, pair);
        const WholePass clean(*loaded.model, pair.clean, pair.metric);
        Progress progress;
        for (const PatchSite site : patchSites(config)) {
            if (site == PatchSite::Cell)
                continue;
            const PatchGrid grid = patching.grid(site, progress);
            QVERIFY(isNear(grid.clean, clean.metric));
            for (int row = 0; row < grid.rows; ++row)
                for (int column = 0; column < grid.columns; ++column) {
                    const WholePass patched(
                        *loaded.model, pair.corrupted, pair.metric,
                        interventionOf(clean, config.mainStack(), site, row, column));
                    QVERIFY2(isNear(grid.metric(row, column), patched.metric),
                             qPrintable(QString("%1 %2 %3: %4, not %5")
                                            .arg(nameOf(site))
                                            .arg(row)
                                            .arg(column)
                                            .arg(grid.metric(row, column))
                                            .arg(patched.metric)));
                }
        }
    }

    void cellsAreThoseOfEdits_data()
    {
        QTest::addColumn<int>("position");
        QTest::newRow("of the last token") << -1;
        QTest::newRow("of a token in between") << 4;
    }

    void cellsAreThoseOfEdits()
    {
        QFETCH(int, position);
        const LoadedModel loaded = kindModel(smallConfig());
        GradientTarget metric = difference();
        metric.position = position;
        const PatchingPair pair = pairOf(smallConfig(), metric);
        const WholePass clean(*loaded.model, pair.clean, pair.metric);
        Progress progress;
        const PatchGrid grid = patchingOf(loaded, pair).grid(PatchSite::Cell, progress, {1, 2});
        QCOMPARE(grid.rows, static_cast<int>(kTokens));
        bool some = false;
        for (int query = 0; query < grid.rows; ++query)
            for (int key = 0; key <= query; ++key) {
                PatternEdit edit;
                edit.key = {Site::Pattern, 1};
                edit.head = 2;
                edit.query = query;
                edit.keyToken = key;
                edit.weights = {clean.activations.at(edit.key)->view()(2, query, key)};
                Interventions interventions;
                interventions.patternEdits = {edit};
                const WholePass patched(*loaded.model, pair.corrupted, pair.metric, interventions);
                QVERIFY(isNear(grid.metric(query, key), patched.metric));
                some = some || std::abs(patched.metric - grid.corrupted) > 1e-4;
                if (position >= 0 && query > position) // what follows cannot be seen
                    QCOMPARE(grid.metric(query, key), grid.corrupted);
            }
        QVERIFY(some);
        QCOMPARE(grid.metric(0, 3), grid.corrupted); // masked
    }

    /// The whole clean stream brings everything back; where texts agree, nothing can.
    void theEndsOfTheScale()
    {
        const LoadedModel loaded = kindModel(smallConfig());
        Progress progress;
        const PatchGrid grid =
            patchingOf(loaded, pairOf(smallConfig())).grid(PatchSite::ResidPre, progress);
        QVERIFY(std::abs(grid.normalised(grid.metric(0, kChanged)) - 1.0) < 1e-4);
        for (int layer = 0; layer < grid.rows; ++layer)
            for (int position = 0; position < static_cast<int>(kChanged); ++position)
                QCOMPARE(grid.normalised(grid.metric(layer, position)), 0.0);
        QCOMPARE(grid.normalised(grid.clean), 1.0);
        QCOMPARE(grid.normalised(grid.corrupted), 0.0);
    }

    void sameTextsHaveNothingToBringBack()
    {
        const LoadedModel loaded = kindModel(smallConfig());
        PatchingPair pair = pairOf(smallConfig());
        pair.corrupted = pair.clean;
        Progress progress;
        const PatchGrid grid = patchingOf(loaded, pair).grid(PatchSite::HeadOut, progress);
        QVERIFY(std::isnan(grid.normalised(grid.metric(0, 0))));
    }

    void textsOfDifferentLengthAreRefused()
    {
        const LoadedModel loaded = kindModel(smallConfig());
        PatchingPair pair = pairOf(smallConfig());
        pair.corrupted.ids.pop_back();
        try {
            patchingOf(loaded, pair);
            QFAIL("not refused");
        } catch (const Error& error) {
            QCOMPARE(QString::fromStdString(error.problem()),
                     "the clean text has 7 tokens and the corrupted one 6");
        }
    }

    void aLossCanBeTheMetric()
    {
        const LoadedModel loaded = kindModel(smallConfig());
        GradientTarget metric;
        metric.kind = GradientTarget::Kind::Loss;
        const PatchingPair pair = pairOf(smallConfig(), metric);
        const WholePass clean(*loaded.model, pair.clean, metric);
        Progress progress;
        const PatchGrid grid = patchingOf(loaded, pair).grid(PatchSite::AttnOut, progress);
        const WholePass patched(*loaded.model, pair.corrupted, metric,
                                interventionOf(clean, Stack::Blocks, PatchSite::AttnOut, 1, 4));
        QVERIFY(isNear(grid.metric(1, 4), patched.metric));
    }

    void noiseDependsOnTheSeedAlone()
    {
        const LoadedModel loaded = kindModel(smallConfig());
        const CausalText text = textOf(smallConfig());
        const auto corrupted = [&](std::uint64_t seed, double deviations) {
            Progress progress;
            return ActivationPatching(std::make_shared<const ResumedForward>(loaded.model), text,
                                      difference(), {{1, 2}, deviations, seed}, {}, progress)
                .corrupted()
                .metric();
        };
        QCOMPARE(corrupted(1, 3.0), corrupted(1, 3.0));
        QVERIFY(corrupted(1, 3.0) != corrupted(2, 3.0));
        QVERIFY(isNear(corrupted(1, 0.0), WholePass(*loaded.model, text, difference()).metric));
    }

    void nothingOutsideTheConeMoves_data()
    {
        QTest::addColumn<ModelConfig>("config");
        for (const auto& [name, config] : tracedKinds())
            if (config.layers > 0)
                QTest::newRow(name.c_str()) << config;
    }

    /// Every site of every layer that can be changed, at one token: what moves lies in its cone.
    void nothingOutsideTheConeMoves()
    {
        QFETCH(ModelConfig, config);
        const LoadedModel loaded = kindModel(config);
        const CausalText text = textOf(config);
        GradientTarget metric = difference();
        const Model& model = *loaded.model;
        if (!config.languageHead)
            metric.token = metric.other = 0; // hidden states
        const WholePass plain(model, text, metric);
        std::size_t inside = 0;
        std::size_t reached = 0;
        for (const auto& [from, activation] : plain.activations) {
            const bool changeable = isPerLayer(from.site) && !hasSourceRows(from.site) &&
                                    from.site != Site::AttnScores &&
                                    from.site != Site::RouterProbs &&
                                    from.site != Site::CrossScores;
            if (!changeable)
                continue;
            const std::int64_t position = 3;
            auto other = std::make_shared<Tensor>(*activation);
            for (std::size_t i = 0; i < other->size(); ++i)
                other->data()[i] = hasQueryRowsPerHead(from.site)
                                       ? other->data()[i] * 0.5F
                                       : other->data()[i] + 0.2F * static_cast<float>(i % 5);
            Interventions interventions;
            interventions.patches = {{from, other, {}, {position}}};
            const WholePass patched(model, text, metric, interventions);
            for (const auto& [to, values] : plain.activations) {
                if (to.site == Site::NextSentence)
                    continue;
                const std::int64_t rows =
                    hasQueryRowsPerHead(to.site) ? values->shape()[1] : values->shape()[0];
                for (std::int64_t row = 0; row < rows; ++row) {
                    const bool can = canReach(config, {from.site, from.layer, position},
                                              {to.site, to.layer, row});
                    const bool did =
                        moved(rowOf(to, *values, row), rowOf(to, *patched.activations.at(to), row));
                    QVERIFY2(can || !did,
                             qPrintable(QString("%1 reached %2 at %3")
                                            .arg(QString::fromStdString(toString(from)))
                                            .arg(QString::fromStdString(toString(to)))
                                            .arg(row)));
                    inside += can ? 1 : 0;
                    reached += can && did ? 1 : 0;
                }
            }
        }
        // The cone is no larger than it must be: nearly all of it does move.
        QVERIFY2(static_cast<double>(reached) > 0.6 * static_cast<double>(inside),
                 qPrintable(QString("%1 of %2").arg(reached).arg(inside)));
    }
};

HEADSCOPE_TEST(TstActivationPatching)
#include "tst_activation_patching.moc"

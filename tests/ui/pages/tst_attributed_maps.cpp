#include "core/analysis/flow/attention_flow.h"
#include "core/analysis/flow/value_contributions.h"
#include "core/analysis/flow/value_norms.h"
#include "tests/support/test_program.h"
#include "tests/ui/child.h"
#include "tests/ui/pages/session_fixture.h"
#include "ui/pages/arcs/arcs_page.h"
#include "ui/pages/flow/flow_page.h"
#include "ui/pages/head/head_page.h"
#include "ui/pages/shared/maps/attributed_maps.h"
#include "ui/pages/shared/maps/gradient_run.h"
#include "ui/widgets/arcs/arcs_widget.h"
#include "ui/widgets/flow/flow_widget.h"
#include "ui/widgets/heatmap/heatmap_widget.h"
#include "ui/widgets/style/colour_bar.h"

#include <QComboBox>
#include <QLabel>
#include <QToolButton>

#include <cmath>

using namespace headscope;
using namespace headscope::ui;
using namespace headscope::ui::test;

namespace {

void choose(QWidget& page, MapKind kind)
{
    for (QComboBox* box : page.findChildren<QComboBox*>())
        if (const int index = box->findText(titleOf(kind)); index >= 0)
            box->setCurrentIndex(index);
}

template<class View>
struct Fixture : SessionFixture
{
    explicit Fixture(const QString& text = "the cat sat on a mat") : SessionFixture(text)
    {
        view = std::make_unique<View>(session);
        view->resize(1100, 700);
        view->show();
        settle();
    }

    void settle()
    {
        if (!QTest::qWaitFor([this] {
                QCoreApplication::processEvents();
                return isCurrent() && view->isSettled();
            }))
            qFatal("never settled");
        QCoreApplication::processEvents();
    }

    AttributedRunPtr made(MapKind kind, std::optional<int> layer = {}) const
    {
        return attributedRuns(session.viewSnapshot(), {kind, layer}).a;
    }

    const Model& model() const { return *session.model().model; }

    std::unique_ptr<View> view;
};

bool isNear(double a, double b, double tolerance = 1e-5)
{
    return std::abs(a - b) <= tolerance;
}

double rowSum(TensorView row)
{
    double sum = 0.0;
    for (std::int64_t i = 0; i < row.shape[0]; ++i)
        sum += std::abs(double{row(i)});
    return sum;
}

bool areEqual(const Tensor& a, const Tensor& b, double tolerance = 1e-6)
{
    if (a.shape() != b.shape())
        return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!isNear(double{a.data()[i]}, double{b.data()[i]}, tolerance))
            return false;
    return true;
}

} // namespace

class TstAttributedMaps : public QObject
{
    Q_OBJECT

private slots:

    void valuesAreSharesOfTheirRows()
    {
        const Fixture<HeadPage> fixture;
        const Trace& trace = *fixture.session.traceA();
        const SublayerIndex place{Stack::Blocks, 1, false};
        const auto norms = fixture.made(MapKind::ValueNorm)->trace->find({Site::Pattern, 1});
        QVERIFY(areEqual(*norms, rowsToOne(valueNorms(trace, fixture.model(), place).view())));
        const auto fractions =
            fixture.made(MapKind::ValueAware, 1)->trace->find({Site::Pattern, 1});
        QVERIFY(areEqual(
            *fractions, rowsToOne(valueContributions(trace, fixture.model(), place).heads.view())));
        for (std::int64_t head = 0; head < 2; ++head)
            for (std::int64_t row = 0; row < norms->shape()[1]; ++row) {
                QVERIFY(isNear(rowSum(norms->view()[head][row]), 1.0));
                QVERIFY(isNear(rowSum(fractions->view()[head][row]), 1.0));
            }
    }

    void gradientsAreScaledByTheStrongestRowOfTheirLayer()
    {
        const Fixture<HeadPage> fixture;
        const std::vector<TokenId> ids = fixture.session.traceA()->tokens().ids();
        CpuAttention backend;
        GradientTarget target;
        target.token = *mostLikelyNext(*fixture.session.traceA(), -1);
        const AttributionRun run{fixture.model(), backend, {ids}, target};
        const GradientAttention plain = gradientTimesAttention(run);
        const AttributedRunPtr made = fixture.made(MapKind::GradientAttention);
        QCOMPARE(made->target, labelOf(target.token, fixture.session.model()));
        for (int layer = 0; layer < 2; ++layer) {
            const auto map = made->trace->find({Site::Pattern, layer});
            Tensor logits = *map;
            for (float& value : logits.values())
                value *= static_cast<float>(made->unit[static_cast<std::size_t>(layer)]);
            QVERIFY(areEqual(logits, plain.maps.at({Site::Pattern, layer}), 1e-5));
            double largest = 0.0;
            for (std::int64_t head = 0; head < 2; ++head)
                for (std::int64_t row = 0; row < map->shape()[1]; ++row)
                    largest = std::max(largest, rowSum(map->view()[head][row]));
            QVERIFY(isNear(largest, 1.0));
        }
        const TraceKey key{Site::Pattern, 0};
        const IntegratedAttention whole = integratedAttention(run, {&key, 1});
        const AttributedRunPtr integrated = fixture.made(MapKind::IntegratedAttention, 0);
        Tensor logits = *integrated->trace->find(key);
        for (float& value : logits.values())
            value *= static_cast<float>(integrated->unit[0]);
        QVERIFY(areEqual(logits, whole.maps.at(key), 1e-5));
        QVERIFY(integrated->note.contains("sum to"));
        QCOMPARE(integrated->unit[1], 0.0); // of one layer alone
    }

    void rolloutAndFlowAreTheSameForAllHeads()
    {
        const Fixture<HeadPage> fixture;
        const Trace& trace = *fixture.session.traceA();
        const auto rollout = fixture.made(MapKind::Rollout)->trace->find({Site::Pattern, 1});
        const Tensor expected = attentionRollout(trace)[1];
        const auto flow = fixture.made(MapKind::Flow, 1)->trace->find({Site::Pattern, 1});
        const std::vector<Tensor> mixing = layerMixings(trace);
        for (std::int64_t head = 0; head < 2; ++head)
            for (std::int64_t row = 0; row < expected.shape()[0]; ++row)
                for (std::int64_t key = 0; key < expected.shape()[1]; ++key) {
                    QVERIFY(isNear(double{rollout->view()(head, row, key)},
                                   double{expected.view()(row, key)}));
                    QVERIFY(isNear(double{flow->view()(head, row, key)},
                                   attentionFlowToAll(mixing, row)[static_cast<std::size_t>(key)]));
                }
    }

    void theHeadPageSwitchesInPlace()
    {
        Fixture<HeadPage> fixture;
        fixture.session.view().activateHead(1, 1);
        fixture.settle();
        const HeatmapContent& shown = childOf<HeatmapWidget>(*fixture.view).content();
        for (const MapKind kind : switchableKinds()) {
            choose(*fixture.view, kind);
            fixture.settle();
            const QString legend = childOf<ColourBar>(*fixture.view).content().title;
            const auto trace =
                isAttributed(kind) ? fixture.made(kind, 1)->trace : fixture.session.traceA();
            const auto map = trace->find({Site::Pattern, 1});
            QCOMPARE(shown.matrix.at({3, 2}), map->view()(1, 3, 2));
            QCOMPARE(shown.scale.isSigned(), headscope::ui::isSigned(kind));
            QCOMPARE(shown.scale.high, 1.0F); // one scale for all of them
            QVERIFY(legend.contains("fixed scale"));
            if (isAttributed(kind))
                QVERIFY2(legend.contains(titleOf(kind)), qPrintable(legend));
            QCOMPARE(mapKindNamed(fixture.view->options()["kind"].toString()), kind);
            QVERIFY(fixture.view->figure().paint);
            QVERIFY(fixture.view->numberAt({}).has_value() == !isAttributed(kind) ||
                    !shown.current);
        }
        choose(*fixture.view, MapKind::GradientAttention);
        fixture.session.view().selectPair(4, 2);
        fixture.settle();
        const QString words = fixture.view->findChild<QLabel*>("readOut")->text();
        QVERIFY2(words.contains("logits"), qPrintable(words));
    }

    void arcsSwitchInPlace()
    {
        Fixture<ArcsPage> fixture;
        for (const MapKind kind : switchableKinds()) {
            choose(*fixture.view, kind);
            fixture.settle();
            const ArcsContent& arcs = fixture.view->findChild<ArcsWidget*>()->content();
            QCOMPARE(arcs.isAttribution, isAttributed(kind));
            QCOMPARE(arcs.isSigned, headscope::ui::isSigned(kind));
            QVERIFY(!arcs.isDifference());
            const int layer = fixture.session.selection().layer;
            const auto trace =
                isAttributed(kind) ? fixture.made(kind, layer)->trace : fixture.session.traceA();
            QCOMPARE(arcs.weight(0, 3, 2),
                     trace->find({Site::Pattern, layer})->view()(arcs.heads[0].number, 3, 2));
            QCOMPARE(ArcsOptions::fromJson(fixture.view->options()).kind, kind);
            QVERIFY(fixture.view->figure().paint);
        }
    }

    void flowFollowsWhatRaisesTheLogit()
    {
        Fixture<FlowPage> fixture;
        for (const char* name : {"Value norm", "Gradient", "Integrated"}) {
            for (QToolButton* button : fixture.view->findChildren<QToolButton*>())
                if (button->text() == QLatin1String(name))
                    button->click();
            fixture.settle();
            const FlowGraphContent& graph = childOf<FlowWidget>(*fixture.view).content();
            QCOMPARE(graph.levels, 3);
            const FlowMode mode = FlowOptions::fromJson(fixture.view->options()).mode;
            const MapKind kind = mode == FlowMode::ValueNorm    ? MapKind::ValueNorm
                                 : mode == FlowMode::Gradient   ? MapKind::GradientAttention
                                 : mode == FlowMode::Integrated ? MapKind::IntegratedAttention
                                                                : MapKind::Weights;
            QVERIFY(isAttributed(kind));
            const auto map = fixture.made(kind)->trace->find({Site::Pattern, 1});
            std::vector<double> row(static_cast<std::size_t>(graph.tokens()));
            const int to = graph.tokens() - 1;
            double sum = 0.5;
            for (int from = 0; from < graph.tokens(); ++from) {
                double mean = 0.0;
                for (std::int64_t head = 0; head < 2; ++head)
                    mean += 0.5 * std::max(0.0, double{map->view()(head, to, from)});
                row[static_cast<std::size_t>(from)] = 0.5 * mean;
                sum += 0.5 * mean;
            }
            row[static_cast<std::size_t>(to)] += 0.5;
            for (int from = 0; from < graph.tokens(); ++from)
                QVERIFY(isNear(double{graph.fractionOf({1, to, from, 0.0F})},
                               row[static_cast<std::size_t>(from)] / sum));
        }
    }

    void aChangedRunHasItsOwnAttributions()
    {
        Fixture<HeadPage> fixture;
        fixture.session.view().activateHead(1, 1);
        fixture.session.document().setHeadOff(1, 1, true);
        fixture.settle();
        fixture.session.view().setShownVariant(headscope::ui::Variant::B);
        choose(*fixture.view, MapKind::GradientAttention);
        fixture.settle();
        const HeatmapContent& shown = childOf<HeatmapWidget>(*fixture.view).content();
        QCOMPARE(shown.matrix.at({5, 1}), 0.0F); // nothing behind it counts
        fixture.session.view().setShownVariant(headscope::ui::Variant::Difference);
        fixture.settle();
        const AttributedRuns runs =
            attributedRuns(fixture.session.viewSnapshot(), {MapKind::GradientAttention, 1});
        const TraceKey key{Site::Pattern, 1};
        QCOMPARE(shown.matrix.at({5, 1}), runs.b->trace->find(key)->view()(1, 5, 1) -
                                              runs.a->trace->find(key)->view()(1, 5, 1));
    }

    void whatIsNotDefinedIsSaid()
    {
        Fixture<HeadPage> fixture;
        ViewSnapshot viewed = fixture.session.viewSnapshot();
        ModelConfig config = fixture.model().config();
        config.languageHead = false;
        LoadedModel headless = viewed.modelA;
        headless.model = std::make_shared<const Model>(Model::initialised(config, 1));
        viewed.modelA = viewed.modelB = headless;
        QVERIFY(problemOf(attributedRuns(viewed, {MapKind::GradientAttention, 0}))
                    .contains("predicts no tokens"));
        QVERIFY(problemOf(attributedRuns(viewed, {MapKind::Rollout, 0})).isEmpty());
        viewed.modelA.model = viewed.modelB.model = nullptr;
        for (const MapKind kind : {MapKind::ValueNorm, MapKind::IntegratedAttention})
            QVERIFY(problemOf(attributedRuns(viewed, {kind, 0})).contains("captured"));
        viewed.selection.part = AttentionKind::Cross;
        QVERIFY(
            problemOf(attributedRuns(viewed, {MapKind::Rollout, 0})).contains("cross-attention"));
        const MapWithLegend map = headMap(viewed, {headscope::ui::Variant::A, MapKind::ValueNorm});
        QVERIFY(map.map.matrix.isEmpty() && !map.problem.isEmpty());
    }
};

HEADSCOPE_WINDOW_TEST(TstAttributedMaps)
#include "tst_attributed_maps.moc"

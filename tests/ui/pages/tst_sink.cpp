#include "core/attention/cpu_attention.h"
#include "tests/support/golden.h"
#include "tests/support/hugging_face_model.h"
#include "tests/support/test_program.h"
#include "tests/support/tiny_model.h"
#include "tests/ui/child.h"
#include "ui/pages/arcs/arcs_content.h"
#include "ui/pages/flow/flow_content.h"
#include "ui/pages/flow/flow_figure.h"
#include "ui/pages/head/distance_content.h"
#include "ui/pages/head/head_page.h"
#include "ui/pages/shared/changes/what_if_content.h"
#include "ui/pages/shared/figures/head_figure.h"
#include "ui/pages/shared/maps/sink_mass.h"
#include "ui/pages/shared/sharing/shared_patterns.h"
#include "ui/widgets/heatmap/heatmap_sink.h"
#include "ui/widgets/heatmap/heatmap_widget.h"

#include <QLabel>
#include <QTest>
#include <QtEndian>

#include <cmath>
#include <memory>

using namespace headscope;
using namespace headscope::ui;

namespace {

/// A view of the tiny gpt-oss, whose heads have sinks, with the tiny tokenizer's names of tokens.
ViewSnapshot viewOfGptOss(const Interventions& interventions = {})
{
    const std::filesystem::path folder = headscope::test::goldenDir() / "hf/gpt_oss";
    ViewSnapshot view;
    view.modelA.name = "gpt_oss";
    view.modelA.model =
        std::make_shared<const Model>(headscope::test::loadHuggingFaceModel(folder));
    view.modelB = view.modelA;
    TokenSequence tokens;
    tokens.text = "abcdefgh";
    for (std::size_t place = 0; place < tokens.text.size(); ++place)
        tokens.tokens.push_back({static_cast<TokenId>(3 + 5 * place), {place, place + 1}});
    Tracer tracer(view.modelA, std::make_unique<CpuAttention>());
    view.a = tracer.trace(tokens, TraceRequest::forViews());
    view.b = tracer.trace(tokens, TraceRequest::forViews(), interventions);
    view.selection.layer = 1;
    view.selection.head = 2;
    return view;
}

/// The tiny model with attention sinks, freshly initialised.
LoadedModel openWithSinks(const std::string& name)
{
    LoadedModel model = headscope::test::tinyModel();
    ModelConfig config = model.model->config();
    config.attentionSinks = true;
    model.model = std::make_shared<const Model>(Model::initialised(config, 1));
    model.name = name;
    return model;
}

} // namespace

class TstSink : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase() { applyTheme(*qApp, Theme::light()); }

    void aRowAndItsSinkSumToOne()
    {
        const ViewSnapshot view = viewOfGptOss();
        for (const MapWithLegend& shown :
             {headMap(view, {}), whatIfMap(view, headscope::ui::Variant::A)}) {
            QCOMPARE(static_cast<int>(shown.map.sink.size()), shown.map.matrix.rows);
            for (int row = 0; row < shown.map.matrix.rows; ++row) {
                double sum = double{shown.map.sink[static_cast<std::size_t>(row)]};
                QVERIFY(sum >= 0.0);
                for (int key = 0; key < shown.map.matrix.columns; ++key)
                    sum += double{shown.map.matrix.at({row, key})};
                QVERIFY(std::abs(sum - 1.0) < 1e-6);
            }
        }
    }

    void theSinkIsNoKey()
    {
        ViewSnapshot view = viewOfGptOss();
        const Figure figure = headFigure(view, {});
        const NumberTable& table = figure.numbers.front();
        QCOMPARE(table.values.columns, table.values.rows + 1);
        QCOMPARE(table.columns.last(), QStringLiteral("(sink)"));
        QCOMPARE(table.values.at({5, 8}), headMap(view, {}).map.sink[5]);
        QVERIFY(figure.caption.contains("attention sink"));
        QVERIFY(!mapNumber(view, headscope::ui::Variant::A, MapKind::Weights, {5, 8}));
        for (const MapKind kind : {MapKind::Scores, MapKind::ValueWeighted, MapKind::ValueNorm})
            QVERIFY(headMap(view, {headscope::ui::Variant::A, kind}).map.sink.empty());
        view.display.hideFirst = true; // rows are renormalised over the keys that are left
        QVERIFY(headMap(view, {}).map.sink.empty());
    }

    void everyScaleCoversTheSink()
    {
        const ViewSnapshot view = viewOfGptOss();
        const HeatmapContent map =
            headMap(view, {headscope::ui::Variant::A, MapKind::Weights, MapScale::PerRow}).map;
        for (int row = 0; row < map.matrix.rows; ++row) {
            const float sink = map.sink[static_cast<std::size_t>(row)];
            float largest = sink;
            for (int key = 0; key <= row; ++key)
                largest = std::max(largest, map.matrix.at({row, key}));
            QCOMPARE(map.sinkShades[static_cast<std::size_t>(row)], sink / largest);
        }
    }

    void anEditedRowHasNoSink()
    {
        Interventions edits;
        edits.patternEdits.push_back({{Site::Pattern, 1}, 2, 5, 0, {0.5F}, false});
        ViewSnapshot view = viewOfGptOss(edits);
        const HeatmapContent map = headMap(view, {headscope::ui::Variant::Difference}).map;
        QVERIFY(std::isnan(map.sink[5]));
        QCOMPARE(map.sink[4], 0.0F);
        QVERIFY(describeSink(map, 5).contains("were replaced"));
    }

    /// Rows of a difference do not sum to 1.
    void captionsNameTheSink()
    {
        Interventions edits;
        edits.patternEdits.push_back({{Site::Pattern, 1}, 2, 5, 0, {0.5F}, false});
        ViewSnapshot view = viewOfGptOss(edits);
        QVERIFY(whatIfFigure(view, {}).caption.contains("attention sink"));
        QVERIFY(headFigure(view, {}).caption.contains("sum to 1"));
        view.shown = headscope::ui::Variant::Difference;
        QVERIFY(headFigure(view, {}).caption.contains("attention sink"));
        QVERIFY(!headFigure(view, {}).caption.contains("sum to 1"));
    }

    /// Pages that show keys alone tell what is missing to 1.
    void otherPagesNameTheWeightOnSinks()
    {
        ViewSnapshot view = viewOfGptOss();
        ArcsOptions heads;
        const ArcsContent arcs = arcsContent(view, heads);
        std::vector<std::optional<double>> masses;
        for (const ArcHead& head : arcs.heads)
            masses.push_back(meanSink(shownPattern(view, {1, head.number}).sink));
        QVERIFY(arcs.counts.sinkMass && *arcs.counts.sinkMass > 0.02);
        QCOMPARE(*arcs.counts.sinkMass, *meanOf(masses));
        QVERIFY2(drawnText(arcs, view).contains(sinkNote(arcs.counts.sinkMass)),
                 qPrintable(drawnText(arcs, view)));
        heads.kind = MapKind::ValueNorm; // of keys alone
        const AttributedRuns runs = attributedRuns(view, {heads.kind, {}});
        QVERIFY(!arcsContent(view, heads, runs).counts.sinkMass);
        const DistanceContent distance =
            distanceContent(view, {}, HeadChoice(view.a->headCount(AttentionKind::Self)));
        QVERIFY(distance.sinkMass && *distance.sinkMass > 0.0);
        QVERIFY(distanceFigure(view, {}).caption.contains("on attention sinks"));
        view.display.hideFirst = true; // rows are renormalised over the keys that are left
        QVERIFY(!arcsContent(view, {}).counts.sinkMass);
        QVERIFY(!distanceContent(view, {}, HeadChoice(2)).sinkMass);
    }

    void flowSaysThatItIsRenormalisedWithoutSinks()
    {
        const ViewSnapshot view = viewOfGptOss();
        FlowOptions options;
        const FlowMixings mixings = flowMixings(view, options);
        const FlowContent content = flowContent(view, options, mixings);
        QVERIFY(content.sinkMass && *content.sinkMass > 0.02);
        const QString percents = number(100.0 * *content.sinkMass, 0) + " %";
        QVERIFY2(sinkText(content).contains(percents), qPrintable(sinkText(content)));
        QVERIFY(flowFigure(view, options, mixings).caption.contains(sinkText(content)));
        options.mode = FlowMode::Contribution; // a sink has no vector
        QVERIFY(!flowContent(view, options, flowMixings(view, options)).sinkMass);
    }

    void sharedPagesHaveTheWeightOfEachRow()
    {
        ViewSnapshot view = viewOfGptOss();
        const SharedPatterns patterns = sharedPatterns(view, 1 << 20);
        const SharedKind& kind = patterns.kinds.front();
        QVERIFY(kind.hasSinks);
        qsizetype place = 0;
        for (const GridCell head : kind.stored)
            for (const float weight : shownPattern(view, head).sink) {
                const int level =
                    qFromLittleEndian<quint16>(patterns.sinkLevels.constData() + place);
                QVERIFY(std::abs(level / 65534.0 - double{weight}) <= patterns.rounding());
                place += 2;
            }
        QCOMPARE(place, patterns.sinkLevels.size());
        view.display.hideFirst = true;
        QVERIFY(!sharedPatterns(view, 1 << 20).kinds.front().hasSinks);
    }

    void theReadOutTellsOfTheSink()
    {
        Session session({}, openWithSinks);
        session.computation().setDevice("cpu");
        session.document().setText("the cat sat on the mat");
        HeadPage page(session);
        page.resize(900, 760);
        page.show();
        auto& map = headscope::ui::test::childOf<HeatmapWidget>(page);
        session.models().open("tiny");
        QTRY_VERIFY(session.traceA() && !map.content().sink.empty());
        const auto readOut = [&] { return page.findChild<QLabel*>("readOut")->text(); };
        const int last = static_cast<int>(session.traceA()->tokens().size()) - 1;
        session.view().selectPair(last, last);
        QTRY_COMPARE(map.content().current, (HeatmapCell{last, last}));
        const QString sink = readoutNumber(double{map.content().sink.back()});
        QTRY_VERIFY2(readOut().contains("+ sink " + sink), qPrintable(readOut()));
        QTest::keyClick(&map, Qt::Key_Right);
        QVERIFY2(readOut().contains("attention sink; weight " + sink), qPrintable(readOut()));
        QVERIFY2(readOut().contains("+ sink " + sink), qPrintable(readOut()));
        QVERIFY(!page.numberAt(std::nullopt)); // the selected pair is elsewhere
        QCOMPARE(session.selection().key, last);
        QTest::keyClick(&map, Qt::Key_Left);
        QTRY_VERIFY(readOut().contains("receives"));
    }
};

HEADSCOPE_WINDOW_TEST(TstSink)
#include "tst_sink.moc"

#include "core/attention/cpu_attention.h"
#include "tests/support/test_program.h"
#include "tests/support/tiny_model.h"
#include "tests/support/traced_kinds.h"
#include "tests/ui/child.h"
#include "ui/pages/head/distance_page.h"
#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/widgets/charts/distance/distance_chart.h"
#include "ui/widgets/heads/head_grid_widget.h"

#include <QJsonArray>
#include <QMouseEvent>
#include <QPainter>
#include <QtTest>

#include <cmath>

using namespace headscope;
using namespace headscope::ui;
using headscope::ui::test::childOf;

namespace {

LoadedModel openTiny(const std::string& name)
{
    LoadedModel model = headscope::test::tinyModel();
    model.name = name;
    return model;
}

struct DistanceFixture
{
    DistanceFixture() : session({}, openTiny), view(session)
    {
        session.computation().setDevice("cpu");
        session.document().replaceText("the cat sat on the mat");
        session.models().open("tiny");
        view.resize(960, 640);
        view.show();
    }

    bool isReady() const
    {
        return session.traceA() &&
               session.computation().shownTicket() == session.computation().postedTicket() &&
               !content().isEmpty() && view.distances().isDone();
    }

    const DistanceContent& content() const { return chart().content(); }

    DistanceChart& chart() const { return childOf<DistanceChart>(view); }

    HeadGridWidget& grid() const { return childOf<HeadGridWidget>(view); }

    Session session;
    DistancePage view;
};

/// Mean of the cells with first <= query - key <= last, one by one.
double meanOf(const Trace& trace, TraceKey key, int head, DistanceBin bin)
{
    const auto pattern = trace.find(key);
    double sum = 0.0;
    int cells = 0;
    for (std::int64_t i = 0; i < pattern->shape()[1]; ++i)
        for (std::int64_t j = 0; j < pattern->shape()[2]; ++j)
            if (i - j >= bin.first && i - j <= bin.last) {
                sum += static_cast<double>(pattern->view()(head, i, j));
                ++cells;
            }
    return sum / cells;
}

double meanDistanceOf(const Trace& trace, int layer, int head)
{
    const auto pattern = trace.find({Site::Pattern, layer});
    double mass = 0.0;
    double snapshot = 0.0;
    for (std::int64_t i = 0; i < pattern->shape()[1]; ++i)
        for (std::int64_t j = 0; j < pattern->shape()[2]; ++j) {
            const auto weight = static_cast<double>(pattern->view()(head, i, j));
            mass += weight;
            snapshot += weight * static_cast<double>(std::abs(i - j));
        }
    return snapshot / mass;
}

bool isClose(double got, double expected)
{
    return std::abs(got - expected) < 1e-6;
}

} // namespace

class TstDistance : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase() { applyTheme(*qApp, Theme::light()); }

    void curvesAreMeansOverDiagonals();
    void everyHeadHasItsMeanDistance();
    void arrowsMoveOverDistancesAndHeads();
    void thePointerReadsPinsAndLetsGo();
    void differencesAreBLessA();
    void longTextsAreDrawnInDoublingSteps();
    void encodersLookBothWaysAndCrossHasNoDistance();
    void chosenHeadsAreTheCurves();
    void aFigureHoldsTheSameNumbers();
    void emptyTextsAndOneTokenAreTaken();
    void aVariantWithoutAttentionKeepsNoColours();
};

void TstDistance::curvesAreMeansOverDiagonals()
{
    DistanceFixture page;
    QTRY_VERIFY(page.isReady());
    page.session.view().activateHead(1, 0);
    QTRY_VERIFY(isClose(page.content().curves.front().values[1],
                        meanOf(*page.session.traceA(), {Site::Pattern, 1}, 0, {1, 1})));
    const int tokens = static_cast<int>(page.session.traceA()->tokens().size());
    QCOMPARE(static_cast<int>(page.content().bins.size()), tokens);
    QVERIFY(!page.content().isTwoSided());
    QCOMPARE(page.content().curves.size(), std::size_t{2});
    for (const DistanceCurve& curve : page.content().curves)
        for (int distance = 0; distance < tokens; ++distance)
            QVERIFY(isClose(curve.values[static_cast<std::size_t>(distance)],
                            meanOf(*page.session.traceA(), {Site::Pattern, 1}, curve.head,
                                   {distance, distance})));
}

void TstDistance::everyHeadHasItsMeanDistance()
{
    DistanceFixture page;
    QTRY_VERIFY(page.isReady());
    double largest = 0.0;
    for (int layer = 0; layer < 2; ++layer)
        for (int head = 0; head < 2; ++head) {
            const double expected = meanDistanceOf(*page.session.traceA(), layer, head);
            QVERIFY(isClose(page.view.distances().at({layer, head}), expected));
            largest = std::max(largest, expected);
        }
    QVERIFY(isClose(page.view.distances().largest(), largest));
    const HeadGridContent& grid = page.grid().content();
    for (const ThumbnailPtr& thumbnail : grid.thumbnails)
        QVERIFY(thumbnail && thumbnail->levels.size() == 1);
    const auto level = [&grid](int layer, int head) {
        return int{grid.at({layer, head})->levels.front()};
    };
    QCOMPARE(level(1, 1), static_cast<int>(std::lround(
                              254.0 * meanDistanceOf(*page.session.traceA(), 1, 1) / largest)));
    emit page.grid().headActivated({1, 1});
    QVERIFY((page.session.view().activeHead() == HeadId{1, 1}));
}

void TstDistance::arrowsMoveOverDistancesAndHeads()
{
    DistanceFixture page;
    QTRY_VERIFY(page.isReady());
    QTest::keyClick(&page.chart(), Qt::Key_Right);
    QTest::keyClick(&page.chart(), Qt::Key_Right);
    QCOMPARE(page.chart().pinned(), std::optional(1));
    const double expected = meanOf(*page.session.traceA(), {Site::Pattern, 0}, 0, {1, 1});
    QVERIFY2(page.chart().accessibleDescription().startsWith("1 tokens back: head 0 " +
                                                             number(expected, 3)),
             qPrintable(page.chart().accessibleDescription()));
    QTest::keyClick(&page.chart(), Qt::Key_Down);
    QCOMPARE(page.session.selection().head, 1);
    QTRY_COMPARE(page.content().subject, 1);
    QTest::keyClick(&page.chart(), Qt::Key_Home);
    QCOMPARE(page.chart().pinned(), std::optional(0));
    QCOMPARE(page.view.options().value("distance").toInt(), 0);
    QVERIFY(page.view.escape());
    QVERIFY(!page.chart().pinned());
    QVERIFY(!page.view.escape());
}

void TstDistance::thePointerReadsPinsAndLetsGo()
{
    DistanceFixture page;
    QTRY_VERIFY(page.isReady());
    const DistanceAxes axes = page.chart().axes();
    const DistanceCurve& other = page.content().curves[1];
    const QPointF place(axes.x(2), axes.y(other.values[2]));
    QMouseEvent move(QEvent::MouseMove, place, page.chart().mapToGlobal(place), Qt::NoButton,
                     Qt::NoButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&page.chart(), &move);
    QCOMPARE(page.content().bin, std::optional(2));
    QVERIFY(describeBin(page.content(), 2).contains("head 1 " + number(other.values[2], 3)));
    QTest::mouseClick(&page.chart(), Qt::LeftButton, {}, place.toPoint());
    QCOMPARE(page.session.selection().head, 1);
    QCOMPARE(page.chart().pinned(), std::optional(2));
    QTRY_COMPARE(page.content().subject, 1);
    QTest::mouseClick(&page.chart(), Qt::LeftButton, {}, place.toPoint());
    QVERIFY(!page.chart().pinned());
}

void TstDistance::differencesAreBLessA()
{
    DistanceFixture page;
    QTRY_VERIFY(page.isReady());
    MaskChange mask;
    mask.kind = MaskChange::Kind::None;
    page.session.document().setMask(mask);
    page.session.view().activateHead(1, 1);
    QTRY_VERIFY(page.session.traceB() != nullptr);
    page.session.view().setShownVariant(ui::Variant::Difference);
    QTRY_VERIFY(page.content().isDifference && page.view.distances().isDone());
    const Trace& a = *page.session.traceA();
    const Trace& b = *page.session.traceB();
    QVERIFY(page.content().isTwoSided()); // B looks ahead
    for (const DistanceCurve& curve : page.content().curves)
        for (std::size_t bin = 0; bin < page.content().bins.size(); ++bin) {
            const DistanceBin at = page.content().bins[bin];
            QVERIFY(isClose(curve.values[bin], meanOf(b, {Site::Pattern, 1}, curve.head, at) -
                                                   meanOf(a, {Site::Pattern, 1}, curve.head, at)));
        }
    for (int layer = 0; layer < 2; ++layer) {
        QVERIFY(isClose(page.view.distances().at({layer, 0}),
                        meanDistanceOf(b, layer, 0) - meanDistanceOf(a, layer, 0)));
        QVERIFY(isClose(page.view.distances().before({layer, 0}), meanDistanceOf(a, layer, 0)));
    }
    QVERIFY(page.chart().axes().weights().low < 0.0);
}

void TstDistance::longTextsAreDrawnInDoublingSteps()
{
    ModelConfig config = headscope::test::tracedKinds().front().second;
    config.maxLen = 100;
    ViewSnapshot viewed;
    viewed.modelA = viewed.modelB = headscope::test::kindModel(config);
    viewed.a =
        headscope::test::freshTrace(viewed.modelA, headscope::test::randomTexts(config, 3, 70));
    const HeadChoice choice = distanceHeads(viewed, {});
    const DistanceContent content = distanceContent(viewed, {}, choice);
    QVERIFY(content.isBinned());
    QCOMPARE(content.bins.size(), std::size_t{8}); // 0, 1, 2-3, 4-7, 8-15, 16-31, 32-63, 64-69
    QCOMPARE(content.bins.back(), (DistanceBin{64, 69}));
    for (const DistanceCurve& curve : content.curves)
        for (std::size_t bin = 0; bin < content.bins.size(); ++bin)
            QVERIFY(isClose(curve.values[bin],
                            meanOf(*viewed.a, {Site::Pattern, 0}, curve.head, content.bins[bin])));
    DistanceOptions every;
    every.axis = DistanceOptions::Axis::Every;
    QCOMPARE(distanceContent(viewed, every, choice).bins.size(), std::size_t{70});
    QCOMPARE(DistanceOptions::fromJson(every.toJson()).axis, DistanceOptions::Axis::Every);
}

void TstDistance::encodersLookBothWaysAndCrossHasNoDistance()
{
    for (const auto& [name, config] : headscope::test::tracedKinds()) {
        if (config.layers == 0)
            continue;
        ViewSnapshot viewed;
        viewed.modelA = viewed.modelB = headscope::test::kindModel(config);
        viewed.a =
            headscope::test::freshTrace(viewed.modelA, headscope::test::randomTexts(config, 3, 11));
        for (const AttentionKind part : viewed.a->attentionKinds()) {
            viewed.selection.part = part;
            const DistanceContent content = distanceContent(viewed, {}, distanceHeads(viewed, {}));
            QCOMPARE(content.isEmpty(), part == AttentionKind::Cross);
            QCOMPARE(distanceProblem(viewed).isEmpty(), part != AttentionKind::Cross);
            if (content.isEmpty())
                continue;
            const bool ahead = part == AttentionKind::EncoderSelf ||
                               config.architecture == Architecture::Encoder || !config.causal;
            QVERIFY2(content.isTwoSided() == ahead, name.c_str());
            QVERIFY(isClose(content.curves[2].values[0],
                            meanOf(*viewed.a, patternKey(part, 0), 2, content.bins[0])));
        }
    }
}

void TstDistance::chosenHeadsAreTheCurves()
{
    DistanceFixture page;
    QTRY_VERIFY(page.isReady());
    page.view.setOptions({{"heads", QJsonArray{1}}, {"axis", "doubling"}});
    QTRY_COMPARE(page.content().curves.size(), std::size_t{1});
    QCOMPARE(page.content().curves.front().head, 1);
    QVERIFY(page.content().isBinned());
    QCOMPARE(page.view.options().value("axis").toString(), QStringLiteral("doubling"));
    QCOMPARE(page.view.options().value("heads").toArray().at(0).toInt(), 1);
}

void TstDistance::aFigureHoldsTheSameNumbers()
{
    DistanceFixture page;
    QTRY_VERIFY(page.isReady());
    const Figure figure = page.view.figure();
    QCOMPARE(figure.numbers.size(), std::size_t{2});
    QCOMPARE(figure.numbers[0].values.at({1, 2}),
             static_cast<float>(page.content().curves[1].values[2]));
    QCOMPARE(figure.numbers[1].values.at({1, 0}),
             static_cast<float>(page.view.distances().at({1, 0})));
    const Theme theme = Theme::light();
    QImage drawn(figure.size(theme).toSize(), QImage::Format_RGB32);
    drawn.fill(theme.surface);
    const QImage blank = drawn;
    QPainter painter(&drawn);
    figure.paint(painter, drawn.rect(), theme, {});
    painter.end();
    QVERIFY(drawn != blank);
}

void TstDistance::emptyTextsAndOneTokenAreTaken()
{
    QVERIFY(distanceContent({}, {}, {}).isEmpty());
    QVERIFY(distanceFigure({}, {}).numbers.empty());
    DistanceFixture page;
    QTRY_VERIFY(page.isReady());
    page.session.document().replaceText("");
    QTRY_VERIFY(page.content().isEmpty());
    page.session.document().replaceText("t");
    QTRY_VERIFY(page.isReady() && page.content().bins.size() == 1); // the old curves stay meanwhile
    QCOMPARE(page.content().curves.front().values.front(), 1.0);
    QCOMPARE(page.view.distances().at({0, 0}), 0.0);
}

void TstDistance::aVariantWithoutAttentionKeepsNoColours()
{
    DistanceFixture page;
    QTRY_VERIFY(page.isReady());
    HeadGridWidget& grid = page.grid();
    grid.grab();
    page.view.hide();
    MaskChange mask;
    mask.kind = MaskChange::Kind::Painted;
    const auto tokens = page.session.traceA()->tokens().size();
    mask.cells.assign(tokens * tokens, 0);
    mask.side = static_cast<int>(tokens);
    page.session.document().setMask(mask);
    QTRY_VERIFY(page.session.traceB());
    page.session.view().setShownVariant(ui::Variant::B);
    page.view.resize(900, 560);
    page.view.show();
    QTRY_VERIFY(page.isReady());
    QTest::qWait(50);
    const QImage image = grid.grab().toImage();
    for (int layer = 0; layer < 2; ++layer)
        for (int head = 0; head < 2; ++head) {
            const QPointF middle = grid.layoutNow().headRect({layer, head}).center();
            QCOMPARE(image.pixel(middle.toPoint()), Theme::light().masked.rgb());
        }
}

HEADSCOPE_WINDOW_TEST(TstDistance)
#include "tst_distance.moc"

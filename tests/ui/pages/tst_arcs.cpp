// links: ui/window
#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "tests/support/test_program.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/pages/arcs/arcs_figure.h"
#include "ui/pages/arcs/arcs_page.h"
#include "ui/widgets/arcs/arcs_paint.h"
#include "ui/widgets/arcs/arcs_widget.h"
#include "ui/widgets/controls/slider.h"

#include <QBuffer>
#include <QJsonArray>
#include <QPainter>
#include <QSvgGenerator>
#include <QToolButton>
#include <QtTest>

#include <algorithm>

using namespace headscope;
using namespace headscope::ui;
using headscope::ui::test::WindowFixture;

namespace {

constexpr ArcSide kQuery = ArcSide::Query;
constexpr ArcSide kKey = ArcSide::Key;

/// The page of a real window, with its first picture.
struct ArcsFixture : WindowFixture
{
    ArcsFixture()
    {
        window->resize(1440, 900);
        window->showPage("arcs");
        view = window->findChild<ArcsPage*>();
        arcs = view->findChild<ArcsWidget*>();
    }

    bool isReady() const { return session.traceA() && !content().isEmpty(); }

    const ArcsContent& content() const { return arcs->content(); }

    float weight(int layer, int head, int query, int key) const
    {
        return session.shownTrace()->find({Site::Pattern, layer})->view()[head](query, key);
    }

    void click(ArcEnd end)
    {
        QTest::mouseClick(arcs->viewport(), Qt::LeftButton, {},
                          arcs->layoutNow().labelRect(end).center().toPoint());
    }

    ArcsPage* view = nullptr;
    ArcsWidget* arcs = nullptr;
};

/// Rows of a pattern by falling weight until the share is reached, one by one.
int fewest(const TensorView& pattern, std::int64_t row, double mass)
{
    std::vector<float> cells;
    for (std::int64_t key = 0; key <= row; ++key)
        cells.push_back(pattern(row, key));
    double all = 0.0;
    for (const float cell : cells)
        all += double{cell};
    std::sort(cells.rbegin(), cells.rend());
    double sum = 0.0;
    int count = 0;
    while (sum < mass * all)
        sum += double{cells[static_cast<std::size_t>(count++)]};
    return count;
}

} // namespace

class TstArcs : public QObject
{
    Q_OBJECT

private slots:

    void curvesHaveTheWeightsOfTheTrace()
    {
        ArcsFixture fixture;
        QTRY_VERIFY(fixture.isReady());
        const ArcsContent& content = fixture.content();
        QCOMPARE(content.heads.size(), std::size_t{2});
        QVERIFY(!content.links.empty());
        for (const ArcLink& link : content.links)
            QCOMPARE(link.weight, fixture.weight(0, link.head, link.query, link.key));
        const auto tokens = static_cast<int>(fixture.session.traceA()->tokens().size());
        QCOMPARE(content.queries.size(), tokens);
        QCOMPARE(content.counts.all, 2LL * tokens * (tokens + 1) / 2);
    }

    void theSliderKeepsTheFewestLinksOfEveryRow()
    {
        ArcsFixture fixture;
        QTRY_VERIFY(fixture.isReady());
        auto* slider = fixture.view->findChild<NamedSlider*>();
        for (const double fraction : {30.0, 85.0}) {
            slider->setNumber(fraction);
            int expected = 0;
            const Tensor& pattern = *fixture.session.traceA()->find({Site::Pattern, 0});
            for (int head = 0; head < 2; ++head)
                for (std::int64_t row = 0; row < pattern.shape()[1]; ++row)
                    expected += fewest(pattern.view()[head], row, fraction / 100.0);
            QCOMPARE(fixture.content().counts.shown, static_cast<long long>(expected));
        }
        slider->setNumber(100.0);
        QCOMPARE(fixture.content().counts.shown, fixture.content().counts.all);
    }

    void clicksPinThePairOfTheSession()
    {
        ArcsFixture fixture;
        QTRY_VERIFY(fixture.isReady());
        fixture.click({kQuery, 2});
        QVERIFY(fixture.session.selection().pinned);
        QCOMPARE(fixture.session.pair().query, 2);
        QTRY_VERIFY(fixture.content().pinned == (ArcEnd{kQuery, 2}));
        QVERIFY(fixture.content().pairedWith == (ArcEnd{kKey, fixture.session.pair().key}));
        fixture.click({kQuery, 2}); // the second click frees
        QVERIFY(!fixture.session.selection().pinned);
        QTRY_VERIFY(!fixture.content().pinned);
        fixture.click({kKey, 1});
        QCOMPARE(fixture.session.pair().key, 1);
        QTRY_VERIFY(fixture.content().pinned == (ArcEnd{kKey, 1}));
        for (const ArcLink& link : linksOf(fixture.content(), *fixture.content().pinned))
            QCOMPARE(link.key, 1);
        QVERIFY(fixture.view->options().value("side").toString() == "key");
    }

    void aPinMadeElsewhereIsShownAndEscFreesIt()
    {
        ArcsFixture fixture;
        QTRY_VERIFY(fixture.isReady());
        fixture.session.view().selectPair(3, 1);
        QTRY_VERIFY(fixture.content().pinned == (ArcEnd{kQuery, 3}));
        QVERIFY(fixture.content().pairedWith == (ArcEnd{kKey, 1}));
        fixture.view->focusMain();
        QTest::keyClick(fixture.arcs, Qt::Key_Escape);
        QVERIFY(!fixture.session.selection().pinned);
        QTRY_VERIFY(!fixture.content().pinned);
        QVERIFY(!fixture.view->escape());
    }

    void theKeyboardWalksPinsAndTogglesHeads()
    {
        ArcsFixture fixture;
        QTRY_VERIFY(fixture.isReady());
        fixture.view->focusMain();
        QTest::keyClick(fixture.arcs, Qt::Key_Down);
        QTest::keyClick(fixture.arcs, Qt::Key_Down);
        QTest::keyClick(fixture.arcs, Qt::Key_Right);
        QVERIFY(fixture.content().focus() == (ArcEnd{kKey, 1}));
        QTest::keyClick(fixture.arcs, Qt::Key_Return);
        QCOMPARE(fixture.session.pair().key, 1);
        QTest::keyClick(fixture.arcs, Qt::Key_1);
        QCOMPARE(fixture.content().heads.size(), std::size_t{1});
        QCOMPARE(fixture.content().heads[0].number, 0);
        QTest::keyClick(fixture.arcs, Qt::Key_0); // the last one stays
        QCOMPARE(fixture.content().heads[0].number, 0);
        QTest::keyClick(fixture.arcs, Qt::Key_1);
        QCOMPARE(fixture.content().heads.size(), std::size_t{2});
    }

    void theLayerIsTheSessions()
    {
        ArcsFixture fixture;
        QTRY_VERIFY(fixture.isReady());
        fixture.session.view().activateHead(1, 0);
        const auto shows = [&](int layer) {
            const ArcsContent& content = fixture.content();
            return std::all_of(content.links.begin(), content.links.end(), [&](const ArcLink& l) {
                return l.weight == fixture.weight(layer, l.head, l.query, l.key);
            });
        };
        QTRY_VERIFY(shows(1));
        QVERIFY(!shows(0));
        for (QToolButton* button : fixture.view->findChildren<QToolButton*>())
            if (button->accessibleName() == QStringLiteral("Previous layer"))
                button->click();
        QCOMPARE(fixture.session.selection().layer, 0);
        QTRY_VERIFY(shows(0));
    }

    void differencesAreSignedAndSumToNothing()
    {
        ArcsFixture fixture;
        QTRY_VERIFY(fixture.isReady());
        MaskChange mask;
        mask.kind = MaskChange::Kind::None;
        fixture.session.document().setMask(mask);
        QTRY_VERIFY(fixture.session.traceB());
        fixture.session.view().setShownVariant(headscope::ui::Variant::Difference);
        fixture.view->setOptions({{"mass", 1.0}});
        QTRY_VERIFY(fixture.content().isSigned && fixture.content().counts.shownMass == 1.0);
        const Tensor& a = *fixture.session.traceA()->find({Site::Pattern, 0});
        const Tensor& b = *fixture.session.traceB()->find({Site::Pattern, 0});
        double sum = 0.0;
        bool negative = false;
        for (const ArcLink& link : fixture.content().links) {
            QCOMPARE(link.weight, b.view()[link.head](link.query, link.key) -
                                      a.view()[link.head](link.query, link.key));
            sum += double{link.weight};
            negative = negative || link.weight < 0.0F;
        }
        QVERIFY(negative);
        QVERIFY(std::abs(sum) < 1e-4);
    }

    void differencesOfOtherLengthsSaySo()
    {
        ArcsFixture fixture;
        QTRY_VERIFY(fixture.isReady());
        Changes changes;
        changes.text = QStringLiteral("another text that is longer");
        fixture.session.document().setChanges(changes, "text");
        QTRY_VERIFY(fixture.session.traceB());
        fixture.session.view().setShownVariant(headscope::ui::Variant::Difference);
        QTRY_VERIFY(fixture.content().isEmpty());
        fixture.session.view().setShownVariant(headscope::ui::Variant::B);
        QTRY_COMPARE(fixture.content().queries.size(),
                     static_cast<qsizetype>(fixture.session.traceB()->tokens().size()));
    }

    void emptyTextsAndNarrowWindowsAreFine()
    {
        ArcsFixture fixture;
        QTRY_VERIFY(fixture.isReady());
        fixture.session.document().replaceText({});
        QTRY_VERIFY(fixture.content().isEmpty());
        QVERIFY(!fixture.window->grab().isNull());
        fixture.session.document().replaceText(QStringLiteral("a"));
        QTRY_VERIFY(fixture.isReady());
        fixture.window->resize(1024, 640);
        QVERIFY(!fixture.window->grab().isNull());
    }

    void optionsComeBack()
    {
        ArcsFixture fixture;
        QTRY_VERIFY(fixture.isReady());
        fixture.view->setOptions({{"mass", 0.4}, {"heads", QJsonArray{-1, 1}}, {"side", "key"}});
        QTRY_COMPARE(fixture.content().heads.size(), std::size_t{1});
        QCOMPARE(fixture.content().heads[0].number, 1);
        QCOMPARE(fixture.content().heads[0].slot, 1);
        const QJsonObject kept = fixture.view->options();
        QCOMPARE(kept.value("mass").toDouble(), 0.4);
        QCOMPARE(ArcsOptions::fromJson(kept).toJson(), kept);
        QCOMPARE(ArcsOptions::fromJson({{"mass", 7.0}, {"nonsense", 1}}).mass, 1.0);
    }

    void theFigureHoldsTheNumbersThatItDraws()
    {
        ArcsFixture fixture;
        QTRY_VERIFY(fixture.isReady());
        fixture.session.view().selectPair(2, -1);
        const Figure figure = fixture.view->figure();
        QCOMPARE(figure.title, QStringLiteral("Layer 0 · Heads 0, 1"));
        QCOMPARE(figure.numbers.size(), std::size_t{2});
        const HeatmapMatrix& links = figure.numbers[0].values;
        long long drawn = 0;
        for (int row = 0; row < links.rows; ++row) {
            const int query = static_cast<int>(links.at({row, 0}));
            const int key = static_cast<int>(links.at({row, 1}));
            for (int head = 0; head < 2; ++head) {
                const float value = links.at({row, head + 2});
                drawn += value != 0.0F ? 1 : 0;
                QVERIFY(value == 0.0F || value == fixture.weight(0, head, query, key));
            }
        }
        QTRY_VERIFY(fixture.content().pinned);
        QCOMPARE(drawn, fixture.content().counts.shown);
        QVERIFY(figure.caption.contains(countText(fixture.content().counts)));
        const HeatmapMatrix& bars = figure.numbers[1].values;
        for (int key = 0; key < bars.rows; ++key)
            QCOMPARE(bars.at({key, 1}), fixture.weight(0, 1, 2, key));
    }

    void vectorFiguresKeepTheirLabels()
    {
        ArcsFixture fixture;
        QTRY_VERIFY(fixture.isReady());
        fixture.session.view().selectPair(2, -1);
        const Figure figure = fixture.view->figure();
        const Theme theme = Theme::named(false, bodyFont());
        const QSizeF size = figure.size(theme);
        QBuffer buffer;
        QSvgGenerator generator;
        generator.setOutputDevice(&buffer);
        generator.setSize(size.toSize());
        generator.setViewBox(QRectF(QPointF(0, 0), size));
        QPainter painter(&generator);
        figure.paint(painter, QRectF(QPointF(0, 0), size), theme, {true, 1.0});
        painter.end();
        const QString svg = QString::fromUtf8(buffer.data());
        QVERIFY(!svg.contains(QStringLiteral("fill=\"\"")));
        QVERIFY(!svg.contains(QStringLiteral("<image")));
        QVERIFY(svg.count(QStringLiteral("<path")) >= fixture.content().counts.shown / 2);
        for (const QString& label : fixture.content().queries)
            QVERIFY2(label.isEmpty() || svg.contains(label.toHtmlEscaped()), qPrintable(label));
    }

    void figuresNeedNoWindow()
    {
        ArcsFixture fixture;
        QTRY_VERIFY(fixture.isReady());
        const Figure figure = arcsFigure(fixture.session.viewSnapshot(),
                                         {{"hovered", QJsonObject{{"side", "key"}, {"index", 1}}}});
        QCOMPARE(figure.numbers.size(), std::size_t{2}); // the hovered token's bars
        const HeatmapMatrix& bars = figure.numbers[1].values;
        for (int query = 0; query < bars.rows; ++query)
            QCOMPARE(bars.at({query, 0}), fixture.weight(0, 0, query, 1));
        QVERIFY(!arcsFigure({}, {}).paint);
    }
};

HEADSCOPE_WINDOW_TEST(TstArcs)
#include "tst_arcs.moc"

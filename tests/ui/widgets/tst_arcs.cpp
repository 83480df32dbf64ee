#include "tests/support/test_program.h"
#include "ui/widgets/arcs/arcs.h"
#include "ui/widgets/arcs/arcs_benchmark.h"
#include "ui/widgets/arcs/arcs_curves.h"
#include "ui/widgets/arcs/arcs_paint.h"
#include "ui/widgets/arcs/arcs_raster.h"
#include "ui/widgets/arcs/arcs_widget.h"
#include "ui/widgets/heads/head_squares.h"

#include <QAccessible>
#include <QPainter>
#include <QScrollBar>
#include <QSignalSpy>
#include <QtTest>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>
#include <random>

using namespace headscope::ui;

namespace {

QStringList names(const QString& stem, int count)
{
    QStringList labels;
    for (int index = 0; index < count; ++index)
        labels << stem + QString::number(index);
    return labels;
}

ArcHead headOf(int number, std::vector<float> values, int rows, int columns,
               const HeatmapMask& mask = {})
{
    return {number, number, HeatmapMatrix::copyOf(std::move(values), rows, columns), mask};
}

ArcsContent contentOf(std::vector<ArcHead> heads, double mass)
{
    ArcsContent content;
    content.queries = names("q", heads.front().matrix.rows);
    content.keys = names("k", heads.front().matrix.columns);
    content.heads = std::move(heads);
    keepStrongest(content, mass);
    return content;
}

ArcsContent randomContent(int queries, int keys, int heads, double mass)
{
    std::mt19937 random(5);
    std::uniform_real_distribution<float> weight(0.0F, 1.0F);
    std::vector<ArcHead> made;
    for (int head = 0; head < heads; ++head) {
        std::vector<float> values;
        for (int query = 0; query < queries; ++query) {
            std::vector<float> row;
            for (int key = 0; key < keys; ++key)
                row.push_back(std::pow(weight(random), 4.0F));
            const float sum = std::accumulate(row.begin(), row.end(), 0.0F);
            for (const float value : row)
                values.push_back(value / sum);
        }
        made.push_back(headOf(head, std::move(values), queries, keys));
    }
    return contentOf(std::move(made), mass);
}

/// The smallest number of cells of a row whose sum reaches the share, by trying every subset.
int fewestByTrying(const HeatmapMatrix& matrix, int row, double mass)
{
    double all = 0.0;
    for (int column = 0; column < matrix.columns; ++column)
        all += double{matrix.at({row, column})};
    int fewest = matrix.columns;
    for (unsigned subset = 0; subset < (1U << matrix.columns); ++subset) {
        double sum = 0.0;
        for (int column = 0; column < matrix.columns; ++column)
            sum += (subset >> column & 1U) != 0 ? double{matrix.at({row, column})} : 0.0;
        if (sum >= mass * all)
            fewest = std::min(fewest, std::popcount(subset));
    }
    return fewest;
}

/// What curves add to one pixel: density, and density times colour.
struct Ink
{
    double red = 0.0;
    double green = 0.0;
    double blue = 0.0;
    double density = 0.0;

    QColor on(const QColor& page) const
    {
        if (density <= 1e-4)
            return page;
        const double through = std::exp(-density);
        const auto mix = [&](int surface, double sum) {
            return static_cast<int>(surface * through + sum / density * (1.0 - through) + 0.5);
        };
        return {mix(page.red(), red), mix(page.green(), green), mix(page.blue(), blue)};
    }
};

/// How much of a pixel a line of width 1 covers whose middle rises by `rise` within its column: a
/// trapezoid, and for flat lines two taps.
double coverOf(double pixel, double middle, double rise)
{
    const double away = std::abs(pixel + 0.5 - middle);
    if (rise <= 1.0)
        return std::max(0.0, 1.0 - away) * (1.0 + 0.414 * rise * rise);
    const double height = std::sqrt(1.0 + rise * rise);
    return std::clamp(((height + rise) / 2.0 - away) / rise, 0.0, std::min(1.0, height / rise));
}

/// Every pair of tokens by itself, column by column.
std::vector<Ink> inkOneByOne(const ArcsContent& content, const ArcsLayout& layout,
                             const Theme& theme, QSize size, double ratio)
{
    std::vector<Ink> inks(static_cast<std::size_t>(size.width() * size.height()));
    const std::vector<float> shape = arcShape(size.width());
    for (const MergedArc& arc : mergedArcs(content, theme)) {
        const double from = (layout.y({ArcSide::Query, arc.query}) - layout.rows().y()) * ratio;
        const double to = (layout.y({ArcSide::Key, arc.key}) - layout.rows().y()) * ratio;
        for (int column = 0; column < size.width(); ++column) {
            const double left = double{shape[static_cast<std::size_t>(column)]};
            const double right = double{shape[static_cast<std::size_t>(column) + 1]};
            for (int row = 0; row < size.height(); ++row) {
                const double cover = ratio * coverOf(row, from + (to - from) * (left + right) / 2.0,
                                                     std::abs(to - from) * (right - left));
                Ink& ink = inks[static_cast<std::size_t>(row * size.width() + column)];
                ink.red += cover * double{arc.red};
                ink.green += cover * double{arc.green};
                ink.blue += cover * double{arc.blue};
                ink.density += cover * double{arc.density};
            }
        }
    }
    return inks;
}

QPoint labelPoint(const ArcsWidget& widget, ArcEnd end)
{
    return widget.layoutNow().labelRect(end).center().toPoint();
}

struct ShownArcs
{
    explicit ShownArcs(ArcsContent content)
    {
        widget.resize(1000, 600);
        widget.setContent(std::move(content));
        widget.show();
        widget.setFocus();
    }

    void press(int key) { QTest::keyClick(&widget, static_cast<Qt::Key>(key)); }

    ArcsWidget widget;
};

constexpr ArcSide kQuery = ArcSide::Query;
constexpr ArcSide kKey = ArcSide::Key;

} // namespace

class TstArcs : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase() { applyTheme(*qApp, Theme::light()); }

    void theFewestLinksThatCoverTheMassAreKept_data()
    {
        QTest::addColumn<double>("mass");
        for (const double mass : {0.05, 0.3, 0.7, 0.95})
            QTest::addRow("%.2f", mass) << mass;
    }

    void theFewestLinksThatCoverTheMassAreKept()
    {
        QFETCH(double, mass);
        const ArcsContent content = randomContent(6, 9, 3, mass);
        double shown = 0.0;
        double all = 0.0;
        for (int head = 0; head < 3; ++head) {
            const HeatmapMatrix& matrix = content.heads[static_cast<std::size_t>(head)].matrix;
            for (int row = 0; row < matrix.rows; ++row) {
                std::vector<float> kept;
                for (const ArcLink& link : content.links)
                    if (link.head == head && link.query == row) {
                        QCOMPARE(link.weight, matrix.at({row, link.key}));
                        kept.push_back(link.weight);
                    }
                QCOMPARE(static_cast<int>(kept.size()), fewestByTrying(matrix, row, mass));
                QVERIFY(std::is_sorted(kept.rbegin(), kept.rend()));
                for (const float weight : kept)
                    shown += double{weight};
                for (int column = 0; column < matrix.columns; ++column)
                    all += double{matrix.at({row, column})};
            }
        }
        QCOMPARE(content.counts.all, 3LL * 6 * 9);
        QCOMPARE(content.counts.shown, static_cast<long long>(content.links.size()));
        QVERIFY(std::abs(content.counts.shownMass - shown / all) < 1e-9);
    }

    void allOfARowMeansEveryLinkThatIsNotZero()
    {
        const ArcsContent content =
            contentOf({headOf(0, {0.1F, 0.9F, 0.0F, 0.2F, 0.3F, 0.5F}, 2, 3)}, 1.0);
        QCOMPARE(content.counts.shown, 5);
        QCOMPARE(content.counts.all, 6);
        QCOMPARE(content.counts.shownMass, 1.0);
    }

    void hiddenCellsAreNeitherDrawnNorCounted()
    {
        const ArcsContent content = contentOf(
            {headOf(0, {1, 9, 9, 0.5F, 0.5F, 9, 0.2F, 0.3F, 0.5F}, 3, 3, HeatmapMask::causal())},
            1.0);
        QCOMPARE(content.counts.all, 6);
        QCOMPARE(content.counts.shown, 6);
        for (const ArcLink& link : content.links)
            QVERIFY(link.key <= link.query);
        QCOMPARE(content.weight(0, 0, 2), 0.0F);
    }

    void equalWeightsTakeTheEarlierKey()
    {
        const ArcsContent content = contentOf({headOf(0, {0.25F, 0.25F, 0.25F, 0.25F}, 1, 4)}, 0.5);
        QCOMPARE(content.links, (std::vector<ArcLink>{{0, 0, 0, 0.25F}, {0, 0, 1, 0.25F}}));
    }

    void differencesAreCoveredByTheirSize()
    {
        ArcsContent content = contentOf({headOf(0, {-0.6F, 0.1F, 0.5F}, 1, 3)}, 0.5);
        content.isSigned = true;
        QCOMPARE(content.links, (std::vector<ArcLink>{{0, 0, 0, -0.6F}}));
        QVERIFY(std::abs(content.counts.shownMass - 0.5) < 1e-6);
        const Theme theme = Theme::light();
        QCOMPARE(linkColour(content, content.links[0], theme), theme.less);
        QCOMPARE(linkColour(content, {0, 0, 2, 0.5F}, theme), theme.more);
        QVERIFY(describeEnd(content, {kQuery, 0}).contains(QStringLiteral("\u22120.600")));
    }

    void longTextsKeepFourLinksARowAndSaySo()
    {
        const ArcsContent content = randomContent(3, 140, 2, 1.0);
        QCOMPARE(content.counts.shown, 2LL * 3 * 4);
        QVERIFY(countText(content.counts).contains(QStringLiteral("24 of 840 links")));
        QVERIFY(countText(content.counts).contains(QStringLiteral("at most 4 per row")));
    }

    void linksOfATokenAreItsOwnOnEitherSide()
    {
        const ArcsContent content = randomContent(5, 7, 2, 0.8);
        for (const ArcEnd end : {ArcEnd{kQuery, 3}, ArcEnd{kKey, 6}}) {
            const auto expected =
                std::count_if(content.links.begin(), content.links.end(), [end](const ArcLink& l) {
                    return (end.side == kQuery ? l.query : l.key) == end.index;
                });
            const std::vector<ArcLink> links = linksOf(content, end);
            QCOMPARE(static_cast<std::ptrdiff_t>(links.size()), expected);
            QVERIFY(
                std::is_sorted(links.begin(), links.end(), [](const ArcLink& a, const ArcLink& b) {
                    return a.weight < b.weight;
                }));
        }
    }

    void headsOfAPairAreMergedIntoOneCurve()
    {
        const ArcsContent content =
            contentOf({headOf(0, {0.5F, 0.5F}, 1, 2), headOf(1, {0.2F, 0.8F}, 1, 2)}, 1.0);
        const Theme theme = Theme::light();
        const std::vector<MergedArc> arcs = mergedArcs(content, theme);
        QCOMPARE(arcs.size(), std::size_t{2});
        for (const MergedArc& arc : arcs) {
            double through = 1.0;
            for (int head = 0; head < 2; ++head)
                through *= 1.0 - (0.10 + 0.55 * double{content.weight(head, 0, arc.key)});
            QVERIFY(std::abs(arc.opacity() - (1.0 - std::pow(through, 1.0 / std::sqrt(2.0)))) <
                    1e-6);
        }
        const ArcsContent one = contentOf({headOf(0, {1.0F}, 1, 1)}, 1.0);
        QVERIFY(std::abs(mergedArcs(one, theme)[0].opacity() - 0.65) < 1e-6);
        QCOMPARE(mergedArcs(one, theme)[0].colour(), theme.heads[0]);
    }

    void theFortyStrongestAreThickAndTheOthersOneThinCurveAPartner()
    {
        const ArcsContent content = randomContent(2, 60, 3, 1.0);
        const Theme theme = Theme::light();
        const std::vector<FocusArc> arcs = focusArcs(content, {kQuery, 1}, 44.0, theme);
        std::vector<ArcLink> links = linksOf(content, {kQuery, 1});
        QCOMPARE(links.size(), std::size_t{180});
        const auto isThick = [](const FocusArc& arc) { return arc.rim; };
        QCOMPARE(std::count_if(arcs.begin(), arcs.end(), isThick), kThickArcs);
        QCOMPARE(arcs.back().key, links.back().key);
        QCOMPARE(arcs.back().width, 1.0 + 5.0 * double{links.back().weight});
        std::map<int, double> through; // of the weaker links to each key
        for (std::size_t index = 0; index + kThickArcs < links.size(); ++index)
            through.try_emplace(links[index].key, 1.0).first->second *=
                1.0 - (0.10 + 0.55 * double{links[index].weight});
        QCOMPARE(arcs.size(), through.size() + kThickArcs);
        for (std::size_t index = 0; index < through.size(); ++index) {
            QCOMPARE(arcs[index].width, 1.0);
            QVERIFY(std::abs(arcs[index].opacity -
                             std::max(0.35, 1.0 - through.at(arcs[index].key))) < 1e-6);
        }
    }

    void theColumnShapeIsThatOfThePath()
    {
        const std::vector<float> shape = arcShape(100);
        const QPainterPath path = arcPath({0, 0}, {100, 1000});
        for (int edge = 0; edge <= 100; ++edge) {
            double low = 0.0;
            double high = 1.0;
            for (int step = 0; step < 40; ++step) { // where the path's x is the edge
                const double middle = (low + high) / 2.0;
                (path.pointAtPercent(path.percentAtLength(path.length() * middle)).x() < edge
                     ? low
                     : high) = middle;
            }
            const double y = path.pointAtPercent(path.percentAtLength(path.length() * low)).y();
            QVERIFY(std::abs(1000.0 * double{shape[static_cast<std::size_t>(edge)]} - y) < 2.0);
        }
    }

    /// A column of any curve holds ink of its line's height in that column: no gaps where it is
    /// steep, no more where it is flat.
    void steepCurvesHaveNoGaps()
    {
        ArcsContent content = contentOf({headOf(0, std::vector<float>(20, 0.0F), 1, 20)}, 1.0);
        content.links = {{0, 0, 19, 1.0F}};
        const Theme theme = Theme::light();
        const ArcsLayout layout(QRectF(0, 0, 760, 1000), content, theme);
        const QImage image = restImage(content, layout, theme, 1.0);
        int last = -1;
        for (int column = 0; column < image.width(); ++column) {
            int first = -1;
            for (int row = 0; row < image.height(); ++row) {
                if (image.pixel(column, row) == theme.surface.rgb())
                    continue;
                first = first < 0 ? row : first;
                last = std::max(last, row);
            }
            QVERIFY(first >= 0);
            QVERIFY(column == 0 || first <= last);
        }
        for (int row = static_cast<int>(layout.pitch()); row < last - 1; ++row) {
            bool inked = false;
            for (int column = 0; column < image.width(); ++column)
                inked = inked || image.pixel(column, row) != theme.surface.rgb();
            QVERIFY2(inked, qPrintable(QString::number(row)));
        }
    }

    void thePictureIsThatOfEveryCurveByItself_data()
    {
        QTest::addColumn<double>("height");
        QTest::addColumn<double>("scrolled");
        QTest::addColumn<double>("ratio");
        QTest::addRow("whole") << 500.0 << 0.0 << 1.0;
        QTest::addRow("scrolled") << 130.0 << 31.0 << 1.0;
        QTest::addRow("parts of pixels") << 130.0 << 31.0 << 1.25;
        QTest::addRow("two pixels a point") << 500.0 << 0.0 << 2.0;
    }

    void thePictureIsThatOfEveryCurveByItself()
    {
        QFETCH(double, height);
        QFETCH(double, scrolled);
        QFETCH(double, ratio);
        const ArcsContent content = randomContent(14, 11, 3, 0.8);
        const Theme theme = Theme::light();
        const ArcsLayout layout(QRectF(0, 0, 700, height), content, theme, scrolled);
        const QImage image = restImage(content, layout, theme, ratio);
        const std::vector<Ink> inks = inkOneByOne(content, layout, theme, image.size(), ratio);
        int drawn = 0;
        for (int row = 0; row < image.height(); ++row)
            for (int column = 0; column < image.width(); ++column) {
                const Ink& ink = inks[static_cast<std::size_t>(row * image.width() + column)];
                const QColor expected = ink.on(theme.surface);
                const QColor found = image.pixelColor(column, row);
                drawn += found != theme.surface ? 1 : 0;
                QVERIFY2(std::abs(found.red() - expected.red()) <= 1 &&
                             std::abs(found.green() - expected.green()) <= 1 &&
                             std::abs(found.blue() - expected.blue()) <= 1,
                         qPrintable(QString("%1, %2").arg(column).arg(row)));
            }
        QVERIFY(drawn > 1000);
    }

    /// Over the kept picture a focus looks as it does drawn from nothing.
    void theKeptPictureHidesNothingOfAFocus()
    {
        const Theme theme = Theme::light();
        ArcsContent content = randomContent(9, 9, 3, 1.0);
        const ArcsLayout layout(QRectF(0, 0, 900, 420), content, theme);
        ArcsImages images = arcsImages(content, layout, theme, 1.0);
        prepareFocus(images, content, layout, theme, {900, 420});
        for (const ArcEnd end : {ArcEnd{kQuery, 3}, ArcEnd{kKey, 8}, ArcEnd{kQuery, 0}}) {
            content.hovered = end;
            QImage kept(900, 420, QImage::Format_RGB32);
            QImage fresh = kept;
            for (QImage* page : {&kept, &fresh}) {
                page->fill(theme.surface);
                QPainter painter(page);
                if (page == &kept)
                    paintFocused(painter, layout, content, theme, images);
                else
                    paintArcs(painter, layout, content, theme,
                              arcsImages(content, layout, theme, 1.0));
            }
            QVERIFY(kept == fresh);
            QVERIFY(kept != images.behind);
        }
    }

    void everyTokenIsFoundWhereItIsDrawn()
    {
        const ArcsContent content = randomContent(9, 5, 2, 0.7);
        for (const double scrolled : {0.0, 37.0}) {
            const ArcsLayout layout(QRectF(10, 20, 900, 500), content, Theme::light(), scrolled);
            for (const ArcEnd end :
                 {ArcEnd{kQuery, 2}, ArcEnd{kQuery, 8}, ArcEnd{kKey, 2}, ArcEnd{kKey, 4}})
                QVERIFY(layout.endAt(layout.labelRect(end).center()) == end);
            QVERIFY(!layout.endAt({(layout.left() + layout.right()) / 2.0, 200.0}));
            const QPointF below = layout.labelRect({kKey, 4}).center() + QPointF(0, 60);
            QVERIFY(!layout.endAt(below)); // there are fewer keys than queries
        }
    }

    void barsAreAsLongAsTheirWeights()
    {
        ArcsContent content =
            contentOf({headOf(0, {0.25F, 0.75F}, 1, 2), headOf(1, {0.0F, 1.0F}, 1, 2)}, 0.7);
        content.pinned = ArcEnd{kQuery, 0};
        const Theme theme = Theme::light();
        const ArcsLayout layout(QRectF(0, 0, 900, 400), content, theme);
        const double full = arcBar(layout, content, {kKey, 1}, 1, theme).width();
        QVERIFY(std::abs(arcBar(layout, content, {kKey, 1}, 0, theme).width() - 0.75 * full) <
                1e-6);
        QVERIFY(std::abs(arcBar(layout, content, {kKey, 0}, 0, theme).width() - 0.25 * full) <
                1e-6);
        QCOMPARE(arcBar(layout, content, {kKey, 0}, 1, theme).width(), 0.0);
        const QRectF row = layout.row({kKey, 1});
        for (int head = 0; head < 2; ++head)
            QVERIFY(row.contains(arcBar(layout, content, {kKey, 1}, head, theme)));
    }

    void incomingBarsStandBesideTheQueries()
    {
        ArcsContent content = randomContent(6, 4, 2, 0.7);
        content.pinned = ArcEnd{kKey, 3};
        const Theme theme = Theme::light();
        const ArcsLayout layout(QRectF(0, 0, 900, 400), content, theme);
        for (int query = 0; query < 6; ++query) {
            QCOMPARE(barWeight(content, {kKey, 3}, {kQuery, query}, 1),
                     content.heads[1].matrix.at({query, 3}));
            QVERIFY(arcBar(layout, content, {kQuery, query}, 1, theme).right() <=
                    layout.labelRect({kQuery, query}).left());
        }
    }

    void signedBarsGrowToBothSides()
    {
        ArcsContent content = contentOf({headOf(0, {-0.5F, 0.5F}, 1, 2)}, 1.0);
        content.isSigned = true;
        content.pinned = ArcEnd{kQuery, 0};
        const Theme theme = Theme::light();
        const ArcsLayout layout(QRectF(0, 0, 900, 400), content, theme);
        const QRectF less = arcBar(layout, content, {kKey, 0}, 0, theme);
        const QRectF more = arcBar(layout, content, {kKey, 1}, 0, theme);
        QCOMPARE(less.right(), more.left());
        QCOMPARE(less.width(), more.width());
    }

    void arrowsMoveTheTokenAndTheSide()
    {
        ShownArcs shown(randomContent(4, 3, 2, 0.7));
        const QSignalSpy hovered(&shown.widget, &ArcsWidget::tokenHovered);
        const auto focus = [&] { return shown.widget.content().focus(); };
        shown.press(Qt::Key_Down);
        QVERIFY(focus() == (ArcEnd{kQuery, 0}));
        shown.press(Qt::Key_End);
        QVERIFY(focus() == (ArcEnd{kQuery, 3}));
        shown.press(Qt::Key_Right); // three keys only
        QVERIFY(focus() == (ArcEnd{kKey, 2}));
        shown.press(Qt::Key_Up);
        QVERIFY(focus() == (ArcEnd{kKey, 1}));
        shown.press(Qt::Key_Left);
        QVERIFY(focus() == (ArcEnd{kQuery, 1}));
        shown.press(Qt::Key_Home);
        shown.press(Qt::Key_Up);
        QVERIFY(focus() == (ArcEnd{kQuery, 0}));
        QCOMPARE(hovered.count(), 6);
        QVERIFY(
            shown.widget.accessibleDescription().startsWith(QStringLiteral("query q0, 0; head 0")));
    }

    void arrowsMoveThePin()
    {
        ShownArcs shown(randomContent(4, 4, 2, 0.7));
        ArcsContent content = shown.widget.content();
        content.pinned = ArcEnd{kQuery, 1};
        content.pairedWith = ArcEnd{kKey, 0};
        shown.widget.setContent(content);
        QSignalSpy pinned(&shown.widget, &ArcsWidget::tokenPinned);
        shown.press(Qt::Key_Down);
        shown.press(Qt::Key_Down);
        QCOMPARE(pinned.count(), 2);
        QVERIFY(pinned[1][0].value<ArcEnd>() == (ArcEnd{kQuery, 3}));
        QVERIFY(shown.widget.content().pinned == (ArcEnd{kQuery, 3}));
        QVERIFY(!shown.widget.content().hovered); // one selection, not two
        shown.press(Qt::Key_Down);                // the last row
        QCOMPARE(pinned.count(), 2);
    }

    void enterPinsAndEscFrees()
    {
        ShownArcs shown(randomContent(4, 4, 2, 0.7));
        QSignalSpy pinned(&shown.widget, &ArcsWidget::tokenPinned);
        QSignalSpy freed(&shown.widget, &ArcsWidget::tokenFreed);
        shown.press(Qt::Key_Down);
        shown.press(Qt::Key_Down);
        shown.press(Qt::Key_Return);
        QCOMPARE(pinned.count(), 1);
        QVERIFY(pinned[0][0].value<ArcEnd>() == (ArcEnd{kQuery, 1}));
        ArcsContent content = shown.widget.content();
        content.pinned = ArcEnd{kQuery, 1};
        shown.widget.setContent(content);
        shown.press(Qt::Key_Return); // the same again frees
        QCOMPARE(freed.count(), 1);
        shown.press(Qt::Key_Escape); // first the cursor
        QVERIFY(!shown.widget.content().hovered);
        QCOMPARE(freed.count(), 1);
        shown.press(Qt::Key_Escape); // then the pin
        QCOMPARE(freed.count(), 2);
        content.pinned.reset();
        shown.widget.setContent(content);
        QVERIFY(!shown.widget.escape());
    }

    void clicksPinAndASecondClickFrees()
    {
        ShownArcs shown(randomContent(4, 4, 2, 0.7));
        QSignalSpy pinned(&shown.widget, &ArcsWidget::tokenPinned);
        QSignalSpy freed(&shown.widget, &ArcsWidget::tokenFreed);
        const ArcEnd end{kKey, 2};
        const QPoint place = labelPoint(shown.widget, end);
        QTest::mouseMove(shown.widget.viewport(), place);
        QVERIFY(shown.widget.content().hovered == end);
        QTest::mouseClick(shown.widget.viewport(), Qt::LeftButton, {}, place);
        QVERIFY(pinned.count() == 1 && pinned[0][0].value<ArcEnd>() == end);
        ArcsContent content = shown.widget.content();
        content.pinned = end;
        shown.widget.setContent(content);
        QTest::mouseClick(shown.widget.viewport(), Qt::LeftButton, {}, place);
        QCOMPARE(freed.count(), 1);
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(shown.widget.viewport(), &leave);
        QVERIFY(!shown.widget.content().hovered);
        QVERIFY(shown.widget.content().focus() == end);
    }

    void screenReadersFindATable()
    {
        ArcsContent content = contentOf(
            {headOf(1, {1, 9, 9, 0.25F, 0.75F, 9, 0.2F, 0.3F, 0.5F}, 3, 3, HeatmapMask::causal()),
             headOf(7, {1, 9, 9, 0.5F, 0.5F, 9, 0.1F, 0.6F, 0.3F}, 3, 3, HeatmapMask::causal())},
            0.3);
        ShownArcs shown(content);
        QAccessibleInterface* table = QAccessible::queryAccessibleInterface(&shown.widget);
        QVERIFY(table && table->role() == QAccessible::Table);
        QCOMPARE(table->tableInterface()->rowCount(), 3);
        QCOMPARE(table->tableInterface()->columnCount(), 3);
        QCOMPARE(table->tableInterface()->rowDescription(2), content.queries[2]);
        QCOMPARE(table->tableInterface()->columnDescription(1), content.keys[1]);
        QAccessibleInterface* cell = table->tableInterface()->cellAt(1, 0);
        QCOMPARE(cell->text(QAccessible::Name),
                 QStringLiteral("query q1, 1, key k0, 0: head 1 0.250, head 7 0.500"));
        QCOMPARE(cell->text(QAccessible::Value), QStringLiteral("head 1 0.250, head 7 0.500"));
        QCOMPARE(table->indexOfChild(cell), 3);
        QVERIFY(table->child(1)->text(QAccessible::Name).endsWith("hidden by the mask"));
        QVERIFY(!table->focusChild());
        shown.widget.setHovered(ArcEnd{kQuery, 2}); // its strongest partner, of all heads
        QCOMPARE(table->focusChild()->text(QAccessible::Name),
                 QStringLiteral("query q2, 2, key k1, 1: head 1 0.300, head 7 0.600"));
        shown.widget.setHovered(ArcEnd{kKey, 0});
        QCOMPARE(table->focusChild()->text(QAccessible::Value),
                 QStringLiteral("head 1 1.000, head 7 1.000"));
        content.pinned = ArcEnd{kQuery, 2};
        content.pairedWith = ArcEnd{kKey, 0};
        shown.widget.setHovered({});
        shown.widget.setContent(content);
        QCOMPARE(table->focusChild()->text(QAccessible::Value),
                 QStringLiteral("head 1 0.200, head 7 0.100"));
        shown.widget.setContent(contentOf({headOf(0, {1.0F}, 1, 1)}, 1.0));
        QVERIFY(!cell->isValid());
    }

    void digitsAskForHeads()
    {
        ShownArcs shown(randomContent(4, 4, 2, 0.7));
        QSignalSpy toggled(&shown.widget, &ArcsWidget::headToggled);
        shown.press(Qt::Key_7);
        QVERIFY(toggled.count() == 1 && toggled[0][0].toInt() == 7);
    }

    void theCursorScrollsLongTexts()
    {
        ShownArcs shown(randomContent(200, 200, 1, 0.7));
        QVERIFY(shown.widget.verticalScrollBar()->maximum() > 0);
        shown.press(Qt::Key_End);
        shown.press(Qt::Key_End);
        const ArcEnd end = *shown.widget.content().focus();
        QCOMPARE(end.index, 199);
        const ArcsLayout layout = shown.widget.layoutNow();
        QVERIFY(layout.rows().adjusted(0, -1, 0, 1).contains(layout.labelRect(end)));
        QVERIFY(layout.endAt(layout.labelRect(end).center()) == end);
    }

    void theLastHeadStaysOnAndIsolatingTwiceRestores()
    {
        HeadChoice choice(4);
        QCOMPARE(choice.shown(), (std::vector<int>{0, 1, 2, 3}));
        QVERIFY(choice.toggle(0) && choice.toggle(2));
        QVERIFY(choice.toggle(2)); // takes the lowest free hue
        QCOMPARE(choice.slotOf(2), 0);
        choice.isolate(3);
        QCOMPARE(choice.shown(), std::vector<int>{3});
        QCOMPARE(choice.slotOf(3), 3);
        QVERIFY(!choice.toggle(3));
        QCOMPARE(choice.shown(), std::vector<int>{3});
        choice.isolate(3);
        QCOMPARE(choice.shown(), (std::vector<int>{0, 1, 2, 3}));
        QVERIFY(!choice.toggle(4) && !choice.toggle(-1));
        choice.restore({2, 9, 2, 1});
        QCOMPARE(choice.shown(), (std::vector<int>{1, 2}));
        QCOMPARE(choice.slotOf(1), 3);
        choice.restore({7});
        QCOMPARE(choice.shown(), (std::vector<int>{1, 2}));
        QCOMPARE(HeadChoice(32).shown().size(), std::size_t{8});
    }

    void squaresFollowClicksAndKeys()
    {
        HeadSquares squares;
        squares.setChoice(HeadChoice(5));
        squares.resize(300, 40);
        squares.show();
        squares.setFocus();
        QSignalSpy changed(&squares, &HeadSquares::choiceChanged);
        const QPoint second = squares.squareRect(1).center().toPoint();
        QTest::mouseClick(&squares, Qt::LeftButton, {}, second);
        QVERIFY(!squares.choice().isOn(1));
        QTest::mouseDClick(&squares, Qt::LeftButton, {}, second);
        QCOMPARE(squares.choice().shown(), std::vector<int>{1});
        QTest::mouseDClick(&squares, Qt::LeftButton, {}, second);
        QCOMPARE(squares.choice().shown().size(), std::size_t{5});
        QTest::keyClick(&squares, Qt::Key_Right);
        QTest::keyClick(&squares, Qt::Key_Space);
        QVERIFY(!squares.choice().isOn(2));
        QVERIFY(squares.accessibleDescription().contains(QStringLiteral("head 2, not shown")));
        QTest::keyClick(&squares, Qt::Key_Return);
        QCOMPARE(squares.choice().shown(), std::vector<int>{2});
        QTest::keyClick(&squares, Qt::Key_Space); // the last one
        QCOMPARE(squares.choice().shown(), std::vector<int>{2});
        QVERIFY(changed.count() >= 5);
    }

    void headsBeyondNineAreReachedByArrows()
    {
        HeadSquares squares;
        squares.setChoice(HeadChoice(16));
        squares.resize(600, 40);
        squares.show();
        squares.setFocus();
        for (int step = 0; step < 13; ++step)
            QTest::keyClick(&squares, Qt::Key_Right);
        QTest::keyClick(&squares, Qt::Key_Space);
        QVERIFY(!squares.choice().isOn(13));
        QVERIFY(squares.accessibleDescription().contains(QStringLiteral("head 13, not shown")));
        QTest::keyClick(&squares, Qt::Key_Space);
        QVERIFY(squares.choice().isOn(13));
    }

    void narrowRowsOfSquaresWrap()
    {
        HeadSquares squares;
        squares.setChoice(HeadChoice(32));
        squares.resize(360, squares.heightForWidth(360));
        for (int head = 0; head < 32; ++head)
            QVERIFY(QRectF(squares.rect()).contains(squares.squareRect(head)));
    }

    void theBenchmarkDrawsEveryLink()
    {
        const ArcsContent content = benchmarkArcs(12, 3);
        QCOMPARE(content.counts.shown, 3LL * 12 * 13 / 2);
        const ArcsTimes times = measureArcs(12, 3, 1, true);
        QCOMPARE(times.links, content.counts.shown);
        QVERIFY(times.rest > 0.0 && times.hover > 0.0 && times.naive > 0.0);
    }
};

HEADSCOPE_WINDOW_TEST(TstArcs)
#include "tst_arcs.moc"

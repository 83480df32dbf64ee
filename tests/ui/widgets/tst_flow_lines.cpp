#include "tests/support/test_program.h"
#include "ui/widgets/flow/flow_lines.h"

#include <QTest>

#include <cmath>

using namespace headscope::ui;

namespace {

constexpr int kTokens = 12;

FlowGraphContent graph()
{
    FlowGraphContent content;
    for (int token = 0; token < kTokens; ++token)
        content.labels << QStringLiteral("w%1").arg(token);
    content.levels = 3;
    return content;
}

/// Ink of a picture of dark lines on white, column by column: how much, and around which row.
struct Ink
{
    double sum = 0.0;
    double middle = 0.0;
};

Ink inkOf(const QImage& image, int column)
{
    Ink ink;
    for (int row = 0; row < image.height(); ++row) {
        const double dark = 255.0 - qGreen(image.pixel(column, row));
        ink.sum += dark;
        ink.middle += dark * (row + 0.5);
    }
    ink.middle /= std::max(ink.sum, 1e-9);
    return ink;
}

struct Images
{
    QImage own;
    QImage qt;
};

Images draw(const std::vector<FlowEdge>& edges, double ratio)
{
    const QRectF area(0, 0, 600, 400);
    const Theme theme = Theme::light();
    const FlowGraphContent content = graph();
    const FlowLines lines(FlowLayout(area, content, theme), edges, area);
    Images images;
    for (QImage* image : {&images.own, &images.qt}) {
        *image = QImage((area.size() * ratio).toSize(), QImage::Format_RGB32);
        image->setDevicePixelRatio(ratio);
        image->fill(Qt::white);
    }
    lines.paint(images.own, Qt::black, Qt::red);
    QPainter painter(&images.qt);
    painter.setRenderHint(QPainter::Antialiasing);
    lines.paint(painter, Qt::black, Qt::red);
    return images;
}

} // namespace

class TestFlowLines : public QObject
{
    Q_OBJECT

private slots:
    void linesHaveAsMuchInkAtTheSameHeightAsThePaintersOwn_data();
    void linesHaveAsMuchInkAtTheSameHeightAsThePaintersOwn();
    void aSteepLineEndsAtItsToken();
    void strongLinesLieAboveWeakOnes();
    void aLineOutsideThePictureLeavesItAsItWas();
    void negativeSharesHaveTheirOwnColour();
};

void TestFlowLines::linesHaveAsMuchInkAtTheSameHeightAsThePaintersOwn_data()
{
    QTest::addColumn<int>("from");
    QTest::addColumn<int>("to");
    QTest::addColumn<double>("fraction");
    QTest::addColumn<double>("ratio");
    for (const double ratio : {1.0, 2.0}) {
        for (const double fraction : {0.05, 0.3, 1.0}) {
            QTest::addRow("flat %g at %g", fraction, ratio) << 3 << 3 << fraction << ratio;
            QTest::addRow("down %g at %g", fraction, ratio) << 2 << 4 << fraction << ratio;
            QTest::addRow("steep %g at %g", fraction, ratio) << 11 << 0 << fraction << ratio;
        }
    }
}

void TestFlowLines::linesHaveAsMuchInkAtTheSameHeightAsThePaintersOwn()
{
    QFETCH(int, from);
    QFETCH(int, to);
    QFETCH(double, fraction);
    QFETCH(double, ratio);
    const Images images = draw({{0, to, from, static_cast<float>(fraction)}}, ratio);
    const FlowLayout layout(QRectF(0, 0, 600, 400), graph(), Theme::light());
    const int first = static_cast<int>(layout.place({0, 0}).x() * ratio) + 16;
    const int last = static_cast<int>(layout.place({1, 0}).x() * ratio) - 16;
    QVERIFY(last > first + 50);
    double own = 0.0;
    double qt = 0.0;
    for (int column = first; column < last; ++column) {
        const Ink a = inkOf(images.own, column);
        const Ink b = inkOf(images.qt, column);
        QVERIFY2(std::abs(a.middle - b.middle) < 0.5,
                 qPrintable(QStringLiteral("column %1: row %2, not %3")
                                .arg(column)
                                .arg(a.middle)
                                .arg(b.middle)));
        own += a.sum;
        qt += b.sum;
    }
    QVERIFY(qt > 0.0);
    const double allowed =
        fraction < 0.1 ? 0.25 : 0.05; // hairlines are a pixel wide for the painter
    QVERIFY2(std::abs(own / qt - 1.0) < allowed, qPrintable(QString::number(own / qt)));
}

/// Between tokens of a long text a line descends by hundreds of rows in each column.
void TestFlowLines::aSteepLineEndsAtItsToken()
{
    constexpr int kMany = 4000;
    FlowGraphContent content;
    content.levels = 30;
    for (int token = 0; token < kMany; ++token)
        content.labels << QStringLiteral("w");
    const FlowLayout layout(QRectF(0, 0, 600, 60'000), content, Theme::light());
    const QPointF end = layout.place({4, 100});
    const QRectF seen(0, end.y() - 200.0, 600, 400);
    QImage image(seen.size().toSize(), QImage::Format_RGB32);
    image.fill(Qt::white);
    FlowLines(layout, {{4, kMany - 1, 100, 1.0F}}, seen).paint(image, Qt::black, Qt::red);
    double below = 0.0;
    for (int column = 0; column < image.width(); ++column) {
        for (int row = 0; row < 196; ++row)
            QCOMPARE(image.pixel(column, row), QColor(Qt::white).rgb());
        below += inkOf(image, column).sum;
    }
    QVERIFY(below > 0.0);
}

void TestFlowLines::strongLinesLieAboveWeakOnes()
{
    const FlowEdge strong{0, 3, 3, 1.0F};
    const FlowEdge weak{0, 3, 3, -0.02F}; // red, at the same place
    const QImage image = draw({strong, weak}, 1.0).own;
    const FlowLayout layout(QRectF(0, 0, 600, 400), graph(), Theme::light());
    const QPoint middle = ((layout.place({0, 3}) + layout.place({1, 3})) / 2.0).toPoint();
    const QColor pixel(image.pixel(middle));
    QVERIFY(pixel.red() < 60);
    QVERIFY(pixel.green() < 60);
}

void TestFlowLines::aLineOutsideThePictureLeavesItAsItWas()
{
    const QRectF area(0, 0, 600, 400);
    const FlowGraphContent content = graph();
    const FlowLayout layout(area, content, Theme::light());
    const QRectF exposed(0, 0, 600, 60); // above the row of token 9
    QImage image(600, 60, QImage::Format_RGB32);
    image.fill(Qt::white);
    const QImage before = image;
    FlowLines(layout, {{0, 9, 9, 1.0F}}, exposed).paint(image, Qt::black, Qt::red);
    QCOMPARE(image, before);
    FlowLines(layout, {{0, 9, 0, 1.0F}}, exposed).paint(image, Qt::black, Qt::red);
    QVERIFY(image != before); // this one begins within
}

void TestFlowLines::negativeSharesHaveTheirOwnColour()
{
    const QImage image = draw({{0, 3, 3, -1.0F}}, 1.0).own;
    const FlowLayout layout(QRectF(0, 0, 600, 400), graph(), Theme::light());
    const QPoint middle = ((layout.place({0, 3}) + layout.place({1, 3})) / 2.0).toPoint();
    const QColor pixel(image.pixel(middle));
    QVERIFY(pixel.red() > 200);
    QVERIFY(pixel.green() < 60);
}

HEADSCOPE_WINDOW_TEST(TestFlowLines)
#include "tst_flow_lines.moc"

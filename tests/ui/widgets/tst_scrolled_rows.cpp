#include "tests/support/test_program.h"
#include "ui/widgets/charts/bars/bars.h"
#include "ui/widgets/heatmap/lens_grid.h"
#include "ui/widgets/tables/fact_table.h"

#include <QApplication>
#include <QScrollArea>
#include <QScrollBar>

using namespace headscope::ui;

namespace {

LensContent tallContent()
{
    LensContent content;
    for (int row = 0; row < 40; ++row)
        content.rowLabels << QStringLiteral("token %1").arg(row);
    content.columnLabels = {"embed", "0"};
    content.values.assign(80, 0.9F);
    content.textOf = [](HeatmapCell) { return QStringLiteral("word"); };
    return content;
}

} // namespace

/// Names above a scrolled table never cut its first row.
class TstScrolledRows : public QObject
{
    Q_OBJECT

private slots:
    void theNamesOfAScrolledLensCutNoRow();
    void aTableBeginsWithAWholeRow();
    void onlyExposedRowsOfALensArePainted();
    void onlyExposedBarsArePainted();
};

void TstScrolledRows::theNamesOfAScrolledLensCutNoRow()
{
    applyTheme(*qApp, Theme::named(false, bodyFont()));
    QScrollArea area;
    auto* grid = new LensGrid;
    grid->setContent(tallContent());
    area.setWidget(grid);
    area.setWidgetResizable(true);
    area.resize(400, 300);
    area.show();
    QVERIFY(QTest::qWaitForWindowExposed(&area));
    const double row = grid->cellRect({1, 0}).top() - grid->cellRect({0, 0}).top();
    const int scrolled = qRound(row / 2.0);
    area.verticalScrollBar()->setValue(scrolled);
    const QImage image = area.viewport()->grab().toImage();
    const QRectF cut = grid->cellRect({0, 0}).translated(0, -scrolled);
    const QRectF whole = grid->cellRect({1, 0}).translated(0, -scrolled);
    const QColor surface = Theme::of(area).surface;
    for (int y = qRound(cut.center().y()); y < qRound(whole.top()) - 2; ++y)
        QCOMPARE(image.pixelColor(qRound(cut.left()) + 3, y), surface);
    QVERIFY(image.pixelColor(qRound(whole.left()) + 3, qRound(whole.center().y())) != surface);
}

void TstScrolledRows::aTableBeginsWithAWholeRow()
{
    FactTable table("merges");
    table.setColumns({{"pair", {}, 120}});
    std::vector<FactRow> rows;
    for (int row = 0; row < 40; ++row)
        rows.push_back({QString::number(row), {QString::number(row)}, {}});
    table.setRows(rows);
    table.resize(300, 247);
    table.show();
    QVERIFY(QTest::qWaitForWindowExposed(&table));
    const QColor surface = Theme::of(table).surface;
    for (const char* chosen : {"39", "20", "11"}) {
        table.setChosen({chosen});
        QCoreApplication::processEvents();
        const QImage image = table.viewport()->grab().toImage();
        const int first = table.rowViewportPosition(table.rowAt(0));
        const int whole = first < 0 ? first + table.rowHeight(0) : 0;
        for (int y = 0; y < whole; ++y)
            for (int x = 0; x < 60; ++x)
                QCOMPARE(image.pixelColor(x, y), surface);
        QVERIFY(image.pixelColor(20, whole + table.rowHeight(0) - 1) != surface); // its line
    }
}

/// A text of a thousand tokens has tens of thousands of cells, each with a text to lay out.
void TstScrolledRows::onlyExposedRowsOfALensArePainted()
{
    const Theme theme = Theme::named(false, bodyFont());
    const LensContent content = tallContent();
    const QRectF area({}, lensSize(content, theme));
    const QRectF exposed = LensLayout(area, content, theme).cellRect({20, 0});
    const auto painted = [&](QRectF part) {
        QImage image(area.size().toSize(), QImage::Format_RGB32);
        image.fill(Qt::magenta);
        QPainter painter(&image);
        paintLens(painter, LensLayout(area, content, theme), content, theme, part);
        return image;
    };
    const QRect row = QRectF(0, exposed.y(), area.width(), exposed.height()).toRect();
    const QImage whole = painted({});
    const QImage part = painted(exposed);
    QVERIFY(part.copy(row) == whole.copy(row));
    for (const int other : {2, 19, 21, 39}) {
        const QPoint inside =
            LensLayout(area, content, theme).cellRect({other, 0}).center().toPoint();
        QCOMPARE(part.pixelColor(inside), QColor(Qt::magenta));
        QVERIFY(whole.pixelColor(inside) != QColor(Qt::magenta));
    }
}

/// Attribution has a bar for every head: a thousand of a large model.
void TstScrolledRows::onlyExposedBarsArePainted()
{
    const Theme theme = Theme::named(false, bodyFont());
    std::vector<Bar> bars(40);
    for (std::size_t index = 0; index < bars.size(); ++index) {
        bars[index].label = QStringLiteral("head %1").arg(index);
        bars[index].value = 1.0;
    }
    const double height = heightOfRow(bars, {}, theme);
    const QRectF area(0, 0, 400, barsHeight(bars, theme));
    const auto painted = [&](QRectF part) {
        QImage image(area.size().toSize(), QImage::Format_RGB32);
        image.fill(Qt::magenta);
        QPainter painter(&image);
        paintBars(painter, area, bars, {}, theme, part);
        return image;
    };
    const QRect row = QRectF(0, 20 * height, area.width(), height).toRect();
    const QImage whole = painted({});
    const QImage part = painted(QRectF(row).adjusted(0, 2, 0, -2));
    QVERIFY(part.copy(row) == whole.copy(row));
    for (const int other : {2, 18, 22, 39}) {
        const QPoint inside(200, qRound((other + 0.5) * height));
        QCOMPARE(part.pixelColor(inside), QColor(Qt::magenta));
        QVERIFY(whole.pixelColor(inside) != QColor(Qt::magenta));
    }
}

HEADSCOPE_WINDOW_TEST(TstScrolledRows)
#include "tst_scrolled_rows.moc"

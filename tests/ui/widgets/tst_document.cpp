#include "tests/support/test_program.h"
#include "ui/widgets/text/document.h"

#include <QGuiApplication>
#include <QImage>
#include <QPainter>
#include <QTest>

#include <cmath>

using namespace headscope::ui;

class TstDocument : public QObject
{
    Q_OBJECT

private slots:

    void nothingIsCutByThePagesEnd()
    {
        Document document = sample();
        const QSizeF page(400, 300);
        const auto pages = placePieces(document.pieces(), page);
        QVERIFY(pages.size() > 3);
        std::size_t placed = 0;
        for (const auto& one : pages) {
            QVERIFY(!one.empty());
            double end = 0.0;
            for (const PlacedPiece& piece : one) {
                QVERIFY(piece.area.top() >= end - 1e-9);
                end = piece.area.bottom();
                QVERIFY2(end <= page.height() + 1e-9, qPrintable(QString::number(end)));
                ++placed;
            }
        }
        QVERIFY(placed >= document.pieces().size());
    }

    void headingsStayWithWhatFollows()
    {
        const Document document = sample();
        for (const auto& page : placePieces(document.pieces(), {400, 300}))
            QVERIFY(!page.back().piece->keepsNext);
    }

    void tablesRepeatTheirHead()
    {
        Document document(theme(), 400);
        std::vector<DocumentRow> rows;
        for (int row = 0; row < 60; ++row)
            rows.push_back({QString::number(row), 0.5});
        document.addTable({{"name"}, {"value", 80.0, DocumentColumn::Kind::Number}}, rows);
        const auto pages = placePieces(document.pieces(), {400, 300});
        QVERIFY(pages.size() > 2);
        const DocumentPiece* repeated = pages[1].front().piece;
        QVERIFY(repeated == pages[1][1].piece->head.get());
        QCOMPARE(repeated->height, pages[0].front().piece->height);
    }

    void aPieceHigherThanAPageIsShrunk()
    {
        Document document(theme(), 400);
        document.addImage({300, 2000}, [](QPainter& painter, const QRectF& area) {
            painter.fillRect(area, Qt::black);
        });
        const auto pages = placePieces(document.pieces(), {400, 300});
        QCOMPARE(pages.size(), std::size_t{1});
        QCOMPARE(pages[0][0].area.height(), 300.0);
        QImage image(400, 400, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        pages[0][0].piece->paint(painter, pages[0][0].area);
        QCOMPARE(image.pixelColor(10, 250), QColor(Qt::black));
        QCOMPARE(image.pixelColor(10, 310), QColor(Qt::white));
    }

    void longWordsBreakInsideTheColumn()
    {
        Document document(theme(), 200);
        document.addText(QString(400, 'x'));
        QVERIFY(document.pieces().size() > 5);
        QImage image(260, 2000, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        const auto pages = placePieces(document.pieces(), {200, 2000});
        for (const PlacedPiece& piece : pages.front())
            piece.piece->paint(painter, piece.area);
        painter.end();
        for (int y = 0; y < image.height(); ++y)
            for (int x = 204; x < image.width(); ++x)
                QCOMPARE(image.pixelColor(x, y), QColor(Qt::white));
    }

    void undefinedNumbersAreADash()
    {
        Document document(theme(), 200);
        document.addTable({{"value", 0.0, DocumentColumn::Kind::Bar}}, {{std::nan("")}, {0.5}});
        QImage dash(200, 40, QImage::Format_RGB32);
        dash.fill(Qt::white);
        QPainter painter(&dash);
        document.pieces()[1].paint(painter, QRectF(0, 0, 200, 30));
        painter.end();
        // no bar: only a little ink at the right end
        for (int y = 0; y < 30; ++y)
            for (int x = 0; x < 150; ++x)
                QCOMPARE(dash.pixelColor(x, y), QColor(Qt::white));
    }

private:
    static Theme theme() { return Theme::named(false, bodyFont()); }

    static Document sample()
    {
        Document document(theme(), 400);
        document.addTitle("A title");
        for (int part = 0; part < 6; ++part) {
            document.addHeading(QString("Part %1").arg(part));
            document.addText(QString("words that go on ").repeated(20 + 7 * part));
            document.addTable({{"name"}, {"value", 120.0, DocumentColumn::Kind::Bar}},
                              std::vector<DocumentRow>(5, DocumentRow{QString("row"), 0.25}));
            document.addCaption("What was measured.");
            document.addFacts({{"fact", QString("a long fact ").repeated(12)}});
            document.addImage({200, 60.0 + 20.0 * part}, [](QPainter&, const QRectF&) {});
        }
        return document;
    }
};

HEADSCOPE_WINDOW_TEST(TstDocument)
#include "tst_document.moc"

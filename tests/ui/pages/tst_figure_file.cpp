#include "core/base/error.h"
#include "core/io/npy.h"
#include "tests/support/test_program.h"
#include "ui/pages/shared/figures/figure_file.h"

#include <QFile>
#include <QImageReader>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <QtTest>

#include <cmath>
#include <limits>

using namespace headscope;
using namespace headscope::ui;

namespace {

const QStringList kRows{"the", "cat <&> sat", "\u732B"};
const QStringList kColumns{"a,b", "\"b\""};
const QByteArray kSession = R"({"format":"headscope-session","text":"caf\u00e9 <&> ]]>"})";

HeatmapMatrix someMatrix()
{
    return HeatmapMatrix::copyOf({0.1F, 1.0F / 3.0F, 0.9F, 1e-9F, -2.5F, 1.0F}, 3, 2);
}

/// A chequered image of 65 cells, labels in theme colours and in Qt's default pen.
void paintExample(QPainter& painter, const QRectF& area, const Theme& theme,
                  const FigureTarget& target)
{
    QImage cells(65, 65, QImage::Format_RGB32);
    for (int y = 0; y < 65; ++y)
        for (int x = 0; x < 65; ++x)
            cells.setPixelColor(x, y, (x + y) % 2 == 0 ? theme.accent : theme.soft);
    painter.drawImage(QRectF(area.topLeft(), QSizeF(130, 130)), crispImage(cells, target));
    painter.setFont(theme.font(TextRole::Body));
    painter.setPen(theme.text);
    painter.drawText(area.topLeft() + QPointF(0, 160), "labelled");
    painter.setPen(Qt::black);
    painter.drawText(area.topLeft() + QPointF(0, 180), "blackest");
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.key);
    painter.drawRect(QRectF(area.topLeft() + QPointF(140, 0), QSizeF(20, 20)));
    painter.setPen(theme.text);
    painter.drawText(area.topLeft() + QPointF(0, 200), "afterwards");
}

Figure exampleFigure()
{
    Figure figure;
    figure.title = "Layer 2 \u00B7 Head 3";
    figure.subtitle = "builtin:stories, B: head 2.3 off";
    figure.sentence = "the cat <&> sat";
    figure.caption = "Weights of one head, fixed scale 0 to 1.";
    figure.size = [](const Theme&) { return QSizeF(321.0, 210.0); };
    figure.paint = paintExample;
    figure.numbers = {{"pattern", kRows, kColumns, someMatrix()}};
    return figure;
}

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QByteArray outputOf(const QString& program, const QStringList& arguments)
{
    QProcess process;
    process.start(program, arguments);
    return process.waitForFinished() && process.exitCode() == 0 ? process.readAllStandardOutput()
                                                                : QByteArray();
}

/// In points.
QSizeF pageOf(const QByteArray& pdf)
{
    const QRegularExpression box("/MediaBox \\[0 0 ([0-9.]+) ([0-9.]+)\\]");
    const QRegularExpressionMatch match = box.match(QString::fromLatin1(pdf));
    return {match.captured(1).toDouble(), match.captured(2).toDouble()};
}

/// Every embedded image of an SVG.
std::vector<QImage> imagesOf(const QByteArray& svg)
{
    std::vector<QImage> images;
    QXmlStreamReader xml(svg);
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement || xml.name() != QString("image"))
            continue;
        const QByteArray link =
            xml.attributes().value("http://www.w3.org/1999/xlink", "href").toUtf8();
        images.push_back(QImage::fromData(QByteArray::fromBase64(link.mid(link.indexOf(',') + 1))));
    }
    return images;
}

} // namespace

class TstFigureFile : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase() { QVERIFY(m_folder.isValid()); }

    void pixelsFollowScaleThemeAndSize()
    {
        const QImage one = figureImage(exampleFigure(), {});
        QCOMPARE(one.size(), QSize(528, one.height())); // 480 for the title, two margins
        for (const double scale : {2.0, 8.0, 0.5}) {
            const QImage scaled = figureImage(exampleFigure(), {false, scale});
            QCOMPARE(scaled.size(), (QSizeF(one.size()) * scale).toSize());
        }
        QCOMPARE(one.pixel(2, 2), Theme::light().surface.rgb());
        QCOMPARE(figureImage(exampleFigure(), {true}).pixel(2, 2),
                 Theme::darkTheme().surface.rgb());
        QCOMPARE(figureImage(exampleFigure(), {false, 2.0, QSize(700, 400)}).size(),
                 QSize(1400, 800));
        QVERIFY(figureImage(exampleFigure(), {false, 1.0, {}, true}).height() > one.height() + 16);
    }

    void theDrawingGetsTheRoomItWants()
    {
        Figure figure = exampleFigure();
        QRectF given;
        figure.paint = [&given](QPainter&, const QRectF& area, const Theme&, const FigureTarget&) {
            given = area;
        };
        figureImage(figure, {});
        QCOMPARE(given.size(), QSizeF(321, 210));
        const double header = given.top();
        figureImage(figure, {false, 1.0, QSize(700, 500)});
        QCOMPARE(given.width(), 700.0 - 48.0);
        QCOMPARE(given.bottom(), 500.0 - 24.0);
        figure.sentence = QString("word ").repeated(400);
        figureImage(figure, {});
        QVERIFY(given.top() > header + 16.0 && given.top() < header + 64.0); // three lines, not 50
    }

    void pngTellsWhatItShows()
    {
        saveFigure(exampleFigure(), withSession(), path("a.png"));
        const QImage image(filePath("a.png"));
        QCOMPARE(image.text("Title"), exampleFigure().title);
        QCOMPARE(image.text("Model"), exampleFigure().subtitle);
        QCOMPARE(image.text("Sentence"), exampleFigure().sentence);
        QCOMPARE(image.text("Description"), exampleFigure().caption);
        QVERIFY(image.text("Software").startsWith("Headscope"));
        QCOMPARE(image.text("Headscope session"), QString::fromUtf8(kSession)); // read by libpng
    }

    void svgKeepsEveryLabel()
    {
        saveFigure(exampleFigure(), withSession(), path("a.svg"));
        const QByteArray svg = contentOf(filePath("a.svg"));
        QVERIFY(!svg.contains("fill=\"\"")); // such text vanishes in other viewers
        for (const char* label : {"labelled", "blackest", "afterwards", "Layer 2 \u00B7 Head 3",
                                  "builtin:stories, B: head 2.3 off", "the cat &lt;&amp;&gt; sat"})
            QVERIFY2(svg.contains(QByteArray(">") + label) || svg.contains(label), label);
        QXmlStreamReader xml(svg);
        while (!xml.atEnd())
            xml.readNext();
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QSvgRenderer renderer(svg);
        QVERIFY(renderer.isValid());
        QCOMPARE(renderer.viewBox().size(), figureImage(exampleFigure(), {}).size());
        const QByteArray description = svg.mid(0, svg.indexOf("<g"));
        QVERIFY(description.contains("<title>Layer 2"));
        QVERIFY(description.contains("Weights of one head, fixed scale 0 to 1."));
    }

    void embeddedImagesAreEnlargedByWholeNumbers()
    {
        saveFigure(exampleFigure(), {}, path("b.svg"));
        const std::vector<QImage> images = imagesOf(contentOf(filePath("b.svg")));
        QCOMPARE(images.size(), std::size_t{1});
        const QImage& image = images.front();
        QCOMPARE(image.size(), QSize(65 * 8, 65 * 8));
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                QCOMPARE(image.pixel(x, y), image.pixel(x / 8 * 8, y / 8 * 8));
        QVERIFY(image.pixel(0, 0) != image.pixel(8, 0));
        const QImage plain(3, 3, QImage::Format_RGB32);
        QCOMPARE(crispImage(plain, {false, 2.0}).size(), QSize(3, 3));
    }

    void pdfHasItsExactPageAndItsText()
    {
        saveFigure(exampleFigure(), withSession(), path("a.pdf"));
        const QByteArray pdf = contentOf(filePath("a.pdf"));
        QCOMPARE(pageOf(pdf), QSizeF(figureImage(exampleFigure(), {}).size()) * 0.75);
        FigureStyle odd;
        odd.size = QSize(701, 403);
        saveFigure(exampleFigure(), odd, path("odd.pdf"));
        QCOMPARE(pageOf(contentOf(filePath("odd.pdf"))), QSizeF(526, 302)); // Qt: whole points
        if (QStandardPaths::findExecutable("pdftotext").isEmpty())
            QSKIP("pdftotext (poppler-utils) is not installed");
        const QByteArray text = outputOf("pdftotext", {"-layout", filePath("a.pdf"), "-"});
        for (const char* label : {"labelled", "blackest", "afterwards", "Layer 2", "Head 3",
                                  "head 2.3 off", "the cat <&> sat"})
            QVERIFY2(text.contains(label), text.constData());
        const QByteArray info = outputOf("pdfinfo", {filePath("a.pdf")});
        QVERIFY2(info.contains("Pages:           1"), info.constData());
        QVERIFY2(info.contains("Layer 2"), info.constData());
    }

    void theSessionComesBackFromEveryFormat_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("session");
        QByteArray large = "{\"text\":\"";
        for (int index = 0; index < 20000; ++index)
            large += "\\u" + QByteArray::number(0x4E00 + index % 5000, 16);
        large += "\"}";
        for (const char* name : {"s.png", "s.svg", "s.pdf", "S.PNG"}) {
            QTest::addRow("%s", name) << name << kSession;
            QTest::addRow("%s, unicode", name)
                << name << QByteArray("{\"text\":\"\u732B \U0001F600\"}");
            QTest::addRow("%s, large", name) << name << large;
            QTest::addRow("%s, none", name) << name << QByteArray();
        }
    }

    void theSessionComesBackFromEveryFormat()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, session);
        FigureStyle style;
        style.session = session;
        saveFigure(exampleFigure(), style, path(name));
        QCOMPARE(figureSession(path(name)), session);
    }

    void strangersPicturesHaveNoSession()
    {
        QImage image(4, 4, QImage::Format_RGB32);
        image.fill(Qt::red);
        QVERIFY(image.save(filePath("plain.png")));
        QCOMPARE(figureSession(path("plain.png")), QByteArray());
        for (const char* content :
             {"", "none", "<svg xmlns='http://www.w3.org/2000/svg'/>", "<svg><session>{}",
              "<a xmlns:h='urn:headscope:figure'><h:session>{", "%PDF-1.4 <?xpacket begin",
              "%PDF-1.4 <?xpacket end <?xpacket begin", "\x89PNG nonsense"}) {
            QFile file(filePath("odd"));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(content);
            file.close();
            QCOMPARE(figureSession(path("odd")), QByteArray());
        }
        QVERIFY_THROWS_EXCEPTION(FormatError, figureSession(path("missing.png")));
        QVERIFY_THROWS_EXCEPTION(FormatError, figureSession(m_folder.path().toStdString()));
    }

    void impossiblePicturesThrowAndLeaveNoFile()
    {
        const auto refused = [&](const QString& name, const Figure& figure,
                                 const FigureStyle& style = {}) {
            try {
                saveFigure(figure, style, path(name));
            } catch (const Error&) {
                return !QFile::exists(filePath(name));
            }
            return false;
        };
        QVERIFY(refused("figure.gif", exampleFigure()));
        QVERIFY(refused("figure", exampleFigure()));
        QVERIFY(refused("no/such/folder/a.png", exampleFigure()));
        for (const double scale : {0.0, -1.0, 8.5, 1e300, std::nan("")})
            QVERIFY(refused("scale.png", exampleFigure(), {false, scale}));
        QVERIFY(refused("wide.png", exampleFigure(), {false, 1.0, QSize(100000, 100)}));
        QVERIFY(refused("flat.svg", exampleFigure(), {false, 1.0, QSize(400, 60)}));
        QVERIFY(refused("none.png", Figure{}));
    }

    void csvAndNpyHoldTheNumbersThemselves()
    {
        QCOMPARE(saveNumbers(exampleFigure(), path("n.csv")).size(), std::size_t{1});
        const QByteArray csv = contentOf(filePath("n.csv"));
        QCOMPARE(csv.split('\n').size(), 5); // names, three rows, the end
        QVERIFY(csv.startsWith(",\"a,b\",\"\"\"b\"\"\"\r\nthe,0.1,0.33333334\r\n"));
        QVERIFY(csv.contains("\u732B,-2.5,1\r\n"));
        saveNumbers(exampleFigure(), path("n.npy"));
        const Tensor tensor = loadNpy(path("n.npy"));
        QVERIFY(tensor.shape() == Shape({3, 2}));
        for (int row = 0; row < 3; ++row)
            for (int column = 0; column < 2; ++column)
                QCOMPARE(tensor.view()(row, column), someMatrix().at({row, column}));
    }

    void jsonNamesEverythingAndHasNoInfinity()
    {
        Figure figure = exampleFigure();
        figure.numbers.push_back(
            {"scores",
             {"x"},
             {"y", "z"},
             HeatmapMatrix::copyOf({-std::numeric_limits<float>::infinity(), 0.3F}, 1, 2)});
        QCOMPARE(saveNumbers(figure, path("n.json")).size(), std::size_t{1});
        const QJsonObject json = QJsonDocument::fromJson(contentOf(filePath("n.json"))).object();
        QCOMPARE(json["sentence"].toString(), figure.sentence);
        QCOMPARE(json["model"].toString(), figure.subtitle);
        const QJsonArray tables = json["tables"].toArray();
        QCOMPARE(tables.size(), 2);
        const QJsonObject pattern = tables[0].toObject();
        QCOMPARE(pattern["rows"].toArray(), QJsonArray::fromStringList(kRows));
        QCOMPARE(pattern["columns"].toArray(), QJsonArray::fromStringList(kColumns));
        QVERIFY(!pattern.contains("note"));
        for (int row = 0; row < 3; ++row)
            for (int column = 0; column < 2; ++column)
                QCOMPARE(static_cast<float>(
                             pattern["values"].toArray()[row].toArray()[column].toDouble()),
                         someMatrix().at({row, column}));
        const QJsonObject scores = tables[1].toObject();
        QVERIFY(scores["values"].toArray()[0].toArray()[0].isNull());
        QVERIFY(scores["note"].toString().contains("not finite"));
    }

    void severalTablesGetNamesOfTheirOwn()
    {
        Figure figure = exampleFigure();
        figure.numbers.push_back(figure.numbers[0]);
        figure.numbers[1].name = "A/B Scores";
        figure.numbers.push_back(figure.numbers[1]);
        const auto written = saveNumbers(figure, path("many.csv"));
        std::vector<std::filesystem::path> expected{
            path("many-pattern.csv"), path("many-a-b-scores.csv"), path("many-a-b-scores-3.csv")};
        QCOMPARE(written, expected);
        for (const auto& file : expected)
            QVERIFY(std::filesystem::exists(file));
        QVERIFY(!QFile::exists(filePath("many.csv")));
        figure.numbers.clear();
        QVERIFY_THROWS_EXCEPTION(Error, saveNumbers(figure, path("none.csv")));
        QVERIFY_THROWS_EXCEPTION(Error, saveNumbers(exampleFigure(), path("n.xls")));
    }

    void copiedNumbersAreTabSeparated()
    {
        Figure figure = exampleFigure();
        figure.numbers[0].rows[1] = "a\tb\nc";
        const QStringList lines = numbersText(figure).split('\n');
        QCOMPARE(lines[0], QString("pattern\ta,b\t\"b\""));
        QCOMPARE(lines[1], QString("the\t0.1\t0.33333334"));
        QCOMPARE(lines[2], QString("a b c\t0.9\t1e-09"));
    }

private:
    static FigureStyle withSession()
    {
        FigureStyle style;
        style.session = kSession;
        return style;
    }

    QString filePath(const QString& name) const { return m_folder.filePath(name); }

    std::filesystem::path path(const QString& name) const { return filePath(name).toStdString(); }

    QTemporaryDir m_folder;
};

HEADSCOPE_WINDOW_TEST(TstFigureFile)
#include "tst_figure_file.moc"

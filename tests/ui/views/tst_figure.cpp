#include "core/base/error.h"
#include "ui/views/trace_figure.h"
#include "ui/views/mask_picture.h"

#include <QFile>
#include <QImageReader>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QtTest>

using namespace headscope;
using namespace headscope::ui;

namespace {

/// Two layers of three heads over "the cat <&> sat"; the settings name the mask.
TracePtr smallTrace(int tokens = 4, const std::string& settings = R"({"mask":"causal"})")
{
    TokenSequence sequence;
    const std::vector<std::string> words{"the", " cat", " <&>", " sat"};
    for (int index = 0; index < tokens; ++index) {
        const std::string& word = words[static_cast<std::size_t>(index) % words.size()];
        const std::size_t begin = sequence.text.size();
        sequence.text += word;
        sequence.tokens.push_back({index, {begin, sequence.text.size()}, false});
    }
    Trace::Activations activations;
    for (int layer = 0; layer < 2; ++layer) {
        auto pattern = std::make_shared<Tensor>(Shape{3, tokens, tokens});
        for (int head = 0; head < 3; ++head)
            for (int row = 0; row < tokens; ++row)
                for (int column = 0; column <= row; ++column)
                    pattern->view()(head, row, column) =
                        column == row - head ? 0.7F : 0.3F / static_cast<float>(row + 1);
        activations[{Site::Pattern, layer}] = pattern;
    }
    TraceInfo info;
    info.model = "builtin:small";
    info.settings = settings;
    return std::make_shared<const Trace>(std::move(sequence), std::move(activations), info);
}

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TstFigure : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase() { QVERIFY(m_folder.isValid()); }

    void everyViewIsWrittenInEveryFormat_data()
    {
        QTest::addColumn<QString>("view");
        QTest::addColumn<bool>("dark");
        for (const char* view : {"grid", "head", "positions", "mask"})
            for (const bool dark : {false, true})
                QTest::addRow("%s, %s", view, dark ? "dark" : "light") << QString(view) << dark;
    }

    void everyViewIsWrittenInEveryFormat()
    {
        QFETCH(QString, view);
        QFETCH(bool, dark);
        FigureRequest request;
        request.view = figureViewNamed(view.toStdString());
        request.trace = smallTrace();
        request.layer = 1;
        request.head = 2;
        request.dark = dark;
        request.scale = 2.0;
        for (const char* ending : {"png", "svg", "pdf"})
            renderFigure(request, path(view + "." + ending));

        const QImage image(filePath(view + ".png"));
        const QImage inMemory = figureImage(request);
        QCOMPARE(image.size(), inMemory.size());
        QCOMPARE(image.pixel(2, 2), Theme::named(dark, bodyFont()).surface.rgb());
        QCOMPARE(image.text("Model"), QStringLiteral("builtin:small"));
        QCOMPARE(image.text("Sentence"), QStringLiteral("the cat <&> sat"));
        QVERIFY(!image.text("Title").isEmpty());
        QVERIFY(image.text("Software").startsWith("Headscope"));

        const QByteArray svg = contentOf(filePath(view + ".svg"));
        QVERIFY(!svg.contains("fill=\"\"")); // text would vanish in other viewers
        QVERIFY(svg.contains("viewBox=\"0 0 "));
        QVERIFY(svg.contains("<title>"));
        QVERIFY(svg.contains("builtin:small"));
        QSvgRenderer renderer(svg);
        QVERIFY(renderer.isValid());
        QCOMPARE(renderer.viewBox().size() * 2, image.size());

        const QByteArray pdf = contentOf(filePath(view + ".pdf"));
        QVERIFY(pdf.startsWith("%PDF-"));
        QVERIFY(pdf.contains("/MediaBox [0 0 " + QByteArray::number(image.width() / 2 * 0.75)));
    }

    void headShowsItsPattern()
    {
        FigureRequest request;
        request.trace = smallTrace();
        request.layer = 1;
        request.head = 0;
        const QImage image = figureImage(request);
        const ColourLookup lookup(ColourScale::weights(), Theme::light());
        const QRgb ink = lookup.colour(0.7F);
        int found = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                found += image.pixel(x, y) == ink ? 1 : 0;
        QVERIFY2(found > 4 * 20 * 20, qPrintable(QString::number(found))); // four diagonal cells
    }

    void longTextsAreDrawnAsImagesNotShapes()
    {
        FigureRequest request;
        request.trace = smallTrace(100);
        renderFigure(request, path("long.svg"));
        const QByteArray svg = contentOf(filePath("long.svg"));
        QVERIFY(svg.contains("<image"));
        QVERIFY(!svg.contains("fill=\"\""));
        request.trace = smallTrace(5);
        renderFigure(request, path("short.svg"));
        const QByteArray shapes = contentOf(filePath("short.svg"));
        QVERIFY(shapes.count("<rect") >= 25);
    }

    void exportedNumbersAndLabelsStayText()
    {
        FigureRequest request;
        request.trace = smallTrace();
        renderFigure(request, path("text.svg"));
        const QByteArray svg = contentOf(filePath("text.svg"));
        QVERIFY(svg.contains(">.70"));
        QVERIFY(svg.contains("cat"));
        QVERIFY(svg.contains("&lt;&amp;&gt;"));
        QVERIFY(svg.contains("Attention weight, fixed scale 0 to 1"));
    }

    void maskViewCountsWhatMayLook()
    {
        QCOMPARE(countAllowed(maskContent({"a", "b", "c", "d"}, HeatmapMask::causal())),
                 QStringLiteral("10 of 16 pairs may look"));
        QCOMPARE(countAllowed(maskContent({"a", "b", "c", "d"}, {})),
                 QStringLiteral("16 of 16 pairs may look"));
        QCOMPARE(countAllowed(
                     maskContent({"a", "b", "c", "d"}, {HeatmapMask::Kind::Window, 2, nullptr})),
                 QStringLiteral("7 of 16 pairs may look"));
    }

    void theMaskComesFromTheTracesSettings_data()
    {
        QTest::addColumn<QByteArray>("settings");
        QTest::addColumn<QString>("words");
        QTest::newRow("causal") << QByteArray(R"({"mask":"causal"})") << "10 of 16";
        QTest::newRow("none") << QByteArray(R"({"mask":"none"})") << "16 of 16";
        QTest::newRow("window") << QByteArray(R"({"mask":"window:2"})") << "7 of 16";
        QTest::newRow("no settings") << QByteArray("") << "16 of 16";
        QTest::newRow("broken settings") << QByteArray("{{{") << "16 of 16";
        QTest::newRow("strange settings") << QByteArray(R"({"mask":3})") << "16 of 16";
    }

    void theMaskComesFromTheTracesSettings()
    {
        QFETCH(QByteArray, settings);
        QFETCH(QString, words);
        FigureRequest request;
        request.view = FigureView::Mask;
        request.trace = smallTrace(4, settings.toStdString());
        renderFigure(request, path("mask.svg"));
        QVERIFY(contentOf(filePath("mask.svg")).contains(words.toUtf8()));
    }

    void impossibleRequestsThrowAndLeaveNoFile()
    {
        FigureRequest request;
        request.trace = smallTrace();
        const auto refused = [&](const QString& name) {
            try {
                renderFigure(request, path(name));
            } catch (const Error&) {
                return !QFile::exists(filePath(name));
            }
            return false;
        };
        QVERIFY(refused("figure.gif"));
        QVERIFY(refused("figure"));
        request.layer = 2;
        QVERIFY(refused("no-such-layer.png"));
        request.layer = 0;
        request.head = -1;
        QVERIFY(refused("no-such-head.png"));
        request.head = 0;
        request.size = QSize(100000, 100);
        QVERIFY(refused("size.png"));
        request.size = QSize();
        request.scale = 0.0;
        QVERIFY(refused("scale.png"));
        request.scale = std::nan("");
        QVERIFY(refused("nan.png"));
        request.scale = 1.0;
        QVERIFY(refused("no/such/folder/a.png"));
        request.trace = nullptr;
        QVERIFY(refused("trace.png"));
        request.view = FigureView::Grid;
        QVERIFY(refused("grid-none.png"));
        QVERIFY_THROWS_EXCEPTION(Error, figureViewNamed("nonsense"));
    }

private:
    QString filePath(const QString& name) const { return m_folder.filePath(name); }

    std::filesystem::path path(const QString& name) const { return filePath(name).toStdString(); }

    QTemporaryDir m_folder;
};

QTEST_MAIN(TstFigure)
#include "tst_figure.moc"

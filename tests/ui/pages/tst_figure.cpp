#include "core/base/error.h"
#include "tests/support/test_program.h"
#include "ui/pages/mask/mask_figure.h"
#include "ui/pages/mask/mask_plot.h"
#include "ui/pages/positions/positions_figure.h"
#include "ui/pages/shared/figures/figure_file.h"
#include "ui/pages/shared/figures/head_figure.h"
#include "ui/pages/shared/figures/overview_figure.h"
#include "ui/workers/forward/thumbnails.h"

#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>

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

/// Layer 1, head 2 unless told otherwise.
ViewSnapshot viewAt(const TracePtr& trace, int head = 2)
{
    ViewSnapshot viewed;
    viewed.a = trace;
    viewed.selection.layer = 1;
    viewed.selection.head = head;
    if (trace)
        viewed.thumbnailsA = thumbnailsOf(*trace);
    return viewed;
}

Figure figureOf(const QString& view, const TracePtr& trace)
{
    const ViewSnapshot viewed = viewAt(trace);
    if (view == "grid")
        return gridFigure(viewed, QJsonObject());
    if (view == "head")
        return headFigure(viewed, {});
    return view == "mask" ? maskFigure(viewed, {}) : positionsFigure(viewed, {});
}

/// Rectangle of the pixels in the first rows that differ from the surface.
QRect inkOf(const QImage& image, int rows)
{
    QRect ink;
    for (int y = 0; y < rows; ++y)
        for (int x = 0; x < image.width(); ++x)
            if (image.pixel(x, y) != image.pixel(2, 2))
                ink |= QRect(x, y, 1, 1);
    return ink;
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
        const Figure figure = figureOf(view, smallTrace());
        const FigureStyle style{dark, 2.0};
        for (const char* ending : {"png", "svg", "pdf"})
            saveFigure(figure, style, path(view + "." + ending));

        const QImage image(filePath(view + ".png"));
        QCOMPARE(image.size(), figureImage(figure, style).size());
        QCOMPARE(image.pixel(2, 2), Theme::named(dark, bodyFont()).surface.rgb());
        QVERIFY(!image.text("Title").isEmpty());
        QVERIFY(!image.text("Description").isEmpty());

        const QByteArray svg = contentOf(filePath(view + ".svg"));
        QVERIFY(!svg.contains("fill=\"\"")); // text would vanish in other viewers
        QSvgRenderer renderer(svg);
        QVERIFY(renderer.isValid());
        QCOMPARE(renderer.viewBox().size() * 2, image.size());
        QVERIFY(contentOf(filePath(view + ".pdf")).startsWith("%PDF-"));
    }

    void typeGrowsWithTheScale()
    {
        for (const char* view : {"grid", "head"}) {
            const Figure figure = figureOf(view, smallTrace());
            const QImage once = figureImage(figure, {false, 1.0});
            const QImage twice = figureImage(figure, {false, 2.0});
            const QRect title = inkOf(once, 46); // the rows of the title
            QVERIFY(title.width() > 20 && title.height() > 5);
            QVERIFY(std::abs(inkOf(twice, 92).width() - 2 * title.width()) <= 6);
            QVERIFY(std::abs(inkOf(twice, 92).height() - 2 * title.height()) <= 4);
            QCOMPARE(once.dotsPerMeterX(), 3780); // 96 dpi
            QCOMPARE(twice.dotsPerMeterX(), 7559);
        }
    }

    void aPdfsLabelsAreFound()
    {
        if (QStandardPaths::findExecutable("pdftotext").isEmpty())
            QSKIP("pdftotext (poppler-utils) is not installed");
        for (const char* view : {"grid", "head", "mask"}) {
            saveFigure(figureOf(view, smallTrace()), {}, path("found.pdf"));
            QProcess process;
            process.start("pdftotext", {filePath("found.pdf"), "-"});
            QVERIFY(process.waitForFinished());
            const QByteArray text = process.readAllStandardOutput();
            QVERIFY2(text.contains("builtin:small"), text.constData());
            QVERIFY2(text.contains("the cat <&> sat"), text.constData());
            QVERIFY2(QByteArray(view) != "head" || text.contains(".70"), text.constData());
        }
    }

    void numbersAreThoseOfTheTrace()
    {
        const TracePtr trace = smallTrace();
        const NumberTable table = figureOf("head", trace).numbers.front();
        const auto pattern = trace->find({Site::Pattern, 1});
        QCOMPARE(table.values.rows, 4);
        QCOMPARE(table.rows, (QStringList{"the", "cat", "<&>", "sat"}));
        for (int row = 0; row < 4; ++row)
            for (int column = 0; column < 4; ++column)
                QCOMPARE(table.values.at({row, column}), pattern->view()(2, row, column));
        const NumberTable scores = figureOf("grid", trace).numbers.at(1); // after the entropies
        QCOMPARE(scores.rows, (QStringList{"0.0", "0.1", "0.2", "1.0", "1.1", "1.2"}));
        const auto previous = static_cast<int>(scores.columns.indexOf("previous_token"));
        QVERIFY(previous >= 0);
        double mean = 0.0; // of layer 1, head 1: 0.7 before each token but the first
        for (int row = 1; row < 4; ++row)
            mean += pattern->view()(1, row, row - 1) / 3.0;
        QVERIFY(std::abs(mean - scores.values.at({4, previous})) < 1e-6);
    }

    void differencesHaveTheirOwnScaleAndNumbers()
    {
        ViewSnapshot viewed = viewAt(smallTrace());
        viewed.b = smallTrace();
        auto changed = std::make_shared<Tensor>(*viewed.b->find({Site::Pattern, 1}));
        changed->view()(2, 3, 1) += 0.25F;
        Trace::Activations activations = viewed.b->activations();
        activations[{Site::Pattern, 1}] = changed;
        viewed.b = std::make_shared<const Trace>(viewed.b->tokens(), activations, viewed.b->info());
        viewed.changes.headsOff = {{{0, 0}, HeadOff::Method::Zero}};
        viewed.shown = ui::Variant::Difference;
        const Figure figure = headFigure(viewed, {});
        QVERIFY(figure.subtitle.contains("0.0"));
        for (int row = 0; row < 4; ++row)
            for (int column = 0; column <= row; ++column)
                QCOMPARE(figure.numbers[0].values.at({row, column}),
                         row == 3 && column == 1 ? 0.25F : 0.0F);
        QVERIFY2(figure.caption.contains("difference"), qPrintable(figure.caption));
    }

    void headShowsItsPattern()
    {
        const QImage image = figureImage(headFigure(viewAt(smallTrace(), 0), {}), {});
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
        saveFigure(figureOf("head", smallTrace(100)), {}, path("long.svg"));
        const QByteArray svg = contentOf(filePath("long.svg"));
        QVERIFY(svg.contains("<image"));
        QVERIFY(!svg.contains("fill=\"\""));
        saveFigure(figureOf("head", smallTrace(5)), {}, path("short.svg"));
        const QByteArray shapes = contentOf(filePath("short.svg"));
        QVERIFY(shapes.count("<rect") >= 25);
    }

    void exportedNumbersAndLabelsStayText()
    {
        saveFigure(figureOf("head", smallTrace()), {}, path("text.svg"));
        const QByteArray svg = contentOf(filePath("text.svg"));
        QVERIFY(svg.contains(">.70"));
        QVERIFY(svg.contains("cat"));
        QVERIFY(svg.contains("&lt;&amp;&gt;"));
        QVERIFY(svg.contains("Attention weight, fixed scale 0 to 1"));
    }

    void maskViewCountsWhatMayLook()
    {
        QCOMPARE(countAllowed(maskContent({"a", "b", "c", "d"}, HeatmapMask::causal())),
                 QStringLiteral("10 of 16 pairs visible"));
        QCOMPARE(countAllowed(maskContent({"a", "b", "c", "d"}, {})),
                 QStringLiteral("16 of 16 pairs visible"));
        QCOMPARE(countAllowed(
                     maskContent({"a", "b", "c", "d"}, {HeatmapMask::Kind::Window, 2, nullptr})),
                 QStringLiteral("7 of 16 pairs visible"));
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
        saveFigure(figureOf("mask", smallTrace(4, settings.toStdString())), {}, path("mask.svg"));
        QVERIFY(contentOf(filePath("mask.svg")).contains(words.toUtf8()));
    }

    void withoutAHeadThereIsNoPicture()
    {
        ViewSnapshot viewed = viewAt(smallTrace());
        viewed.selection.layer = 2;
        QVERIFY(!headFigure(viewed, {}).paint);
        viewed.selection = {};
        viewed.selection.part = AttentionKind::Cross;
        QVERIFY(!headFigure(viewed, {}).paint);
        QVERIFY(!gridFigure(viewed, QJsonObject()).paint);
        for (const char* view : {"grid", "head", "mask"})
            QVERIFY(!figureOf(view, nullptr).paint);
    }

private:
    QString filePath(const QString& name) const { return m_folder.filePath(name); }

    std::filesystem::path path(const QString& name) const { return filePath(name).toStdString(); }

    QTemporaryDir m_folder;
};

HEADSCOPE_WINDOW_TEST(TstFigure)
#include "tst_figure.moc"

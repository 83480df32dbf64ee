// The figure of every page, in both themes, as files: what is written in the drawing is in the
// file.
#include "core/io/checkpoint.h"
#include "core/io/npy.h"
#include "tests/support/test_program.h"
#include "tests/ui/pages/session_fixture.h"
#include "ui/pages/shared/figures/figure_file.h"
#include "ui/window/dialogs/figures.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QPaintEngine>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <map>

using namespace headscope;
using namespace headscope::ui;

namespace {

/// Keeps the texts that are painted, and nothing else.
class TextEngine : public QPaintEngine
{
public:
    TextEngine() : QPaintEngine(AllFeatures) {}

    bool begin(QPaintDevice*) override { return true; }

    bool end() override { return true; }

    void updateState(const QPaintEngineState&) override {}

    void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}

    void drawImage(const QRectF&, const QImage&, const QRectF&, Qt::ImageConversionFlags) override
    {
    }

    void drawPath(const QPainterPath&) override {}

    void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}

    void drawTextItem(const QPointF&, const QTextItem& item) override { texts << item.text(); }

    Type type() const override { return User; }

    QStringList texts;
};

class TextDevice : public QPaintDevice
{
public:
    explicit TextDevice(QSize size) : m_size(size) {}

    QPaintEngine* paintEngine() const override { return &m_engine; }

    const QStringList& texts() const { return m_engine.texts; }

protected:
    int metric(PaintDeviceMetric metric) const override
    {
        constexpr int kDotsPerInch = 96;
        switch (metric) {
        case PdmWidth:
            return m_size.width();
        case PdmHeight:
            return m_size.height();
        case PdmDpiX:
        case PdmDpiY:
        case PdmPhysicalDpiX:
        case PdmPhysicalDpiY:
            return kDotsPerInch;
        case PdmDevicePixelRatio:
            return 1;
        case PdmDevicePixelRatioScaled:
            return qRound(devicePixelRatioFScale());
        default:
            return QPaintDevice::metric(metric);
        }
    }

private:
    QSize m_size;
    mutable TextEngine m_engine;
};

QStringList paintedTexts(const Figure& figure, const FigureStyle& style)
{
    const FigurePage page(figure, style);
    TextDevice device(page.size());
    QPainter painter(&device);
    page.paint(painter, {true, 1.0});
    painter.end();
    QStringList texts = device.texts();
    texts.removeIf([](const QString& text) { return text.trimmed().isEmpty(); });
    std::sort(texts.begin(), texts.end());
    return texts;
}

struct SvgText
{
    QString text;
    QString fill; ///< of the element, or the nearest group with one
};

std::vector<SvgText> textsOf(const QByteArray& svg)
{
    std::vector<SvgText> texts;
    QStringList fills{QString()};
    QXmlStreamReader xml(svg);
    while (!xml.atEnd()) {
        xml.readNext();
        if (xml.isEndElement())
            fills.removeLast();
        if (!xml.isStartElement())
            continue;
        const auto fill = xml.attributes().value("fill");
        fills << (xml.attributes().hasAttribute("fill") ? fill.toString() : fills.last());
        if (xml.name() == QLatin1String("text")) {
            texts.push_back({xml.readElementText(), fills.last()});
            fills.removeLast();
        }
    }
    return texts;
}

/// How often each letter comes; blanks and letters beyond U+FFFF (Qt 6.4 gives them no code point
/// in a PDF) aside, shapes of letters as the letters.
std::map<QChar, int> lettersOf(const QString& text)
{
    std::map<QChar, int> letters;
    for (const QChar letter : text.normalized(QString::NormalizationForm_KC))
        if (!letter.isSpace() && !letter.isSurrogate() && letter.isPrint())
            ++letters[letter];
    return letters;
}

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

bool isSame(float a, double b)
{
    return std::isnan(a) ? std::isnan(b) : a == static_cast<float>(b);
}

LoadedModel openModel(const std::string& name)
{
    const bool pair = name == "builtin:dates";
    LoadedModel model = pair ? loadCheckpoint(std::filesystem::path(HEADSCOPE_SOURCE_DIR) /
                                              "resources/models/dates/model.safetensors")
                             : headscope::test::tinyModel(name == "other" ? 2 : 1);
    model.name = name;
    return model;
}

} // namespace

class TstFigures : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        applyTheme(*qApp, Theme::named(false, bodyFont()));
        for (const char* model : {"tiny", "builtin:dates"})
            m_viewSnapshot[model] = viewAt(model);
    }

    void everyLabelIsInTheSvg_data() { addFigures(); }

    void everyLabelIsInTheSvg()
    {
        QFETCH(bool, dark);
        const Figure figure = fetchedFigure();
        FigureStyle style{dark};
        style.caption = true;
        const QStringList painted = paintedTexts(figure, style);
        QVERIFY(painted.size() >= 4);
        saveFigure(figure, style, path("figure.svg").toStdString());
        const QByteArray svg = contentOf(path("figure.svg"));
        QVERIFY(!svg.contains("fill=\"\"")); // such a text is not there for librsvg
        QStringList written;
        for (const SvgText& text : textsOf(svg)) {
            QVERIFY2(QColor(text.fill).isValid(), qPrintable(text.text + " in " + text.fill));
            if (!text.text.trimmed().isEmpty())
                written << text.text;
        }
        std::sort(written.begin(), written.end());
        QCOMPARE(written, painted);
    }

    void everyLabelIsFoundInThePdf_data() { addFigures(); }

    void everyLabelIsFoundInThePdf()
    {
        if (QStandardPaths::findExecutable("pdftotext").isEmpty())
            QSKIP("pdftotext (poppler-utils) is not installed");
        QFETCH(bool, dark);
        const Figure figure = fetchedFigure();
        saveFigure(figure, {dark}, path("figure.pdf").toStdString());
        QProcess process;
        process.start("pdftotext", {"-enc", "UTF-8", path("figure.pdf"), "-"});
        QVERIFY(process.waitForFinished());
        const QString found = QString::fromUtf8(process.readAllStandardOutput());
        QVERIFY2(found.contains(figure.title), qPrintable(found));
        QVERIFY2(found.simplified().contains(figure.sentence.left(12)), qPrintable(found));
        const auto letters = lettersOf(found); // turned labels come out letter by letter
        for (const auto& [letter, count] : lettersOf(paintedTexts(figure, {dark}).join(' '))) {
            const auto there = letters.find(letter);
            QVERIFY2(there != letters.end() && there->second >= count,
                     qPrintable(QString("%1 x %2 in\n%3").arg(letter).arg(count).arg(found)));
        }
    }

    void everyFileHoldsTheSameNumbers_data() { addFigures(); }

    void everyFileHoldsTheSameNumbers()
    {
        const Figure figure = fetchedFigure();
        QVERIFY(!figure.numbers.empty());
        const auto csv = saveNumbers(figure, path("n.csv").toStdString());
        const auto npy = saveNumbers(figure, path("n.npy").toStdString());
        saveNumbers(figure, path("n.json").toStdString());
        const QJsonArray tables =
            QJsonDocument::fromJson(contentOf(path("n.json"))).object()["tables"].toArray();
        QCOMPARE(tables.size(), static_cast<qsizetype>(figure.numbers.size()));
        for (std::size_t index = 0; index < figure.numbers.size(); ++index) {
            const NumberTable& table = figure.numbers[index];
            const Tensor tensor = loadNpy(npy[index]);
            QVERIFY(tensor.shape() == Shape({table.values.rows, table.values.columns}));
            const QStringList lines =
                QString::fromUtf8(contentOf(QString::fromStdString(csv[index].string())))
                    .split("\r\n");
            QCOMPARE(lines.size(), table.values.rows + 2);
            const QJsonArray json = tables[static_cast<int>(index)].toObject()["values"].toArray();
            for (int row = 0; row < table.values.rows; ++row) {
                const QStringList fields = lines[row + 1].split(',');
                for (int column = 0; column < table.values.columns; ++column) {
                    const float value = table.values.at({row, column});
                    QVERIFY(isSame(tensor.view()(row, column), double{value}));
                    const QString field = fields[fields.size() - table.values.columns + column];
                    QVERIFY2(isSame(value, field.toDouble()), qPrintable(field));
                    const QJsonValue number = json[row].toArray()[column];
                    QVERIFY(std::isfinite(value) ? isSame(value, number.toDouble())
                                                 : number.isNull());
                }
            }
        }
    }

private:
    /// A sentence with a head switched off in B, a token pinned, everything recorded.
    static ViewSnapshot viewAt(const std::string& model)
    {
        Session session({}, openModel);
        QObject asker;
        QObject::connect(&session, &Session::errorRaised, &asker,
                         [](const QString& sentence) { qWarning() << sentence; });
        session.computation().askFor(&asker, {"*"});
        session.computation().setDevice("cpu");
        session.document().replaceText(model == "tiny" ? "the cat <&> sat" : "march 5, 1987");
        session.models().open(QString::fromStdString(model));
        if (!QTest::qWaitFor([&session] { return session.traceA() != nullptr; }, 60'000))
            qFatal("no trace of A");
        session.document().setHeadOff(session.view().activeHead(), true);
        const auto isDone = [&session] {
            return session.traceA() && session.traceB() &&
                   session.computation().shownTicket() == session.computation().postedTicket();
        };
        if (!QTest::qWaitFor(isDone, 60'000))
            qFatal("no trace of %s", model.c_str());
        session.view().selectPair(2, 1);
        return session.viewSnapshot();
    }

    void addFigures() const
    {
        QTest::addColumn<QString>("view");
        QTest::addColumn<QString>("model");
        QTest::addColumn<bool>("dark");
        int drawn = 0;
        for (const FigureEntry& entry : figureEntries())
            for (const auto& [model, viewed] : m_viewSnapshot) {
                if (!entry.figure(viewed, {}).paint)
                    continue; // Cross needs an encoder, say
                drawn += model == "builtin:dates" || entry.name != "cross" ? 1 : 0;
                for (const bool dark : {false, true})
                    QTest::addRow("%s of %s, %s", qPrintable(entry.name), model.c_str(),
                                  dark ? "dark" : "light")
                        << entry.name << QString::fromStdString(model) << dark;
            }
        QVERIFY(drawn >= static_cast<int>(figureEntries().size()));
    }

    Figure fetchedFigure() const
    {
        QFETCH(QString, view);
        QFETCH(QString, model);
        return figureNamed(view, m_viewSnapshot.at(model.toStdString()), {});
    }

    QString path(const QString& name) const { return m_folder.filePath(name); }

    QTemporaryDir m_folder;
    std::map<std::string, ViewSnapshot> m_viewSnapshot;
};

HEADSCOPE_WINDOW_TEST(TstFigures)
#include "tst_figures.moc"

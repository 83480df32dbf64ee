// links: core/base
#include "core/base/error.h"
#include "tests/support/test_program.h"
#include "ui/widgets/formula/formula.h"
#include "ui/widgets/formula/formula_latex.h"
#include "ui/widgets/formula/formula_text.h"

#include <QBuffer>
#include <QPainter>
#include <QPdfWriter>
#include <QPicture>
#include <QSvgGenerator>
#include <QtTest>

using namespace headscope;
using namespace headscope::ui;

namespace {

QString sentenceOf(const QString& latex)
{
    try {
        mathFromLatex(latex);
    } catch (const Error& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

QString spoken(const QString& latex)
{
    return spokenText(mathFromLatex(latex));
}

/// What remains of a formula that is written out and read again.
QString again(const QString& latex)
{
    return latexText(mathFromLatex(latexText(mathFromLatex(latex))));
}

QImage diagram(const QString& latex)
{
    QImage image(400, 100, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    paintFormula(painter, {8, 8}, mathFromLatex(latex), 24, Theme::light());
    return image;
}

const char* const kSoftmax =
    "\\operatorname{softmax}\\left(\\frac{QK^{\\top}}{\\sqrt{d_{k}}}\\right)V";

} // namespace

class TstFormulaLatex : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase() { applyTheme(*qApp, Theme::light()); }

    void lettersAreVariablesAndDigitsStayTogether()
    {
        QCOMPARE(spoken("ab_{12}"), QStringLiteral("a b 12"));
        QCOMPARE(latexText(mathFromLatex("0.5035 x")), QStringLiteral("0.5035x"));
    }

    void formulasAreSpoken()
    {
        QCOMPARE(spoken(kSoftmax), QStringLiteral("softmax of Q K transpose over root d k V"));
        QCOMPARE(spoken("\\sum_{i=1}^{n} x_i^2"),
                 QStringLiteral("sum over i equals 1 to n x i squared"));
        QCOMPARE(spoken("\\hat x - \\mu \\le \\infty"),
                 QStringLiteral("x hat minus mu is at most infinity"));
        QCOMPARE(spoken("f'(x)"), QStringLiteral("f prime of x"));
        QCOMPARE(spoken("\\frac12"), QStringLiteral("1 over 2"));
    }

    void whatIsCopiedIsReadAgain_data()
    {
        QTest::addColumn<QString>("latex");
        for (const char* latex :
             {kSoftmax, "x_{i}^{2}", "-x+y=-1", "\\sum_{i=1}^{n}x_{i}", "\\max_{j}s_{j}",
              "e^{-\\frac{x^{2}}{2\\sigma ^{2}}}", "\\text{the cat}\\quad a\\, b",
              "\\mathbf{0.6276}", "\\mathit{out}_{0}", "\\hat{x}+\\bar{y}", "{a_{i}}_{j}",
              "\\left[\\frac{1}{2}\\right]", "\\nabla \\partial \\theta \\odot \\epsilon ",
              "a\\approx b\\ne c\\in \\mathbb{R}^{d}", "p\\to \\infty ", "f^{\u2032}"}) {
            QTest::newRow(latex) << QString::fromUtf8(latex);
        }
    }

    void whatIsCopiedIsReadAgain()
    {
        QFETCH(QString, latex);
        const QString once = latexText(mathFromLatex(latex));
        QCOMPARE(again(latex), once);
        QCOMPARE(spoken(once), spoken(latex));
        QCOMPARE(diagram(once), diagram(latex));
    }

    void rolesColourAndAreNotCopied()
    {
        QCOMPARE(latexText(mathFromLatex("\\queryrole{q}\\cdot\\keyrole{k}")),
                 QStringLiteral("q\\cdot k"));
        QVERIFY(diagram("\\queryrole{q}") != diagram("q"));
        QVERIFY(diagram("\\queryrole{q}") != diagram("\\keyrole{q}"));
        QVERIFY(diagram("\\valuerole{q_i}") != diagram("\\valuerole{q}_i"));
    }

    void aLeadingMinusTakesNoRoom()
    {
        const Theme theme = Theme::light();
        const auto width = [&](const char* latex) {
            return formulaSize(mathFromLatex(latex), 20, theme).width();
        };
        QVERIFY(width("a-x") > width("a") + width("-x") + 4.0);
        QVERIFY(width("a=-x") < width("a=") + width("a-x") - width("a"));
    }

    void bracketsGrowWithWhatTheyHold()
    {
        const Theme theme = Theme::light();
        const auto height = [&](const char* latex) {
            return formulaSize(mathFromLatex(latex), 20, theme).height();
        };
        QCOMPARE(height("\\left(\\frac{a}{b}\\right)"), height("\\frac{a}{b}"));
        QVERIFY(diagram("\\left(\\frac{a}{b}\\right)") != diagram("(\\frac{a}{b})"));
        QCOMPARE(diagram("\\left(a\\right)"), diagram("(a)"));
        QVERIFY(diagram("\\left\\{\\frac ab\\right.") != diagram("\\left[\\frac ab\\right."));
    }

    void theSamePictureOnScreenInSvgAndInPdf()
    {
        const Math formula = mathFromLatex(kSoftmax);
        const Theme theme = Theme::light();
        const auto paint = [&](QPaintDevice& device) {
            QPainter painter(&device);
            paintFormula(painter, {8, 8}, formula, 24, theme);
        };
        QBuffer svg;
        QSvgGenerator generator;
        generator.setOutputDevice(&svg);
        generator.setResolution(96);
        paint(generator);
        QVERIFY(svg.data().contains("softmax"));
        QVERIFY(svg.data().count("<path") + svg.data().count("<polyline") >= 3); // root, brackets
        QBuffer pdf;
        pdf.open(QIODevice::WriteOnly);
        QPdfWriter writer(&pdf);
        writer.setResolution(96);
        paint(writer);
        QVERIFY(pdf.data().size() > 500);
    }

    void badInputEndsInASentence_data()
    {
        QTest::addColumn<QString>("latex");
        QTest::addColumn<QString>("words");
        QTest::newRow("open brace") << "\\frac{a}{b"
                                    << "unclosed \u201C{\u201D, at character 9";
        QTest::newRow("closed brace") << "a}"
                                      << "unmatched \u201C}\u201D, at character 2";
        QTest::newRow("unknown") << "\\fraq{a}{b}"
                                 << "did you mean \u201C\\frac\u201D";
        QTest::newRow("power of nothing") << "^2"
                                          << "nothing before";
        QTest::newRow("two powers") << "x^a^b"
                                    << "double \u201C^\u201D";
        QTest::newRow("no argument") << "\\frac{a}"
                                     << "missing argument in braces";
        QTest::newRow("script at the end") << "x_"
                                           << "missing argument in braces";
        QTest::newRow("bare backslash") << "\\"
                                        << "nothing after";
        QTest::newRow("no right") << "\\left( a"
                                  << "without \u201C\\right\u201D";
        QTest::newRow("brace in left") << "{\\left( a}"
                                       << "without \u201C\\right\u201D";
        QTest::newRow("no bracket") << "\\left"
                                    << "missing bracket";
        QTest::newRow("text") << "\\text{abc"
                              << "unclosed";
        QTest::newRow("text ends in backslash") << "\\text{abc\\"
                                                << "unclosed";
        QTest::newRow("cube root") << "\\sqrt[3]{x}"
                                   << "only square roots";
        QTest::newRow("hat over much") << "\\hat{abc}"
                                       << "a single letter";
        QTest::newRow("mark") << "a & b"
                              << "unexpected";
        QTest::newRow("deep") << QString("{").repeated(900) << "nested deeper";
        QTest::newRow("deep scripts") << QString("x^{").repeated(300) << "nested deeper";
        QTest::newRow("deep roots") << QString("\\sqrt").repeated(300) << "nested deeper";
        QTest::newRow("deep left") << QString("\\left(").repeated(300) << "nested deeper";
        QTest::newRow("long") << QString("a").repeated(100000) << "more than 2000 characters";
    }

    void badInputEndsInASentence()
    {
        QFETCH(QString, latex);
        QFETCH(QString, words);
        const QString sentence = sentenceOf(latex);
        QVERIFY2(sentence.contains(words), qPrintable(sentence));
        QCOMPARE(latexText(mathOrText("^")), QStringLiteral("^"));
    }

    void anyCharactersAreReadOrRefused()
    {
        quint32 state = 7;
        const QStringList pieces{"\\",     "{",      "}",      "^",       "_",    "\\frac",
                                 "a",      "1",      "\\sqrt", "\\left",  "(",    ")",
                                 "\\text", "'",      "-",      "\\right", " ",    "\\hat",
                                 "\\,",    "\u00e9", "\\sum",  "|",       "\x01", "\\mathbf"};
        int read = 0;
        for (int round = 0; round < 3000; ++round) {
            QString latex;
            for (int length = 0; length < 8; ++length) {
                state = state * 1664525u + 1013904223u;
                latex += pieces[(state >> 16) % static_cast<quint32>(pieces.size())];
            }
            if (!sentenceOf(latex).isEmpty())
                continue;
            ++read;
            const QString once = latexText(mathFromLatex(latex));
            QVERIFY2(sentenceOf(once).isEmpty(), qPrintable(latex + " -> " + once));
        }
        QVERIFY(read > 20);
    }
};

HEADSCOPE_WINDOW_TEST(TstFormulaLatex)
#include "tst_formula_latex.moc"

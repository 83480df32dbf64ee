// links: core/lessons
#include "tests/support/test_program.h"
#include "ui/widgets/formula/formula.h"
#include "ui/widgets/formula/formula_latex.h"
#include "ui/widgets/text/lesson_text_widget.h"

#include <QAccessible>
#include <QFontMetricsF>
#include <QSignalSpy>
#include <QTextBlock>
#include <QTextLayout>
#include <QtTest>

#include <memory>

using namespace headscope::ui;

namespace {

const char* const kText =
    "The weight of **cat** is $\\frac{e^{s_j}}{\\sum_k e^{s_k}}$, as [softmax](lesson:softmax) "
    "says. Each row adds up to one, and nothing else is needed to read the picture at the left.\n\n"
    "- first of *all*\n- then `scores`\n\n$$a = \\operatorname{softmax}(s)$$";

std::unique_ptr<LessonText> shownText(const QString& markdown, int width = 264)
{
    auto widget = std::make_unique<LessonText>();
    widget->resize(width, 10);
    widget->setMarkdownText(markdown);
    widget->show();
    return widget;
}

int linesOf(const QTextDocument& document)
{
    int lines = 0;
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
        lines += block.layout()->lineCount();
    return lines;
}

} // namespace

class TstLessonText : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase() { applyTheme(*qApp, Theme::light()); }

    void textIsSaidInFull()
    {
        const auto widget = shownText(kText);
        const QString reported = widget->accessibleName();
        QVERIFY2(
            reported.startsWith("The weight of cat is e to the power s j over sum over k e to the "
                                "power s k, as softmax says."),
            qPrintable(reported));
        QVERIFY(reported.endsWith("first of all\nthen scores\na equals softmax of s"));
    }

    void formulasAreCopiedAsLatex()
    {
        const auto widget = shownText(kText);
        QVERIFY(widget->copiedText().contains("is $\\frac{e^{s_j}}{\\sum_k e^{s_k}}$, as softmax"));
        QVERIFY(widget->copiedText().contains("\n- first of all\n- then scores\n"));
        QTextCursor cursor(widget->document());
        cursor.setPosition(4);
        cursor.setPosition(17, QTextCursor::KeepAnchor);
        widget->setTextCursor(cursor);
        QCOMPARE(widget->copiedText(), QStringLiteral("weight of cat"));
    }

    void itIsAsTallAsItsLines()
    {
        const auto narrow = shownText(kText, 200);
        const auto wide = shownText(kText, 360);
        QVERIFY(linesOf(*narrow->document()) > linesOf(*wide->document()));
        QVERIFY(narrow->height() > wide->height());
        for (const auto* widget : {narrow.get(), wide.get()})
            QCOMPARE(widget->height(),
                     static_cast<int>(std::ceil(widget->document()->size().height())));
    }

    void linesAreNoLongerThan46Characters()
    {
        const auto widget = shownText(QString("word and ").repeated(60), 1200);
        const QTextLayout& layout = *widget->document()->firstBlock().layout();
        QVERIFY(layout.lineCount() > 8);
        for (int line = 0; line < layout.lineCount(); ++line)
            QVERIFY(layout.lineAt(line).textLength() <= 52); // "word and" is narrower than most
    }

    void aTallFormulaStandsOnTheLineAndMakesRoom()
    {
        const auto plain = shownText("one $x$ two");
        const auto tall = shownText("one $\\frac{\\frac{a}{b}}{\\frac{c}{d}}$ two");
        QVERIFY(tall->height() > plain->height() + 20);
        const QTextLine line = tall->document()->firstBlock().layout()->lineAt(0);
        const double below =
            formulaDescent(mathOrText("\\frac{\\frac{a}{b}}{\\frac{c}{d}}"), 15, Theme::light());
        QVERIFY(below > 10.0);
        QVERIFY2(std::abs(line.descent() - below) < 2.0,
                 qPrintable(QString::number(line.descent())));
    }

    void aWideFormulaIsMadeSmaller()
    {
        const QString wide = "$$" + QString("a_{ij}+").repeated(7) + "b$$";
        const auto widget = shownText(wide, 264);
        QVERIFY(widget->document()->firstBlock().layout()->lineAt(0).naturalTextWidth() <= 265.0);
        const auto roomy = shownText(wide, 360);
        QVERIFY(roomy->document()->firstBlock().layout()->lineAt(0).naturalTextWidth() > 265.0);
    }

    void linksAreReachedByKeys()
    {
        const auto widget = shownText(kText);
        QSignalSpy followed(widget.get(), &LessonText::linkActivated);
        widget->activateWindow();
        widget->setFocus(Qt::TabFocusReason);
        QTest::keyClick(widget.get(), Qt::Key_Tab);
        QVERIFY2(widget->accessibleDescription() == "Link: softmax",
                 qPrintable(widget->accessibleDescription()));
        QTest::keyClick(widget.get(), Qt::Key_Return);
        QCOMPARE(followed.size(), 1);
        QCOMPARE(followed[0][0].toString(), QStringLiteral("lesson:softmax"));
        QCOMPARE(shownText("no link at all")->focusPolicy(), Qt::ClickFocus);
    }

    void typeGrowsWithThePresenters()
    {
        const auto widget = shownText(kText);
        const int before = widget->height();
        applyTheme(*qApp, Theme::named(true, bodyFont(1.4)));
        QTRY_VERIFY(widget->height() > before * 1.2);
        applyTheme(*qApp, Theme::light());
        QTRY_COMPARE(widget->height(), before);
    }

    void whatCannotBeParsedStandsAsItIs()
    {
        const auto widget = shownText("an **open mark and $x");
        QCOMPARE(widget->copiedText(), QStringLiteral("an **open mark and $x"));
    }
};

HEADSCOPE_WINDOW_TEST(TstLessonText)
#include "tst_lesson_text.moc"

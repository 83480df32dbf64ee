#include "core/lessons/worked/example_catalogue.h"
#include "tests/support/test_program.h"
#include "tests/ui/child.h"
#include "tests/ui/pages/session_fixture.h"
#include "ui/pages/example/example_page.h"
#include "ui/pages/example/example_side.h"
#include "ui/pages/labs/lab_page.h"
#include "ui/pages/shared/listings/listing_panel.h"
#include "ui/pages/shared/stages/example_stage.h"
#include "ui/widgets/controls/choice_box.h"
#include "ui/widgets/controls/segments.h"
#include "ui/widgets/controls/step_bar.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/text/code_lines.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QJsonObject>
#include <QPushButton>
#include <QTextDocumentFragment>
#include <QtTest>

using namespace headscope;
using namespace headscope::ui;
using headscope::ui::test::childOf;
using headscope::ui::test::SessionFixture;

namespace {

struct PanelFixture : SessionFixture
{
    PanelFixture() : page(session)
    {
        page.resize(1222, 604);
        page.show();
        QApplication::setActiveWindow(&page);
        page.findChild<QPushButton*>("show-code")->click();
    }

    ListingPanel& panel() { return childOf<ListingPanel>(page); }

    ExampleStage& stage() { return childOf<ExampleStage>(page); }

    ExampleSide& side() { return childOf<ExampleSide>(page); }

    CodeLines& code() { return *panel().findChild<CodeLines*>(); }

    /// Moves to the line that computes `part` by the keyboard alone.
    void walkTo(const char* part)
    {
        QTest::keyClick(&code(), Qt::Key_Home);
        const auto& lines =
            panel().isCpp() ? panel().listing()->cpp.lines : panel().listing()->torch.lines;
        for (std::size_t line = 0; line < lines.size() && lines[line].part != part; ++line)
            QTest::keyClick(&code(), Qt::Key_Down);
    }

    ExamplePage page;
};

/// The numbers shown, or why there are none.
QString valuesOf(const ListingPanel& panel)
{
    const auto& values = childOf<TextLabel>(panel, "listing-values");
    return values.isHidden() ? childOf<TextLabel>(panel, "listing-source").text()
                             : QTextDocumentFragment::fromHtml(values.text()).toPlainText();
}

void press(QWidget& in, const QString& text)
{
    for (auto* button : in.findChildren<QAbstractButton*>())
        if (button->text() == text)
            return button->click();
    QFAIL(qPrintable("no button " + text));
}

} // namespace

class TstListingPanel : public QObject
{
    Q_OBJECT

private slots:
    void codeReplacesTheExplanation();
    void chosenLineShowsNumbersOfTheExample();
    void numbersFollowStepsAndEdits();
    void chosenLineIsLitInTheExample();
    void bothLanguagesAreThere();
    void severalListingsCanBeChosen();
    void wholeListingIsCopied();
    void everyExampleShowsCode();
    void labShowsNumbersOfItsExample();
    void optionsBringTheCodeBack();
    void linesAreReadableByName();
    void panelFitsBesideTheSteps();
    void manyStagesFitTheStepBar();
};

void TstListingPanel::codeReplacesTheExplanation()
{
    PanelFixture f;
    QVERIFY(!f.panel().isHidden() && f.side().visibleRegion().isEmpty());
    QVERIFY(f.code().hasFocus());
    press(f.panel(), "Close");
    QVERIFY(f.panel().isHidden() && !f.side().visibleRegion().isEmpty());
    f.page.showCode(true);
    QVERIFY(f.page.escape());
    QVERIFY(f.panel().isHidden());
    QVERIFY(!f.page.escape());
}

void TstListingPanel::chosenLineShowsNumbersOfTheExample()
{
    PanelFixture f;
    f.stage().finish();
    f.walkTo("weights");
    const QString values = valuesOf(f.panel());
    for (const char* number : {"0.4011", "0.1978", "0.5035", "0.2483", "sat"})
        QVERIFY2(values.contains(number), qPrintable(values));
    QVERIFY(childOf<TextLabel>(f.panel(), "listing-note").text().contains("add up to 1"));
    QCOMPARE(f.panel().listing()->name, std::string("attention"));
    f.walkTo("output");
    QVERIFY2(valuesOf(f.panel()).contains("0.6276"), qPrintable(valuesOf(f.panel())));
}

void TstListingPanel::numbersFollowStepsAndEdits()
{
    PanelFixture f;
    f.stage().restart();
    f.walkTo("scores");
    QVERIFY(valuesOf(f.panel()).contains('?'));
    f.stage().finish();
    QVERIFY(!valuesOf(f.panel()).contains('?'));
    QVERIFY(f.stage().setCell(f.stage().state().example.address("Q[0,0]"), "7").isEmpty());
    f.stage().finish();
    QVERIFY2(valuesOf(f.panel()).contains('7'), qPrintable(valuesOf(f.panel())));
}

void TstListingPanel::chosenLineIsLitInTheExample()
{
    PanelFixture f;
    f.stage().finish();
    QSignalSpy chosen(&f.panel(), &ListingPanel::matrixChosen);
    f.walkTo("scaled");
    QCOMPARE(chosen.back().front().toString(), QString("scaled"));
}

void TstListingPanel::bothLanguagesAreThere()
{
    PanelFixture f;
    QVERIFY(f.panel().isCpp());
    const auto has = [&](const char* text) {
        return std::ranges::any_of(f.code().lines(), [&](const CodeLine& line) {
            return line.code.contains(QLatin1String(text));
        });
    };
    QVERIFY(has("Tensor scores") && !has("torch.softmax"));
    press(f.panel(), "PyTorch");
    QVERIFY(!f.panel().isCpp());
    QVERIFY(has("torch.softmax") && !has("Tensor scores"));
    f.stage().finish();
    f.walkTo("weights");
    QVERIFY(valuesOf(f.panel()).contains("0.5035"));
}

void TstListingPanel::severalListingsCanBeChosen()
{
    PanelFixture f;
    auto* choice = f.panel().findChild<ChoiceBox*>();
    QVERIFY(choice->count() >= 3 && choice->isEnabled());
    choice->setCurrentIndex(choice->findText("Masked attention"));
    emit choice->activated(choice->currentIndex());
    QCOMPARE(f.panel().listing()->name, std::string("masks"));
    f.stage().finish();
    f.walkTo("masked");
    QVERIFY2(valuesOf(f.panel()).contains("does not show"), qPrintable(valuesOf(f.panel())));
    QVERIFY(f.stage().setSwitch("causal", true).isEmpty());
    f.stage().finish();
    QVERIFY2(valuesOf(f.panel()).contains("−∞"), qPrintable(valuesOf(f.panel())));
}

void TstListingPanel::wholeListingIsCopied()
{
    PanelFixture f;
    press(f.panel(), "PyTorch");
    press(f.panel(), "Copy");
    QCOMPARE(QGuiApplication::clipboard()->text().toStdString(),
             catalogueListing("attention").torch.text);
}

void TstListingPanel::everyExampleShowsCode()
{
    PanelFixture f;
    for (const ExampleEntry& entry : exampleCatalogue()) {
        f.page.choose(QString::fromStdString(entry.name));
        QVERIFY2(f.panel().listing(), entry.name.c_str());
        const auto& names = f.panel().listing()->examples;
        QVERIFY(std::ranges::find(names, entry.name) != names.end());
        f.stage().finish();
        QVERIFY(!valuesOf(f.panel()).isEmpty());
    }
}

void TstListingPanel::labShowsNumbersOfItsExample()
{
    SessionFixture f;
    LabPage page(f.session);
    page.resize(1222, 604);
    page.show();
    const auto& listing = childOf<ListingPanel>(page);
    for (const Lab& lab : labCatalogue()) {
        if (lab.isSlow || lab.usesModel)
            continue;
        page.choose(QString::fromStdString(lab.name));
        page.showCode(true);
        QVERIFY2(listing.listing(), lab.name.c_str());
    }
    page.choose("rotary");
    page.findChild<QPushButton*>("show-code")->click();
    const double score = workExample(exampleInputs("rope")).number("score[0,0]");
    QVERIFY2(valuesOf(listing).contains(QString::number(score, 'f', 4)),
             qPrintable(valuesOf(listing)));
    QVERIFY(page.escape() && listing.isHidden());
    QTRY_VERIFY(page.isSettled());
}

void TstListingPanel::optionsBringTheCodeBack()
{
    PanelFixture f;
    press(f.panel(), "PyTorch");
    f.walkTo("scaled");
    const QJsonObject options = f.page.options();
    ExamplePage other(f.session);
    other.setOptions(options);
    const auto& listing = childOf<ListingPanel>(other);
    QVERIFY(!listing.isHidden() && !listing.isCpp());
    QCOMPARE(listing.options(), f.panel().options());
    QJsonObject damaged = options;
    damaged["code"] = QJsonObject{{"name", "nothing"}, {"language", 7}, {"line", 99999}};
    other.setOptions(damaged);
    QCOMPARE(listing.listing()->name, std::string("attention"));
    damaged.remove("code");
    other.setOptions(damaged);
    QVERIFY(listing.isHidden());
}

void TstListingPanel::linesAreReadableByName()
{
    PanelFixture f;
    f.walkTo("scores");
    const QString read = f.code().accessibleDescription();
    QVERIFY2(read.contains("scores") && read.contains("[n, m]"), qPrintable(read));
    QVERIFY(!f.code().accessibleName().isEmpty());
}

void TstListingPanel::panelFitsBesideTheSteps()
{
    for (const double scale : {1.0, 1.4}) {
        PanelFixture f;
        applyTheme(*qApp, Theme::named(false, bodyFont(scale)));
        f.page.resize(1222, 604);
        QCoreApplication::processEvents();
        const int width = scale > 1.0 ? 1366 : 1194; // large type comes with a hidden rail
        f.page.resize(width, 604);
        QVERIFY2(f.page.minimumSizeHint().width() <= width,
                 qPrintable(QString::number(f.page.minimumSizeHint().width())));
        QVERIFY(f.stage().width() >= 320);
        for (const QWidget* part :
             {static_cast<const QWidget*>(&f.panel()), static_cast<const QWidget*>(&f.stage())})
            QVERIFY(f.page.rect().contains(part->geometry()));
    }
    applyTheme(*qApp, Theme::named(false, bodyFont()));
}

void TstListingPanel::manyStagesFitTheStepBar()
{
    for (const char* name : {"encoder-block", "kv-cache-steps", "adamw"}) {
        const WorkedExample example = workExample(exampleInputs(name));
        StepBarContent content;
        for (const WorkedStage& stage : example.stages)
            content.titles << QString::fromStdString(stage.title);
        const Theme theme = Theme::named(false, bodyFont());
        for (const double width : {600.0, 820.0})
            for (content.now = 0; content.now < content.titles.size(); ++content.now) {
                const StepBarLayout layout(QRectF(0, 0, width, 36), content, theme);
                const QRectF last = layout.circle(static_cast<int>(content.titles.size()) - 1);
                QVERIFY2(last.right() <= width + 0.5,
                         qPrintable(
                             QString("%1 %2 at %3").arg(name).arg(last.right()).arg(content.now)));
                QVERIFY(last.width() >= 15.0);
            }
    }
}

HEADSCOPE_WINDOW_TEST(TstListingPanel)

#include "tst_listing_panel.moc"

// labels: threads
#include "tests/support/patient.h"
#include "tests/support/qt_under_tsan.h"
#include "tests/support/test_program.h"
#include "tests/ui/child.h"
#include "tests/ui/pages/lab_fixture.h"
#include "tests/ui/pages/session_fixture.h"
#include "ui/pages/shared/figures/figure_file.h"
#include "ui/pages/shared/stages/lab_content.h"
#include "ui/pages/shared/stages/lab_controls.h"
#include "ui/pages/shared/stages/lab_panels.h"
#include "ui/pages/shared/stages/lab_stage.h"
#include "ui/widgets/charts/lines/line_chart.h"
#include "ui/widgets/controls/choice_box.h"
#include "ui/widgets/controls/segments.h"
#include "ui/widgets/controls/slider.h"
#include "ui/widgets/heatmap/heatmap_widget.h"
#include "ui/widgets/tables/fact_table.h"

#include <QCheckBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include <condition_variable>
#include <mutex>

using namespace headscope;
using namespace headscope::ui;
using headscope::ui::test::childOf;
using headscope::ui::test::everyImage;
using headscope::ui::test::everyLab;
using headscope::ui::test::labProblem;
using headscope::ui::test::SessionFixture;

namespace {

struct StageFixture
{
    explicit StageFixture(const LabPtr& lab = everyLab()) : stage(fixture.session)
    {
        stage.resize(860, 560);
        stage.setLab(lab);
        stage.show();
    }

    bool isReady() const { return headscope::ui::test::isLabReady(stage); }

    /// The editor of a control.
    template<class Editor>
    Editor* editor(const QString& name) const
    {
        return &childOf<Editor>(childOf<LabControls>(stage), name);
    }

    double square() const { return stage.result()->number("square").value; }

    SessionFixture fixture;
    LabStage stage;
};

/// Waits inside run() until it is stopped.
std::shared_ptr<Lab> endlessLab()
{
    auto lab = everyLab();
    lab->isSlow = true;
    lab->run = [](const LabSettings&, const LabContext& context,
                  const std::stop_token& stop) -> LabResult {
        context.progress(0.5);
        std::mutex mutex;
        std::condition_variable_any changed;
        std::unique_lock lock(mutex);
        changed.wait(lock, stop, [] { return false; });
        throw Cancelled();
    };
    return lab;
}

} // namespace

class TstLabStage : public QObject
{
    Q_OBJECT

private slots:

    void aLabAnswersAtOnceWithPicturesSentenceAndNumbers();
    void everyKindOfControlChangesTheAnswer();
    void theLastOfManyChangesIsShown();
    void badTextInANumberIsOneSentenceAndChangesNothing_data();
    void badTextInANumberIsOneSentenceAndChangesNothing();
    void whatTheLabThrowsStandsInThePlaceOfTheSentence();
    void slowLabsRunWhenAskedAndCanBeCancelled();
    void labsOfTheModelFollowTheSentence();
    void controlsCanBeHiddenAndPanelsPointedAt();
    void settingsAreTakenWholeOrNotAtAll();
    void picturesOfTheSameKindStay();
    void everyKindOfPictureIsOneTabStopThatReadsItself();
    void numbersInBracketsAreANumberColumn();
    void tablesBeginAtTheTopAndFollowTheirRow();
    void rowsShrinkBeforeTheTableScrolls();
    void theFigureHoldsAllPanelsAndNumbers();
    void vectorsKeepTheirTexts();
    void panelsScrollRatherThanShrink();
};

void TstLabStage::panelsScrollRatherThanShrink()
{
    StageFixture f;
    QTRY_VERIFY(f.isReady());
    const LabPanels& panels = f.stage.panels();
    for (const QSize& size : {QSize(860, 420), QSize(640, 360)}) {
        f.stage.resize(size);
        QTRY_VERIFY(panels.height() > panels.parentWidget()->height());
        for (const LabPanelBox* box : panels.boxes())
            QTRY_VERIFY(box->height() >= static_cast<int>(box->request().least.height()) - 1);
        QVERIFY(panels.fit() < 1.0);
    }
    f.stage.resize(1800, 1400);
    QTRY_COMPARE(panels.height(), panels.parentWidget()->height());
    QCOMPARE(panels.fit(), 1.0);
}

void TstLabStage::aLabAnswersAtOnceWithPicturesSentenceAndNumbers()
{
    StageFixture f;
    QSignalSpy finished(&f.stage, &LabStage::finished);
    QTRY_VERIFY(f.isReady());
    QVERIFY(!finished.isEmpty());
    QCOMPARE(f.square(), 16.0);
    QCOMPARE(f.stage.panels().boxes().size(), std::size_t{3});
    QCOMPARE(f.stage.settings().at("words"), std::string("unhappiness"));
    for (const LabPanelBox* box : f.stage.panels().boxes())
        QVERIFY(f.stage.panels().rect().contains(box->geometry()));
}

void TstLabStage::everyKindOfControlChangesTheAnswer()
{
    StageFixture f;
    QTRY_VERIFY(f.isReady());
    QSignalSpy changed(&f.stage, &LabStage::changed);
    auto* slider = f.editor<NamedSlider>("size");
    QTest::keyClick(slider, Qt::Key_Right);
    QTRY_VERIFY(f.isReady() && f.square() == 25.0);
    QTest::keyClick(slider, Qt::Key_F2);
    QTest::keyClicks(slider->findChild<QLineEdit*>(), "9");
    QTest::keyClick(slider->findChild<QLineEdit*>(), Qt::Key_Return);
    QTRY_VERIFY(f.isReady() && f.square() == 81.0);
    auto* segments = f.editor<SegmentBar>("kind");
    QTest::keyClick(segments->findChildren<QAbstractButton*>()[1], Qt::Key_Space);
    QTRY_VERIFY(f.isReady() && f.stage.result()->sentence.starts_with("flash"));
    auto* box = f.editor<QCheckBox>("causal");
    QTest::keyClick(box, Qt::Key_Space);
    QTRY_VERIFY(f.isReady() && f.stage.result()->sentence.starts_with("flash, causal"));
    auto* field = f.editor<QLineEdit>("words");
    field->selectAll();
    QTest::keyClicks(field, "abc");
    QTRY_VERIFY(f.isReady() && f.stage.result()->number("letters").value == 3.0);
    QCOMPARE(changed.size(), 7);
}

void TstLabStage::theLastOfManyChangesIsShown()
{
    StageFixture f;
    for (int size = 5; size <= 40; ++size)
        f.stage.setSettings({{"size", std::to_string(size)}});
    QTRY_VERIFY(f.isReady());
    QCOMPARE(f.square(), 1600.0);
    QCOMPARE(f.stage.settings().at("size"), std::string("40"));
}

void TstLabStage::badTextInANumberIsOneSentenceAndChangesNothing_data()
{
    QTest::addColumn<QString>("typed");
    for (const char* typed : {"abc", "", "nan", "inf", "1e300", "0", "-3", "65"})
        QTest::newRow(typed) << QString(typed);
}

void TstLabStage::badTextInANumberIsOneSentenceAndChangesNothing()
{
    QFETCH(QString, typed);
    StageFixture f;
    QTRY_VERIFY(f.isReady());
    QSignalSpy refused(&f.stage, &LabStage::refused);
    auto* slider = f.editor<NamedSlider>("size");
    QTest::keyClick(slider, Qt::Key_F2);
    auto* editor = slider->findChild<QLineEdit*>();
    editor->setText(typed);
    QTest::keyClick(editor, Qt::Key_Return);
    QCOMPARE(refused.size(), 1);
    QVERIFY(labProblem(f.stage).contains("Size"));
    QCOMPARE(labProblem(f.stage).count("\n"), 0);
    QTRY_VERIFY(f.stage.isSettled());
    QCOMPARE(f.square(), 16.0);
    QCOMPARE(slider->number(), 4.0);
}

void TstLabStage::whatTheLabThrowsStandsInThePlaceOfTheSentence()
{
    StageFixture f;
    QTRY_VERIFY(f.isReady());
    QSignalSpy failed(&f.stage, &LabStage::failed);
    f.stage.setSettings({{"words", "fail"}});
    QTRY_COMPARE(failed.size(), 1);
    QVERIFY(labProblem(f.stage).contains("the words fail"));
    QCOMPARE(f.stage.settings().at("words"), std::string("fail"));
    QVERIFY(f.stage.figure().subtitle.contains("Words unhappiness")); // of the last result
    QCOMPARE(f.stage.panels().boxes().size(), std::size_t{3});        // the old pictures stay
    f.stage.setSettings({{"words", "fine"}});
    QTRY_VERIFY(f.isReady());
    QVERIFY(labProblem(f.stage).isEmpty());
}

void TstLabStage::slowLabsRunWhenAskedAndCanBeCancelled()
{
    StageFixture f(endlessLab());
    QVERIFY(f.stage.isSettled());
    QVERIFY(!f.stage.result());
    const auto buttons = f.stage.findChildren<QPushButton*>();
    const auto shown = [&buttons](const QString& text) -> QPushButton* {
        for (QPushButton* button : buttons)
            if (button->text() == text && button->isVisible())
                return button;
        return nullptr;
    };
    QVERIFY(shown("Run"));
    QTest::keyClick(shown("Run"), Qt::Key_Space);
    QVERIFY(f.stage.isComputing());
    QTRY_VERIFY(shown("Cancel"));
    QTest::keyClick(shown("Cancel"), Qt::Key_Space);
    QTRY_VERIFY(!f.stage.isComputing());
    QVERIFY(labProblem(f.stage).isEmpty());
    QTRY_VERIFY(shown("Run"));
}

void TstLabStage::labsOfTheModelFollowTheSentence()
{
    auto lab = everyLab();
    lab->usesModel = true;
    StageFixture f(lab);
    f.fixture.session.document().setText("a new sentence");
    QTRY_VERIFY(f.isReady() && f.stage.result()->sentence.ends_with("a new sentence"));
    f.stage.hide();
    f.fixture.session.document().setText("while hidden");
    QVERIFY(!f.stage.isComputing());
    f.stage.show();
    QTRY_VERIFY(f.isReady() && f.stage.result()->sentence.ends_with("while hidden"));
}

void TstLabStage::controlsCanBeHiddenAndPanelsPointedAt()
{
    StageFixture f;
    QTRY_VERIFY(f.isReady());
    f.stage.hideControls({"size", "words"});
    QVERIFY(!f.editor<QWidget>("size")->isVisible());
    QVERIFY(f.editor<QWidget>("kind")->isVisible());
    f.stage.highlight({"Bars"});
    const auto& boxes = f.stage.panels().boxes();
    QVERIFY(boxes[0]->accessibleDescription().isEmpty());
    QCOMPARE(boxes[1]->accessibleDescription(), QString("Highlighted"));
    f.stage.setSettings({{"size", "5"}});
    QTRY_VERIFY(f.isReady());
    QCOMPARE(boxes[1]->accessibleDescription(), QString("Highlighted"));
    f.stage.hideControls({"size", "words", "kind", "causal"});
    QVERIFY(!childOf<LabControls>(f.stage).isVisible());
}

void TstLabStage::settingsAreTakenWholeOrNotAtAll()
{
    StageFixture f;
    const auto before = f.stage.settings();
    QVERIFY_EXCEPTION_THROWN(f.stage.setSettings({{"causal", "on"}, {"size", "none"}}), Error);
    QVERIFY(f.stage.settings() == before);
    QVERIFY_EXCEPTION_THROWN(f.stage.setLab(QString("no-such-lab")), Error);
}

void TstLabStage::picturesOfTheSameKindStay()
{
    StageFixture f;
    QTRY_VERIFY(f.isReady());
    const LabPlotWidget* chart = f.stage.panels().boxes()[0]->plot();
    const QRect place = f.stage.panels().boxes()[0]->geometry();
    f.stage.setSettings({{"size", "3"}});
    QTRY_VERIFY(f.isReady());
    QCOMPARE(f.stage.panels().boxes()[0]->plot(), chart);
    QCOMPARE(f.stage.panels().boxes()[0]->geometry(), place);
}

void TstLabStage::everyKindOfPictureIsOneTabStopThatReadsItself()
{
    for (const LabPanel& panel : everyImage(4)) {
        LabPanelBox box;
        box.setPanel(panel);
        box.resize(480, 320);
        box.show();
        std::vector<QWidget*> stops;
        for (QWidget* widget : box.findChildren<QWidget*>())
            if (widget->focusPolicy() != Qt::NoFocus && widget->isVisible() &&
                widget->focusProxy() == nullptr)
                stops.push_back(widget);
        const bool isTiles = std::holds_alternative<LabTiles>(panel.plot);
        QVERIFY2(stops.size() == (isTiles ? 3u : 1u), panel.title.c_str()); // with slider, button
        for (QWidget* stop : stops) {
            QAccessibleInterface* face = QAccessible::queryAccessibleInterface(stop);
            QVERIFY2(!face->text(QAccessible::Name).isEmpty(), panel.title.c_str());
        }
        const auto named = [&panel](QWidget* stop) {
            return stop->accessibleName() == QString::fromStdString(panel.title);
        };
        QVERIFY2(std::ranges::any_of(stops, named), panel.title.c_str());
        QVERIFY(!box.grab().isNull());
    }
}

void TstLabStage::numbersInBracketsAreANumberColumn()
{
    const LabTable table{{"Worker", "Round 1", "Words"}, {{"0", "(3)", "(a"}, {"1", "2", "("}}, -1};
    const auto columns = tableColumns(table, Theme::named(false, bodyFont()));
    QVERIFY(columns.at(1).isNumber);
    QVERIFY(!columns.at(2).isNumber);
}

/// What is chosen at first may be far below.
void TstLabStage::tablesBeginAtTheTopAndFollowTheirRow()
{
    LabPanelBox box;
    LabTable table{{"factor", "value"}, {}, 39};
    for (int row = 0; row < 40; ++row)
        table.rows.push_back({std::to_string(row), "1"});
    box.setPanel({"Table", "", table});
    box.show();
    box.resize(320, 240);
    QCoreApplication::processEvents();
    const auto& shown = *box.findChild<FactTable*>();
    QCOMPARE(shown.rowAt(0), 0);
    QCOMPARE(shown.chosen(), QStringList{"39"});
    table.current = 20;
    box.setPanel({"Table", "", table});
    const int row = shown.visualRect(shown.model()->index(20, 0)).center().y();
    QVERIFY(row > 0 && row < shown.viewport()->height());
}

void TstLabStage::rowsShrinkBeforeTheTableScrolls()
{
    LabPanelBox box;
    LabTable table{{"factor", "value"}, {}, 6};
    for (int row = 0; row < 7; ++row)
        table.rows.push_back({std::to_string(row), "1"});
    box.setPanel({"Table", "", table});
    box.show();
    const auto& shown = *box.findChild<FactTable*>();
    for (const auto& [height, row] : {std::pair(400, 32), {280, 28}, {200, 26}}) {
        box.resize(320, height);
        QCoreApplication::processEvents();
        QVERIFY2(std::abs(shown.rowHeight(0) - row) <= 1,
                 qPrintable(QString::number(shown.rowHeight(0))));
        QCOMPARE(shown.rowAt(0), 0);
    }
}

void TstLabStage::theFigureHoldsAllPanelsAndNumbers()
{
    StageFixture f(everyLab(0, 4));
    QVERIFY(!f.stage.figure().paint);
    QTRY_VERIFY(f.isReady());
    const Figure figure = f.stage.figure();
    QCOMPARE(figure.title, QString("Every control"));
    QVERIFY(figure.subtitle.contains("Size 4"));
    QVERIFY(figure.subtitle.contains("Causal mask off"));
    QCOMPARE(figure.numbers.size(), std::size_t{4}); // of a table none, and the lab's own
    QCOMPARE(figure.numbers[0].rows[0], QString("Square"));
    QCOMPARE(figure.numbers[0].values.at({0, 0}), 16.0F);
    QCOMPARE(figure.numbers[1].columns, (QStringList{"position", "first", "second"}));
    QCOMPARE(figure.numbers[1].values.at({3, 2}), 12.0F);
    QVERIFY(!figureImage(figure, {}).isNull());
}

void TstLabStage::vectorsKeepTheirTexts()
{
    QTemporaryDir folder;
    for (const std::size_t first : {std::size_t{0}, std::size_t{4}}) {
        StageFixture f(everyLab(first, 4));
        QTRY_VERIFY(f.isReady());
        const std::filesystem::path svg =
            std::filesystem::path(folder.path().toStdString()) / "lab.svg";
        saveFigure(f.stage.figure(), {}, svg);
        QFile file(QString::fromStdString(svg.string()));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QVERIFY(!text.contains("fill=\"\"")); // black text that some viewers lose
        for (const LabPanel& panel : f.stage.result()->panels)
            QVERIFY2(text.contains(panel.title.c_str()), panel.title.c_str());
        const std::filesystem::path pdf = svg.parent_path() / "lab.pdf";
        saveFigure(f.stage.figure(), {.dark = true}, pdf);
        QVERIFY(std::filesystem::file_size(pdf) > 4000);
    }
}

HEADSCOPE_WINDOW_TEST(TstLabStage)
#include "tst_lab_stage.moc"

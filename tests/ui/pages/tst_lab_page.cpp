// labels: threads
#include "core/io/checkpoint.h"
#include "tests/support/patient.h"
#include "tests/support/qt_under_tsan.h"
#include "tests/support/test_program.h"
#include "tests/ui/child.h"
#include "tests/ui/pages/lab_fixture.h"
#include "ui/pages/labs/lab_chooser.h"
#include "ui/pages/labs/lab_page.h"
#include "ui/pages/shared/stages/lab_panels.h"
#include "ui/pages/shared/stages/lab_stage.h"
#include "ui/session/session.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/tables/fact_table.h"

#include <QApplication>
#include <QDir>
#include <QJsonObject>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QtTest>

using namespace headscope;
using namespace headscope::ui;
using headscope::ui::test::childOf;
using headscope::ui::test::everyLab;
using headscope::ui::test::labProblem;

namespace {

constexpr QSize kPageAt1366{1222, 604}; ///< without rail, menu, sentence, tokens and status

constexpr int kCellPadding = 8; ///< On either side of a table's text.

/// With the shipped models, which some labs open.
LoadedModel shippedModel(const std::string& name)
{
    const std::string folder = name.substr(name.find(':') + 1);
    LoadedModel model = loadCheckpoint(std::filesystem::path(HEADSCOPE_SOURCE_DIR) /
                                       "resources/models" / folder / "model.safetensors");
    model.name = name;
    return model;
}

struct ViewFixture
{
    ViewFixture() : session({}, shippedModel), view(session)
    {
        applyTheme(*qApp, Theme::named(qEnvironmentVariable("HEADSCOPE_THEME") == "dark",
                                       bodyFont(presenterScale())));
        session.computation().setDevice("cpu");
        session.document().replaceText("The keys of the old house are");
        session.models().open("builtin:stories");
        view.resize(kPageAt1366);
        view.show();
    }

    static double presenterScale()
    {
        const double scale = qEnvironmentVariable("HEADSCOPE_PRESENTER").toDouble();
        return scale > 0.0 ? scale : 1.0;
    }

    LabStage& stage() const { return childOf<LabStage>(view); }

    FactTable& numbers() const { return childOf<FactTable>(view, "numbers"); }

    TextLabel& answer() const { return childOf<TextLabel>(view, "answer"); }

    bool isReady() { return view.isSettled() && headscope::ui::test::isLabReady(stage()); }

    Session session;
    LabPage view;
};

/// The labs of the list, without the titles of its groups.
QStringList namesIn(const QListWidget& list)
{
    QStringList names;
    for (int row = 0; row < list.count(); ++row)
        if (const QVariant name = list.item(row)->data(Qt::UserRole); name.isValid())
            names << name.toString();
    return names;
}

} // namespace

class TstLabView : public QObject
{
    Q_OBJECT

private slots:

    void theAnswerHoldsTheNumbersOfTheResult()
    {
        ViewFixture f;
        f.view.showLab(everyLab());
        QTRY_VERIFY(f.isReady());
        QVERIFY(!f.answer().isVisible());
        QTest::keyClick(f.view.findChild<QPushButton*>("showAnswer"), Qt::Key_Space);
        QVERIFY(f.answer().isVisible());
        QCOMPARE(f.answer().text(), QString("It makes 16 of it."));
        f.stage().setSettings({{"size", "5"}});
        QTRY_COMPARE(f.answer().text(), QString("It makes 25 of it."));
    }

    void longNamesOfNumbersAreShownWhole()
    {
        ViewFixture f;
        auto lab = everyLab();
        const auto run = lab->run;
        const std::string longName = "Bytes of the cache with one key head for each query head";
        lab->run = [run, longName](const LabSettings& settings, const LabContext& context,
                                   const std::stop_token& stop) {
            LabResult result = run(settings, context, stop);
            result.numbers.push_back({"long", longName, 12345678.0, {}, false});
            return result;
        };
        f.view.showLab(lab);
        QTRY_VERIFY(f.isReady());
        const FactTable& numbers = f.numbers();
        const auto last = static_cast<int>(numbers.rows().size()) - 1;
        QTRY_COMPARE(numbers.rows().back().texts.front(), QString::fromStdString(longName));
        const QFontMetrics font(Theme::of(numbers).bold(TextRole::Table));
        const int room = numbers.columnWidth(0) - 2 * kCellPadding;
        QVERIFY(font.horizontalAdvance(QString::fromStdString(longName)) > room); // several lines
        const QRect needed = font.boundingRect(0, 0, room, 10'000, Qt::TextWordWrap,
                                               QString::fromStdString(longName));
        QVERIFY(needed.width() <= room);
        QTRY_VERIFY(numbers.rowHeight(last) >= needed.height());
        QVERIFY(numbers.rowHeight(0) < numbers.rowHeight(last));
    }

    void theFirstNumberIsLargeAndMeasuredOnesAreMarked()
    {
        ViewFixture f;
        f.view.showLab(everyLab());
        QTRY_VERIFY(f.isReady());
        const auto& rows = f.numbers().rows();
        QCOMPARE(rows.size(), std::size_t{2});
        QCOMPARE(rows[0].texts[0], QString("Letters"));
        QVERIFY(rows[1].texts[0].contains("measured here"));
    }

    void everyLabIsFoundByTyping()
    {
        ViewFixture f;
        auto& list = childOf<LabList>(f.view);
        auto& field = childOf<QLineEdit>(list);
        const auto& shown = childOf<QListWidget>(list);
        std::size_t labs = 0;
        for (const LabGroup& group : labGroups())
            labs += group.labs.size();
        QCOMPARE(labs, labCatalogue().size());
        QVERIFY(labs >= 2);
        QTest::keyClick(&childOf<QPushButton>(childOf<LabChooser>(f.view)), Qt::Key_Space);
        QVERIFY(list.isVisible());
        QCOMPARE(namesIn(shown).size(), static_cast<int>(labs));
        const Lab& wanted = labCatalogue().back();
        field.setText(QString::fromStdString(wanted.title));
        QVERIFY(namesIn(shown).contains(QString::fromStdString(wanted.name)));
        QVERIFY(namesIn(shown).size() < static_cast<int>(labs));
        while (shown.currentItem()->data(Qt::UserRole).toString().toStdString() != wanted.name)
            QTest::keyClick(&field, Qt::Key_Down);
        QTest::keyClick(&field, Qt::Key_Return);
        QCOMPARE(f.stage().lab()->name, wanted.name);
        QVERIFY(!list.isVisible());
        list.open({});
        field.setText("no lab is called so");
        QVERIFY(namesIn(shown).isEmpty());
        QTest::keyClick(&field, Qt::Key_Return);
        QTest::keyClick(&field, Qt::Key_Escape);
        QVERIFY(!list.isVisible());
    }

    void nextAndBeforeGoThroughTheCatalogue()
    {
        const auto labs = labCatalogue();
        QVERIFY(labs.size() >= 2);
        ViewFixture f;
        QCOMPARE(f.stage().lab()->name, labs[0].name);
        auto& chooser = childOf<LabChooser>(f.view);
        chooser.step(1);
        QCOMPARE(f.stage().lab()->name, labs[1].name);
        chooser.step(-1);
        chooser.step(-1);
        QCOMPARE(f.stage().lab()->name, labs[0].name);
    }

    void optionsBringTheLabAndItsSettingsBack()
    {
        const auto labs = labCatalogue();
        QVERIFY(!labs.empty());
        ViewFixture first;
        first.view.choose(QString::fromStdString(labs.back().name));
        const QJsonObject options = first.view.options();
        ViewFixture second;
        second.view.setOptions(options);
        QCOMPARE(second.stage().lab()->name, labs.back().name);
        QVERIFY(second.stage().settings() == first.stage().settings());
        QSignalSpy reported(&second.view, &LabPage::messageWanted);
        second.view.setOptions({{"lab", "nonsense"}, {"settings", QJsonObject{{"no", "such"}}}});
        QCOMPARE(second.stage().lab()->name, labs.back().name);
        QCOMPARE(reported.size(), 1);
    }

    void onlyPitfallsOfferTheExperiments()
    {
        ViewFixture f;
        auto lab = everyLab();
        f.view.showLab(lab);
        auto& button = *f.view.findChild<QPushButton*>("experiments");
        QVERIFY(!button.isVisible());
        auto pitfalls = everyLab();
        pitfalls->name = "pitfalls";
        f.view.showLab(pitfalls);
        QVERIFY(button.isVisible());
        QSignalSpy wanted(&f.view, &Page::pageWanted);
        QTest::keyClick(&button, Qt::Key_Space);
        QCOMPARE(wanted.front().front().toString(), QString("experiments"));
    }

    void everyLabOfTheCatalogueAnswersAndFits_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("none") << QString();
        for (const Lab& lab : labCatalogue())
            QTest::newRow(lab.name.c_str()) << QString::fromStdString(lab.name);
    }

    /// With HEADSCOPE_PICTURES=folder each of them is kept, to be looked at.
    void everyLabOfTheCatalogueAnswersAndFits()
    {
        QFETCH(QString, name);
        if (name.isEmpty())
            return;
        ViewFixture f;
        const QString folder = qEnvironmentVariable("HEADSCOPE_PICTURES");
        QTRY_VERIFY(f.session.model().model);
        f.view.choose(name);
        const bool isSlow = f.stage().lab()->isSlow;
        if (!isSlow) {
            QTRY_VERIFY_WITH_TIMEOUT(f.isReady() || !labProblem(f.stage()).isEmpty(), 60'000);
            QVERIFY2(labProblem(f.stage()).isEmpty(), qPrintable(labProblem(f.stage())));
        } else if (!folder.isEmpty() && qEnvironmentVariableIsSet("HEADSCOPE_SLOW")) {
            f.stage().run();
            QTRY_VERIFY_WITH_TIMEOUT(f.isReady() || !labProblem(f.stage()).isEmpty(), 120'000);
        }
        if (!folder.isEmpty()) {
            f.view.findChild<QPushButton*>("showAnswer")->click();
            QTest::qWait(50);
            f.view.grab().save(QDir(folder).filePath(name + ".png"));
        }
        QVERIFY(f.view.width() <= kPageAt1366.width() && f.view.height() <= kPageAt1366.height());
        for (const LabPanelBox* box : f.stage().panels().boxes())
            QVERIFY2(f.stage().panels().rect().contains(box->geometry()),
                     box->panel().title.c_str());
    }
};

HEADSCOPE_WINDOW_TEST(TstLabView)
#include "tst_lab_page.moc"

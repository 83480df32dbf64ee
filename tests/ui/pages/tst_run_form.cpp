// links: core/experiments
// labels: threads
#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/experiments/task_baseline.h"
#include "core/model/config/presets.h"
#include "core/model/config/size_report.h"
#include "tests/support/catalogue_task.h"
#include "tests/support/patient.h"
#include "tests/support/qt_under_tsan.h"
#include "tests/support/test_program.h"
#include "tests/ui/child.h"
#include "tests/ui/pages/session_fixture.h"
#include "ui/pages/runs/draft_files.h"
#include "ui/pages/runs/run_form_page.h"
#include "ui/pages/runs/settings_search.h"
#include "ui/pages/shared/runs/run_form_content.h"
#include "ui/session/runs/run_draft.h"
#include "ui/widgets/charts/lines/line_chart.h"
#include "ui/widgets/controls/choice_box.h"
#include "ui/widgets/controls/setting_row.h"
#include "ui/widgets/labels.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

using namespace headscope;
using namespace headscope::ui;
using headscope::test::catalogueTask;
using headscope::ui::test::childOf;
using headscope::ui::test::SessionFixture;

Q_DECLARE_METATYPE(headscope::TrainingConfig)

namespace {

struct FormFixture
{
    FormFixture() : view(session())
    {
        view.resize(1200, 720);
        view.chooseTask("repeat");
        view.show();
    }

    Session& session() { return fixture.session; }

    RunDraft& draft() const { return childOf<RunDraft>(view); }

    DraftFiles& files() const { return childOf<DraftFiles>(view); }

    QLineEdit& search() const { return childOf<QLineEdit>(childOf<SettingsSearch>(view)); }

    QPushButton& startButton() const { return childOf<QPushButton>(view, "startRun"); }

    const LineChartContent& schedule() const { return childOf<LineChart>(view).content(); }

    /// Why the run cannot be started.
    QString problem() const { return childOf<TextLabel>(view, "problem").text(); }

    QLineEdit& field(const QString& key) const { return childOf<QLineEdit>(*view.row(key)); }

    /// Help or error beside a setting.
    QString note(const QString& key) const
    {
        return childOf<TextLabel>(*view.row(key), "note").text();
    }

    /// Types into the field of a setting as a person would.
    void type(const QString& key, const QString& text)
    {
        QLineEdit& edit = field(key);
        edit.setFocus();
        edit.selectAll();
        QTest::keyClick(&edit, Qt::Key_Delete);
        QTest::keyClicks(&edit, text);
        QCoreApplication::processEvents();
    }

    SessionFixture fixture;
    RunFormPage view;
};

void collectKeys(const nlohmann::json& value, const QString& key, QStringList& keys)
{
    if (!value.is_object()) {
        keys << key;
        return;
    }
    for (const auto& [name, part] : value.items())
        collectKeys(part,
                    key.isEmpty() ? QString::fromStdString(name)
                                  : key + '.' + QString::fromStdString(name),
                    keys);
}

} // namespace

class TstRunForm : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase() { qRegisterMetaType<TrainingConfig>(); }

    void everySettingHasAField();
    void defaultsAreWhatTheFormSaysTheyAre();
    void aTaskFillsTheFormWithItsConfiguration();
    void badValuesAreAnsweredByTheCoreBesideTheField();
    void aFaultStaysWithItsField();
    void typingIsOneStepThatCanBeUndone();
    void whatFollowsFromAWidthFollows();
    void theScheduleIsDrawnAsItWillBe();
    void sizesAndTimeAreMeasured();
    void theSearchFindsSettings();
    void badTextFilesAreAnsweredInOneSentence();
    void filesAreThoseOfHeadscopeTrain();
    void startingGivesTheConfiguration();
};

void TstRunForm::everySettingHasAField()
{
    QStringList known;
    for (const RunField& field : runFields())
        known << field.key;
    QCOMPARE(QSet<QString>(known.begin(), known.end()).size(), known.size());
    for (const char* preset : {"minigpt", "bert-toy", "t5-toy", "llama-toy", "transformer-base"}) {
        const std::string text =
            std::string(R"({"model": {"preset": ")") + preset + R"("}, "objective": ")" +
            (presetConfig(preset).isEncoderDecoder()                      ? "seq2seq"
             : presetConfig(preset).architecture == Architecture::Encoder ? "masked"
                                                                          : "causal") +
            "\"}";
        QStringList keys;
        collectKeys(toJson(parseTrainingConfig(text, "test")), {}, keys);
        for (const QString& key : keys)
            QVERIFY2(known.contains(key), qPrintable(key));
    }
    // A key of the form that the core does not know would be refused as such.
    FormFixture form;
    for (const RunField& field : runFields()) {
        form.draft().set(field.key, "?");
        QVERIFY2(!form.draft().error().contains("unknown", Qt::CaseInsensitive),
                 qPrintable(field.key + ": " + form.draft().error()));
        form.session().document().undoStack().undo();
    }
}

void TstRunForm::defaultsAreWhatTheFormSaysTheyAre()
{
    FormFixture form;
    for (const RunField& field : runFields()) {
        if (field.absent.isEmpty() || form.draft().isGiven(field.key))
            continue;
        const nlohmann::json before = toJson(form.draft().config());
        if (field.key.startsWith("model.mla")) // a latent of rank 0 is refused once it is named
            continue;
        form.draft().set(field.key, field.absent);
        QVERIFY2(form.draft().isValid(), qPrintable(field.key + ": " + form.draft().error()));
        QVERIFY2(toJson(form.draft().config()) == before, qPrintable(field.key));
        form.session().document().undoStack().undo();
    }
}

void TstRunForm::aTaskFillsTheFormWithItsConfiguration()
{
    FormFixture form;
    for (const CatalogueTask& task : taskCatalogue()) {
        if (task.needsText)
            continue;
        form.view.chooseTask(QString::fromStdString(task.name));
        QCOMPARE(toJson(form.draft().config()), toJson(task.config));
        QCoreApplication::processEvents();
        QCOMPARE(childOf<ChoiceBox>(form.view, "tasks").currentText(),
                 QString::fromStdString(task.title));
        QCOMPARE(form.field("steps").text(), QString::number(task.config.steps));
    }
}

void TstRunForm::badValuesAreAnsweredByTheCoreBesideTheField()
{
    FormFixture form;
    form.type("optimizer.lr", "1e9");
    QString expected;
    try {
        nlohmann::json json = toJson(form.draft().config());
        json["optimizer"]["lr"] = 1e9;
        trainingConfigFromJson(json, "x");
    } catch (const Error& error) {
        expected = QString::fromStdString(error.problem());
    }
    QVERIFY(expected.contains("lr"));
    QTRY_VERIFY(form.note("optimizer.lr").startsWith(expected));
    QVERIFY(form.note("optimizer.lr").contains("1000"));
    QVERIFY(!form.startButton().isEnabled());
    form.type("optimizer.lr", "abc");
    QTRY_VERIFY(form.note("optimizer.lr").contains("abc"));
    form.type("optimizer.lr", "0.01");
    QTRY_VERIFY(form.startButton().isEnabled());
    QCOMPARE(form.draft().config().optimizer.learningRate, 0.01);
}

void TstRunForm::aFaultStaysWithItsField()
{
    FormFixture form;
    form.draft().set("model.n_heads", "7"); // does not divide the width
    QCOMPARE(form.draft().errorKey(), QString("model.n_heads"));
    form.draft().set("steps", "50");
    QCOMPARE(form.draft().errorKey(), QString("model.n_heads"));
    form.draft().set("model.n_heads", "2");
    QVERIFY(form.draft().isValid());
    QCOMPARE(form.draft().config().steps, 50);
    QCOMPARE(form.draft().config().model.heads, 2);
}

void TstRunForm::typingIsOneStepThatCanBeUndone()
{
    FormFixture form;
    const std::int64_t before = form.draft().config().steps;
    const int steps = form.session().document().undoStack().index();
    form.type("steps", "1234");
    QCOMPARE(form.draft().config().steps, 1234);
    QCOMPARE(form.session().document().undoStack().index(), steps + 1);
    form.type("batch_size", "3");
    QCOMPARE(form.session().document().undoStack().index(), steps + 2);
    form.session().document().undoStack().undo();
    form.session().document().undoStack().undo();
    QCOMPARE(form.draft().config().steps, before);
    QTRY_COMPARE(form.field("steps").text(), QString::number(before));
    form.session().document().undoStack().redo();
    QCOMPARE(form.draft().config().steps, 1234);
}

void TstRunForm::whatFollowsFromAWidthFollows()
{
    FormFixture form;
    form.view.chooseTask("reverse");
    form.draft().set("steps", "77");
    QCOMPARE(form.draft().config().schedule.totalSteps, 77); // the schedule ends with the run
    form.draft().set("model.d_model", "96");
    form.draft().set("model.d_ff", "");
    QCOMPARE(form.draft().config().model.dFf, 4 * 96);
    form.draft().set("schedule.total_steps", "40");
    form.draft().set("steps", "100");
    QCOMPARE(form.draft().config().schedule.totalSteps, 40);
    form.draft().set("optimizer.clip_norm", "none");
    QVERIFY(!form.draft().config().optimizer.clipNorm.has_value());
}

void TstRunForm::theScheduleIsDrawnAsItWillBe()
{
    FormFixture form;
    form.view.chooseTask("reverse");
    form.draft().set("steps", "300");
    const TrainingConfig& config = form.draft().config();
    QTRY_COMPARE(form.schedule().curves.front().points.size(), std::size_t{300});
    const auto& points = form.schedule().curves.front().points;
    const auto rates = config.schedule.curve(config.optimizer.learningRate, 300);
    for (std::size_t step = 0; step < rates.size(); ++step) {
        QCOMPARE(points[step].x(), static_cast<double>(step));
        QCOMPARE(points[step].y(), rates[step]);
    }
    form.draft().set("steps", "1000000000000"); // is not drawn step by step
    QVERIFY(form.draft().isValid());
    QVERIFY(scheduleChart(form.draft().config()).curves.front().points.size() < 1100);
}

void TstRunForm::sizesAndTimeAreMeasured()
{
    FormFixture form;
    form.view.chooseTask("reverse");
    QTRY_VERIFY_WITH_TIMEOUT(form.view.estimate().isComplete, 60000);
    const RunEstimate& estimate = form.view.estimate();
    QCOMPARE(estimate.problem, QString());
    const PreparedData data = prepareData(form.draft().config());
    QCOMPARE(estimate.vocabulary, data.model.vocabularySize);
    QCOMPARE(estimate.parameters, Model::initialised(data.model, 1).parameters().parameterCount());
    QCOMPARE(estimate.bytes, trainingBytes(data.model, static_cast<std::int64_t>(workerCount())));
    QVERIFY(estimate.secondsPerStep > 0.0);
    QVERIFY(estimate.stepsTimed >= 2);
    QCOMPARE(estimate.rowsTimed, form.draft().config().batchSize);
    QVERIFY(estimate.baseline.has_value());
    QCOMPARE(estimate.baseline->value, taskBaseline(form.draft().config(), data).value);
    bool isShown = false;
    for (const QLabel* label : form.view.findChildren<QLabel*>())
        isShown = isShown || label->text() == count(estimate.parameters);
    QVERIFY(isShown);
    form.draft().set("model.d_model", "8192");
    form.draft().set("model.n_layers", "90");
    QTRY_VERIFY_WITH_TIMEOUT(form.view.estimate().isComplete, 60000);
    QVERIFY(!form.view.estimate().problem.isEmpty()); // too large to try
    QCOMPARE(form.view.estimate().secondsPerStep, 0.0);
}

void TstRunForm::theSearchFindsSettings()
{
    FormFixture form;
    QVERIFY(!form.view.row("model.attention_dropout")->isVisible());
    QVERIFY(form.view.row("model.dropout")->isVisible());
    form.search().setText("dropout");
    QVERIFY(form.view.row("model.attention_dropout")->isVisible());
    QVERIFY(!form.view.row("steps")->isVisible());
    form.search().setText("weight_decey");
    bool isNamed = false;
    for (const QLabel* label : form.view.findChildren<QLabel*>())
        isNamed = isNamed || (label->isVisible() && label->text().contains("weight_decay"));
    QVERIFY(isNamed);
    QTest::keyClick(&form.view, Qt::Key_Escape);
    QVERIFY(form.view.row("steps")->isVisible());
}

void TstRunForm::badTextFilesAreAnsweredInOneSentence()
{
    FormFixture form;
    QTemporaryDir folder;
    const auto file = [&](const char* name, const std::string& text) {
        const QString path = folder.filePath(name);
        std::ofstream(path.toStdString(), std::ios::binary) << text;
        return path;
    };
    const std::pair<QString, const char*> cases[] = {
        {file("binary", std::string("ab\0cd", 5)), "zero byte"},
        {file("one", std::string(5000, 'x')), "consists only of"},
        {file("short", "a few words"), "one batch alone"},
        {folder.filePath("missing"), "missing"}};
    for (const auto& [path, words] : cases) {
        form.files().useText(path);
        QTRY_VERIFY_WITH_TIMEOUT(form.problem().contains(words), 20000);
        QTRY_VERIFY(!form.startButton().isEnabled());
        QCOMPARE(form.problem().count('\n'), 0);
    }
    std::string good;
    for (int line = 0; line < 4000; ++line)
        good += "line " + std::to_string(line * 7919 % 1000) + " tells another number\n";
    form.files().useText(file("good.txt", good));
    QTRY_VERIFY_WITH_TIMEOUT(form.view.estimate().parameters > 0, 20000);
    QTRY_COMPARE(form.problem(), QString());
    QCOMPARE(form.draft().name(), QString("good"));
}

void TstRunForm::filesAreThoseOfHeadscopeTrain()
{
    FormFixture form;
    QTemporaryDir folder;
    form.view.chooseTask("addition");
    form.draft().set("optimizer.lr", "0.0042");
    form.draft().set("label_smoothing", "0.1");
    const QString path = folder.filePath("mine.json");
    form.draft().save(path);
    QCOMPARE(toJson(loadTrainingConfig(path.toStdString())), toJson(form.draft().config()));
    form.view.chooseTask("repeat");
    form.files().useConfig(path);
    QCOMPARE(form.draft().config().optimizer.learningRate, 0.0042);
    QCOMPARE(form.draft().name(), QString("mine"));
    const QString bad = folder.filePath("bad.json");
    std::ofstream(bad.toStdString()) << R"({"optimizer": {"lrr": 1}})";
    form.files().useConfig(bad);
    bool isNamed = false;
    for (const QLabel* label : form.view.findChildren<QLabel*>())
        isNamed = isNamed || (label->text().contains("lrr") && label->text().contains("\"lr\""));
    QVERIFY(isNamed);
    QCOMPARE(form.draft().name(), QString("mine")); // nothing was lost
}

void TstRunForm::startingGivesTheConfiguration()
{
    FormFixture form;
    form.view.chooseTask("reverse");
    form.draft().set("seed", "12");
    std::optional<TrainingConfig> started;
    QString name;
    RunText probe;
    connect(&form.view, &RunFormPage::startWanted, &form.view,
            [&](const TrainingConfig& config, const QString& folder, const RunText& text) {
                started = config;
                name = folder;
                probe = text;
            });
    QTest::keyClick(&form.view, Qt::Key_Return, Qt::ControlModifier);
    QVERIFY(started.has_value());
    TrainingConfig expected = catalogueTask("reverse").config;
    expected.seed = 12;
    QCOMPARE(toJson(*started), toJson(expected));
    QCOMPARE(name, QString("reverse"));
    QCOMPARE(probe.text, catalogueTask("reverse").probe);
    started.reset();
    form.draft().set("seed", "-1");
    QTest::keyClick(&form.view, Qt::Key_Return, Qt::ControlModifier);
    QVERIFY(!started.has_value());
}

HEADSCOPE_WINDOW_TEST(TstRunForm)
#include "tst_run_form.moc"

// links: resources
#include "core/base/content_language.h"
#include "core/experiments/task_catalogue.h"
#include "resources/resource.h"
#include "tests/support/test_program.h"
#include "tests/support/tiny_model.h"
#include "ui/window/dialogs/settings_dialog.h"
#include "ui/window/frame/sentence_field.h"
#include "ui/window/frame/window_host.h"
#include "ui/window/workspaces/rail.h"
#include "ui/window/workspaces/workspaces.h"

#include <QMenuBar>
#include <QTest>
#include <QToolButton>

#include <algorithm>

using namespace headscope;
using namespace headscope::ui;

namespace {

const QString kFile = QString::fromUtf8("\xE6\x96\x87\xE4\xBB\xB6");   // file
const QString kTotals = QString::fromUtf8("\xE6\x80\xBB\xE8\xA7\x88"); // overview

bool isChinese(const QString& text)
{
    return std::ranges::any_of(text, [](QChar c) { return c.script() == QChar::Script_Han; });
}

ApplicationServices services()
{
    ApplicationServices all;
    all.openModel = [](const std::string& name) {
        LoadedModel model = headscope::test::tinyModel();
        model.name = name;
        return model;
    };
    all.builtinModels = {"builtin:tiny"};
    all.device = "cpu";
    all.text = "the cat sat";
    all.translation = [](const std::string& locale) {
        return resourceText("translations/headscope_" + locale + ".qm")
            .value_or(std::string_view());
    };
    all.contentTranslation = [](const std::string& locale, const std::string& name) {
        return resourceText("translations/" + locale + "/" + name).value_or(std::string_view());
    };
    return all;
}

/// argc and argv of a program without arguments.
struct Arguments
{
    int count = 1;
    char name[10] = "headscope";
    char* values[2] = {name, nullptr};
};

struct Program
{
    Program() { connectHosts(application, host, given); }

    QString firstMenu() { return host.window().menuBar()->actions().front()->text(); }

    QString firstPage() { return host.window().workspaces().descriptors().front().title; }

    ApplicationServices given = services();
    Arguments arguments;
    ApplicationHost application{arguments.count, arguments.values, "test"};
    WindowHost host{given, std::make_unique<Settings>(Settings::Storage::Memory)};
};

} // namespace

/// The program creates the QApplication, so this test has none.
class TstLanguage : public QObject
{
    Q_OBJECT

private slots:
    void aLanguageIsChosenWithoutARestart();
};

void TstLanguage::aLanguageIsChosenWithoutARestart()
{
    if (!resourceText("translations/headscope_zh_CN.qm"))
        QSKIP("built without Qt Linguist's tools");
    Program program;
    WindowHost& host = program.host;
    host.openFirstModel(program.given);
    host.window().resize(1200, 750);
    host.window().show();
    host.window().showPage("positions");
    host.session().document().replaceText("the cat sat on the mat");
    QTRY_VERIFY(host.session().traceA() && !host.session().computation().isStale());
    const int undo = host.session().document().undoStack().count();
    const QSize size = host.window().size();
    const QString english = program.firstMenu();
    const std::string task = taskCatalogue().front().title;
    QVERIFY(!english.startsWith(kFile));
    QCOMPARE(program.firstPage(), QString("Overview"));
    (new SettingsDialog(host.session(), host.settings(), &host.window()))->show();

    host.settings().set(Setting::Language, "zh_CN");
    QTRY_VERIFY(program.firstMenu().startsWith(kFile));
    QCOMPARE(program.firstPage(), kTotals);
    QCOMPARE(contentLocale(), std::string("zh_CN"));
    QVERIFY(taskCatalogue().front().title != task);
    QCOMPARE(host.window().page(), QString("positions"));
    QCOMPARE(host.session().text(), QString("the cat sat on the mat"));
    QCOMPARE(host.window().sentence().text(), QString("the cat sat on the mat"));
    QCOMPARE(host.session().document().undoStack().count(), undo);
    QCOMPARE(host.window().size(), size);
    QVERIFY(host.window().isVisible());
    QVERIFY(host.window().findChild<SettingsDialog*>()->isVisible());
    host.window().showPage("what-if"); // its first visit
    QVERIFY(isChinese(host.window().workspaces().current().accessibleName()));
    const auto buttons = host.window().workspaces().current().findChildren<QToolButton*>();
    QVERIFY(std::ranges::any_of(
        buttons, [](const QToolButton* button) { return isChinese(button->text()); }));
    host.window().showPage("positions");

    host.session().document().undoStack().undo();
    host.settings().set(Setting::Language, "en");
    QTRY_COMPARE(program.firstMenu(), english);
    QCOMPARE(program.firstPage(), QString("Overview"));
    QCOMPARE(taskCatalogue().front().title, task);
    QCOMPARE(host.window().page(), QString("positions"));
    QCOMPARE(host.session().text(), QString("the cat sat"));
}

HEADSCOPE_TEST_WITHOUT_APPLICATION(TstLanguage)
#include "tst_language.moc"

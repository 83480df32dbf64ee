// labels: threads
#include "core/base/file.h"
#include "core/lessons/manual/manual.h"
#include "tests/support/qt_under_tsan.h"
#include "tests/support/test_program.h"
#include "tests/ui/child.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/session/lessons/lesson_run.h"
#include "ui/window/actions/window_actions.h"
#include "ui/window/dialogs/manual_desk.h"
#include "ui/window/dialogs/manual_dialog.h"
#include "ui/window/workspaces/pages.h"

#include <QDir>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QTextBrowser>
#include <QtTest>

using namespace headscope;
using namespace headscope::ui;
using headscope::ui::test::childOf;
using headscope::ui::test::shownTexts;
using headscope::ui::test::WindowFixture;

namespace {

const QString kFolder = QStringLiteral(HEADSCOPE_SOURCE_DIR "/resources/manual/");

QString read(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

std::shared_ptr<const Manual> manual()
{
    std::vector<ManualPage> pages;
    for (const QString& name : QDir(kFolder).entryList({"*.md"}, QDir::Files)) {
        if (name != "README.md")
            pages.push_back(
                {name.chopped(3).toStdString(), {}, {}, read(kFolder + name).toStdString()});
    }
    return std::make_shared<const Manual>(read(kFolder + "README.md").toStdString(), pages);
}

template<class Page>
void addPage(const Page& page, std::vector<Page>& pages)
{
    pages.push_back(page);
    if constexpr (requires { page.modes; }) {
        for (const Page& mode : page.modes)
            addPage(mode, pages);
    }
}

/// Every page of the window, and the modes of those that have several.
std::vector<PageDescriptor> allPages()
{
    std::vector<PageDescriptor> pages;
    for (const PageDescriptor& page : pageDescriptors())
        addPage(page, pages);
    return pages;
}

QString helpSentence(const QString& text)
{
    const qsizetype end = text.indexOf(". ");
    return end < 0 ? text : text.left(end + 1);
}

struct Fixture : WindowFixture
{
    Fixture() { window->manual().setManual(manual()); }

    void trigger(const QString& id) { window->findChild<WindowActions*>()->action(id).trigger(); }

    ManualDialog& dialog() { return *window->findChild<ManualDialog*>(); }

    /// Title of the shown page.
    QString title() { return childOf<QTextBrowser>(dialog()).toPlainText().section('\n', 0, 0); }
};

} // namespace

class TstManual : public QObject
{
    Q_OBJECT

private slots:
    void everyPageOfTheWindowHasOneThatBeginsLikeItsHelp();
    void everyLinkToAPageOfTheWindowLeadsThere();
    void f1OpensThePageOfThePage();
    void searchListsWhatMatches();
    void linksOpenPagesOfManualAndWindow();
    void backReturnsToThePageBefore();
    void thePaletteFindsPages();
    void withoutManualTheActionsAreDisabled();
};

/// HEADSCOPE_UPDATE_MANUAL=1 writes the sentences of the descriptors into the manual.
void TstManual::everyPageOfTheWindowHasOneThatBeginsLikeItsHelp()
{
    const auto pages = manual();
    for (const PageDescriptor& descriptor : allPages()) {
        const ManualPage* page = pages->find(descriptor.name.toStdString());
        QVERIFY2(page, qPrintable(descriptor.name));
        QCOMPARE(page->name, descriptor.name.toStdString());
        const QString sentence = QString::fromStdString(headscope::firstSentence(*page));
        const QString wanted = helpSentence(descriptor.help);
        if (sentence != wanted && qEnvironmentVariableIsSet("HEADSCOPE_UPDATE_MANUAL")) {
            QFile file(kFolder + descriptor.name + ".md");
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(QString::fromStdString(page->text).replace(sentence, wanted).toUtf8());
            continue;
        }
        QCOMPARE(sentence, wanted);
    }
}

void TstManual::everyLinkToAPageOfTheWindowLeadsThere()
{
    QStringList known;
    for (const PageDescriptor& page : allPages())
        known << "page:" + page.name;
    const auto shown = manual();
    for (const ManualPage& page : shown->pages()) {
        for (const std::string& link : markdownLinks(page.text)) {
            const QString target = QString::fromStdString(link);
            QVERIFY2(!target.startsWith("page:") || known.contains(target), link.c_str());
        }
    }
}

void TstManual::f1OpensThePageOfThePage()
{
    Fixture f;
    f.window->showPage("mask");
    f.trigger("help.page");
    QCOMPARE(f.title(), QString("Mask"));
    QVERIFY(f.dialog().findChild<QTextBrowser*>()->toPlainText().startsWith("Mask\n"));
    f.window->showPage("heads");
    f.trigger("help.page");
    QCOMPARE(f.window->findChildren<ManualDialog*>().size(), 1);
    QCOMPARE(f.title(), QString("Heads"));
    const auto& contents = *f.dialog().findChild<QListWidget*>();
    QCOMPARE(contents.currentItem()->text(), QString("Heads"));
}

void TstManual::searchListsWhatMatches()
{
    Fixture f;
    f.trigger("help.manual");
    QCOMPARE(f.title(), QString("First steps"));
    auto& contents = *f.dialog().findChild<QListWidget*>();
    const int all = contents.count();
    auto& search = *f.dialog().findChild<QLineEdit*>();
    search.setText("tuned lens");
    QVERIFY(contents.count() < all);
    QCOMPARE(contents.item(0)->text(), QString("Lens"));
    QTest::keyClick(&search, Qt::Key_Return);
    QCOMPARE(f.title(), QString("Lens"));
    search.setText("nothing of the kind");
    QCOMPARE(contents.count(), 1);
    QVERIFY(!contents.item(0)->flags().testFlag(Qt::ItemIsSelectable));
    search.clear();
    QCOMPARE(contents.count(), all);
    QCOMPARE(contents.currentItem()->text(), QString("Lens"));
}

void TstManual::linksOpenPagesOfManualAndWindow()
{
    Fixture f;
    f.trigger("help.manual");
    auto& text = *f.dialog().findChild<QTextBrowser*>();
    emit text.anchorClicked(QUrl("heads.md"));
    QCOMPARE(f.title(), QString("Heads"));
    emit text.anchorClicked(QUrl("page:positions"));
    QCOMPARE(f.window->page(), QString("positions"));
    const QSignalSpy links(&f.window->manual(), &ManualDesk::linkActivated);
    emit text.anchorClicked(QUrl("lesson:softmax"));
    QCOMPARE(links.front().front().toString(), QString("lesson:softmax"));
}

void TstManual::backReturnsToThePageBefore()
{
    Fixture f;
    f.window->manual().open("heads");
    auto& text = *f.dialog().findChild<QTextBrowser*>();
    emit text.anchorClicked(QUrl("metrics.md"));
    emit text.anchorClicked(QUrl("lens.md"));
    f.dialog().showPage("lens"); // already there
    QPushButton* back = nullptr;
    for (QPushButton* button : f.dialog().findChildren<QPushButton*>())
        back = button->text() == "Back" ? button : back;
    back->click();
    QCOMPARE(f.title(), QString("Metrics"));
    back->click();
    QCOMPARE(f.title(), QString("Heads"));
    QVERIFY(!back->isEnabled());
}

void TstManual::thePaletteFindsPages()
{
    Fixture f;
    f.trigger("help.anything");
    auto& palette = *f.window->findChild<CommandPalette*>();
    palette.findChild<QLineEdit*>()->setText("manual metrics");
    QVERIFY(shownTexts(palette).contains("manual: Metrics"));
}

void TstManual::withoutManualTheActionsAreDisabled()
{
    WindowFixture f;
    const auto& actions = *f.window->findChild<WindowActions*>();
    QVERIFY(!actions.action("help.manual").isEnabled());
    QVERIFY(!actions.action("help.page").isEnabled());
    f.window->manual().open("heads");
    QVERIFY(!f.window->findChild<ManualDialog*>());
}

HEADSCOPE_WINDOW_TEST(TstManual)
#include "tst_manual.moc"

#include "core/io/trace_file.h"
#include "core/text/chat/chat_input.h"
#include "tests/support/chat_model.h"
#include "tests/support/test_program.h"
#include "tests/ui/child.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/pages/next_token/next_token_page.h"
#include "ui/pages/shared/maps/hidden_tokens.h"
#include "ui/pages/shared/maps/map_content.h"
#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/widgets/text/token_strip.h"
#include "ui/window/actions/window_actions.h"
#include "ui/window/chat/chat_editor.h"
#include "ui/window/chat/turn_field.h"
#include "ui/window/chat/turn_row.h"
#include "ui/window/frame/document_bar.h"
#include "ui/window/frame/live_label.h"
#include "ui/window/frame/token_rows.h"
#include "ui/window/models/model_chooser.h"

#include <QAccessible>
#include <QCheckBox>
#include <QComboBox>
#include <QInputMethodEvent>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>

using namespace headscope;
using namespace headscope::ui;
using headscope::ui::test::childOf;
using headscope::ui::test::partOf;
using headscope::ui::test::WindowFixture;

namespace {

LoadedModel openChat(const std::string& name)
{
    LoadedModel model = name == "plain" ? headscope::test::tinyModel()
                        : name == "refuses"
                            ? headscope::test::chatModel("{{ raise_exception('No turns.') }}")
                            : headscope::test::chatModel();
    model.name = name;
    return model;
}

/// A window on a model that reads chats.
struct ChatFixture : WindowFixture
{
    ChatFixture() : WindowFixture({}, "cpu", openChat) {}

    DocumentBar& bar() const { return *window->findChild<DocumentBar*>(); }

    ChatEditor& chat() const { return bar().chat(); }

    TurnRow& row(std::size_t index) const
    {
        return childOf<TurnRow>(chat(), QString("turn%1").arg(index + 1));
    }

    QPushButton& replyButton() const { return childOf<QPushButton>(chat(), "reply"); }

    const std::vector<ChatTurn>& turns() { return session.document().chat().input.turns; }

    void switchOn()
    {
        QTRY_VERIFY(isPainted());
        QTest::mouseClick(&bar().chatSwitch(), Qt::LeftButton);
        QTRY_VERIFY(isPainted());
    }

    void openModel(const char* name)
    {
        session.models().open(name);
        QTRY_VERIFY(session.model().name == name && session.models().loadingName().isEmpty());
    }
};

/// What a screen reader says of each chip.
QStringList chipTexts(const ChatFixture& fixture)
{
    TokenStrip& strip = fixture.window->tokenRows().source();
    QAccessibleInterface* list = QAccessible::queryAccessibleInterface(&strip);
    QStringList texts;
    for (int chip = 0; chip < static_cast<int>(strip.chips().size()); ++chip)
        texts << list->child(chip)->text(QAccessible::Name);
    return texts;
}

} // namespace

class TstChatTurns : public QObject
{
    Q_OBJECT

private slots:
    void theSwitchBringsTheSentenceAsATurn();
    void theSwitchIsDisabledWithAReason();
    void turnsAreAddedEditedAndRemoved();
    void theKeyboardReachesEverything();
    void composedTextIsTakenWhenItIsCommitted();
    void aRefusalIsShownAsOneSentence();
    void theStripNamesTurnsAndMutesTheTemplate();
    void aTurnIsEditedAboveNotInTheStrip();
    void foldedTokensLeaveExactNumbers();
    void foldedMapsSayWhatIsHidden();
    void aReplyIsWrittenAndStopped();
    void theEditorFitsItsTurns();
    void undoKeepsTheFocusAmongTheTurns();
    void aRowIsOneLineOfControls();
    void aCapturedChatShowsItsTurns();
};

/// The bands of a trace file, and their names; gone with the trace.
void TstChatTurns::aCapturedChatShowsItsTurns()
{
    ChatFixture fixture;
    fixture.switchOn();
    const QStringList names = chipTexts(fixture);
    QVERIFY(names.filter(", User").size() > 0);
    const TracePtr live = fixture.session.traceA();
    QTemporaryDir folder;
    const QString file = folder.filePath("chat.safetensors");
    saveTrace(file.toStdString(), *live, *fixture.session.model().tokenizer, {"user"});
    fixture.window->openPath(file);
    QTRY_VERIFY(fixture.session.isCaptured());
    QCOMPARE(chipTexts(fixture).size(), names.size());
    QCOMPARE(chipTexts(fixture).filter(", User").size(), names.filter(", User").size());
    QVERIFY(isChat(fixture.session.traceA()->tokens()));
    const HeatmapContent map = headMap(fixture.session.viewSnapshot(), {}).map;
    QCOMPARE(map.rowTurns.size(), live->tokens().size());
    QCOMPARE(map.rowTurns.front(), kTemplateTurn);
    QVERIFY(std::count(map.rowTurns.begin(), map.rowTurns.end(), 0) > 0);
    fixture.openModel("plain");
    QVERIFY(chipTexts(fixture).filter(", User").isEmpty());
}

void TstChatTurns::theSwitchBringsTheSentenceAsATurn()
{
    ChatFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    QVERIFY(fixture.bar().sentence().isVisible() && !fixture.chat().isVisible());
    fixture.switchOn();
    QVERIFY(!fixture.bar().sentence().isVisible() && fixture.chat().isVisible());
    QCOMPARE(fixture.turns().size(), std::size_t{1});
    QCOMPARE(fixture.row(0).field().toPlainText(), QString("the cat sat"));
    QVERIFY(fixture.bar().chatSwitch().isChecked());
    QTest::mouseClick(&fixture.bar().chatSwitch(), Qt::LeftButton);
    QVERIFY(fixture.bar().sentence().isVisible() && !fixture.chat().isVisible());
    QCOMPARE(fixture.bar().sentence().text(), QString("the cat sat"));
    fixture.session.document().undoStack().undo();
    QVERIFY(fixture.chat().isVisible() && fixture.bar().chatSwitch().isChecked());
}

void TstChatTurns::theSwitchIsDisabledWithAReason()
{
    ChatFixture fixture;
    fixture.switchOn();
    QVERIFY(fixture.bar().chatSwitch().isEnabled());
    fixture.openModel("plain");
    QVERIFY(!fixture.bar().chatSwitch().isEnabled() && !fixture.bar().chatSwitch().isChecked());
    QVERIFY(fixture.bar().chatSwitch().toolTip().contains("no chat template"));
    QVERIFY(fixture.bar().sentence().isVisible());
    fixture.openModel("chat");
    QVERIFY(fixture.bar().chatSwitch().isChecked() && fixture.chat().isVisible());
}

void TstChatTurns::turnsAreAddedEditedAndRemoved()
{
    ChatFixture fixture;
    fixture.switchOn();
    QVERIFY(!childOf<QToolButton>(fixture.row(0)).isEnabled());
    fixture.chat().addTurn();
    QCOMPARE(fixture.turns().back().role, std::string("assistant"));
    QTest::keyClicks(&fixture.row(1).field(), "on");
    QTest::keyClick(&fixture.row(1).field(), Qt::Key_Return);
    QTest::keyClicks(&fixture.row(1).field(), "the mat");
    QCOMPARE(fixture.turns()[1].content, std::string("on\nthe mat"));
    auto& role = childOf<QComboBox>(fixture.row(0));
    role.setFocus();
    QTest::keyClick(&role, Qt::Key_Up); // "user" to "system"
    QCOMPARE(fixture.turns()[0].role, std::string("system"));
    QTRY_VERIFY(fixture.isPainted());
    QVERIFY(QString::fromStdString(fixture.session.traceA()->tokens().text)
                .startsWith("<|im_start|>system\nthe cat sat<|im_end|>"));
    childOf<QCheckBox>(fixture.chat()).click();
    QVERIFY(!fixture.session.document().chat().input.addGenerationPrompt);
    QTRY_VERIFY(fixture.isPainted());
    QVERIFY(
        QString::fromStdString(fixture.session.traceA()->tokens().text).endsWith("<|im_end|>\n"));
    childOf<QToolButton>(fixture.row(0)).click();
    QCOMPARE(fixture.turns().size(), std::size_t{1});
    QCOMPARE(fixture.row(0).field().toPlainText(), QString("on\nthe mat"));
    QUndoStack& undo = fixture.session.document().undoStack();
    while (undo.canUndo() && fixture.session.document().readsChat())
        undo.undo();
    QCOMPARE(fixture.bar().sentence().text(), QString("the cat sat"));
}

void TstChatTurns::theKeyboardReachesEverything()
{
    ChatFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    const QList<QAction*> actions = fixture.window->actions();
    const auto trigger = [&](const char* id) {
        for (QAction* action : actions)
            if (action->objectName() == QLatin1String(id)) {
                QVERIFY(!action->shortcut().isEmpty());
                action->trigger();
            }
    };
    trigger("edit.chat");
    QVERIFY(fixture.session.document().readsChat());
    QVERIFY(fixture.row(0).field().hasFocus()); // as the sentence had it
    trigger("edit.addTurn");
    QVERIFY(fixture.row(1).field().hasFocus());
    QTest::keyClick(&fixture.row(1).field(), Qt::Key_Tab);
    QVERIFY(!fixture.row(1).field().hasFocus());
    QCOMPARE(fixture.turns()[1].content, std::string());
    for (QWidget* part : fixture.chat().findChildren<QWidget*>()) {
        const bool isReached = part->isVisible() && (part->focusPolicy() & Qt::TabFocus) != 0;
        if (isReached && !part->accessibleName().isEmpty())
            continue;
        QVERIFY2(!isReached || part->inherits("QAbstractButton"), part->metaObject()->className());
    }
    trigger("edit.chat");
    QVERIFY(!fixture.session.document().readsChat());
    fixture.row(0).field().setFocus();
}

void TstChatTurns::composedTextIsTakenWhenItIsCommitted()
{
    ChatFixture fixture;
    fixture.switchOn();
    TurnField& field = fixture.row(0).field();
    field.setFocus();
    field.moveCursor(QTextCursor::End);
    QInputMethodEvent composing("ni", {});
    QCoreApplication::sendEvent(&field, &composing);
    QCOMPARE(fixture.turns()[0].content, std::string("the cat sat"));
    QInputMethodEvent event({}, {});
    event.setCommitString("你");
    QCoreApplication::sendEvent(&field, &event);
    QCOMPARE(fixture.turns()[0].content, std::string("the cat sat你"));
}

void TstChatTurns::aRefusalIsShownAsOneSentence()
{
    ChatFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    fixture.openModel("refuses");
    QTRY_VERIFY(fixture.isPainted());
    fixture.bar().chatSwitch().click();
    auto* messages = fixture.window->findChild<MessageBar*>();
    QTRY_VERIFY(messages->isVisible() && messages->sentence().contains("No turns."));
    fixture.bar().chatSwitch().click(); // back to the sentence
    QTRY_VERIFY(fixture.isPainted());
    QTRY_VERIFY(!messages->isVisible());
}

void TstChatTurns::theStripNamesTurnsAndMutesTheTemplate()
{
    ChatFixture fixture;
    fixture.switchOn();
    fixture.chat().addTurn();
    fixture.session.document().setTurnContent(1, "mat");
    QTRY_VERIFY(fixture.isPainted());
    TokenStrip& strip = fixture.window->tokenRows().source();
    const TokenSequence& tokens = fixture.session.traceA()->tokens();
    QCOMPARE(strip.chips().size(), tokens.size());
    QString user;
    QString assistant;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const TokenChip& chip = strip.chips()[i];
        QCOMPARE(chip.turn, tokens.tokens[i].turn);
        const QString text = QAccessible::queryAccessibleInterface(&strip)
                                 ->child(static_cast<int>(i))
                                 ->text(QAccessible::Name);
        user += text.contains(", User") ? chip.rawText : QString();
        assistant += text.contains(", Assistant") ? chip.rawText : QString();
        QCOMPARE(text.contains("chat template"), chip.isOfTemplate());
    }
    user.replace(QChar(0xB7), ' '); // chips show spaces by dots
    QCOMPARE(user.simplified(), QString("the cat sat"));
    QCOMPARE(assistant, QString("mat"));
    const int before = strip.height();
    fixture.bar().chatSwitch().click();
    QTRY_VERIFY(fixture.isPainted());
    QTRY_VERIFY(strip.height() < before); // no names above the chips
}

void TstChatTurns::aTurnIsEditedAboveNotInTheStrip()
{
    ChatFixture fixture;
    fixture.switchOn();
    QSignalSpy notes(&fixture.bar(), &DocumentBar::noteRaised);
    fixture.window->tokenRows().editQuery();
    QCOMPARE(notes.count(), 1);
    QVERIFY(notes.front().front().toString().contains("Edit the turn"));
}

void TstChatTurns::foldedTokensLeaveExactNumbers()
{
    ChatFixture fixture;
    fixture.switchOn();
    const ViewSnapshot whole = fixture.session.viewSnapshot();
    TokenDisplay display;
    display.foldTemplate = true;
    fixture.session.view().setDisplay(display);
    const ViewSnapshot view = fixture.session.viewSnapshot();
    const ShownPattern all = shownPattern(whole, {1, 1});
    const ShownPattern shown = shownPattern(view, {1, 1});
    const TokenSequence& tokens = view.a->tokens();
    QVERIFY(shown.hidesTokens && !shown.renormalised);
    QVERIFY(shown.matrix.rows > 0 && shown.matrix.rows < all.matrix.rows);
    double hidden = 0.0;
    for (int row = 0; row < shown.matrix.rows; ++row) {
        const int query = shown.rowTokens[static_cast<std::size_t>(row)].front();
        QCOMPARE(tokens.tokens[static_cast<std::size_t>(query)].turn, 0);
        double sum = 0.0;
        for (int column = 0; column < shown.matrix.columns; ++column) {
            const int key = shown.columnTokens[static_cast<std::size_t>(column)].front();
            QCOMPARE(shown.matrix.at({row, column}), all.matrix.at({query, key}));
            sum += double{shown.matrix.at({row, column})};
        }
        QVERIFY(sum < 1.0);
        hidden += (1.0 - sum) / shown.matrix.rows;
    }
    QVERIFY(std::abs(hidden - shown.hiddenMass) < 1e-5);
    const QString text = renormalisedText(view, shown.hiddenMass, 0);
    QVERIFY2(text.contains("template") && text.contains("less than 1") &&
                 text.contains(number(100.0 * shown.hiddenMass, 1)),
             qPrintable(text));
    display.hideFirst = true;
    fixture.session.view().setDisplay(display);
    QVERIFY(shownPattern(fixture.session.viewSnapshot(), {1, 1}).renormalised);
}

void TstChatTurns::foldedMapsSayWhatIsHidden()
{
    ChatFixture fixture;
    fixture.switchOn();
    for (QAction* action : fixture.window->actions())
        if (action->objectName() == "tokens.foldTemplate")
            action->trigger();
    QVERIFY(fixture.session.view().display().foldTemplate);
    QTRY_VERIFY(fixture.isPainted());
    QVERIFY(fixture.window->tokenRows().menuButton().text().contains("template folded"));
    TokenStrip& strip = fixture.window->tokenRows().source();
    for (int i = 0; i < std::ssize(strip.chips()); ++i) {
        const bool isFolded = strip.chips()[static_cast<std::size_t>(i)].isOfTemplate();
        QCOMPARE(strip.chipNote(i).isEmpty(), isFolded);
        QCOMPARE(strip.chipRect(i).width() < 8.0, isFolded);
    }
    for (const char* page : {"overview", "head", "arcs", "flow", "lens", "next-token", "what-if"}) {
        fixture.window->showPage(page);
        QTRY_VERIFY(fixture.isPainted());
    }
}

void TstChatTurns::aReplyIsWrittenAndStopped()
{
    ChatFixture fixture;
    fixture.switchOn();
    QPushButton& reply = fixture.replyButton();
    NextTokenPage& page = partOf<NextTokenPage>(*fixture.window);
    QJsonObject options = page.options();
    options["tokens"] = 4;
    page.setOptions(options);
    QCOMPARE(page.generationSettings().maxTokens, std::int64_t{4});
    QTest::mouseClick(&reply, Qt::LeftButton);
    QCOMPARE(reply.text(), QString("Stop reply"));
    QTRY_COMPARE(reply.text(), QString("Write reply"));
    QCOMPARE(fixture.turns().size(), std::size_t{2});
    QCOMPARE(fixture.turns().back().role, std::string("assistant"));
    QVERIFY(!reply.isEnabled()); // the assistant has spoken
    QVERIFY(reply.toolTip().contains("Add a turn"));
    fixture.session.document().undoStack().undo();
    QCOMPARE(fixture.turns().size(), std::size_t{1});
    QTest::mouseClick(&reply, Qt::LeftButton);
    QCOMPARE(reply.text(), QString("Stop reply"));
    QTest::mouseClick(&reply, Qt::LeftButton);
    QCOMPARE(reply.text(), QString("Write reply"));
}

void TstChatTurns::theEditorFitsItsTurns()
{
    ChatFixture fixture;
    fixture.switchOn();
    QTRY_VERIFY(fixture.row(0).height() > 20);
    const int one = fixture.chat().height();
    fixture.chat().addTurn();
    QTRY_VERIFY(fixture.chat().height() > one);
    for (int i = 0; i < 20; ++i)
        fixture.chat().addTurn();
    QTRY_VERIFY(fixture.chat().height() > one);
    QVERIFY(fixture.chat().height() < fixture.window->height() / 2); // and scrolls
    QTRY_VERIFY(!fixture.row(fixture.turns().size() - 1).field().visibleRegion().isEmpty());
}

void TstChatTurns::undoKeepsTheFocusAmongTheTurns()
{
    ChatFixture fixture;
    fixture.switchOn();
    QVERIFY(QTest::qWaitForWindowActive(fixture.window.get()));
    fixture.chat().addTurn();
    QVERIFY(fixture.row(1).field().hasFocus());
    QUndoStack& undo = fixture.session.document().undoStack();
    undo.undo();
    QVERIFY(fixture.row(0).field().hasFocus());
    undo.undo(); // the switch
    QVERIFY(fixture.bar().sentence().hasFocus());
}

void TstChatTurns::aRowIsOneLineOfControls()
{
    ChatFixture fixture;
    fixture.switchOn();
    fixture.chat().addTurn();
    QTRY_VERIFY(fixture.row(1).field().height() > 20);
    for (TurnRow* row : fixture.chat().findChildren<TurnRow*>()) {
        const QWidgetList parts{&row->field(), &childOf<QComboBox>(*row),
                                &childOf<QToolButton>(*row)};
        for (const QWidget* part : parts) {
            QCOMPARE(part->y(), 0);
            QCOMPARE(part->height(), parts.front()->height());
        }
    }
    const QWidget& chooser = *fixture.window->findChild<ModelChooser*>();
    const QWidget& live = *fixture.window->findChild<LiveLabel*>();
    QCOMPARE(live.geometry().center().y(), chooser.geometry().center().y());
}

HEADSCOPE_WINDOW_TEST(TstChatTurns)
#include "tst_chat_turns.moc"

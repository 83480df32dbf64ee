#include "tests/support/test_program.h"
#include "tests/ui/child.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/widgets/text/token_bytes.h"
#include "ui/widgets/text/token_strip.h"
#include "ui/window/actions/window_actions.h"
#include "ui/window/frame/document_bar.h"
#include "ui/window/frame/token_rows.h"

#include <QInputMethodEvent>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>

using namespace headscope;
using namespace headscope::ui;
using headscope::ui::test::childOf;
using headscope::ui::test::WindowFixture;

namespace {

void commit(QWidget& field, const QString& text)
{
    QInputMethodEvent event({}, {});
    event.setCommitString(text);
    QCoreApplication::sendEvent(&field, &event);
}

QLineEdit* editorIn(const TokenStrip& strip)
{
    for (QLineEdit* editor : strip.findChildren<QLineEdit*>()) {
        if (editor->isVisible())
            return editor;
    }
    return nullptr;
}

/// The encoder-decoder with the tiny tokenizer.
LoadedModel openTranslator(const std::string& name)
{
    LoadedModel loaded = headscope::test::tinyModel();
    ModelConfig config = loaded.model->config();
    config.architecture = Architecture::EncoderDecoder;
    loaded.model = std::make_shared<const Model>(Model::initialised(config, 3));
    loaded.name = name;
    return loaded;
}

} // namespace

class TstTokens : public QObject
{
    Q_OBJECT

private slots:
    void theMenuChangesHowTokensAreShown();
    void idsAndBytesStandInTheChips();
    void aDoubleClickChangesATokenInPlace();
    void escapeLeavesATokenAsItWas();
    void piecesOfOneCharacterAreChangedTogether();
    void aTokenThatTheModelAddsCannotBeChanged();
    void foreignScriptsStayInTheOrderOfTheModel_data();
    void foreignScriptsStayInTheOrderOfTheModel();
    void anEncoderDecoderHasASecondFieldAndStrip();
    void thePartSaysWhereTheMarksAre();
};

void TstTokens::theMenuChangesHowTokensAreShown()
{
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    QMenu* menu = fixture.window->tokenRows().menuButton().menu();
    const QString before = fixture.window->tokenRows().menuButton().text();
    const auto trigger = [menu](const QString& part) {
        for (QAction* action : menu->actions()) {
            if (action->text().contains(part)) {
                action->trigger();
                return action->isChecked();
            }
        }
        return false;
    };
    QVERIFY(trigger("summed"));
    QCOMPARE(fixture.session.view().display().grouping, TokenDisplay::Grouping::WordSum);
    QVERIFY(trigger("averaged"));
    QCOMPARE(fixture.session.view().display().grouping, TokenDisplay::Grouping::WordMean);
    QVERIFY(trigger("renormalise"));
    QVERIFY(fixture.session.view().display().hideSpecial);
    QVERIFY(fixture.window->tokenRows().menuButton().text() != before); // said in words
    QVERIFY(fixture.window->tokenRows().menuButton().text().contains("special hidden"));
    QVERIFY(trigger("first token"));
    QVERIFY(fixture.session.view().display().hideFirst);
    QVERIFY(fixture.window->tokenRows().menuButton().text().contains("special and first hidden"));
}

void TstTokens::idsAndBytesStandInTheChips()
{
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    fixture.session.document().replaceText("the cat");
    TokenStrip& strip = fixture.window->strip();
    QCOMPARE(strip.chipNote(1), QString("1"));
    const double plain = strip.chipRect(1).width();
    TokenDisplay display = fixture.session.view().display();
    display.showIds = true;
    fixture.session.view().setDisplay(display);
    const Token token = fixture.session.document().tokens().tokens[1];
    QCOMPARE(strip.chipNote(1), QString::fromUtf8("#%1 \xC2\xB7 %2\xE2\x80\x93%3")
                                    .arg(token.id)
                                    .arg(token.bytes.begin)
                                    .arg(token.bytes.end));
    QVERIFY(strip.chipRect(1).width() > plain);
}

void TstTokens::aDoubleClickChangesATokenInPlace()
{
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    fixture.session.document().replaceText("the cat sat");
    QTRY_VERIFY(fixture.isPainted());
    TokenStrip& strip = fixture.window->strip();
    const auto& tokens = fixture.session.document().tokens();
    const Token last = tokens.tokens.back();
    const auto index = static_cast<int>(tokens.size()) - 1;
    const QString expected =
        QString::fromStdString(tokens.text.substr(0, last.bytes.begin)) + " ran";
    QTest::mouseDClick(&strip, Qt::LeftButton, {}, strip.chipRect(index).center().toPoint());
    QLineEdit* editor = editorIn(strip);
    QVERIFY(editor);
    QCOMPARE(editor->text().toStdString(),
             tokens.text.substr(last.bytes.begin, last.bytes.end - last.bytes.begin));
    QCOMPARE(editor->selectedText(), editor->text().trimmed());
    editor->selectAll();
    commit(*editor, " ran");
    QTest::keyClick(editor, Qt::Key_Return);
    QCOMPARE(fixture.session.text(), expected);
    QVERIFY(!editorIn(strip));
    QTRY_VERIFY(fixture.isPainted());
    fixture.session.document().undoStack().undo();
    QCOMPARE(fixture.session.text(), QString("the cat sat"));
}

void TstTokens::escapeLeavesATokenAsItWas()
{
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    fixture.session.document().replaceText("the cat sat");
    QTRY_VERIFY(fixture.isPainted());
    fixture.window->tokenRows().editQuery(); // as F2 does
    QLineEdit* editor = editorIn(fixture.window->strip());
    QVERIFY(editor);
    commit(*editor, "dog");
    QTest::keyClick(editor, Qt::Key_Escape);
    QVERIFY(!editorIn(fixture.window->strip()));
    QCOMPARE(fixture.session.text(), QString("the cat sat"));
}

void TstTokens::piecesOfOneCharacterAreChangedTogether()
{
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    const QString text = QString::fromUtf8("a\xE7\x8C\xAB"); // three bytes, three tokens
    fixture.session.document().replaceText(text);
    const TokenSequence& tokens = fixture.session.document().tokens();
    const auto last = static_cast<int>(tokens.size()) - 1;
    const ByteRange range = editableBytes(tokens, *fixture.session.model().tokenizer, last);
    QCOMPARE(range, (ByteRange{1, 4}));
    fixture.window->strip().edit(last, text.mid(1));
    QLineEdit* editor = editorIn(fixture.window->strip());
    QVERIFY(editor);
    editor->selectAll();
    commit(*editor, QString::fromUtf8("\xF0\x9F\x98\x80"));
    QTest::keyClick(editor, Qt::Key_Return);
    QCOMPARE(fixture.session.text(), QString::fromUtf8("a\xF0\x9F\x98\x80"));
}

void TstTokens::aTokenThatTheModelAddsCannotBeChanged()
{
    const auto tokenizer = headscope::test::tinyModel().tokenizer;
    TokenSequence tokens = tokenizer->encode("the");
    tokens.tokens.insert(tokens.tokens.begin(), Token{0, {}, true});
    QCOMPARE(editableBytes(tokens, *tokenizer, 0), ByteRange{});
    QCOMPARE(editableBytes(tokens, *tokenizer, 99), ByteRange{});
    QCOMPARE(editableBytes(tokens, *tokenizer, 1), tokens.tokens[1].bytes);
}

void TstTokens::foreignScriptsStayInTheOrderOfTheModel_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("Arabic") << QString::fromUtf8("\xD8\xA7\xD9\x84\xD9\x82\xD8\xB7");
    QTest::newRow("Hebrew") << QString::fromUtf8("\xD7\x97\xD7\xAA\xD7\x95\xD7\x9C");
    QTest::newRow("Chinese") << QString::fromUtf8("\xE7\x8C\xAB\xE5\x9D\x90");
    QTest::newRow("emoji") << QString::fromUtf8("\xF0\x9F\x91\xA9\xF0\x9F\x8F\xBD!");
}

void TstTokens::foreignScriptsStayInTheOrderOfTheModel()
{
    QFETCH(QString, text);
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    fixture.session.document().replaceText({});
    commit(fixture.window->sentence(), text);
    QTRY_VERIFY(fixture.isPainted());
    QCOMPARE(fixture.session.text(), text);
    TokenStrip& strip = fixture.window->strip();
    QString joined;
    double right = -1e9;
    for (int index = 0; index < static_cast<int>(strip.chips().size()); ++index) {
        const TokenChip& chip = strip.chips()[static_cast<std::size_t>(index)];
        if (!chip.special)
            joined += chip.text;
        QVERIFY(strip.chipRect(index).left() > right); // left to right, whatever the script
        right = strip.chipRect(index).left();
    }
    QCOMPARE(joined, text);
}

void TstTokens::anEncoderDecoderHasASecondFieldAndStrip()
{
    applyTheme(*qApp, Theme::named(false, bodyFont()));
    Settings settings(Settings::Storage::Memory);
    settings.set(Setting::Page, "positions"); // the frame alone: no page about this model's heads
    Session session({}, openTranslator);
    session.computation().setDevice("cpu");
    session.document().replaceText("the cat");
    MainWindow window(session, settings, {"translator"});
    window.show();
    QVERIFY(!window.findChild<DocumentBar*>()->target().isVisible());
    session.models().open("translator");
    QTRY_VERIFY(session.traceA() && session.models().readsTarget());
    QTRY_VERIFY(window.findChild<DocumentBar*>()->target().isVisible());
    auto& strip = childOf<TokenStrip>(window.tokenRows(), "target");
    QVERIFY(strip.isVisible());
    window.findChild<DocumentBar*>()->target().setFocus();
    commit(window.findChild<DocumentBar*>()->target(), "the mat");
    QCOMPARE(session.document().target(), QString("the mat"));
    QTRY_COMPARE(session.computation().shownTicket(), session.computation().postedTicket());
    const TokenSequence& target = session.traceA()->queryTokens(AttentionKind::Cross);
    QVERIFY(target.size() >= 2);
    QTRY_COMPARE(strip.chips().size(), target.size());
    QVERIFY(strip.accessibleName() != window.tokenRows().source().accessibleName());
    session.document().undoStack().undo();
    QCOMPARE(window.findChild<DocumentBar*>()->target().text(), QString());
    QTest::keyClick(&window, Qt::Key_Delete); // the active head, whatever its stack
    QVERIFY(session.changes().isOff(session.view().activeHead()));
    QTRY_VERIFY(session.traceB());
}

void TstTokens::thePartSaysWhereTheMarksAre()
{
    Settings settings(Settings::Storage::Memory);
    settings.set(Setting::Page, "positions"); // the frame alone: no page about this model's heads
    Session session({}, openTranslator);
    session.computation().setDevice("cpu");
    session.document().replaceText("the cat");
    session.document().setTarget("the mat");
    MainWindow window(session, settings, {});
    window.show();
    session.models().open("translator");
    QTRY_VERIFY(session.traceA() &&
                session.computation().shownTicket() == session.computation().postedTicket());
    TokenStrip& source = window.tokenRows().source();
    auto& target = childOf<TokenStrip>(window.tokenRows(), "target");
    QTRY_VERIFY(!target.chips().empty());
    session.view().activatePart(AttentionKind::Cross);
    QTest::mouseClick(&target, Qt::LeftButton, {}, target.chipRect(0).center().toPoint());
    QTest::mouseClick(&source, Qt::LeftButton, {}, source.chipRect(1).center().toPoint());
    QCOMPARE(session.pair(), (TokenPair{0, 1}));
    QCOMPARE(target.query(), std::optional(0));
    QCOMPARE(source.key(), std::optional(1));
    QVERIFY(!source.query() && !target.key());
    session.view().activatePart(AttentionKind::EncoderSelf);
    QVERIFY(source.query() && source.key() && !target.query() && !target.key());
    session.view().activatePart(AttentionKind::DecoderSelf);
    QVERIFY(target.query() && target.key() && !source.query() && !source.key());
}

HEADSCOPE_WINDOW_TEST(TstTokens)
#include "tst_tokens.moc"

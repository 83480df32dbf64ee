// labels: threads
#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "core/generate/generator.h"
#include "core/model/pass/input_tokens.h"
#include "tests/support/chat_model.h"
#include "tests/support/qt_under_tsan.h"
#include "tests/support/test_program.h"
#include "tests/support/tiny_model.h"
#include "ui/session/chat/chat_json.h"
#include "ui/session/chat/chat_reply.h"
#include "ui/session/session.h"
#include "ui/session/session_file.h"
#include "ui/session/session_opener.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

using namespace headscope;
using namespace headscope::ui;

namespace {

constexpr const char* kHostile = "{% for a in range(99999) %}{% for b in range(99999) %}"
                                 "{% endfor %}{% endfor %}";

LoadedModel openAny(const std::string& name)
{
    LoadedModel model = name == "chat"      ? test::chatModel()
                        : name == "refuses" ? test::chatModel("{{ raise_exception('No turns.') }}")
                        : name == "hostile" ? test::chatModel(kHostile)
                                            : test::tinyModel();
    if (name == "broken")
        model.chatError = std::make_shared<const Error>("a comment without its end", "t.jinja");
    model.name = name;
    return model;
}

Chat chatOf(std::vector<ChatTurn> turns)
{
    return {true, {std::move(turns), true}};
}

bool isCurrent(const Session& session)
{
    return session.traceA() &&
           session.computation().shownTicket() == session.computation().postedTicket();
}

std::string textOfTurn(const TokenSequence& tokens, int turn)
{
    std::string text;
    for (const Token& token : tokens.tokens)
        if (token.turn == turn)
            text += tokens.text.substr(token.bytes.begin, token.bytes.end - token.bytes.begin);
    return text;
}

} // namespace

class TstChat : public QObject
{
    Q_OBJECT

private slots:
    void init();

    void cleanup() { m_session.reset(); }

    void theModelReadsWhatGenerateReads();
    void typingInATurnIsLiveAndOneStep();
    void undoGoesThroughTurns();
    void aSentenceTakesTheChatsPlace();
    void aModelWithoutATemplateReadsTheSentence();
    void whatATemplateRefusesIsSaid();
    void aHostileTemplateNeverStopsTyping();
    void sessionsKeepTheChat();
    void badChatsOfSessionsAreRefused_data();
    void badChatsOfSessionsAreRefused();
    void changesAreMadeToTheChat();
    void aReplyIsWhatGenerateWrites();
    void aReplyIsOneStep();
    void anEditEndsTheReply();
    void aReplyNeedsAUserBefore();

private:
    void open(const char* name)
    {
        m_session->models().open(name);
        QTRY_VERIFY(m_session->model().name == name && m_session->models().loadingName().isEmpty());
    }

    SessionDocument& document() { return m_session->document(); }

    std::unique_ptr<Session> m_session;
};

void TstChat::init()
{
    m_session = std::make_unique<Session>(BackendRegistry(), openAny);
    m_session->computation().setDevice("cpu");
    document().replaceText("the cat");
    open("chat");
    QTRY_VERIFY(isCurrent(*m_session));
}

void TstChat::theModelReadsWhatGenerateReads()
{
    const Chat chat = chatOf({{"system", "the mat"}, {"user", "the cat sat"}});
    document().setChat(chat, "chat");
    QVERIFY(document().readsChat());
    QTRY_VERIFY(isCurrent(*m_session));
    const TokenSequence& tokens = m_session->traceA()->tokens();
    const LoadedModel& model = m_session->model();
    QVERIFY(tokens == chatTokens(model, chat.input));
    QVERIFY(tokens.ids() == model.tokenizer->encode(tokens.text, false).ids());
    QVERIFY(document().tokens() == tokens);
    QCOMPARE(m_session->text().toStdString(), tokens.text);
    QCOMPARE(m_session->textTokens(), static_cast<qint64>(tokens.size()));
    QCOMPARE(textOfTurn(tokens, 1), std::string("the cat sat"));
    QCOMPARE(document().sentence(), QString("the cat"));
}

void TstChat::typingInATurnIsLiveAndOneStep()
{
    document().setChat(chatOf({{"user", ""}}), "chat");
    QTRY_VERIFY(isCurrent(*m_session));
    const int before = document().undoStack().count();
    QElapsedTimer typing;
    typing.start();
    for (const char* text : {"t", "th", "the", "the ", "the m"})
        document().setTurnContent(0, text);
    QVERIFY(typing.elapsed() < 100); // without waiting for a rendering
    QCOMPARE(document().undoStack().count(), before + 1);
    QVERIFY(!isCurrent(*m_session));
    QTRY_VERIFY(isCurrent(*m_session));
    QCOMPARE(textOfTurn(m_session->traceA()->tokens(), 0), std::string("the m"));
    QVERIFY(document().tokens() == m_session->traceA()->tokens());
    document().undoStack().undo();
    QTRY_VERIFY(isCurrent(*m_session));
    QCOMPARE(textOfTurn(document().tokens(), 0), std::string());
    document().undoStack().redo();
    QCOMPARE(document().chat().input.turns.front().content, std::string("the m"));
    document().setTurnContent(7, "no such turn");
    QCOMPARE(document().chat().input.turns.size(), std::size_t{1});
}

void TstChat::undoGoesThroughTurns()
{
    const Chat one = chatOf({{"user", "the cat"}});
    Chat two = one;
    two.input.turns.push_back({"assistant", "sat"});
    document().setChat(one, "chat");
    document().setChat(two, "add a turn");
    document().setTurnContent(0, "the mat");
    document().setTurnContent(1, "sat on"); // another turn is another step
    for (int i = 0; i < 2; ++i)
        document().undoStack().undo();
    QVERIFY(document().chat() == two);
    document().undoStack().undo();
    QVERIFY(document().chat() == one);
    document().undoStack().undo();
    QVERIFY(!document().readsChat());
    QCOMPARE(m_session->text(), QString("the cat"));
    QVERIFY(document().tokens() == m_session->model().tokenizer->encode("the cat"));
    document().undoStack().redo();
    QVERIFY(document().readsChat());
}

void TstChat::aSentenceTakesTheChatsPlace()
{
    const Chat chat = chatOf({{"user", "the cat"}});
    document().setChat(chat, "chat");
    QTRY_VERIFY(isCurrent(*m_session));
    document().replaceText("the mat"); // of a file or a lesson
    QVERIFY(!document().readsChat());
    QCOMPARE(m_session->text(), QString("the mat"));
    QVERIFY(document().chat().input == chat.input);
    document().undoStack().undo();
    QVERIFY(document().readsChat());
    QCOMPARE(document().sentence(), QString("the cat"));
}

void TstChat::aModelWithoutATemplateReadsTheSentence()
{
    document().setChat(chatOf({{"user", "the mat"}}), "chat");
    QTRY_VERIFY(isCurrent(*m_session));
    QVERIFY(whyNoChat(m_session->models()).isEmpty());
    open("tiny");
    QVERIFY(whyNoChat(m_session->models()).contains("no chat template"));
    QVERIFY(!document().readsChat() && document().chat().isOn);
    QCOMPARE(m_session->text(), QString("the cat"));
    QTRY_VERIFY(isCurrent(*m_session));
    QCOMPARE(m_session->traceA()->tokens().text, std::string("the cat"));
    QCOMPARE(m_session->traceA()->tokens().tokens.front().turn, kNoTurn);
    open("broken");
    QVERIFY(whyNoChat(m_session->models()).contains("a comment without its end"));
    open("chat");
    QVERIFY(document().readsChat());
    QTRY_VERIFY(isCurrent(*m_session));
    QCOMPARE(textOfTurn(document().tokens(), 0), std::string("the mat"));
}

void TstChat::whatATemplateRefusesIsSaid()
{
    open("refuses");
    QTRY_VERIFY(isCurrent(*m_session));
    const TracePtr before = m_session->traceA();
    QSignalSpy errors(m_session.get(), &Session::errorRaised);
    document().setChat(chatOf({{"user", "the mat"}}), "chat");
    QTRY_COMPARE(errors.count(), 1);
    const QString sentence = errors.front().front().toString();
    QVERIFY2(sentence.contains("refuses this chat") && sentence.contains("No turns."),
             qPrintable(sentence));
    QVERIFY(!sentence.contains('\n'));
    QVERIFY(m_session->traceA() == before);
    QCOMPARE(m_session->text(), QString("the cat")); // the text of what is shown
}

void TstChat::aHostileTemplateNeverStopsTyping()
{
    open("hostile");
    QSignalSpy errors(m_session.get(), &Session::errorRaised);
    document().setChat(chatOf({{"user", ""}}), "chat");
    QElapsedTimer typing;
    typing.start();
    for (int i = 1; i <= 20; ++i)
        document().setTurnContent(0, QString(i, u'a'));
    QVERIFY(typing.elapsed() < 500);
    QTRY_VERIFY_WITH_TIMEOUT(!errors.isEmpty(), 120000);
    QVERIFY(errors.front().front().toString().contains("does not come to an end"));
    open("chat");
    QTRY_VERIFY_WITH_TIMEOUT(isCurrent(*m_session), 120000);
    QCOMPARE(textOfTurn(document().tokens(), 0), std::string(20, 'a'));
}

void TstChat::sessionsKeepTheChat()
{
    Chat chat =
        chatOf({{"system", "Be brief.\n"}, {"user", "你好 🙂 \"x\""}, {"assistant", ""}});
    chat.input.addGenerationPrompt = false;
    document().setChat(chat, "chat");
    TokenDisplay display;
    display.foldTemplate = true;
    m_session->view().setDisplay(display);
    const SessionState state = stateOf(*m_session);
    QVERIFY(state.chat == chat);
    QCOMPARE(state.text, QString("the cat"));
    const QByteArray json = sessionJson(state);
    QVERIFY(parseSession(json, "s.hscope") == state);

    document().replaceText("the mat");
    document().setChat({}, "none");
    m_session->view().setDisplay({});
    SessionOpener opener(*m_session);
    opener.open(parseSession(json, "s.hscope"));
    QVERIFY(document().chat() == chat && document().readsChat());
    QVERIFY(m_session->view().display().foldTemplate);
    QCOMPARE(document().sentence(), QString("the cat"));
    document().undoStack().undo(); // one step
    QVERIFY(document().chat() == Chat());
    QCOMPARE(document().sentence(), QString("the mat"));
    QVERIFY(!sessionJson(stateOf(*m_session)).contains("\"chat\":"));
}

void TstChat::badChatsOfSessionsAreRefused_data()
{
    QTest::addColumn<QString>("chat");
    QTest::addColumn<QString>("place");
    QTest::newRow("no object") << "3"
                               << "chat";
    QTest::newRow("no turns") << R"({"on": true})"
                              << "turns";
    QTest::newRow("turns of another kind") << R"({"turns": {}})"
                                           << "turns";
    QTest::newRow("no role") << R"({"turns": [{"content": "x"}]})"
                             << "role";
    QTest::newRow("content of another kind") << R"({"turns": [{"role": "user", "content": [1]}]})"
                                             << "content";
    QTest::newRow("unknown key") << R"({"turns": [], "tools": []})"
                                 << "tools";
}

void TstChat::badChatsOfSessionsAreRefused()
{
    QFETCH(QString, chat);
    QFETCH(QString, place);
    try {
        chatFromJson(nlohmann::json::parse(chat.toStdString()), "s.hscope, chat");
        QFAIL("accepted");
    } catch (const Error& error) {
        QVERIFY2(QString(error.what()).contains(place), error.what());
    }
}

void TstChat::changesAreMadeToTheChat()
{
    document().setChat(chatOf({{"user", "the cat"}}), "chat");
    document().setHeadOff(0, 1, true);
    QTRY_VERIFY(isCurrent(*m_session) && m_session->traceB());
    QVERIFY(m_session->traceB()->tokens() == m_session->traceA()->tokens());
    Changes changes = m_session->changes();
    changes.text = "the mat"; // a sentence beside the chat
    document().setChanges(changes, "text");
    QTRY_VERIFY(isCurrent(*m_session) && m_session->traceB());
    QCOMPARE(m_session->traceB()->tokens().text, std::string("the mat"));
    changes = {};
    changes.model = "refuses"; // renders with its own template
    QSignalSpy errors(m_session.get(), &Session::errorRaised);
    document().setChanges(changes, "model");
    QTRY_VERIFY(!errors.isEmpty());
    QVERIFY(errors.front().front().toString().contains("No turns."));
    QVERIFY(!m_session->traceB());
}

void TstChat::aReplyIsWhatGenerateWrites()
{
    const Chat chat = chatOf({{"user", "the cat"}});
    document().setChat(chat, "chat");
    GenerationSettings settings;
    settings.maxTokens = 6;
    settings.seed = 5;
    ChatReply reply(*m_session);
    reply.start(settings);
    QVERIFY(reply.isRunning());
    QTRY_VERIFY(!reply.isRunning());
    const std::vector<ChatTurn>& turns = document().chat().input.turns;
    QCOMPARE(turns.size(), std::size_t{2});
    QCOMPARE(turns.back().role, std::string("assistant"));
    const LoadedModel& model = m_session->model();
    CpuAttention backend;
    const std::vector<TokenId> prompt = chatTokens(model, chat.input).ids();
    std::vector<TokenId> ids = generate(model, backend, prompt, settings).ids;
    ids.erase(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(prompt.size()));
    const auto special =
        std::ranges::find_if(ids, [&](TokenId id) { return model.tokenizer->isSpecial(id); });
    ids.erase(special, ids.end());
    QVERIFY(QString::fromStdString(model.tokenizer->decode(ids))
                .startsWith(QString::fromStdString(turns.back().content)));
}

void TstChat::aReplyIsOneStep()
{
    const Chat chat = chatOf({{"user", "the cat"}});
    document().setChat(chat, "chat");
    const int steps = document().undoStack().count();
    Chat longer = chat;
    longer.input.turns.push_back({"assistant", "a"});
    document().writeReply(longer, 1);
    longer.input.turns.back().content = "a cat";
    document().writeReply(longer, 1);
    QCOMPARE(document().undoStack().count(), steps + 1);
    longer.input.turns.back().content = "a mat";
    document().writeReply(longer, 2); // another reply
    QCOMPARE(document().undoStack().count(), steps + 2);
    document().undoStack().undo();
    document().undoStack().undo();
    QVERIFY(document().chat() == chat);
}

void TstChat::anEditEndsTheReply()
{
    document().setChat(chatOf({{"user", "the cat"}}), "chat");
    ChatReply reply(*m_session);
    QSignalSpy changed(&reply, &ChatReply::changed);
    GenerationSettings settings;
    settings.maxTokens = 100'000;
    reply.start(settings);
    document().setTurnContent(0, "the mat");
    QVERIFY(!reply.isRunning());
    QCOMPARE(changed.count(), 2);
    QTRY_VERIFY(isCurrent(*m_session));
    QCOMPARE(document().chat().input.turns.size(), std::size_t{1});
    reply.start(settings);
    reply.cancel();
    QVERIFY(!reply.isRunning());
}

void TstChat::aReplyNeedsAUserBefore()
{
    ChatReply reply(*m_session);
    QVERIFY(reply.obstacle().contains("no chat"));
    document().setChat(chatOf({{"user", "a"}, {"assistant", "b"}}), "chat");
    QVERIFY(reply.obstacle().contains("Add a turn of the user"));
    reply.start({});
    QVERIFY(!reply.isRunning());
    document().setChat(chatOf({{"user", "a"}}), "chat");
    QVERIFY(reply.obstacle().isEmpty());
    open("tiny");
    QVERIFY(reply.obstacle().contains("no chat template"));
}

HEADSCOPE_TEST(TstChat)
#include "tst_chat.moc"

#include "core/text/chat/chat_template.h"

#include "core/base/error.h"
#include "core/text/chat/chat_input.h"
#include "tests/support/chat_model.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTest>

using namespace headscope;
using Json = nlohmann::ordered_json;

namespace {

const std::map<std::string, std::string> kTokens = {
    {"bos_token", "<s>"}, {"eos_token", "</s>"}, {"pad_token", "<pad>"}, {"unk_token", "<unk>"}};

std::string dataFile(const std::string& name)
{
    QFile file(QString::fromStdString(HEADSCOPE_SOURCE_DIR "/tests/data/chat/" + name));
    if (!file.open(QIODevice::ReadOnly))
        throw std::runtime_error(name);
    return file.readAll().toStdString();
}

ChatOptions optionsOf(const Json& chat)
{
    ChatOptions options;
    options.now = 1764201600;
    for (const auto& [name, value] : chat.items()) {
        if (name == "tools")
            options.tools = value;
        else if (name == "add_generation_prompt")
            options.addGenerationPrompt = value.get<bool>();
        else if (name != "messages")
            options.variables[name] = value;
    }
    return options;
}

std::string render(std::string_view source, const Json& messages = Json::array())
{
    return ChatTemplate(source, "t.jinja", kTokens).render(messages);
}

/// The sentence with which a template is refused; empty: it is not.
QString refusal(std::string_view source, const Json& messages = Json::array())
{
    try {
        render(source, messages);
    } catch (const Error& error) {
        return QString::fromStdString(error.what());
    }
    return {};
}

std::string part(const std::string& text, ByteRange bytes)
{
    return text.substr(bytes.begin, bytes.end - bytes.begin);
}

/// The content of a message without white space at its sides; empty: not a text.
std::string messageText(const Json& message)
{
    return message["content"].is_string()
               ? QString::fromStdString(message["content"].get<std::string>())
                     .trimmed()
                     .toStdString()
               : std::string();
}

} // namespace

class TstChatTemplate : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase() { qputenv("TZ", "UTC"); }

    void rendersWhatTransformersRenders_data();
    void rendersWhatTransformersRenders();
    void whiteSpaceBelongsToTags_data();
    void whiteSpaceBelongsToTags();
    void valuesAreComputedAsInPython_data();
    void valuesAreComputedAsInPython();
    void faultsAreNamedWithTheirLine_data();
    void faultsAreNamedWithTheirLine();
    void hostileTemplatesEnd_data();
    void hostileTemplatesEnd();
    void chatsOfAnotherFormAreRefused();
    void valuesStayWhereTheyAreSet();

    void everyByteKnowsItsTurn_data() { rendersWhatTransformersRenders_data(); }

    void everyByteKnowsItsTurn();
    void turnsOfTheSameTextAreTold_data();
    void turnsOfTheSameTextAreTold();
    void changedTextsKeepTheirTurns_data();
    void changedTextsKeepTheirTurns();
    void partsOfATurnTextKeepTheirTurns();
    void tokensBelongToTurns();
};

void TstChatTemplate::rendersWhatTransformersRenders_data()
{
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("chat");
    const Json expected = Json::parse(dataFile("expected.json"));
    for (const auto& [source, chats] : expected.items())
        for (const auto& [chat, text] : chats.items())
            QTest::addRow("%s, %s", source.c_str(), chat.c_str())
                << QString::fromStdString(source) << QString::fromStdString(chat);
}

void TstChatTemplate::rendersWhatTransformersRenders()
{
    QFETCH(QString, source);
    QFETCH(QString, chat);
    const Json chats = Json::parse(dataFile("chats.json"));
    const Json& given = chats[chat.toStdString()];
    const Json expected =
        Json::parse(dataFile("expected.json"))[source.toStdString()][chat.toStdString()];
    const ChatTemplate model(dataFile(source.toStdString() + ".jinja"), "t.jinja", kTokens);
    if (expected.is_null()) {
        QVERIFY_EXCEPTION_THROWN(model.render(given["messages"], optionsOf(given)), Error);
        return;
    }
    QCOMPARE(QString::fromStdString(model.render(given["messages"], optionsOf(given))),
             QString::fromStdString(expected.get<std::string>()));
}

void TstChatTemplate::whiteSpaceBelongsToTags_data()
{
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("text");
    QTest::newRow("newline after a tag") << "{% if true %}\na\n{% endif %}\nb"
                                         << "a\nb";
    QTest::newRow("blanks before a tag") << "a\n  {% if true %}b{% endif %}"
                                         << "a\nb";
    QTest::newRow("not before an output") << "a\n  {{ 'b' }}\n"
                                          << "a\n  b";
    QTest::newRow("kept by plus") << "  {%+ if true %}b{% endif +%}\nc"
                                  << "  b\nc";
    QTest::newRow("taken by minus") << "a \n {%- if true -%} \n b {%- endif -%} \n c"
                                    << "abc";
    QTest::newRow("comments") << "a\n  {# {{ no }} #}\nb{#- c -#}  d"
                              << "a\nbd";
    QTest::newRow("raw") << "{% raw %}{{ x }}{% y %}{% endraw %}!"
                         << "{{ x }}{% y %}!";
    QTest::newRow("one newline at the end") << "a\n\n"
                                            << "a\n";
    QTest::newRow("carriage returns") << "a\r\nb\rc"
                                      << "a\nb\nc";
    QTest::newRow("braces in texts") << "{{ '}}' ~ \"%}\" ~ {'a': {'b': 1}}.a.b }}"
                                     << "}}%}1";
    QTest::newRow("blanks at the end") << "a\n  "
                                       << "a\n  ";
    QTest::newRow("lone braces") << "{ {a} }"
                                 << "{ {a} }";
}

void TstChatTemplate::whiteSpaceBelongsToTags()
{
    QFETCH(QString, source);
    QFETCH(QString, text);
    QCOMPARE(QString::fromStdString(render(source.toStdString())), text);
}

void TstChatTemplate::valuesAreComputedAsInPython_data()
{
    QTest::addColumn<QString>("expression");
    QTest::addColumn<QString>("text");
    QTest::newRow("range") << "range(3) | join(',')"
                           << "0,1,2";
    QTest::newRow("range down") << "range(5, 1, -2) | join(',')"
                                << "5,3";
    QTest::newRow("empty range") << "range(2, 2) | join(',')"
                                 << "";
    QTest::newRow("product of fractions") << "2.5 * 1.5"
                                          << "3.75";
    QTest::newRow("letters") << "'ab'.isalpha() ~ 'a1'.isalpha() ~ ''.isalpha()"
                             << "TrueFalseFalse";
    QTest::newRow("items are pairs") << "{'a': 1} | items | list"
                                     << "[('a', 1)]";
    QTest::newRow("indented lines") << "'a\\n\\nb\\nc\\n' | indent(2)"
                                    << "a\n\n  b\n  c\n";
    QTest::newRow("indented blank lines") << "'a\\n\\nb\\n' | indent(2, blank=true)"
                                          << "a\n  \n  b\n  ";
    QTest::newRow("split once") << "' a b  c '.split(none, 1)"
                                << "['a', 'b  c ']";
    QTest::newRow("split never") << "' a b '.split(none, 0)"
                                 << "['a b ']";
    QTest::newRow("split at most") << "'a b'.split(none, 1) ~ 'a b'.split(none, 2)"
                                   << "['a', 'b']['a', 'b']";
    QTest::newRow("digits") << "'12'.isdigit() ~ '1a'.isdigit()"
                            << "TrueFalse";
}

void TstChatTemplate::valuesAreComputedAsInPython()
{
    QFETCH(QString, expression);
    QFETCH(QString, text);
    QCOMPARE(QString::fromStdString(render("{{ " + expression.toStdString() + " }}")), text);
}

void TstChatTemplate::faultsAreNamedWithTheirLine_data()
{
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("reported");
    QTest::newRow("open output") << "a\n{{ 'b'"
                                 << "line 2";
    QTest::newRow("open text") << "{{ 'b }}"
                               << "closing quote";
    QTest::newRow("open comment") << "{# b"
                                  << "comment without its end";
    QTest::newRow("open raw") << "{% raw %}"
                              << "{% endraw %}";
    QTest::newRow("no endfor") << "{% for x in [] %}"
                               << "{% endfor %} is missing";
    QTest::newRow("other end") << "{% if true %}{% endfor %}"
                               << "{% endif %} is missing";
    QTest::newRow("end alone") << "{% endif %}"
                               << "\"endif\"";
    QTest::newRow("unknown tag") << "\n{% include 'x' %}"
                                 << "\"include\"";
    QTest::newRow("unknown filter") << "{{ 1 | shout }}"
                                    << "no filter \"shout\"";
    QTest::newRow("unknown test") << "{{ 1 is nice }}"
                                  << "no test \"nice\"";
    QTest::newRow("sign") << "{{ 1 $ 2 }}"
                          << "unexpected";
    QTest::newRow("break alone") << "{% break %}"
                                 << "outside of a loop";
    QTest::newRow("member of nothing") << "{{ none_such.x }}"
                                       << "\"none_such\", which is undefined";
    QTest::newRow("line of a failure") << "\n\n{{ 1 + 'a' }}"
                                       << "line 3";
    QTest::newRow("zero") << "{{ 1 // 0 }}"
                          << "division by zero";
    QTest::newRow("not a function") << "{{ 'a'() }}"
                                    << "a text where a function is needed";
    QTest::newRow("no namespace") << "{% set x = {} %}{% set x.y = 1 %}"
                                  << "is not a namespace";
    QTest::newRow("namespace as JSON") << "{{ namespace(a=1) | tojson }}"
                                       << "cannot be written as JSON";
    QTest::newRow("nothing as JSON") << "{{ none_such | tojson }}"
                                     << "cannot be written as JSON";
    QTest::newRow("control characters") << "{{ [1] | select('a\x01b\n') }}"
                                        << "no test";
    QTest::newRow("its own lines") << "{{ raise_exception('a\nb') }}"
                                   << "refuses this chat";
    QTest::newRow("its own words") << "{{ raise_exception('Only two turns.') }}"
                                   << "Only two turns.";
}

void TstChatTemplate::faultsAreNamedWithTheirLine()
{
    QFETCH(QString, source);
    QFETCH(QString, reported);
    const QString sentence = refusal(source.toStdString());
    QVERIFY2(sentence.contains(reported) && sentence.contains("t.jinja"), qPrintable(sentence));
    QVERIFY2(!sentence.contains(u'\n') && !sentence.contains(u'\x01'), qPrintable(sentence));
}

void TstChatTemplate::hostileTemplatesEnd_data()
{
    QTest::addColumn<QString>("source");
    const QString many(100'000, u'(');
    QTest::newRow("brackets") << "{{ " + many;
    QTest::newRow("members") << "{{ a" + QString(".b").repeated(100'000) + " }}";
    QTest::newRow("sums") << "{{ 1" + QString("+1").repeated(100'000) + " }}";
    QTest::newRow("tags") << QString("{% if true %}").repeated(100'000);
    QTest::newRow("choices") << "{{ 1" + QString(" if 1 else 1").repeated(100'000) + " }}";
    QTest::newRow("a macro that calls itself") << "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}";
    QTest::newRow("a long range") << "{{ range(10000000000) }}";
    QTest::newRow("loops in loops") << "{% for a in range(99999) %}{% for b in range(99999) %}"
                                       "{% endfor %}{% endfor %}";
    QTest::newRow("a long text") << "{{ 'aaaaaaaaaa' * 10000000000 }}";
    QTest::newRow("doubled") << "{% set ns = namespace(t='ab') %}{% for i in range(99) %}"
                                "{% set ns.t = ns.t ~ ns.t %}{% endfor %}{{ ns.t }}";
    QTest::newRow("a namespace in itself")
        << "{% set ns = namespace() %}{% set ns.a = [ns] %}{{ ns }}";
    QTest::newRow("a macro that outlives its loop")
        << "{% set ns = namespace() %}{% for i in [1] %}{% macro m() %}x{% endmacro %}"
           "{% set ns.m = m %}{% endfor %}{{ ns.m() }}";
    QTest::newRow("a large power") << "{{ 9 ** 99999999999 }}";
}

void TstChatTemplate::hostileTemplatesEnd()
{
    QFETCH(QString, source);
    const QString sentence = refusal(source.toStdString());
    QVERIFY(!sentence.isEmpty() && sentence.size() < 400 && !sentence.contains('\n'));
}

void TstChatTemplate::chatsOfAnotherFormAreRefused()
{
    for (const char* chat : {"{}", "[1]", R"([{"content": "x"}])", R"([{"role": 1}])", "null"})
        QVERIFY2(refusal("x", Json::parse(chat)).contains("each with a role"), chat);
    QCOMPARE(
        render("{{ messages[0].content }}", Json::parse(R"([{"role": "user", "content": "x"}])")),
        std::string("x"));
}

void TstChatTemplate::valuesStayWhereTheyAreSet()
{
    QCOMPARE(render("{% set x = 1 %}{% for i in [1] %}{% set x = 2 %}{{ x }}{% endfor %}{{ x }}"),
             std::string("21"));
    QCOMPARE(render("{% if true %}{% set x = 2 %}{% endif %}{{ x }}"), std::string("2"));
    QCOMPARE(render("{% set n = namespace(x=1) %}{% for i in [5, 6] %}{% set n.x = i %}"
                    "{% endfor %}{{ n.x }}"),
             std::string("6"));
    QCOMPARE(render("{% set x = 1 %}{% macro m(a, b='-') %}{{ a }}{{ b }}{{ x }}{% endmacro %}"
                    "{{ m(2) }}{{ m(b=3, a=4) }}"),
             std::string("2-1431"));
}

void TstChatTemplate::everyByteKnowsItsTurn()
{
    QFETCH(QString, source);
    QFETCH(QString, chat);
    const Json given = Json::parse(dataFile("chats.json"))[chat.toStdString()];
    const Json expected =
        Json::parse(dataFile("expected.json"))[source.toStdString()][chat.toStdString()];
    const ChatTemplate model(dataFile(source.toStdString() + ".jinja"), "t.jinja", kTokens);
    if (expected.is_null())
        return;
    const TurnText text = model.renderTurns(given["messages"], optionsOf(given));
    std::string joined;
    std::map<int, std::string> ofTurns;
    for (const TurnRange& piece : text.pieces()) {
        QCOMPARE(piece.bytes.begin, joined.size());
        const std::string bytes = part(text.bytes(), piece.bytes);
        joined += bytes;
        ofTurns[piece.turn] += bytes;
    }
    QCOMPARE(QString::fromStdString(joined), QString::fromStdString(expected.get<std::string>()));
    if (source == "signs") { // writes no message
        QVERIFY(text.turns().empty());
        return;
    }
    int turn = 0;
    for (const Json& message : given["messages"]) {
        const std::string content = messageText(message);
        if (!content.empty() && joined.find(content) != std::string::npos) {
            QVERIFY2(ofTurns[turn].find(content) != std::string::npos, content.c_str());
            for (const auto& [other, bytes] : ofTurns) // as no content here contains another
                QVERIFY2(other == turn || content.size() < 3 ||
                             bytes.find(content) == std::string::npos,
                         content.c_str());
        }
        ++turn;
    }
}

void TstChatTemplate::turnsOfTheSameTextAreTold_data()
{
    QTest::addColumn<QString>("source");
    const Json expected = Json::parse(dataFile("expected.json"));
    for (const auto& [source, chats] : expected.items())
        if (source != "signs") // writes no message
            QTest::addRow("%s", source.c_str()) << QString::fromStdString(source);
}

void TstChatTemplate::turnsOfTheSameTextAreTold()
{
    QFETCH(QString, source);
    const Json messages = Json::parse(R"([
        {"role": "user", "content": "user"}, {"role": "assistant", "content": "user"},
        {"role": "user", "content": "user"}])");
    ChatOptions options;
    options.now = 0;
    const ChatTemplate model(dataFile(source.toStdString() + ".jinja"), "t.jinja", kTokens);
    const TurnText text = model.renderTurns(messages, options);
    QCOMPARE(text.turns().size(), std::size_t{3});
    for (std::size_t i = 0; i < 3; ++i) {
        QCOMPARE(text.turns()[i].turn, static_cast<int>(i));
        QCOMPARE(part(text.bytes(), text.turns()[i].bytes), std::string("user"));
    }
}

void TstChatTemplate::changedTextsKeepTheirTurns_data()
{
    QTest::addColumn<QString>("expression");
    QTest::addColumn<QString>("ofTurn"); // of a turn " Aé b-b "
    const auto row = [](const char* expression, const QString& ofTurn) {
        QTest::newRow(expression) << expression << ofTurn;
    };
    row("c", " Aé b-b ");
    row("'[' ~ c ~ ']' + c", " Aé b-b | Aé b-b ");
    row("c | trim", "Aé b-b");
    row("c.lstrip()", "Aé b-b ");
    row("c.strip(' b')", "Aé b-");
    row("c.split('-')[0]", " Aé b");
    row("c.split('-') | join('+')", " Aé b|b ");
    row("c.split()[0]", "Aé");
    row("c.split(none, 1)[1]", "b-b ");
    row("c.rsplit('b', 1)[0]", " Aé b-");
    row("c.splitlines()[0]", " Aé b-b ");
    row("c.replace('b', 'x')", " Aé |-| ");
    row("'x-x'.replace('x', c)", " Aé b-b | Aé b-b ");
    row("c | upper", " AÉ B-B ");
    row("('x' ~ c) | capitalize", " aé b-b ");
    row("c | title", " Aé B-B ");
    row("c[1]", "A");
    row("c[-3:]", "-b ");
    row("c[::-1]", " b-b éA ");
    row("c * 2", " Aé b-b  Aé b-b ");
    row("c | tojson", " Aé b-b ");
    row("[c, 'x']", " Aé b-b ");
    row("{'k': c} | tojson(indent=2)", " Aé b-b ");
    row("c | indent(2, true)", " Aé b-b ");
    row("c.removeprefix(' A')", "é b-b ");
    row("c.removesuffix('b ')", " Aé b-");
    row("c | list | join", " Aé b-b ");
    row("c | reverse", " b-b éA ");
    row("none or c", " Aé b-b ");
    row("c | string | default('x')", " Aé b-b ");
    row("messages[0].role", "");
    row("c | length", "");
}

void TstChatTemplate::changedTextsKeepTheirTurns()
{
    QFETCH(QString, expression);
    QFETCH(QString, ofTurn);
    const Json messages = Json::parse(R"([{"role": "user", "content": " Aé b-b "}])");
    const std::string source =
        "{% macro m(c) %}<{{ " + expression.toStdString() +
        " }}>{% endmacro %}{% set t %}{{ m(messages[0].content) }}{% endset %}{{ t }}";
    const TurnText text = ChatTemplate(source, "t.jinja").renderTurns(messages);
    QStringList parts;
    for (const TurnRange& range : text.turns()) {
        QCOMPARE(range.turn, 0);
        parts << QString::fromStdString(part(text.bytes(), range.bytes));
    }
    QCOMPARE(parts.join(u'|'), ofTurn);
    QVERIFY(text.bytes().starts_with('<') && text.bytes().ends_with('>'));
}

void TstChatTemplate::partsOfATurnTextKeepTheirTurns()
{
    TurnText text("ab", 1);
    text.append("cd");
    text += TurnText("ef", 1) + TurnText("gh", 1) + TurnText("ij", 2);
    using Ranges = std::vector<TurnRange>;
    QVERIFY(text.turns() == (Ranges{{{0, 2}, 1}, {{4, 8}, 1}, {{8, 10}, 2}}));
    QVERIFY(text.part(1, 4).turns() == (Ranges{{{0, 1}, 1}, {{3, 4}, 1}}));
    QCOMPARE(text.part(1, 4).bytes(), std::string("bcde"));
    QVERIFY(text.part(8).turns() == (Ranges{{{0, 2}, 2}}));
    QVERIFY(text.part(99).empty() && text.part(3, 0).empty());
    QVERIFY(text.pieces() ==
            (Ranges{{{0, 2}, 1}, {{2, 4}, kTemplateTurn}, {{4, 8}, 1}, {{8, 10}, 2}}));
    text += text;
    QCOMPARE(text.turns().size(), std::size_t{6});
    text.truncate(5);
    QVERIFY(text.turns() == (Ranges{{{0, 2}, 1}, {{4, 5}, 1}}));
    text.truncate(4);
    QVERIFY(text.turns() == (Ranges{{{0, 2}, 1}}));
}

void TstChatTemplate::tokensBelongToTurns()
{
    const LoadedModel model = test::chatModel();
    const ChatInput chat{{{"user", "the cat"}, {"assistant", "user\n"}}, true};
    const TokenSequence tokens = encodeChat(*model.tokenizer, *model.chatTemplate, chat);
    QCOMPARE(tokens.text,
             std::string("<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n"
                         "<|im_start|>user\nthe cat<|im_end|>\n<|im_start|>assistant\nuser"
                         "<|im_end|>\n<|im_start|>assistant\n\n"));
    std::map<int, std::string> ofTurns;
    for (const Token& token : tokens.tokens) {
        ofTurns[token.turn] += part(tokens.text, token.bytes);
        QVERIFY(!token.special || token.turn == kTemplateTurn);
    }
    QCOMPARE(ofTurns.size(), std::size_t{3});
    QCOMPARE(ofTurns[0], std::string("the cat"));
    QCOMPARE(ofTurns[1], std::string("user"));
    const TokenSequence plain = model.tokenizer->encode(tokens.text, false);
    QVERIFY(plain.ids() == tokens.ids());
    QCOMPARE(plain.tokens.front().turn, kNoTurn);
    // A token of both sides is the turn's.
    const TokenSequence across =
        encodeTurns(*model.tokenizer, TurnText("t") + TurnText("he", 0) + TurnText(" cat"));
    QCOMPARE(across.tokens.front().bytes.end, std::size_t{3});
    QCOMPARE(across.tokens.front().turn, 0);
    QCOMPARE(across.tokens.back().turn, kTemplateTurn);
}

HEADSCOPE_TEST(TstChatTemplate)
#include "tst_chat_template.moc"

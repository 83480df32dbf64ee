#include "core/io/chat_template_file.h"

#include "core/base/error.h"
#include "core/io/open_model.h"
#include "core/model/pass/input_tokens.h"
#include "tests/support/gguf_builder.h"
#include "tests/support/gguf_models.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace headscope;

class TstChatTemplateFile : public QObject
{
    Q_OBJECT

private slots:
    void aFolderHasItInOneOfTwoPlaces();
    void aGgufFileNamesItsTokensByNumber();
    void oneOfSeveralIsChosen();
    void aModelWithoutOneIsRefused();
    void chatsAreListsOrObjects();
    void aModelOpensWithWhateverTemplate_data();
    void aModelOpensWithWhateverTemplate();

private:
    static std::filesystem::path written(const QTemporaryDir& folder, const char* name,
                                         const QByteArray& content)
    {
        QFile file(folder.filePath(name));
        if (file.open(QIODevice::WriteOnly))
            file.write(content);
        return file.fileName().toStdString();
    }

    static std::string render(const QTemporaryDir& folder, bool usesTools = false)
    {
        return readChatTemplate(folder.path().toStdString(), usesTools)
            .render(nlohmann::ordered_json::array());
    }
};

void TstChatTemplateFile::aFolderHasItInOneOfTwoPlaces()
{
    const QTemporaryDir folder;
    written(folder, "tokenizer_config.json",
            R"({"chat_template": "{{ bos_token ~ eos_token }}!", "bos_token": "<s>",
                "eos_token": {"content": "</s>", "lstrip": false}})");
    QCOMPARE(render(folder), std::string("<s></s>!"));
    written(folder, "chat_template.jinja", "own {{ eos_token }}"); // as transformers prefers it
    QCOMPARE(render(folder), std::string("own </s>"));
}

/// The first token may begin a text; one beyond the vocabulary has no name.
void TstChatTemplateFile::aGgufFileNamesItsTokensByNumber()
{
    const QTemporaryDir folder;
    test::GgufBuilder builder;
    builder.text("tokenizer.chat_template",
                 "{{ bos_token }}{{ unk_token }}{{ eos_token is defined }}");
    builder.texts("tokenizer.ggml.tokens", {"<s>", "<unk>"});
    builder.number("tokenizer.ggml.bos_token_id", 0U);
    builder.number("tokenizer.ggml.unknown_token_id", 1U);
    builder.number("tokenizer.ggml.eos_token_id", 2U);
    const auto path = written(folder, "model.gguf", QByteArray::fromStdString(builder.bytes()));
    QCOMPARE(readChatTemplate(path).render(nlohmann::ordered_json::array()),
             std::string("<s><unk>False"));
}

void TstChatTemplateFile::oneOfSeveralIsChosen()
{
    const QTemporaryDir folder;
    written(folder, "tokenizer_config.json",
            R"({"chat_template": [{"name": "tool_use", "template": "tools"},
                                  {"name": "default", "template": "plain"}]})");
    QCOMPARE(render(folder), std::string("plain"));
    QCOMPARE(render(folder, true), std::string("tools"));
}

void TstChatTemplateFile::aModelWithoutOneIsRefused()
{
    const QTemporaryDir folder;
    for (const char* config : {"", "{}", "[]", R"({"chat_template": 5})",
                               R"({"chat_template": [{"name": "other", "template": "x"}, 3]})"}) {
        if (*config)
            written(folder, "tokenizer_config.json", config);
        try {
            render(folder);
            QFAIL(config);
        } catch (const Error& error) {
            QCOMPARE(error.problem(), std::string("this model has no chat template"));
            QCOMPARE(error.where(), folder.path().toStdString());
        }
    }
    QVERIFY_EXCEPTION_THROWN(readChatTemplate("builtin:stories"), Error);
}

void TstChatTemplateFile::chatsAreListsOrObjects()
{
    const QTemporaryDir folder;
    const ChatFile list =
        readChat(written(folder, "list.json", R"([{"role": "user", "content": "x"}])"));
    QCOMPARE(list.messages.size(), std::size_t{1});
    QVERIFY(list.options.addGenerationPrompt && list.options.tools.is_null());
    const ChatFile object = readChat(written(
        folder, "object.json",
        R"({"messages": [], "tools": [{"b": 1, "a": 2}], "add_generation_prompt": false, "k": 3})"));
    QVERIFY(!object.options.addGenerationPrompt);
    QCOMPARE(object.options.tools.dump(), std::string(R"([{"b":1,"a":2}])")); // in this order
    QCOMPARE(object.options.variables.at("k").get<int>(), 3);
    QVERIFY_EXCEPTION_THROWN(readChat(written(folder, "bad.json", "{")), FormatError);
    QVERIFY_EXCEPTION_THROWN(readChat("/nowhere/chat.json"), FormatError);
}

void TstChatTemplateFile::aModelOpensWithWhateverTemplate_data()
{
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("problem"); // empty: it can be read
    QTest::newRow("none") << ""
                          << "no chat template";
    QTest::newRow("good") << "{{ messages[0].content }}"
                          << "";
    QTest::newRow("no Jinja") << "{{ 'a"
                              << "closing quote";
    QTest::newRow("hostile") << "{{ " + QString(100'000, u'(') + "1" + QString(100'000, u')') +
                                    " }}"
                             << "nested too deeply";
    QTest::newRow("hostile when rendered") << "{{ 'aaaaaaaaaa' * 10000000000 }}"
                                           << "";
}

void TstChatTemplateFile::aModelOpensWithWhateverTemplate()
{
    QFETCH(QString, source);
    QFETCH(QString, problem);
    const QTemporaryDir folder;
    const auto path =
        written(folder, "model.gguf",
                QByteArray::fromStdString(test::smallGguf(true, source.toStdString())));
    Progress progress;
    const LoadedModel model = openGgufModel(path, progress).model;
    QVERIFY(model.model);
    QCOMPARE(model.chatTemplate != nullptr, problem.isEmpty());
    const std::optional<Error> why = whyNoChat(model);
    QCOMPARE(why.has_value(), !problem.isEmpty());
    QVERIFY2(!why || QString(why->what()).contains(problem), why ? why->what() : "");
    const ChatInput chat{{{"user", "1 2"}}, true};
    if (why)
        QVERIFY_EXCEPTION_THROWN(chatTokens(model, chat), Error);
    else if (source.contains('*'))
        QVERIFY_EXCEPTION_THROWN(chatTokens(model, chat), Error);
    else
        QCOMPARE(chatTokens(model, chat).text, std::string("1 2"));
}

HEADSCOPE_TEST(TstChatTemplateFile)
#include "tst_chat_template_file.moc"

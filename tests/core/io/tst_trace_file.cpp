#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/random.h"
#include "core/io/safetensors/safetensors_file.h"
#include "core/io/safetensors/safetensors_writer.h"
#include "core/io/trace_file.h"
#include "core/text/chat/chat_input.h"
#include "tests/support/chat_model.h"
#include "tests/support/test_program.h"
#include "tests/support/tiny_model.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

using namespace headscope;

namespace {

std::shared_ptr<Tensor> randomTensor(const Shape& shape)
{
    auto tensor = std::make_shared<Tensor>(shape);
    Random random(5);
    for (float& value : tensor->values())
        value = static_cast<float>(random.normal());
    return tensor;
}

Tensor tensorOf(const Shape& shape, const std::vector<float>& values)
{
    Tensor tensor(shape);
    std::copy(values.begin(), values.end(), tensor.data());
    return tensor;
}

Trace exampleTrace(const TokenSequence& tokens)
{
    const auto n = static_cast<std::int64_t>(tokens.size());
    auto scores = randomTensor({2, n, n});
    scores->data()[1] = -std::numeric_limits<float>::infinity();
    const Trace::Activations activations{{{Site::Pattern, 0}, randomTensor({2, n, n})},
                                         {{Site::Pattern, 1}, randomTensor({2, n, n})},
                                         {{Site::AttnScores, 1}, scores},
                                         {{Site::Query, 0}, randomTensor({n, 2, 4})},
                                         {{Site::ResidPost, 1}, randomTensor({n, 8})},
                                         {{Site::Logits, 0}, randomTensor({n, 30})}};
    TraceInfo info;
    info.model = "builtin:tiny";
    info.settings = R"({"mask":"causal"})";
    info.device = "CPU";
    return Trace(tokens, activations, info);
}

} // namespace

using Change = std::function<void(SafetensorsWriter&)>;
Q_DECLARE_METATYPE(Change)

class TstTraceFile : public QObject
{
    Q_OBJECT

private slots:

    void aTraceComesBack_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("words") << QByteArray("the cat sat");
        QTest::newRow("bytes of one letter apart") << QByteArray("\xf0\x9f\x99\x82 \xc3\xa9");
        QTest::newRow("NUL and quotes") << QByteArray("a\0\"b\\", 5);
    }

    void aTraceComesBack()
    {
        QFETCH(QByteArray, text);
        const LoadedModel tiny = test::tinyModel();
        const Trace before = exampleTrace(tiny.tokenizer->encode(text.toStdString()));
        saveTrace(path(), before, *tiny.tokenizer);
        const TracePtr after = openTraceFile(path()).trace;
        QVERIFY(after->tokens() == before.tokens());
        QCOMPARE(after->info().model, before.info().model);
        QCOMPARE(after->info().settings, before.info().settings);
        QCOMPARE(after->info().device, before.info().device);
        QCOMPARE(after->activations().size(), before.activations().size());
        for (const auto& [key, tensor] : before.activations()) {
            const auto read = after->find(key);
            QVERIFY(read);
            QVERIFY(read->shape() == tensor->shape());
            QVERIFY(
                std::equal(read->values().begin(), read->values().end(), tensor->values().begin()));
        }
        QCOMPARE(after->layerCount(), 2);
        QCOMPARE(after->headCount(), 2);
    }

    void aChatKeepsItsTurns()
    {
        const LoadedModel model = test::chatModel();
        const ChatInput chat{{{"system", "be brief"}, {"user", "the cat"}}, true};
        const Trace before = exampleTrace(encodeChat(*model.tokenizer, *model.chatTemplate, chat));
        saveTrace(path(), before, *model.tokenizer, {"system", "user"});
        const TraceFile after = openTraceFile(path());
        QVERIFY(isChat(after.trace->tokens()));
        QVERIFY(after.trace->tokens() == before.tokens()); // turns and special tokens too
        QCOMPARE(after.roles, (std::vector<std::string>{"system", "user"}));
        const auto metadata = SafetensorsFile::open(path()).metadata();
        QVERIFY(metadata.contains("turns") && metadata.contains("roles"));
        saveTrace(path(), exampleTrace(model.tokenizer->encode("the cat")), *model.tokenizer);
        QVERIFY(!SafetensorsFile::open(path()).metadata().contains("turns"));
        QVERIFY(openTraceFile(path()).roles.empty());
    }

    void rowsOfSinksAreNothingToRemarkOn()
    {
        Tensor pattern = evenPattern(2);
        pattern.data()[0] = 0.25F;
        const auto written = [&](const char* settings) {
            write([&](SafetensorsWriter& w) {
                w.setMetadata("settings", settings);
                w.add("blocks.0.attn.hook_pattern", pattern.view());
            });
            return openTraceFile(path()).notes;
        };
        QCOMPARE(written("{}").size(), std::size_t(1));
        QVERIFY(written("{\"attention_sinks\": true}").empty());
        pattern.data()[0] = 0.75F; // more than 1 is odd even so
        QCOMPARE(written("{\"attention_sinks\": true}").size(), std::size_t(1));
    }

    void aTextThatIsNoUtf8IsRebuiltFromItsTokens()
    {
        const LoadedModel tiny = test::tinyModel();
        const Trace before = exampleTrace(tiny.tokenizer->encode("a\xff"));
        saveTrace(path(), before, *tiny.tokenizer);
        const TracePtr after = openTraceFile(path()).trace;
        QCOMPARE(after->tokens().ids(), before.tokens().ids());
        QCOMPARE(after->tokens().text, "a" + tiny.tokenizer->tokenText(before.tokens().ids()[1]));
    }

    void namesAndMetadataAreThoseOfTheField()
    {
        const LoadedModel tiny = test::tinyModel();
        saveTrace(path(), exampleTrace(tiny.tokenizer->encode("the cat")), *tiny.tokenizer);
        const SafetensorsFile file = SafetensorsFile::open(path());
        for (const char* name : {"blocks.0.attn.hook_pattern", "blocks.1.attn.hook_attn_scores",
                                 "blocks.0.attn.hook_q", "blocks.1.hook_resid_post", "logits"})
            QVERIFY2(file.contains(name), name);
        QCOMPARE(file.metadata().at("format"), std::string("headscope-trace"));
        const auto ids = nlohmann::json::parse(file.metadata().at("ids"));
        const auto tokens = nlohmann::json::parse(file.metadata().at("tokens"));
        QCOMPARE(ids.size(), tokens.size());
        QCOMPARE(tokens[0].get<std::string>(), tiny.tokenizer->tokenText(ids[0].get<TokenId>()));
        for (const char* key : {"version", "model", "settings"})
            QVERIFY2(file.metadata().count(key) == 1, key);
    }

    void anEncoderDecodersTraceComesBack()
    {
        const LoadedModel tiny = test::tinyModel();
        const TokenSequence source = tiny.tokenizer->encode("the cat sat");
        const TokenSequence target = tiny.tokenizer->encode("a b");
        const auto m = static_cast<std::int64_t>(source.size());
        const auto n = static_cast<std::int64_t>(target.size());
        QVERIFY(m != n);
        const Trace::Activations activations{
            {{Site::Pattern, 0, Stack::Encoder}, randomTensor({2, m, m})},
            {{Site::Embed, 0, Stack::Encoder}, randomTensor({m, 8})},
            {{Site::Pattern, 0, Stack::Decoder}, randomTensor({3, n, n})},
            {{Site::CrossPattern, 0, Stack::Decoder}, randomTensor({3, n, m})},
            {{Site::CrossKey, 0, Stack::Decoder}, randomTensor({m, 3, 4})},
            {{Site::CrossQuery, 0, Stack::Decoder}, randomTensor({n, 3, 4})},
            {{Site::Embed, 0}, randomTensor({n, 8})},
            {{Site::Logits, 0}, randomTensor({n, 30})}};
        saveTrace(path(), Trace(target, activations, {}, source), *tiny.tokenizer);
        const SafetensorsFile file = SafetensorsFile::open(path());
        for (const char* name :
             {"encoder.0.attn.hook_pattern", "encoder.hook_embed", "hook_embed",
              "decoder.0.cross_attn.hook_pattern", "decoder.0.attn.hook_pattern"})
            QVERIFY2(file.contains(name), name);
        const auto ids = nlohmann::json::parse(file.metadata().at("source_ids"));
        const auto tokens = nlohmann::json::parse(file.metadata().at("source_tokens"));
        QCOMPARE(ids.size(), source.size());
        QCOMPARE(tokens[0].get<std::string>(), tiny.tokenizer->tokenText(ids[0].get<TokenId>()));
        const TracePtr after = openTraceFile(path()).trace;
        QVERIFY(after->tokens() == target);
        QVERIFY(after->sourceTokens() == source);
        QCOMPARE(after->activations().size(), activations.size());
        for (const auto& [key, tensor] : activations) {
            const auto read = after->find(key);
            QVERIFY2(read && read->shape() == tensor->shape(), headscope::toString(key).c_str());
            QVERIFY(
                std::equal(read->values().begin(), read->values().end(), tensor->values().begin()));
        }
    }

    void everySiteOfADecoderComesBack()
    {
        const LoadedModel tiny = test::tinyModel();
        const TokenSequence tokens = tiny.tokenizer->encode("the cat");
        const auto n = static_cast<std::int64_t>(tokens.size());
        const Trace::Activations activations{{{Site::Latent, 0}, randomTensor({n, 5})},
                                             {{Site::RotaryKey, 0}, randomTensor({n, 4})},
                                             {{Site::RotatedQuery, 0}, randomTensor({n, 2, 4})},
                                             {{Site::RotatedKey, 0}, randomTensor({n, 1, 4})},
                                             {{Site::RouterProbs, 0}, randomTensor({n, 3})},
                                             {{Site::ExpertWeights, 0}, randomTensor({n, 3})},
                                             {{Site::MlpPreLinear, 0}, randomTensor({n, 9})},
                                             {{Site::NextSentence, 0}, randomTensor({1, 2})}};
        saveTrace(path(), Trace(tokens, activations, {}), *tiny.tokenizer);
        const TracePtr after = openTraceFile(path()).trace;
        QCOMPARE(after->activations().size(), activations.size());
        QCOMPARE(after->sourceTokens().size(), std::size_t{0});
        for (const auto& [key, tensor] : activations)
            QVERIFY2(after->find(key)->shape() == tensor->shape(),
                     headscope::toString(key).c_str());
    }

    void tracesOfOthersAreReadAndUnknownActivationsLeftOut()
    {
        const Tensor pattern({1, 2, 2});
        const Tensor scale({2, 1});
        write([&](SafetensorsWriter& w) {
            w.add("blocks.0.attn.hook_pattern", pattern.view());
            w.add("blocks.0.ln1.hook_scale", scale.view());
        });
        const TracePtr trace = openTraceFile(path()).trace;
        QCOMPARE(trace->activations().size(), std::size_t{1});
        QCOMPARE(trace->tokens().text, std::string("A B"));
        QCOMPARE(trace->tokens().tokens[1].bytes, (ByteRange{1, 3}));
    }

    void whatDoesNotFitIsRefused_data()
    {
        QTest::addColumn<Change>("change");
        QTest::addColumn<QString>("reported");
        static const Tensor square({1, 2, 2});
        static const Tensor wide({1, 3, 3});
        static const Tensor twoHeads({2, 2, 2});
        static const Tensor flat({4});
        static const Tensor empty({0, 2, 2});
        static const Tensor batch({2, 1, 2, 2});
        static Tensor spoiled({2, 2});
        spoiled.data()[0] = std::numeric_limits<float>::quiet_NaN();
        const auto tensor = [](const char* name, const Tensor& values) {
            return [=, &values](SafetensorsWriter& w) { w.add(name, values.view()); };
        };
        const auto metadata = [](const char* key, const char* value) {
            return [=](SafetensorsWriter& w) {
                w.add("blocks.0.attn.hook_pattern", square.view());
                w.setMetadata(key, value);
            };
        };
        const auto row = [](const char* name, const Change& change, const char* reported) {
            QTest::newRow(name) << change << QString(reported);
        };
        row("another format", metadata("format", "x"), "not a Headscope trace");
        row("a future version", metadata("version", "2"), "version \"2\"");
        row("ids that are no JSON", metadata("ids", "[1,"), "invalid JSON");
        row("ids that are no array", metadata("ids", "{}"), "array of token ids");
        row("no ids", metadata("ids", "[]"), "array of token ids");
        row("a negative id", metadata("ids", "[1,-2]"), "not a token id");
        row("an id beyond 2^31", metadata("ids", "[1,2147483648]"), "not a token id");
        row("an id as a string", metadata("ids", "[1,\"2\"]"), "not a token id");
        row("more ids than rows", metadata("ids", "[1,2,3]"), "array of 3 entries");
        row("fewer tokens than ids", metadata("tokens", "[\"a\"]"), "array of 2 entries");
        row("a token that is a number", metadata("tokens", "[\"a\",1]"), "token 1 is not a string");
        row("offsets beyond the text", metadata("offsets", "[[0,1],[0,9]]"), "outside the text");
        row("offsets that end first", metadata("offsets", "[[0,0],[1,0]]"), "outside the text");
        row("offsets that are negative", metadata("offsets", "[[0,0],[-1,0]]"), "outside the text");
        row("a turn that is no number", metadata("turns", "[0,\"user\"]"), "number of a turn");
        row("a turn below the template's", metadata("turns", "[0,-2]"), "number of a turn");
        row("fewer turns than tokens", metadata("turns", "[0]"), "array of 2 entries");
        row("roles that are numbers", metadata("roles", "[1]"), "array of strings");
        row("roles that are no array", metadata("roles", "{\"a\":\"b\"}"), "array of strings");
        row("nothing known", tensor("other", square), "without any known activation");
        row("pattern of other tokens", tensor("blocks.0.attn.hook_pattern", wide), "2 tokens");
        row("flat pattern", tensor("blocks.0.attn.hook_pattern", flat), "shape [4]");
        row("NaN", tensor("blocks.0.hook_resid_post", spoiled), "holds nan");
        row(
            "layers that differ",
            [](SafetensorsWriter& w) {
                w.add("blocks.0.attn.hook_pattern", square.view());
                w.add("blocks.1.attn.hook_pattern", twoHeads.view());
            },
            "an earlier layer");
        row("a layer of two billion", tensor("blocks.2147483647.attn.hook_pattern", square),
            "beyond 4096");
        row("no head", tensor("blocks.0.attn.hook_pattern", empty), "shape [0, 2, 2]");
        row("a batch of two", tensor("blocks.0.attn.hook_pattern", batch), "a batch of 2 texts");
        row("tokens that are no array", metadata("tokens", "{}"), "array of 2 entries");
        row("an encoder without a source", tensor("encoder.0.attn.hook_pattern", square),
            "without source_ids");
        row("cross-attention without a source", tensor("decoder.0.cross_attn.hook_pattern", square),
            "without source_ids");
        const auto sourced = [](const char* name, const Tensor& values) {
            return [=, &values](SafetensorsWriter& w) {
                w.setMetadata("source_ids", "[1,2,3]");
                w.setMetadata("source_tokens", "[\"a\",\"b\",\"c\"]");
                w.add(name, values.view());
            };
        };
        row("an encoder of other tokens", sourced("encoder.0.attn.hook_pattern", square),
            "3 source and 2 tokens");
        row("a decoder of the source's tokens", sourced("decoder.0.attn.hook_pattern", wide),
            "3 source and 2 tokens");
        row("a cross pattern of target tokens",
            sourced("decoder.0.cross_attn.hook_pattern", square), "3 source and 2 tokens");
        row("cross keys of target tokens", sourced("decoder.0.cross_attn.hook_k", square),
            "3 source and 2 tokens");
        row("a flat rotated query", tensor("blocks.0.attn.hook_rot_q", flat), "shape [4]");
        row("two sentences", tensor("next_sentence_logits", flat), "shape [4]");
        row("source ids that are no array", metadata("source_ids", "{}"), "source_ids must be");
        row("no source ids", metadata("source_ids", "[]"), "source_ids must be");
        row(
            "source offsets beyond the text",
            [](SafetensorsWriter& w) {
                w.add("blocks.0.attn.hook_pattern", square.view());
                w.setMetadata("source_ids", "[1]");
                w.setMetadata("source_text", "a");
                w.setMetadata("source_offsets", "[[0,2]]");
            },
            "source_offsets of token 0");
    }

    void whatDoesNotFitIsRefused()
    {
        QFETCH(Change, change);
        QFETCH(QString, reported);
        write(change);
        try {
            openTraceFile(path());
            QFAIL("accepted");
        } catch (const FormatError& error) {
            const QString sentence = QString::fromStdString(error.what());
            QVERIFY2(sentence.contains(reported), qPrintable(sentence));
            QVERIFY(sentence.contains(QString::fromStdString(path().string())));
        }
    }

    void attentionCapturedElsewhereIsRead_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<int>("tokens");
        QTest::addColumn<int>("place");
        QTest::addColumn<QByteArray>("stored");
        QTest::addColumn<QByteArray>("shown");
        QTest::addColumn<bool>("special");
        QTest::newRow("a space in bytes") << "gpt2" << 27 << 19
                                          << QByteArray("\xc4\xa0"
                                                        "because")
                                          << QByteArray(" because") << false;
        QTest::newRow("half a letter")
            << "gpt2" << 27 << 4 << QByteArray("\xc2\xaf") << QByteArray("\xaf") << false;
        QTest::newRow("a special token")
            << "bert" << 28 << 0 << QByteArray("[CLS]") << QByteArray("[CLS]") << true;
        QTest::newRow("a word goes on")
            << "bert" << 28 << 5 << QByteArray("##ve") << QByteArray("ve") << false;
    }

    void attentionCapturedElsewhereIsRead()
    {
        QFETCH(QString, model);
        QFETCH(int, tokens);
        QFETCH(int, place);
        QFETCH(QByteArray, stored);
        QFETCH(QByteArray, shown);
        QFETCH(bool, special);
        const TraceFile file = openTraceFile(captured(model + ".safetensors"));
        const TokenSequence& sequence = file.trace->tokens();
        QCOMPARE(sequence.text,
                 std::string("The na\xc3\xafve cat didn't cross the street because it was too "
                             "tired"));
        QCOMPARE(static_cast<int>(sequence.size()), tokens);
        QCOMPARE(file.trace->layerCount(), 2);
        QCOMPARE(file.trace->headCount(), 4);
        QVERIFY(file.trace->find({Site::ResidPre, 1}));
        QCOMPARE(file.trace->info().model, model.toStdString());
        QVERIFY(file.notes.empty());
        const Token& token = sequence.tokens[static_cast<std::size_t>(place)];
        QCOMPARE(QByteArray::fromStdString(file.names->tokenText(token.id)), stored);
        QCOMPARE(QByteArray::fromStdString(file.names->tokenBytes(token.id)), shown);
        QCOMPARE(token.special, special);
        QCOMPARE(file.names->isSpecial(token.id), special);
        QCOMPARE(QString::fromStdString(file.trace->info().settings),
                 model == "bert" ? QString(R"({"mask": "none"})")
                                 : QString(R"({"mask": "causal"})"));
    }

    void tokensAloneAreEnough_data()
    {
        QTest::addColumn<QByteArray>("tokens");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("special");
        const auto row = [](const char* name, const char* tokens, const char* text, int special) {
            QTest::newRow(name) << QByteArray(tokens) << QByteArray(text) << special;
        };
        row("plain", R"(["A"," B"," A"])", "A B A", 0);
        row("bytes", R"(["<|endoftext|>","\u0120caf\u00c3\u00a9","\u010a"])", " caf\xc3\xa9\n", 1);
        row("pieces", R"(["<s>","\u2581the","\u2581cat"])", "the cat", 1);
        row("bytes beside pieces", R"(["\u2581a","<0xC3>","<0xA9>"])", "a\xc3\xa9", 0);
        row("words", R"(["[CLS]","cross","##es"])", "crosses", 1);
        row("brackets of the text", R"(["[0]","<","a b>"])", "[0]<a b>", 0);
    }

    void tokensAloneAreEnough()
    {
        QFETCH(QByteArray, tokens);
        QFETCH(QByteArray, text);
        QFETCH(int, special);
        const Tensor pattern = evenPattern(3);
        SafetensorsWriter writer;
        writer.setMetadata("format", "headscope-trace");
        writer.setMetadata("version", "1");
        writer.setMetadata("model", "m");
        writer.setMetadata("tokens", tokens.toStdString());
        writer.add("blocks.3.attn.hook_pattern", pattern.view());
        writer.write(path());
        const TraceFile file = openTraceFile(path());
        QCOMPARE(QByteArray::fromStdString(file.trace->tokens().text), text);
        const auto& sequence = file.trace->tokens().tokens;
        QCOMPARE(static_cast<int>(std::count_if(sequence.begin(), sequence.end(),
                                                [](const Token& token) { return token.special; })),
                 special);
        const auto names = nlohmann::json::parse(tokens.toStdString());
        for (std::size_t i = 0; i < sequence.size(); ++i)
            QCOMPARE(file.names->tokenText(sequence[i].id), names[i].get<std::string>());
        QCOMPARE(file.trace->layerCount(), 4); // layers may be missing
        QCOMPARE(file.names->tokenBytes(9999), std::string("#9999"));
        QVERIFY(file.notes.empty());
    }

    void idsAndOffsetsAreEnough()
    {
        const Tensor pattern = evenPattern(2);
        write([&](SafetensorsWriter& w) {
            w.setMetadata("ids", "[7,7]");
            w.setMetadata("offsets", "[[0,1],[1,3]]");
            w.add("blocks.0.attn.hook_pattern", pattern.view());
        });
        const TraceFile counted = openTraceFile(path()); // "A" and " B" cannot both be 7
        QVERIFY(counted.trace->tokens().ids() == (std::vector<TokenId>{0, 1}));
        QCOMPARE(counted.notes.size(), std::size_t{1});
        SafetensorsWriter writer;
        writer.setMetadata("format", "headscope-trace");
        writer.setMetadata("version", "1");
        writer.setMetadata("ids", "[7,8]");
        writer.setMetadata("text", "A B");
        writer.setMetadata("offsets", "[[0,1],[1,3]]");
        writer.add("blocks.0.attn.hook_pattern", pattern.view());
        writer.write(path());
        const TraceFile file = openTraceFile(path());
        QVERIFY(file.trace->tokens().ids() == (std::vector<TokenId>{7, 8}));
        QCOMPARE(file.names->tokenText(8), std::string(" B"));
        QCOMPARE(file.names->find(" B"), std::optional<TokenId>(8));
        QVERIFY(!file.names->find("C"));
        QVERIFY(file.notes.empty());
    }

    /// "\u00c3\u00a9" is GPT-2's spelling of the two bytes of \u00e9, which the text shows.
    void bytesAreToldFromTheTextTheySpell()
    {
        const Tensor pattern = evenPattern(3);
        write([&](SafetensorsWriter& w) {
            w.setMetadata("ids", "[7,8,9]");
            w.setMetadata("tokens", R"(["x","\u00c3\u00a9","y"])");
            w.setMetadata("text", "x\u00e9y");
            w.setMetadata("offsets", "[[0,1],[1,3],[3,4]]");
            w.add("blocks.0.attn.hook_pattern", pattern.view());
        });
        QCOMPARE(openTraceFile(path()).names->tokenBytes(8), std::string("\u00e9"));
    }

    void aBatchOfOneIsTakenOff()
    {
        const Tensor pattern = tensorOf({1, 1, 2, 2}, {1.0F, 0.0F, 0.5F, 0.5F});
        const Tensor residual({1, 2, 3});
        write([&](SafetensorsWriter& w) {
            w.add("blocks.0.attn.hook_pattern", pattern.view());
            w.add("blocks.0.hook_resid_pre", residual.view());
        });
        const TracePtr trace = openTraceFile(path()).trace;
        QVERIFY(trace->find({Site::Pattern, 0})->shape() == Shape({1, 2, 2}));
        QVERIFY(trace->find({Site::ResidPre, 0})->shape() == Shape({2, 3}));
        QCOMPARE(trace->find({Site::Pattern, 0})->view()(0, 1, 1), 0.5F);
    }

    void halfPrecisionIsWidened_data()
    {
        QTest::addColumn<QByteArray>("type");
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("F16") << QByteArray("F16")
                             << QByteArray("\x00\x3c\x00\x00\x00\x34\x00\x3a", 8);
        QTest::newRow("BF16") << QByteArray("BF16")
                              << QByteArray("\x80\x3f\x00\x00\x80\x3e\x40\x3f", 8);
    }

    void halfPrecisionIsWidened()
    {
        QFETCH(QByteArray, type);
        QFETCH(QByteArray, bytes);
        const nlohmann::json header{
            {"__metadata__",
             {{"format", "headscope-trace"}, {"version", "1"}, {"tokens", R"(["a","b"])"}}},
            {"blocks.0.attn.hook_pattern",
             {{"dtype", type.toStdString()}, {"shape", {1, 2, 2}}, {"data_offsets", {0, 8}}}}};
        std::string text = header.dump();
        text.append((8 - text.size() % 8) % 8, ' ');
        std::string content;
        for (int byte = 0; byte < 8; ++byte)
            content += static_cast<char>((text.size() >> (8 * byte)) & 0xFFU);
        writeAtomically(path(), content + text + bytes.toStdString());
        const TraceFile file = openTraceFile(path());
        const auto pattern = file.trace->find({Site::Pattern, 0});
        QVERIFY(pattern);
        QCOMPARE(pattern->view()(0, 0, 0), 1.0F);
        QCOMPARE(pattern->view()(0, 0, 1), 0.0F);
        QCOMPARE(pattern->view()(0, 1, 0), 0.25F);
        QCOMPARE(pattern->view()(0, 1, 1), 0.75F);
        QVERIFY(file.notes.empty());
    }

    void oddWeightsAreSaidAndShown()
    {
        Tensor pattern = tensorOf({2, 2, 2}, {1.0F, 0.0F, 0.5F, 0.5F, 0.25F, 0.25F, 0.5F, 0.5F});
        pattern.data()[3] = std::numeric_limits<float>::quiet_NaN();
        write([&](SafetensorsWriter& w) { w.add("blocks.0.attn.hook_pattern", pattern.view()); });
        const TraceFile file = openTraceFile(path());
        QCOMPARE(file.trace->find({Site::Pattern, 0})->view()(0, 1, 1), 0.0F);
        QCOMPARE(file.trace->find({Site::Pattern, 0})->view()(1, 0, 1), 0.25F);
        QCOMPARE(file.notes.size(), std::size_t{2});
        QVERIFY(file.notes[0].find("1 weights are NaN") != std::string::npos);
        QVERIFY(file.notes[1].find("1 rows of weights do not sum to 1") != std::string::npos);
        for (const std::string& note : file.notes)
            QVERIFY(note.find("\"blocks.0.attn.hook_pattern\"") != std::string::npos);
    }

    void aTraceIsToldFromACheckpointByItsHeader()
    {
        QVERIFY(isTraceFile(captured("gpt2.safetensors")));
        QVERIFY(!isTraceFile(captured("capture.py")));
        QVERIFY(!isTraceFile(captured("missing.safetensors")));
        write([](SafetensorsWriter& w) { w.setMetadata("format", "headscope-checkpoint"); });
        QVERIFY(!isTraceFile(path()));
        writeAtomically(path(), "no safetensors");
        QVERIFY(!isTraceFile(path()));
    }

private:
    static std::filesystem::path captured(const QString& name)
    {
        return std::filesystem::path(HEADSCOPE_TEST_DATA "/captured") / name.toStdString();
    }

    /// One head whose rows sum to 1.
    static Tensor evenPattern(std::int64_t tokens)
    {
        Tensor pattern({1, tokens, tokens});
        for (float& weight : pattern.values())
            weight = 1.0F / static_cast<float>(tokens);
        return pattern;
    }

    /// A valid frame of two tokens, to which `change` adds or in which it replaces something.
    void write(const Change& change) const
    {
        SafetensorsWriter writer;
        writer.setMetadata("format", "headscope-trace");
        writer.setMetadata("version", "1");
        writer.setMetadata("ids", "[1,2]");
        writer.setMetadata("tokens", "[\"A\",\" B\"]");
        writer.setMetadata("text", "A B");
        change(writer);
        writer.write(path());
    }

    std::filesystem::path path() const
    {
        return (m_folder.path() + "/trace.safetensors").toStdString();
    }

    QTemporaryDir m_folder;
};

HEADSCOPE_TEST(TstTraceFile)
#include "tst_trace_file.moc"

#include "core/base/error.h"
#include "core/text/files/stored_vocabulary.h"
#include "core/text/tokenizers/byte_alphabet.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <functional>

using namespace headscope;

namespace {

using Type = StoredVocabulary::Type;

void put(StoredVocabulary& vocabulary, const std::string& text, Type type, float score = 0.0F)
{
    vocabulary.tokens.push_back(text);
    vocabulary.types.push_back(static_cast<std::int32_t>(type));
    vocabulary.scores.push_back(score);
}

/// Special ones, the byte alphabet, "Ġa", "12".
StoredVocabulary byteLevel(const std::string& pre)
{
    StoredVocabulary vocabulary;
    vocabulary.model = "gpt2";
    vocabulary.pre = pre;
    put(vocabulary, "<|start|>", Type::Control);
    put(vocabulary, "<|end|>", Type::Control);
    for (const std::uint8_t byte : bytesBySymbol())
        put(vocabulary, std::string(byteSymbol(byte)), Type::Normal);
    put(vocabulary, "\u0120a", Type::Normal);
    put(vocabulary, "12", Type::Normal);
    put(vocabulary, "[PAD260]", Type::Unused);
    put(vocabulary, "zzz", Type::Normal);
    vocabulary.scores.clear();
    vocabulary.merges = {"\u0120 a", "1 2"};
    vocabulary.bos = 0;
    vocabulary.eos = 1;
    return vocabulary;
}

StoredVocabulary llama()
{
    StoredVocabulary vocabulary;
    vocabulary.model = "llama";
    put(vocabulary, "<unk>", Type::Unknown);
    put(vocabulary, "<s>", Type::Control);
    put(vocabulary, "</s>", Type::Control);
    for (int byte = 0; byte < 256; ++byte) {
        constexpr const char* kDigits = "0123456789ABCDEF";
        put(vocabulary, std::string("<0x") + kDigits[byte / 16] + kDigits[byte % 16] + ">",
            Type::Byte);
    }
    put(vocabulary, "\u2581", Type::Normal, -3);
    put(vocabulary, "a", Type::Normal, -4);
    put(vocabulary, "b", Type::Normal, -5);
    put(vocabulary, "\u2581a", Type::Normal, -1);
    put(vocabulary, "ab", Type::Normal, -2);
    put(vocabulary, "[tool]", Type::UserDefined);
    return vocabulary;
}

StoredVocabulary bert()
{
    StoredVocabulary vocabulary;
    vocabulary.model = "bert";
    put(vocabulary, "[PAD]", Type::Control);
    put(vocabulary, "[UNK]", Type::Control);
    put(vocabulary, "[CLS]", Type::Control);
    put(vocabulary, "[SEP]", Type::Control);
    put(vocabulary, "\u2581play", Type::Normal);
    put(vocabulary, "ing", Type::Normal);
    put(vocabulary, "\u2581!", Type::Normal);
    vocabulary.scores.clear();
    vocabulary.unknown = 1;
    vocabulary.classification = 2;
    vocabulary.separator = 3;
    return vocabulary;
}

StoredVocabulary t5()
{
    StoredVocabulary vocabulary;
    vocabulary.model = "t5";
    put(vocabulary, "<pad>", Type::Control);
    put(vocabulary, "</s>", Type::Control);
    put(vocabulary, "<unk>", Type::Unknown);
    put(vocabulary, "\u2581a", Type::Normal, -1);
    put(vocabulary, "b", Type::Normal, -2);
    put(vocabulary, "<extra_id_0>", Type::UserDefined);
    return vocabulary;
}

std::shared_ptr<const Tokenizer> made(const StoredVocabulary& vocabulary)
{
    return makeTokenizer(vocabulary, "some.gguf");
}

std::vector<std::string> textsOf(const Tokenizer& tokenizer, std::string_view text)
{
    std::vector<std::string> result;
    for (const TokenId id : tokenizer.encode(text).ids())
        result.push_back(tokenizer.tokenText(id));
    return result;
}

using Texts = std::vector<std::string>;

} // namespace

class TstStoredVocabulary : public QObject
{
    Q_OBJECT

private slots:

    void byteLevelVocabulariesSplitByTheirRule()
    {
        QVERIFY((textsOf(*made(byteLevel("gpt-2")), " a12") == Texts{"\u0120a", "12"}));
        QVERIFY((textsOf(*made(byteLevel("smollm")), " a12") == Texts{"\u0120a", "1", "2"}));
        QVERIFY((textsOf(*made(byteLevel("qwen2")), " a12") == Texts{"\u0120a", "1", "2"}));
        QVERIFY((textsOf(*made(byteLevel("")), "zzz") == Texts{"z", "z", "z"}));
        QVERIFY((textsOf(*made(byteLevel("llama-bpe")), "zzz 12") ==
                 Texts{"<|start|>", "zzz", "\u0120", "12"}));
    }

    void specialTokensAreFoundAndAdded()
    {
        StoredVocabulary vocabulary = byteLevel("smollm");
        vocabulary.addEos = true;
        const auto tokenizer = made(vocabulary);
        QVERIFY((tokenizer->encode("<|start|>a").ids() ==
                 std::vector<TokenId>{0, tokenizer->find("a").value(), 1}));
        QVERIFY(tokenizer->isSpecial(0) && tokenizer->endOfText() == TokenId{1});
        QVERIFY(tokenizer->decode(tokenizer->encode("<|start|>a").ids(), true) == "a");
        QVERIFY((textsOf(*tokenizer, "[PAD260]").size() == 9)); // never found in a text
    }

    /// A file without kinds of tokens still names those that begin and end a text.
    void namedTokensAreSpecialWithoutKinds()
    {
        StoredVocabulary vocabulary = byteLevel("gpt-2");
        vocabulary.types.clear();
        const auto tokenizer = made(vocabulary);
        QVERIFY(tokenizer->isSpecial(0) && tokenizer->isSpecial(1) && !tokenizer->isSpecial(2));
        QVERIFY((tokenizer->encode("<|end|>", false).ids() == std::vector<TokenId>{1}));
    }

    void aMissingByteIsLostAndItsPlaceKept()
    {
        StoredVocabulary vocabulary = byteLevel("gpt-2");
        vocabulary.tokens[static_cast<std::size_t>(
            std::find(vocabulary.tokens.begin(), vocabulary.tokens.end(), byteSymbol(4)) -
            vocabulary.tokens.begin())] = "gone";
        const TokenSequence sequence = made(vocabulary)->encode("x\x04y");
        QCOMPARE(sequence.size(), std::size_t{2});
        QVERIFY((sequence.tokens[1].bytes == ByteRange{2, 3}));
    }

    void llamaPiecesFallBackToBytes()
    {
        const auto tokenizer = made(llama());
        QVERIFY((textsOf(*tokenizer, "ab") == Texts{"<s>", "\u2581a", "b"}));
        QVERIFY((textsOf(*tokenizer, "\u00E9") == Texts{"<s>", "\u2581", "<0xC3>", "<0xA9>"}));
        QVERIFY((textsOf(*tokenizer, "ab[tool]ab") ==
                 Texts{"<s>", "\u2581a", "b", "[tool]", "\u2581a", "b"}));
        for (const char* text : {"ab  a", " a", "\u00E9\n", "xyz"})
            QVERIFY(tokenizer->decode(tokenizer->encode(text).ids(), true) == text);
        StoredVocabulary bare = llama();
        bare.addSpacePrefix = false;
        bare.addBos = false;
        QVERIFY((textsOf(*made(bare), "ab") == Texts{"ab"}));
    }

    void bertPiecesBeginWithTheirMark()
    {
        const auto tokenizer = made(bert());
        QVERIFY((textsOf(*tokenizer, "Playing!") ==
                 Texts{"[CLS]", "\u2581play", "ing", "\u2581!", "[SEP]"}));
        QVERIFY((textsOf(*tokenizer, "ing") == Texts{"[CLS]", "[UNK]", "[SEP]"}));
        QVERIFY(tokenizer->tokenBytes(4) == "play" && tokenizer->tokenBytes(5) == "ing");
        QVERIFY(tokenizer->decode(tokenizer->encode("play playing").ids(), true) == "play playing");
    }

    void t5EndsItsTexts()
    {
        const auto tokenizer = made(t5());
        QVERIFY((textsOf(*tokenizer, "  ab ") == Texts{"\u2581a", "b", "</s>"}));
        QVERIFY((textsOf(*tokenizer, "a<extra_id_0>") == Texts{"\u2581a", "<extra_id_0>", "</s>"}));
        QVERIFY((textsOf(*tokenizer, "az") == Texts{"\u2581a", "<unk>", "</s>"}));
    }

    void hostileVocabulariesAreRefused_data()
    {
        using Change = std::function<void(StoredVocabulary&)>;
        QTest::addColumn<StoredVocabulary>("vocabulary");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char* name, StoredVocabulary vocabulary, const Change& change,
                            const char* expected) {
            change(vocabulary);
            QTest::newRow(name) << vocabulary << QByteArray(expected);
        };
        const StoredVocabulary bpe = byteLevel("gpt-2");
        row(
            "empty", bpe, [](auto& v) { v.tokens.clear(); }, "empty");
        row(
            "another kind", bpe, [](auto& v) { v.model = "rwkv"; }, "rwkv");
        row(
            "another rule", bpe, [](auto& v) { v.pre = "lama-bpe"; }, "llama-bpe");
        row(
            "fewer types", bpe, [](auto& v) { v.types.pop_back(); }, "types");
        row(
            "more types", bpe, [](auto& v) { v.types.push_back(1); }, "types");
        row(
            "fewer scores", llama(), [](auto& v) { v.scores.pop_back(); }, "scores");
        row(
            "no scores", llama(), [](auto& v) { v.scores.clear(); }, "scores");
        row(
            "a score that is no number", llama(), [](auto& v) { v.scores[260] = std::nanf(""); },
            "score");
        row(
            "no merges", bpe, [](auto& v) { v.merges.clear(); }, "merges");
        row(
            "a merge of a missing token", bpe, [](auto& v) { v.merges.push_back("q qq"); }, "qq");
        row(
            "a merge into a missing token", bpe, [](auto& v) { v.merges.push_back("q r"); }, "qr");
        row(
            "a merge of one", bpe, [](auto& v) { v.merges.push_back("q"); }, "two tokens");
        row(
            "a token twice", bpe, [](auto& v) { v.tokens[5] = v.tokens[6]; }, "two ids");
        row(
            "a special id beyond", bpe, [](auto& v) { v.bos = 1 << 30; }, "bos_token_id");
        row(
            "a negative special id", bpe, [](auto& v) { v.eos = -1; }, "eos_token_id");
        row(
            "a token that is wanted and not there", bpe,
            [](auto& v) {
                v.bos.reset();
                v.addBos = true;
            },
            "names none");
        row(
            "a byte <0x-1>", llama(), [](auto& v) { v.tokens[7] = "<0x-1>"; }, "<0x-1>");
        row(
            "a byte <0xZZ>", llama(), [](auto& v) { v.tokens[7] = "<0xZZ>"; }, "<0xZZ>");
        row(
            "an unknown type", llama(), [](auto& v) { v.types[260] = 77; }, "77");
        row(
            "an unknown id beyond", bert(), [](auto& v) { v.unknown = 7'000; }, "unknown_token_id");
        row(
            "no class token", bert(), [](auto& v) { v.classification.reset(); }, "cls_token_id");
        row(
            "a table that is cut off", t5(), [](auto& v) { v.charsMap = "\x7F\x7F"; },
            "replacements");
    }

    void hostileVocabulariesAreRefused()
    {
        QFETCH(StoredVocabulary, vocabulary);
        QFETCH(QByteArray, expected);
        std::string problem;
        try {
            made(vocabulary);
        } catch (const FormatError& error) {
            problem = error.what();
        }
        QVERIFY2(problem.find("some.gguf") != std::string::npos, problem.c_str());
        QVERIFY2(problem.find(expected.toStdString()) != std::string::npos, problem.c_str());
    }

    void emptyTokensGetANameAsElsewhere()
    {
        StoredVocabulary vocabulary = llama();
        put(vocabulary, "", Type::Normal, -20);
        QVERIFY(made(vocabulary)->tokenText(265) == "[EMPTY_265]");
    }
};

HEADSCOPE_TEST(TstStoredVocabulary)
#include "tst_stored_vocabulary.moc"

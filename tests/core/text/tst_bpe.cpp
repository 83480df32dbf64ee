// labels: golden
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json_text.h"
#include "core/base/random.h"
#include "core/text/display_text.h"
#include "core/text/files/tokenizer_file.h"
#include "core/text/splitting/pretokenizer.h"
#include "core/text/tokenizers/bpe_tokenizer.h"
#include "core/text/tokenizers/byte_alphabet.h"
#include "core/text/training/bpe_trainer.h"
#include "tests/support/golden.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;
using nlohmann::json;

namespace {

json goldenJson(const std::string& name)
{
    const auto path = test::goldenDir() / "tokenizers" / name;
    return parseJson(readFile(path, 1 << 24), path.string());
}

std::shared_ptr<const BpeTokenizer> goldenTokenizer()
{
    return loadBpeTokenizer(test::goldenDir() / "tokenizers/bpe/tokenizer.json");
}

QString compareEncoding(const BpeTokenizer& tokenizer, const json& expected)
{
    const std::string text = expected["text"];
    const TokenSequence sequence = tokenizer.encode(text);
    json got{{"ids", sequence.ids()}, {"tokens", json::array()}, {"byte_spans", json::array()}};
    for (const Token& token : sequence.tokens) {
        got["tokens"].push_back(tokenizer.tokenText(token.id));
        got["byte_spans"].push_back({token.bytes.begin, token.bytes.end});
    }
    got["decoded"] = tokenizer.decode(sequence.ids());
    for (const auto& [key, value] : got.items()) {
        if (value != expected[key])
            return QString("%1 of %2: got %3 instead of %4")
                .arg(key.c_str(), text.c_str(), value.dump().c_str(), expected[key].dump().c_str());
    }
    return {};
}

std::string randomBytes(Random& random, std::size_t size)
{
    std::string bytes(size, '\0');
    for (char& byte : bytes)
        byte = static_cast<char>(random.below(256));
    return bytes;
}

QString roundTrip(const BpeTokenizer& tokenizer, const std::string& text)
{
    const TokenSequence sequence = tokenizer.encode(text);
    if (tokenizer.decode(sequence.ids()) != text)
        return "decoding gives other bytes";
    std::size_t position = 0;
    for (const Token& token : sequence.tokens) {
        if (token.bytes.begin != position || token.bytes.end <= position)
            return QString("a token begins at %1 instead of %2")
                .arg(token.bytes.begin)
                .arg(position);
        if (text.substr(position, token.bytes.end - position) != tokenizer.tokenBytes(token.id))
            return QString("the token at %1 stands for other bytes").arg(position);
        position = token.bytes.end;
    }
    return position == text.size() ? QString() : QString("the tokens end too early");
}

std::string repeated(const std::string& part, std::size_t count)
{
    std::string text;
    for (std::size_t i = 0; i < count; ++i)
        text += part;
    return text;
}

} // namespace

class TstBpe : public QObject
{
    Q_OBJECT

private slots:

    void encodingsAreThoseOfHuggingFace()
    {
        const auto tokenizer = goldenTokenizer();
        const json file = goldenJson("bpe_encodings.json");
        QVERIFY(file["encodings"].size() == file["count"]);
        for (const json& expected : file["encodings"]) {
            const QString problem = compareEncoding(*tokenizer, expected);
            QVERIFY2(problem.isEmpty(), qPrintable(problem));
        }
    }

    void wordsAreThoseOfHuggingFace()
    {
        const json file = goldenJson("bpe_encodings.json");
        for (const json& expected : file["encodings"]) {
            const std::string text = expected["text"];
            if (text.find("<|endoftext|>") != std::string::npos)
                continue; // the library splits added tokens off before it looks for words
            json words = json::array();
            for (const ByteRange& word : splitWords(text))
                words.push_back(toByteSymbols(text.substr(word.begin, word.end - word.begin)));
            QVERIFY2(words == expected["words"], expected["text"].dump().c_str());
        }
    }

    void prefixSpaceEncodingsAreThoseOfHuggingFace()
    {
        BpeVocabulary vocabulary = goldenTokenizer()->vocabulary();
        vocabulary.addPrefixSpace = true;
        const BpeTokenizer tokenizer(std::move(vocabulary));
        const json file = goldenJson("bpe_prefix_space_encodings.json");
        QVERIFY(!file["encodings"].empty());
        for (const json& expected : file["encodings"]) {
            const std::string text = expected["text"];
            const json ids = tokenizer.encode(text).ids();
            QVERIFY2(ids == expected["ids"], (expected["text"].dump() + ids.dump()).c_str());
        }
    }

    void prefixSpaceIsInNoByteRange()
    {
        BpeVocabulary vocabulary = goldenTokenizer()->vocabulary();
        vocabulary.addPrefixSpace = true;
        const BpeTokenizer tokenizer(std::move(vocabulary));
        const auto tokens = tokenizer.encode("the \u00e9").tokens;
        QCOMPARE(tokens.front().bytes.begin, std::size_t{0});
        QCOMPARE(tokens.back().bytes.end, std::size_t{6});
        for (std::size_t i = 1; i < tokens.size(); ++i)
            QCOMPARE(tokens[i].bytes.begin, tokens[i - 1].bytes.end);
        const auto lone = tokenizer.encode("\n").tokens;
        QVERIFY(lone[0].bytes == (ByteRange{0, 0}));
        QVERIFY(lone[1].bytes == (ByteRange{0, 1}));
    }

    void trainerReproducesTheGoldenVocabulary()
    {
        const auto expected = goldenTokenizer();
        const std::string corpus = readFile(test::goldenDir() / "tokenizers/corpus.txt", 1 << 24);
        BpeTrainerSettings settings;
        settings.vocabularySize = expected->vocabularySize();
        const auto trained = trainBpeOnLines(corpus, settings);
        QVERIFY(trained->vocabulary().tokens == expected->vocabulary().tokens);
        QVERIFY(trained->vocabulary().merges == expected->vocabulary().merges);
        QVERIFY(trained->vocabulary().addedTokens == expected->vocabulary().addedTokens);
    }

    void randomBytesRoundTrip()
    {
        const auto tokenizer = goldenTokenizer();
        Random random(7);
        for (std::size_t size = 0; size < 300; ++size) {
            const QString problem = roundTrip(*tokenizer, randomBytes(random, size));
            QVERIFY2(problem.isEmpty(), qPrintable(problem));
        }
    }

    void awkwardTextsRoundTrip_data()
    {
        QTest::addColumn<QByteArray>("text");
        const auto row = [](const char* name, const std::string& text) {
            QTest::newRow(name) << QByteArray::fromStdString(text);
        };
        row("empty", "");
        row("NUL bytes", std::string("a\0b\0\0c", 6));
        row("invalid UTF-8", "caf\xE9 \xFF\xFE \xC3 \xE2\x82 \xF0\x9F\x98 x\x80");
        row("overlong and out of range", "\xC0\x80 \xE0\x80\xAF \xF5\x80\x80\x80 \xF4\x90\x80\x80");
        row("unpaired surrogates", "\xED\xA0\x80\xED\xB0\x80 \xED\xBF\xBF");
        row("10,000 combining marks", "a" + repeated("\u0301", 10'000));
        row("bidirectional overrides", "\u202E\u2066abc\u2069\u202C \u200Fxyz");
        row("only spaces", std::string(5'000, ' '));
        row("every space",
            "\t\n\v\f\r \u0085\u00A0\u1680\u2003\u2028\u2029\u202F\u205F\u3000x\u3000");
        row("only emoji", repeated("\U0001F600\U0001F468\u200D\U0001F469\u200D\U0001F467", 50));
        row("one token repeated", repeated(" the", 5'000));
        row("special tokens", "<|endoftext|>a<|endoftext|><|endoftext|> b<|endoftext|");
        row("1 MB of one letter", std::string(1 << 20, 'e'));
        row("1 MB word", repeated("then", 1 << 18));
        row("1 MB of sentences", repeated("The cat sat on the mat. It's late!\n", 30'000));
        row("1 MB of spaces and tabs", repeated(" \t", 1 << 19));
        row("1 MB of apostrophes", std::string(1 << 20, '\''));
        row("1 MB of invalid bytes", std::string(1 << 20, '\xFF'));
    }

    void awkwardTextsRoundTrip()
    {
        QFETCH(QByteArray, text);
        const QString problem = roundTrip(*goldenTokenizer(), text.toStdString());
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
    }

    void longWordsMergeAsShortOnesDo()
    {
        // The same merges through the queue (long) and by looking again (short).
        const auto tokenizer = goldenTokenizer();
        Random random(11);
        const std::string letters = "thereinaou'";
        const auto& vocabulary = tokenizer->vocabulary();
        for (int round = 0; round < 200; ++round) {
            std::string word;
            for (std::size_t i = 0; i < 20; ++i)
                word += letters[random.below(10)];
            const auto once = tokenizer->encode(word).ids();
            // A boundary that no merge crosses: '!' joins with nothing here.
            BpeVocabulary whole = vocabulary;
            whole.splitWords = false;
            const BpeTokenizer wholeText(std::move(whole));
            const auto both = wholeText.encode(word + "!" + word + "!" + word).ids();
            std::vector<TokenId> expected = once;
            const TokenId mark = *tokenizer->find("!");
            for (int i = 0; i < 2; ++i) {
                expected.push_back(mark);
                expected.insert(expected.end(), once.begin(), once.end());
            }
            QVERIFY2(both == expected, word.c_str());
        }
    }

    void specialTokensAreMarkedAndSkipped()
    {
        const auto tokenizer = goldenTokenizer();
        const auto sequence = tokenizer->encode("a<|endoftext|>b");
        QCOMPARE(sequence.size(), std::size_t{3});
        QVERIFY(sequence.tokens[1].special);
        QVERIFY(!sequence.tokens[0].special);
        QCOMPARE(sequence.tokens[1].id, *tokenizer->endOfText());
        QCOMPARE(tokenizer->decode(sequence.ids(), true), std::string("ab"));
        QCOMPARE(tokenizer->decode(sequence.ids(), false), std::string("a<|endoftext|>b"));
    }

    void theLongestAddedTokenWins()
    {
        BpeVocabulary vocabulary = goldenTokenizer()->vocabulary();
        for (const std::string content : {"<a>", "<a><b>", "<b>", "a><"}) {
            vocabulary.addedTokens.push_back(
                {static_cast<TokenId>(vocabulary.tokens.size()), content, true, false});
            vocabulary.tokens.push_back(content);
        }
        const BpeTokenizer tokenizer(std::move(vocabulary));
        const auto texts = [&](const std::string& text) {
            std::vector<std::string> result;
            for (const TokenId id : tokenizer.encode(text).ids())
                result.push_back(tokenizer.tokenText(id));
            return result;
        };
        using Texts = std::vector<std::string>;
        QVERIFY(texts("<a><b><b>") == (Texts{"<a><b>", "<b>"}));
        QVERIFY(texts("<a><a><b>") == (Texts{"<a>", "<a><b>"}));
        QVERIFY(texts("a><b>") == (Texts{"a><", "b", ">"}));
    }

    void unknownIdsAreRefused()
    {
        const auto tokenizer = goldenTokenizer();
        const auto size = static_cast<TokenId>(tokenizer->vocabularySize());
        for (const TokenId id : {-1, size, INT32_MAX, INT32_MIN}) {
            QVERIFY_EXCEPTION_THROWN(tokenizer->tokenText(id), Error);
            QVERIFY_EXCEPTION_THROWN(tokenizer->tokenBytes(id), Error);
            QVERIFY_EXCEPTION_THROWN(tokenizer->isSpecial(id), Error);
            QVERIFY_EXCEPTION_THROWN(tokenizer->decode(std::vector<TokenId>{0, id}), Error);
        }
    }

    void displayTextIsReadable()
    {
        QCOMPARE(displayText(" "), std::string("\u00B7"));
        QCOMPARE(displayText("  "), std::string("\u00B7\u00B7"));
        QCOMPARE(displayText(" the"), std::string(" the"));
        QCOMPARE(displayText("\n"), std::string("\u240A"));
        QCOMPARE(displayText(std::string("\0", 1)), std::string("\u2400"));
        QCOMPARE(displayText("\x7F"), std::string("\u2421"));
        QCOMPARE(displayText("\xE2"), std::string("<0xE2>"));
        QCOMPARE(displayText("a\xFF\xE2\x82"), std::string("a<0xFF><0xE2><0x82>"));
        QCOMPARE(displayText("\u202E"), std::string("<U+202E>"));
        QCOMPARE(displayText("\u00e9\U0001F600"), std::string("\u00e9\U0001F600"));
        QCOMPARE(displayText(""), std::string());
    }
};

HEADSCOPE_TEST(TstBpe)
#include "tst_bpe.moc"

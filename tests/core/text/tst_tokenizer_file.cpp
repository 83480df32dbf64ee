// labels: golden
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json_text.h"
#include "core/base/random.h"
#include "core/text/bpe_trainer.h"
#include "core/text/byte_alphabet.h"
#include "core/text/tokenizer_file.h"
#include "tests/support/golden.h"

#include <QTemporaryDir>
#include <QTest>

using namespace headscope;
using nlohmann::json;

namespace {

std::filesystem::path goldenBpe()
{
    return test::goldenDir() / "tokenizers/bpe";
}

/// The smallest vocabulary that is none of a stranger's tricks: 256 bytes, "ab", "abab", one
/// special.
json smallTokenizer()
{
    json vocabulary = json::object();
    for (const std::uint8_t byte : bytesBySymbol())
        vocabulary[std::string(byteSymbol(byte))] = vocabulary.size();
    vocabulary["ab"] = 256;
    vocabulary["abab"] = 257;
    vocabulary["<|endoftext|>"] = 258;
    return {{"version", "1.0"},
            {"added_tokens",
             json::array({{{"id", 258}, {"content", "<|endoftext|>"}, {"special", true}}})},
            {"normalizer", nullptr},
            {"pre_tokenizer", {{"type", "ByteLevel"}, {"add_prefix_space", false}}},
            {"post_processor", nullptr},
            {"decoder", {{"type", "ByteLevel"}}},
            {"model",
             {{"type", "BPE"},
              {"vocab", vocabulary},
              {"merges", json::array({"a b", json::array({"ab", "ab"})})}}}};
}

std::string problemOf(const std::string& text)
{
    try {
        parseTokenizerJson(text, "some.json");
    } catch (const FormatError& error) {
        return error.what();
    }
    return {};
}

/// Changes one place of a good file, by JSON pointer.
void hostileRow(const char* name, const char* pointer, json value, const char* expected)
{
    json changed = smallTokenizer();
    changed[json::json_pointer(pointer)] = std::move(value);
    QTest::newRow(name) << QByteArray::fromStdString(changed.dump()) << QByteArray(expected);
}

} // namespace

class TstTokenizerFile : public QObject
{
    Q_OBJECT

private slots:

    void theSmallTokenizerIsGood()
    {
        const auto tokenizer = parseTokenizerJson(smallTokenizer().dump(), "some.json");
        const auto ids = tokenizer->encode("ababab<|endoftext|>").ids();
        QVERIFY((ids == std::vector<TokenId>{257, 256, 258}));
    }

    void allFormsOfTheGoldenTokenizerAgree()
    {
        const auto whole = loadTokenizer(goldenBpe() / "tokenizer.json");
        const auto pair = loadTokenizer(goldenBpe() / "vocab.json");
        QVERIFY(whole->vocabulary() == pair->vocabulary());
        QVERIFY(whole->vocabulary() == loadTokenizer(goldenBpe())->vocabulary());
        QVERIFY(whole->vocabulary() == loadTokenizer(goldenBpe() / "merges.txt")->vocabulary());
    }

    void writesTheSameFileAsHuggingFace()
    {
        const std::string text = readFile(goldenBpe() / "tokenizer.json", 1 << 24);
        const auto tokenizer = parseTokenizerJson(text, "golden");
        QCOMPARE(toTokenizerJson(*tokenizer), text);
    }

    void savedTokenizersLoadAgain()
    {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.path().toStdString();
        BpeTrainerSettings settings;
        settings.vocabularySize = 300;
        settings.specialTokens = {"<|endoftext|>", "<pad>"};
        const auto trained = trainBpeOnLines("to be or not to be\nthat is the question", settings);
        saveTokenizer(*trained, path / "tokenizer.json");
        QVERIFY(loadTokenizer(path)->vocabulary() == trained->vocabulary());
        std::filesystem::remove(path / "tokenizer.json");
        saveVocabularyAndMerges(*trained, path);
        QVERIFY(loadTokenizer(path)->vocabulary() == trained->vocabulary());
    }

    void everythingInAVocabularyIsKept()
    {
        BpeVocabulary vocabulary =
            parseTokenizerJson(smallTokenizer().dump(), "some.json")->vocabulary();
        vocabulary.addPrefixSpace = true;
        vocabulary.splitWords = false;
        vocabulary.ignoreMerges = true;
        vocabulary.tokens.push_back("two words");
        vocabulary.addedTokens.push_back({259, "two words", false, true});
        vocabulary.textPrefix = {258};
        vocabulary.textSuffix = {258, 258};
        const BpeTokenizer tokenizer(vocabulary);
        const auto again = parseTokenizerJson(toTokenizerJson(tokenizer), "again");
        QVERIFY(again->vocabulary() == vocabulary);
        const auto ids = again->encode("two words").ids();
        QVERIFY((ids == std::vector<TokenId>{258, 259, 258, 258}));
        QVERIFY((again->encode("two words", false).ids() == std::vector<TokenId>{259}));
        QVERIFY(again->encode("x").tokens.front().bytes == (ByteRange{0, 0}));
    }

    void hostileFilesAreRefused_data()
    {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QByteArray>("expected");
        const auto text = [](const char* name, const std::string& file, const char* expected) {
            QTest::newRow(name) << QByteArray::fromStdString(file) << QByteArray(expected);
        };
        text("nothing", "", "");
        text("a list", "[]", "JSON object");
        text("100,000 levels", std::string(100'000, '['), "deep");
        const std::string whole = smallTokenizer().dump();
        for (const std::size_t part : {1, 4, 9, 15})
            text(qPrintable(QString("cut after %1/16").arg(part)),
                 whole.substr(0, whole.size() * part / 16), "");
        text("more after the end", whole + "{}", "");
        hostileRow("empty vocabulary", "/model/vocab", json::object(), "only 1 tokens");
        hostileRow("vocabulary of a list", "/model/vocab", json::array(), "no JSON object");
        hostileRow("negative id", "/model/vocab/ab", -1, "-1");
        hostileRow("sparse id", "/model/vocab/ab", 2'147'483'648U, "without gaps");
        hostileRow("huge id", "/model/vocab/ab", 18'446'744'073'709'551'615U, "without gaps");
        hostileRow("id as text", "/model/vocab/ab", "7", "not a number");
        hostileRow("id with a fraction", "/model/vocab/ab", 7.5, "not a number");
        hostileRow("id null", "/model/vocab/ab", nullptr, "not a number");
        hostileRow("doubled id", "/model/vocab/ab", 0, "same id");
        hostileRow("empty token", "/model/vocab/", 259, "empty");
        hostileRow("merge of a missing token", "/model/merges/0", "a zz", "\"zz\"");
        hostileRow("merge into a missing token", "/model/merges/0", "b a", "\"ba\"");
        hostileRow("merge of one token", "/model/merges/0", "ab", "two tokens");
        hostileRow("merge of three tokens", "/model/merges/0", "a b c", "two tokens");
        hostileRow("merge of a number", "/model/merges/0", 7, "two tokens");
        hostileRow("merge of three strings", "/model/merges/0", {"a", "b", "c"}, "two tokens");
        hostileRow("no merges", "/model/merges", nullptr, "merges");
        hostileRow("empty added token", "/added_tokens/0/content", "", "empty");
        hostileRow("long added token", "/added_tokens/0/content", std::string(100'000, 'x'), "");
        hostileRow("added token of another id", "/added_tokens/0/id", 3, "same id");
        hostileRow("added token with a negative id", "/added_tokens/0/id", -5, "valid id");
        hostileRow("added token far away", "/added_tokens/0/id", 2'000'000'000, "without gaps");
        hostileRow("added token without id", "/added_tokens/0/id", nullptr, "valid id");
        hostileRow("added token with lstrip", "/added_tokens/0/lstrip", true, "lstrip");
        hostileRow("added token special as text", "/added_tokens/0/special", "yes",
                   "true nor false");
        hostileRow("added tokens as an object", "/added_tokens", json::object(), "no list");
        hostileRow("added token twice", "/added_tokens/1", smallTokenizer()["added_tokens"][0],
                   "twice");
        hostileRow("added token of another meaning", "/added_tokens/1",
                   {{"id", 220}, {"content", "\u0120"}}, "");
        hostileRow("another model", "/model/type", "WordPiece", "WordPiece");
        hostileRow("no model", "/model", nullptr, "model");
        hostileRow("byte fallback", "/model/byte_fallback", true, "byte_fallback");
        hostileRow("dropout", "/model/dropout", 0.1, "dropout");
        hostileRow("suffix", "/model/end_of_word_suffix", "</w>", "end_of_word_suffix");
        hostileRow("a normalizer", "/normalizer", {{"type", "NFKC"}}, "NFKC");
        hostileRow("a normalizer without type", "/normalizer", 5, "normalizer");
        hostileRow("another pre-tokenizer", "/pre_tokenizer", {{"type", "Metaspace"}}, "Metaspace");
        hostileRow("no pre-tokenizer", "/pre_tokenizer", nullptr, "pre-tokenizer");
        hostileRow("another decoder", "/decoder", {{"type", "Fuse"}}, "Fuse");
        hostileRow("another post-processor", "/post_processor", {{"type", "BertProcessing"}},
                   "BertProcessing");
        hostileRow("template of a missing token", "/post_processor",
                   {{"type", "TemplateProcessing"},
                    {"single", json::array({{{"SpecialToken", {{"id", "<s>"}}}}})}},
                   "<s>");
        hostileRow("template of nonsense", "/post_processor",
                   {{"type", "TemplateProcessing"}, {"single", json::array({1, 2})}}, "template");
    }

    void hostileFilesAreRefused()
    {
        QFETCH(QByteArray, file);
        QFETCH(QByteArray, expected);
        const std::string problem = problemOf(file.toStdString());
        QVERIFY2(problem.find("some.json") != std::string::npos, problem.c_str());
        QVERIFY2(problem.find(expected.toStdString()) != std::string::npos, problem.c_str());
    }

    void aVocabularyWithoutSomeByteIsRefused()
    {
        json file = smallTokenizer();
        file["model"]["vocab"].erase("\u0120");
        file["model"]["vocab"]["spare"] = smallTokenizer()["model"]["vocab"]["\u0120"];
        const std::string problem = problemOf(file.dump());
        QVERIFY2(problem.find("lacks") != std::string::npos, problem.c_str());
    }

    void hostileMergeFilesAreRefused()
    {
        const std::string vocabulary = smallTokenizer()["model"]["vocab"].dump();
        const auto load = [&](const std::string& merges) {
            return parseVocabularyAndMerges(vocabulary, merges, "vocab.json");
        };
        QCOMPARE(load("#version: 0.2\r\na b\r\n\r\nab ab")->vocabulary().merges.size(),
                 std::size_t{2});
        for (const std::string merges : {"a", "a b c", "a zz", "#version\n#version", " ", "b a"})
            QVERIFY_EXCEPTION_THROWN(load(merges), FormatError);
    }

    void flippedBytesNeverCrash()
    {
        const std::string good = smallTokenizer().dump();
        Random random(3);
        int refused = 0;
        for (int round = 0; round < 500; ++round) {
            std::string bad = good;
            for (int i = 0; i < 3; ++i)
                bad[random.below(bad.size())] = static_cast<char>(random.below(256));
            try {
                parseTokenizerJson(bad, "flipped");
            } catch (const FormatError&) {
                ++refused;
            }
        }
        QVERIFY(refused > 250);
    }

    void missingAndOddPathsAreRefused()
    {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.path().toStdString();
        for (const auto& odd :
             {path, path / "absent.json", path / "vocab.json", std::filesystem::path("/dev/zero")})
            QVERIFY_EXCEPTION_THROWN(loadTokenizer(odd), FormatError);
        const auto tokenizer = parseTokenizerJson(smallTokenizer().dump(), "some.json");
        QVERIFY_EXCEPTION_THROWN(saveTokenizer(*tokenizer, path / "absent" / "tokenizer.json"),
                                 Error);
    }
};

QTEST_GUILESS_MAIN(TstTokenizerFile)
#include "tst_tokenizer_file.moc"

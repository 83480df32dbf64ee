// labels: golden
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json_text.h"
#include "core/base/random.h"
#include "core/text/files/tokenizer_file.h"
#include "core/text/files/tokenizer_json.h"
#include "core/text/files/tokenizer_json_writer.h"
#include "core/text/files/vocabulary_and_merges.h"
#include "core/text/tokenizers/byte_alphabet.h"
#include "core/text/training/bpe_trainer.h"
#include "tests/support/golden.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

using namespace headscope;
using nlohmann::json;

namespace {

/// Null for other kinds than byte-level BPE.
std::shared_ptr<const BpeTokenizer> parseBpe(std::string_view json, const std::string& where)
{
    return std::dynamic_pointer_cast<const BpeTokenizer>(parseTokenizerJson(json, where));
}

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
        const auto whole = loadBpeTokenizer(goldenBpe() / "tokenizer.json");
        const auto pair = loadBpeTokenizer(goldenBpe() / "vocab.json");
        QVERIFY(whole->vocabulary() == pair->vocabulary());
        QVERIFY(whole->vocabulary() == loadBpeTokenizer(goldenBpe())->vocabulary());
        QVERIFY(whole->vocabulary() == loadBpeTokenizer(goldenBpe() / "merges.txt")->vocabulary());
    }

    void writesTheSameFileAsHuggingFace()
    {
        const std::string text = readFile(goldenBpe() / "tokenizer.json", 1 << 24);
        const auto tokenizer = parseBpe(text, "golden");
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
        QVERIFY(loadBpeTokenizer(path)->vocabulary() == trained->vocabulary());
    }

    void everythingInAVocabularyIsKept()
    {
        BpeVocabulary vocabulary = parseBpe(smallTokenizer().dump(), "some.json")->vocabulary();
        vocabulary.addPrefixSpace = true;
        vocabulary.splitWords = false;
        vocabulary.ignoreMerges = true;
        vocabulary.tokens.push_back("two words");
        vocabulary.addedTokens.push_back({259, "two words", false, true});
        vocabulary.textPrefix = {258};
        vocabulary.textSuffix = {258, 258};
        const BpeTokenizer tokenizer(vocabulary);
        const auto again = parseBpe(toTokenizerJson(tokenizer), "again");
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
        text("none", "", "");
        text("a list", "[]", "JSON object");
        text("100,000 levels", std::string(100'000, '['), "deep");
        const std::string whole = smallTokenizer().dump();
        for (const std::size_t part : {1, 4, 9, 15})
            text(qPrintable(QString("cut after %1/16").arg(part)),
                 whole.substr(0, whole.size() * part / 16), "");
        text("more after the end", whole + "{}", "");
        hostileRow("empty vocabulary", "/model/vocab", json::object(), "only 1 tokens");
        hostileRow("vocabulary of a list", "/model/vocab", json::array(), "not a JSON object");
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
        hostileRow("added token with lstrip as text", "/added_tokens/0/lstrip", "yes", "lstrip");
        hostileRow("added token with another key", "/added_tokens/0/sticky", true, "sticky");
        hostileRow("added token special as text", "/added_tokens/0/special", "yes",
                   "true nor false");
        hostileRow("added tokens as an object", "/added_tokens", json::object(), "not a list");
        hostileRow("added token twice", "/added_tokens/1", smallTokenizer()["added_tokens"][0],
                   "more than once");
        hostileRow("added token of another meaning", "/added_tokens/1",
                   {{"id", 220}, {"content", "\u0120"}}, "");
        hostileRow("another model", "/model/type", "WordLevel", "WordLevel");
        hostileRow("merges of WordPiece", "/model/type", "WordPiece", "merges");
        hostileRow("an unknown key of the model", "/model/magic", 3, "magic");
        hostileRow("an unknown key of the file", "/magic", 3, "magic");
        hostileRow("no model", "/model", nullptr, "model");
        hostileRow("unknown token that is missing", "/model/unk_token", "<unk>", "unk_token");
        hostileRow("dropout", "/model/dropout", 0.1, "dropout");
        hostileRow("suffix", "/model/end_of_word_suffix", "</w>", "end_of_word_suffix");
        hostileRow("another normalizer", "/normalizer", {{"type", "Rot13"}}, "Rot13");
        hostileRow("a normalizer in a sequence", "/normalizer",
                   {{"type", "Sequence"}, {"normalizers", json::array({{{"type", "Rot13"}}})}},
                   "Rot13");
        hostileRow("a key of a normalizer", "/normalizer",
                   {{"type", "Strip"}, {"strip_middle", true}}, "strip_middle");
        hostileRow("a long replacement", "/normalizer",
                   {{"type", "Prepend"}, {"prepend", std::string(100'000, 'x')}}, "100000 bytes");
        hostileRow("a regular expression that is none", "/normalizer",
                   {{"type", "Replace"}, {"pattern", {{"Regex", "(a"}}}, {"content", ""}}, "(a");
        hostileRow("a very long regular expression", "/normalizer",
                   {{"type", "Replace"},
                    {"pattern", {{"Regex", std::string(100'000, 'a')}}},
                    {"content", ""}},
                   "100000 bytes");
        hostileRow("a table that is not in base64", "/normalizer",
                   {{"type", "Precompiled"}, {"precompiled_charsmap", "?"}}, "base64");
        hostileRow("a table that is cut off", "/normalizer",
                   {{"type", "Precompiled"}, {"precompiled_charsmap", "/////w=="}},
                   "table of replacements");
        hostileRow("a normalizer without type", "/normalizer", 5, "normalizer");
        hostileRow("another pre-tokenizer", "/pre_tokenizer", {{"type", "UnicodeScripts"}},
                   "UnicodeScripts");
        hostileRow(
            "something after ByteLevel", "/pre_tokenizer",
            {{"type", "Sequence"},
             {"pretokenizers", json::array({{{"type", "ByteLevel"}}, {{"type", "Digits"}}})}},
            "after ByteLevel");
        hostileRow("another behaviour", "/pre_tokenizer",
                   {{"type", "Punctuation"}, {"behavior", "Eaten"}}, "Eaten");
        hostileRow("another decoder", "/decoder", {{"type", "CTC"}}, "CTC");
        hostileRow("another post-processor", "/post_processor", {{"type", "Poem"}}, "Poem");
        hostileRow("a post-processor without ids", "/post_processor", {{"type", "BertProcessing"}},
                   "cls");
        hostileRow("a post-processor's id beyond", "/post_processor",
                   {{"type", "BertProcessing"}, {"cls", {"x", 7'000}}, {"sep", {"x", 0}}}, "7000");
        hostileRow("a post-processor's id just beyond", "/post_processor",
                   {{"type", "BertProcessing"}, {"cls", {"x", 259}}, {"sep", {"x", 0}}}, "259");
        hostileRow("a post-processor's id as text", "/post_processor",
                   {{"type", "BertProcessing"}, {"cls", {"x", "7"}}, {"sep", {"x", 0}}}, "\"7\"");
        hostileRow("a post-processor's negative id", "/post_processor",
                   {{"type", "BertProcessing"}, {"cls", {"x", 0}}, {"sep", {"x", -1}}}, "-1");
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

    void unknownKeysMayBeOff()
    {
        json file = smallTokenizer();
        for (const json& nothing : {json(false), json(nullptr)}) {
            file["model"]["magic"] = nothing;
            QCOMPARE(problemOf(file.dump()), std::string());
        }
    }

    /// 512 before and 512 after a text are allowed.
    void aTextHasUpTo1024TokensAroundIt()
    {
        const auto around = [](std::size_t after) {
            const auto part = [](const char* name) {
                return json{{"SpecialToken", {{"id", name}}}};
            };
            json file = smallTokenizer();
            file["post_processor"] = {
                {"type", "TemplateProcessing"},
                {"single", {part("<b>"), {{"Sequence", {{"id", "A"}}}}, part("<e>")}},
                {"special_tokens",
                 {{"<b>", {{"ids", std::vector<int>(512, 258)}}},
                  {"<e>", {{"ids", std::vector<int>(after, 258)}}}}}};
            return file.dump();
        };
        QCOMPARE(parseTokenizerJson(around(512), "some.json")->encode("ab").size(),
                 std::size_t{1025});
        const std::string problem = problemOf(around(513));
        QVERIFY2(problem.find("more than 1024 tokens") != std::string::npos, problem.c_str());
    }

    void aVocabularyWithoutSomeByteLosesIt()
    {
        json file = smallTokenizer();
        file["model"]["vocab"].erase("\u0120");
        file["model"]["vocab"]["spare"] = smallTokenizer()["model"]["vocab"]["\u0120"];
        const auto tokenizer = parseTokenizerJson(file.dump(), "some.json");
        const TokenSequence sequence = tokenizer->encode("ab ab");
        QVERIFY((sequence.ids() == std::vector<TokenId>{256, 256}));
        QVERIFY((sequence.tokens[1].bytes == ByteRange{3, 5}));
        QVERIFY(!parseBpe(file.dump(), "some.json"));
    }

    void unigramAndWordPieceFilesAreChecked()
    {
        const auto problem = [](const json& model) {
            return problemOf(json{{"model", model}}.dump());
        };
        const auto piece = [](const char* text, const json& score) {
            return json::array({text, score});
        };
        const auto unigram = [&](const std::vector<json>& pieces, const json& unknown) {
            return json{{"type", "Unigram"}, {"vocab", pieces}, {"unk_id", unknown}};
        };
        const auto holds = [](const std::string& text, const char* part) {
            return text.find("some.json") != std::string::npos &&
                   text.find(part) != std::string::npos;
        };
        const json unknown = piece("<unk>", 0.0);
        QVERIFY(holds(problem(unigram({}, 0)), "unk_id"));
        QVERIFY(holds(problem(unigram({unknown}, nullptr)), "unk_id"));
        QVERIFY(holds(problem(unigram({unknown}, -1)), "unk_id"));
        QVERIFY(holds(problem(unigram({unknown, piece("a", "b")}, 0)), "a text and a score"));
        QVERIFY(
            holds(problem(unigram({unknown, piece("a", -1.0), piece("a", -1.0)}, 0)), "two ids"));
        QVERIFY(holds(problem(unigram({unknown, piece("", -1.0)}, 0)), "empty"));
        const json words{{"type", "WordPiece"}, {"vocab", {{"a", 0}}}};
        QVERIFY(holds(problem(words), "unknown token"));
        QVERIFY(
            holds(problem({{"type", "WordPiece"}, {"vocab", {{"[UNK]", 1}, {"a", 9}}}}), "gaps"));
    }

    void catastrophicExpressionsAreStopped()
    {
        json file = smallTokenizer();
        file["pre_tokenizer"] = {{"type", "Split"},
                                 {"pattern", {{"Regex", "(a+)+$|(a|aa)+b"}}},
                                 {"behavior", "Isolated"},
                                 {"invert", false}};
        const auto tokenizer = parseTokenizerJson(file.dump(), "some.json");
        QVERIFY_EXCEPTION_THROWN(tokenizer->encode(std::string(5'000, 'a') + "c"), FormatError);
        const std::string line = std::string(24, 'a') + "c\n";
        std::string lines;
        while (lines.size() < 50'000)
            lines += line;
        QVERIFY_EXCEPTION_THROWN(tokenizer->encode(lines), FormatError);
    }

    void aNormalizerCannotFillTheMemory()
    {
        json file = smallTokenizer();
        json steps = json::array();
        for (int i = 0; i < 20; ++i)
            steps.push_back({{"type", "Replace"},
                             {"pattern", {{"Regex", "."}}},
                             {"content", std::string(1'000, 'x')}});
        file["normalizer"] = {{"type", "Sequence"}, {"normalizers", steps}};
        const auto tokenizer = parseTokenizerJson(file.dump(), "some.json");
        QVERIFY_EXCEPTION_THROWN(tokenizer->encode("some text"), Error);
    }

    void megabytesInOneWordTakeNoSquareOfTime()
    {
        json file = smallTokenizer();
        file["normalizer"] = {{"type", "NFC"}}; // no BpeTokenizer
        const auto tokenizer = parseTokenizerJson(file.dump(), "some.json");
        std::string word;
        while (word.size() < 1'000'000)
            word += "ab";
        const TokenSequence sequence = tokenizer->encode(word);
        QCOMPARE(sequence.size(), word.size() / 4);
        QVERIFY(tokenizer->decode(sequence.ids()) == word);
        std::string marks = "e";
        while (marks.size() < 20'000)
            marks += "\u0301";
        QVERIFY(tokenizer->decode(tokenizer->encode(marks).ids()).size() == marks.size() - 1);
    }

    void addedTokensTakeSpacesAndRespectWords()
    {
        json file = smallTokenizer();
        file["added_tokens"] = json::array(
            {{{"id", 258}, {"content", "<|endoftext|>"}, {"special", true}, {"lstrip", true}},
             {{"id", 259}, {"content", "ab"}, {"single_word", true}, {"rstrip", true}}});
        file["model"]["vocab"].erase("ab");
        file["model"]["vocab"]["zz"] = 256;
        file["model"]["merges"] = json::array({"z z"});
        file["model"]["vocab"]["abab"] = 257;
        const auto tokenizer = parseTokenizerJson(file.dump(), "some.json");
        const TokenSequence sequence = tokenizer->encode("ab \n<|endoftext|> ab  xab");
        QVERIFY(sequence.tokens[0].id == 259 && sequence.tokens[1].id == 258);
        QVERIFY((sequence.tokens[0].bytes == ByteRange{0, 2}));
        QVERIFY((sequence.tokens[1].bytes == ByteRange{2, 17}));
        QVERIFY(sequence.tokens[2].bytes.begin == 17 && sequence.tokens[3].id == 259);
        QVERIFY((sequence.tokens[3].bytes == ByteRange{18, 22}));
        QCOMPARE(sequence.size(), std::size_t{7}); // x a b
    }

    void addedTokensInsideEachOther()
    {
        json file = smallTokenizer();
        file["added_tokens"] =
            json::array({{{"id", 258}, {"content", "<|endoftext|>"}, {"special", true}},
                         {{"id", 259}, {"content", "<|"}, {"special", true}},
                         {{"id", 260}, {"content", "<|end"}, {"special", true}}});
        const auto tokenizer = parseTokenizerJson(file.dump(), "some.json");
        const auto ids = tokenizer->encode("<|endof<|<|endoftext|>").ids();
        QVERIFY((ids.front() == 260 && ids[ids.size() - 2] == 259 && ids.back() == 258));
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
        QVERIFY(refused > 200);
    }

    void missingAndOddPathsAreRefused()
    {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.path().toStdString();
        for (const auto& odd :
             {path, path / "absent.json", path / "vocab.json", std::filesystem::path("/dev/zero")})
            QVERIFY_EXCEPTION_THROWN(loadTokenizer(odd), FormatError);
        const auto tokenizer = parseBpe(smallTokenizer().dump(), "some.json");
        QVERIFY_EXCEPTION_THROWN(saveTokenizer(*tokenizer, path / "absent" / "tokenizer.json"),
                                 Error);
    }
};

HEADSCOPE_TEST(TstTokenizerFile)
#include "tst_tokenizer_file.moc"

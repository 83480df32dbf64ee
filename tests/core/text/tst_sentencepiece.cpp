// labels: golden
#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json_text.h"
#include "core/base/random.h"
#include "core/text/files/sentencepiece_file.h"
#include "core/text/files/tokenizer_file.h"
#include "core/text/normalizers/charsmap.h"
#include "tests/support/golden.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <cstring>

using namespace headscope;
using nlohmann::json;

namespace {

std::filesystem::path folder(const std::string& name)
{
    return test::goldenDir() / "tokenizers" / name;
}

// Writes protocol buffers as SentencePiece does.
std::string varint(std::uint64_t value)
{
    std::string bytes;
    for (; value > 127; value >>= 7)
        bytes += static_cast<char>(value | 128);
    return bytes + static_cast<char>(value);
}

std::string number(unsigned field, std::uint64_t value)
{
    return varint(field << 3) + varint(value);
}

std::string message(unsigned field, const std::string& bytes)
{
    return varint(field << 3 | 2) + varint(bytes.size()) + bytes;
}

std::string piece(const std::string& text, float score, unsigned kind)
{
    std::string bits(4, '\0');
    std::memcpy(bits.data(), &score, 4);
    return message(1, message(1, text) + varint(2 << 3 | 5) + bits + number(3, kind));
}

constexpr unsigned kNormal = 1;
constexpr unsigned kUnknown = 2;
constexpr unsigned kControl = 3;
constexpr unsigned kUser = 4;
constexpr unsigned kUnused = 5;

std::string model(unsigned algorithm, const std::string& pieces, const std::string& rules = {})
{
    return piece("<unk>", 0, kUnknown) + piece("<s>", 0, kControl) + piece("</s>", 0, kControl) +
           pieces + message(2, number(3, algorithm)) + message(3, rules);
}

std::shared_ptr<const Tokenizer> made(const std::string& file)
{
    return makeTokenizer(parseSentencePiece(file, "small.model"), {}, "small.model");
}

std::vector<std::string> piecesOf(const Tokenizer& tokenizer, std::string_view text)
{
    std::vector<std::string> result;
    for (const TokenId id : tokenizer.encode(text).ids())
        result.push_back(tokenizer.tokenText(id));
    return result;
}

std::string problemOf(const std::string& file)
{
    try {
        made(file);
    } catch (const FormatError& error) {
        return error.what();
    }
    return {};
}

} // namespace

class TstSentencepiece : public QObject
{
    Q_OBJECT

private slots:

    void encodesAndDecodesAsTheLibraryDoes_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("unigram") << "sentencepiece_unigram";
        QTest::newRow("bpe with bytes") << "sentencepiece_bpe";
    }

    void encodesAndDecodesAsTheLibraryDoes()
    {
        QFETCH(QString, name);
        const auto tokenizer = loadTokenizer(folder(name.toStdString()) / "spiece.model");
        const json file =
            parseJson(readFile(folder(name.toStdString() + "_encodings.json"), 1 << 24), "golden");
        QCOMPARE(file["encodings"].size(), std::size_t{205});
        for (const json& expected : file["encodings"]) {
            const TokenSequence sequence = tokenizer->encode(expected["text"].get<std::string>());
            json got{{"ids", sequence.ids()},
                     {"byte_offsets", json::array()},
                     {"decoded", tokenizer->decode(sequence.ids())}};
            for (const Token& token : sequence.tokens)
                got["byte_offsets"].push_back({token.bytes.begin, token.bytes.end});
            for (const auto& [key, value] : got.items())
                QVERIFY2(value == expected[key],
                         qPrintable(QString("%1 of %2: got %3 instead of %4")
                                        .arg(key.c_str(), expected["text"].dump().c_str(),
                                             value.dump().c_str(), expected[key].dump().c_str())));
        }
    }

    void piecesStandForBytes()
    {
        const auto tokenizer = loadTokenizer(folder("sentencepiece_bpe"));
        QCOMPARE(tokenizer->kind(), std::string_view("bpe"));
        QVERIFY(tokenizer->tokenBytes(tokenizer->find("<0xE2>").value()) == "\xE2");
        QVERIFY(tokenizer->tokenBytes(tokenizer->find("\u2581a").value()) == " a");
        QVERIFY(tokenizer->isSpecial(tokenizer->find("</s>").value()));
        QVERIFY(tokenizer->endOfText() == tokenizer->find("</s>"));
    }

    void invalidTextBecomesReplacementsAndKeepsItsPlace()
    {
        const auto tokenizer = loadTokenizer(folder("sentencepiece_bpe"));
        const TokenSequence sequence = tokenizer->encode("a\xFF\xFE z");
        QVERIFY(sequence.tokens.back().bytes.end == 5);
        QVERIFY(tokenizer->decode(sequence.ids()) == "a\uFFFD\uFFFD z");
    }

    void highestScoreIsJoinedFirst()
    {
        const auto tokenizer = made(model(2,
                                          piece("a", -9, kNormal) + piece("b", -9, kNormal) +
                                              piece("ab", -2, kNormal) + piece("bb", -1, kNormal) +
                                              piece("abb", -3, kNormal),
                                          number(3, 0)));
        QVERIFY((piecesOf(*tokenizer, "abb") == std::vector<std::string>{"abb"}));
        QVERIFY((piecesOf(*tokenizer, "abbb") == std::vector<std::string>{"abb", "b"}));
        QVERIFY((piecesOf(*tokenizer, "aab") == std::vector<std::string>{"a", "ab"}));
    }

    void unusedPiecesAreTakenApartAndDefinedOnesKept()
    {
        const std::string pieces = piece("a", -9, kNormal) + piece("b", -9, kNormal) +
                                   piece("ab", -1, kUnused) + piece("aba", -2, kNormal) +
                                   piece("bb", 0, kUser);
        const auto bpe = made(model(2, pieces, number(3, 0)));
        QVERIFY((piecesOf(*bpe, "abxxa") == std::vector<std::string>{"a", "b", "<unk>", "a"}));
        QVERIFY((piecesOf(*bpe, "aba") == std::vector<std::string>{"aba"}));
        QVERIFY((piecesOf(*bpe, "abba") == std::vector<std::string>{"a", "bb", "a"}));
        const auto unigram = made(model(1, pieces, number(3, 0)));
        QVERIFY((piecesOf(*unigram, "abba") == std::vector<std::string>{"a", "bb", "a"}));
        QVERIFY((piecesOf(*unigram, "abxxa") == std::vector<std::string>{"a", "b", "<unk>", "a"}));
    }

    void aMegabyteInOneWordTakesNoSquareOfTime()
    {
        const std::string text(1'000'000, 'a');
        for (const char* name : {"sentencepiece_bpe", "sentencepiece_unigram"}) {
            const auto tokenizer = loadTokenizer(folder(name));
            const TokenSequence sequence = tokenizer->encode(text);
            QVERIFY(sequence.tokens.back().bytes.end == text.size());
            QVERIFY(tokenizer->decode(sequence.ids()) == text);
        }
    }

    void whatStandsAroundATextIsInTheConfiguration()
    {
        const QTemporaryDir temporary;
        const std::filesystem::path path = temporary.path().toStdString();
        std::filesystem::copy_file(folder("sentencepiece_bpe") / "spiece.model",
                                   path / "tokenizer.model");
        QCOMPARE(loadTokenizer(path)->encode("a").size(), std::size_t{1});
        writeAtomically(path / "tokenizer_config.json",
                        R"({"tokenizer_class": "LlamaTokenizer", "add_eos_token": true})");
        const TokenSequence sequence = loadTokenizer(path)->encode("a");
        QCOMPARE(sequence.size(), std::size_t{3});
        QVERIFY(sequence.tokens.front().id == 1 && sequence.tokens.back().id == 2);
        QCOMPARE(loadTokenizer(path)->encode("a", false).size(), std::size_t{1});
    }

    void hostileModelsAreRefused_data()
    {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char* name, const std::string& file, const char* expected) {
            QTest::newRow(name) << QByteArray(file.data(), static_cast<qsizetype>(file.size()))
                                << QByteArray(expected);
        };
        const std::string a = piece("a", -1, kNormal);
        row("none", "", "no pieces");
        row("text", "this is no protocol buffer", "");
        row("a number that never ends", std::string(20, '\xFF'), "ten bytes");
        row("a length beyond the file", "\x0A\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F", "truncated");
        row("field 0", std::string(2, '\0'), "not a field");
        row("a group", "\x0B\x0C", "unknown kind");
        row("a piece as a number", number(1, 7), "message");
        row("an empty piece", model(1, message(1, "")), "empty");
        row("a piece twice", model(1, a + a), "two ids");
        row("a piece of an unknown type", model(1, piece("a", 0, 9)), "type 9");
        row("no unknown piece", a + message(2, number(3, 1)), "exactly one unknown");
        row("two unknown pieces", model(1, piece("<u>", 0, kUnknown)), "exactly one unknown");
        row("a score that is no number", model(1, piece("a", std::nanf(""), kNormal)), "score");
        row("an infinite score", model(1, piece("a", INFINITY, kNormal)), "score");
        row("words", model(3, a), "not supported");
        row("another kind of model", model(7, a), "not supported");
        row("spaces behind words", piece("<unk>", 0, kUnknown) + message(2, number(24, 1)),
            "after its words");
        row("a table that says it is larger than it is",
            model(1, a, message(2, std::string("\xFF\xFF\xFF\x7Fxxxx"))), "table of replacements");
        row("a table of three bytes", model(1, a, message(2, "abc")), "table of replacements");
    }

    void hostileModelsAreRefused()
    {
        QFETCH(QByteArray, file);
        QFETCH(QByteArray, expected);
        const std::string problem = problemOf(file.toStdString());
        QVERIFY2(problem.find("small.model") != std::string::npos, problem.c_str());
        QVERIFY2(problem.find(expected.toStdString()) != std::string::npos, problem.c_str());
    }

    void aModelCutAnywhereIsRefusedOrWhole()
    {
        const std::string file = model(1, piece("a", -1, kNormal) + piece("\u2581", -2, kNormal));
        for (std::size_t size = 0; size < file.size(); ++size) {
            try {
                made(file.substr(0, size));
            } catch (const FormatError&) {
                continue;
            }
        }
        const std::string whole =
            readFile(folder("sentencepiece_unigram") / "spiece.model", 1 << 24);
        for (std::size_t size : {whole.size() - 1, whole.size() / 2, whole.size() / 3})
            QVERIFY(!problemOf(whole.substr(0, size)).empty());
    }

    void flippedBytesNeverCrash()
    {
        const std::string good = readFile(folder("sentencepiece_bpe") / "spiece.model", 1 << 24);
        Random random(5);
        for (int round = 0; round < 300; ++round) {
            std::string bad = good;
            for (int i = 0; i < 4; ++i)
                bad[random.below(bad.size())] = static_cast<char>(random.below(256));
            try {
                made(bad)->encode("Hello \u00E9 world");
            } catch (const FormatError&) {
                continue;
            }
        }
    }

    void anyTableOfReplacementsIsSafe()
    {
        const std::string good =
            parseSentencePiece(readFile(folder("sentencepiece_unigram") / "spiece.model", 1 << 24),
                               "golden")
                .charsMap;
        Random random(6);
        for (int round = 0; round < 200; ++round) {
            std::string bad = good;
            for (int i = 0; i < 2000; ++i)
                bad[4 + random.below(bad.size() - 4)] = static_cast<char>(random.below(256));
            CharsMap map;
            try {
                map = CharsMap::parse(bad, "bad");
            } catch (const FormatError&) {
                continue;
            }
            for (const char* text : {"a", "\uFB01", "\u3000\u0301", "ABC"}) {
                const auto match = map.longestPrefix(text);
                QVERIFY(!match || match->length <= std::strlen(text));
            }
        }
    }
};

HEADSCOPE_TEST(TstSentencepiece)
#include "tst_sentencepiece.moc"

// labels: golden
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json_text.h"
#include "core/base/random.h"
#include "core/text/files/tokenizer_file.h"
#include "core/text/files/tokenizer_json_writer.h"
#include "core/text/files/vocabulary_text.h"
#include "core/text/files/word_tokenizer_file.h"
#include "core/text/training/wordpiece_trainer.h"
#include "core/text/utf8.h"
#include "tests/support/golden.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <map>

using namespace headscope;
using nlohmann::json;

namespace {

json goldenJson(const std::string& name)
{
    const auto path = test::goldenDir() / "tokenizers" / name;
    return parseJson(readFile(path, 1 << 24), path.string());
}

std::vector<std::string> goldenTokens()
{
    const std::string text =
        readFile(test::goldenDir() / "tokenizers/wordpiece/vocab.txt", 1 << 20);
    std::vector<std::string> tokens;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at);
        tokens.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return tokens;
}

WordPieceTokenizer goldenTokenizer()
{
    return WordPieceTokenizer(bertVocabulary(goldenTokens()));
}

std::vector<std::string> piecesOf(const Tokenizer& tokenizer, const std::string& text)
{
    std::vector<std::string> pieces;
    for (const TokenId id : tokenizer.encode(text, false).ids())
        pieces.push_back(tokenizer.tokenText(id));
    return pieces;
}

/// The training rule, restated without any bookkeeping: words as lists of strings, all counts anew
/// before every join.
std::vector<std::string> piecesByRecounting(const std::map<std::string, int>& text,
                                            std::size_t count)
{
    std::vector<std::pair<std::vector<std::string>, int>> words;
    std::map<std::string, int> order; // ids: plain characters, then ## ones
    for (const auto& [word, times] : text) {
        std::vector<std::string> pieces;
        for (std::size_t i = 0; i < word.size(); ++i)
            pieces.push_back((i > 0 ? "##" : "") + word.substr(i, 1));
        words.emplace_back(pieces, times);
    }
    for (const bool goesOn : {false, true}) {
        std::map<std::string, int> found;
        for (const auto& [pieces, times] : words)
            for (const std::string& piece : pieces)
                if (piece.starts_with("##") == goesOn)
                    found[piece] = 0;
        for (const auto& [piece, zero] : found)
            order.emplace(piece, static_cast<int>(order.size()));
    }
    std::vector<std::string> learned;
    while (learned.size() < count) {
        std::map<std::string, double> single;
        std::map<std::pair<int, int>, double> pairs;
        double total = 0.0;
        for (const auto& [pieces, times] : words)
            for (std::size_t i = 0; i < pieces.size(); ++i) {
                single[pieces[i]] += times;
                total += times;
                if (i + 1 < pieces.size())
                    pairs[{order.at(pieces[i]), order.at(pieces[i + 1])}] += times;
            }
        std::map<int, std::string> names;
        for (const auto& [name, id] : order)
            names[id] = name;
        std::pair<int, int> best{-1, -1};
        double highest = 0.0;
        for (const auto& [pair, times] : pairs) {
            const double gain =
                times *
                std::log(times * total / (single[names[pair.first]] * single[names[pair.second]]));
            if (times >= 2 && (best.first < 0 || gain > highest)) {
                best = pair;
                highest = gain;
            }
        }
        if (best.first < 0)
            break;
        const std::string joined = names[best.first] + names[best.second].substr(2);
        order.emplace(joined, static_cast<int>(order.size()));
        learned.push_back(joined);
        for (auto& [pieces, times] : words)
            for (std::size_t i = 0; i + 1 < pieces.size(); ++i)
                if (pieces[i] == names[best.first] && pieces[i + 1] == names[best.second]) {
                    pieces[i] = joined;
                    pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(i) + 1);
                }
    }
    return learned;
}

} // namespace

class TstWordpiece : public QObject
{
    Q_OBJECT

private slots:

    void encodesWhatT2SaysAsBertDoes()
    {
        const WordPieceTokenizer tokenizer = goldenTokenizer();
        const json file = goldenJson("wordpiece_encodings.json");
        QCOMPARE(file["encodings"].size(), std::size_t{205});
        for (const json& expected : file["encodings"]) {
            const std::string text = expected["text"];
            const TokenSequence sequence = tokenizer.encode(text);
            json got{{"ids", sequence.ids()},
                     {"tokens", json::array()},
                     {"byte_offsets", json::array()},
                     {"decoded", tokenizer.decode(sequence.ids(), true)},
                     {"normalized", normalizeForBert(text, {}).text}};
            for (const Token& token : sequence.tokens) {
                got["tokens"].push_back(tokenizer.tokenText(token.id));
                got["byte_offsets"].push_back({token.bytes.begin, token.bytes.end});
            }
            for (const auto& [key, value] : got.items())
                QVERIFY2(value == expected[key],
                         qPrintable(QString("%1 of %2: got %3 instead of %4")
                                        .arg(key.c_str(), expected["text"].dump().c_str(),
                                             value.dump().c_str(), expected[key].dump().c_str())));
        }
    }

    void filesGiveTheSameTokenizer()
    {
        const json file = goldenJson("wordpiece_encodings.json");
        for (const char* name : {"tokenizer.json", "vocab.txt"}) {
            const auto tokenizer = loadTokenizer(test::goldenDir() / "tokenizers/wordpiece" / name);
            QCOMPARE(tokenizer->kind(), std::string_view("wordpiece"));
            QVERIFY(tokenizer->tokenBytes(tokenizer->find("##b").value()) == "b");
            for (const json& expected : file["encodings"]) {
                const std::string text = expected["text"];
                const TokenSequence sequence = tokenizer->encode(text);
                json offsets = json::array();
                for (const Token& token : sequence.tokens)
                    offsets.push_back({token.bytes.begin, token.bytes.end});
                QVERIFY2(json(sequence.ids()) == expected["ids"], expected.dump().c_str());
                QVERIFY2(offsets == expected["byte_offsets"], expected.dump().c_str());
                QVERIFY2(json(tokenizer->decode(sequence.ids(), true)) == expected["decoded"],
                         expected.dump().c_str());
            }
        }
    }

    void vocabularyFilesOfLinesAreChecked()
    {
        const auto problem = [](const std::string& text) -> std::string {
            try {
                parseVocabularyText(text, {}, "vocab.txt");
            } catch (const FormatError& error) {
                return error.what();
            }
            return {};
        };
        QVERIFY(problem("[UNK]\r\n[CLS]\r\n[SEP]\r\na").empty());
        QVERIFY(problem("").find("vocab.txt") != std::string::npos);
        QVERIFY(problem("[UNK]\n\n[CLS]\n[SEP]").find("empty") != std::string::npos);
        QVERIFY(problem("[UNK]\n[CLS]\n[SEP]\na\na").find("two ids") != std::string::npos);
        QVERIFY(problem("a\nb").find("[CLS]") != std::string::npos);
    }

    void isWrittenAsHuggingFaceWritesIt()
    {
        json expected = goldenJson("wordpiece/tokenizer.json");
        expected["normalizer"]["strip_accents"] = true; // null there: as lowercase
        QVERIFY(parseJson(toTokenizerJson(goldenTokenizer()), "written") == expected);
    }

    void takesTheLongestPieceFromTheLeft()
    {
        const WordPieceTokenizer tokenizer(bertVocabulary(
            {"[UNK]", "[CLS]", "[SEP]", "un", "unh", "##happiness", "##app", "##iness", "##i"}));
        QCOMPARE(piecesOf(tokenizer, "unhappiness"),
                 (std::vector<std::string>{"unh", "##app", "##iness"}));
        QCOMPARE(piecesOf(tokenizer, "unx"), std::vector<std::string>{"[UNK]"});
    }

    void wordsBeyondAHundredCharactersAreUnknown()
    {
        const WordPieceTokenizer tokenizer(
            bertVocabulary({"[UNK]", "[CLS]", "[SEP]", "a", "##a", "##\u00FC"}));
        QCOMPARE(tokenizer.encode(std::string(100, 'a'), false).size(), std::size_t{100});
        QCOMPARE(piecesOf(tokenizer, std::string(101, 'a')), std::vector<std::string>{"[UNK]"});
    }

    void offsetsPointIntoTheTextAsItWasTyped()
    {
        const WordPieceTokenizer tokenizer(
            bertVocabulary({"[UNK]", "[CLS]", "[SEP]", "cafe", "##s"}));
        const std::string text = "\u0001 CAF\u00C9s";
        const TokenSequence sequence = tokenizer.encode(text);
        QCOMPARE(sequence.ids(), (std::vector<TokenId>{1, 3, 4, 2}));
        QVERIFY((sequence.tokens[1].bytes == ByteRange{2, 7}));
        QVERIFY((sequence.tokens[2].bytes == ByteRange{7, 8}));
        QVERIFY(sequence.tokens[0].special && (sequence.tokens[0].bytes == ByteRange{0, 0}));
    }

    void anyBytesAreTaken()
    {
        const WordPieceTokenizer tokenizer = goldenTokenizer();
        Random random(3);
        for (int i = 0; i < 200; ++i) {
            std::string bytes(random.below(60), '\0');
            for (char& byte : bytes)
                byte = static_cast<char>(random.below(256));
            std::size_t last = 0;
            for (const Token& token : tokenizer.encode(bytes, false).tokens) {
                QVERIFY(token.bytes.begin >= last);
                QVERIFY(token.bytes.end <= bytes.size());
                QVERIFY(token.bytes.begin < token.bytes.end);
                last = token.bytes.begin;
            }
        }
    }

    void vocabulariesThatCannotBeAreRefused()
    {
        QVERIFY_EXCEPTION_THROWN(bertVocabulary({"a"}), Error);
        QVERIFY_EXCEPTION_THROWN(WordPieceTokenizer(bertVocabulary({"[CLS]", "[SEP]", "a"})),
                                 Error);
        QVERIFY_EXCEPTION_THROWN(
            WordPieceTokenizer(bertVocabulary({"[UNK]", "[CLS]", "[SEP]", "a", "a"})), Error);
        QVERIFY_EXCEPTION_THROWN(goldenTokenizer().tokenText(400), Error);
    }

    void learnsTheJoinThatRaisesTheLikelihoodMost()
    {
        Random random(11);
        for (int round = 0; round < 6; ++round) {
            std::map<std::string, int> words;
            std::string text;
            for (int i = 0; i < 40; ++i) {
                std::string word(1 + random.below(7), 'a');
                for (char& letter : word)
                    letter = static_cast<char>('a' + random.below(3));
                ++words[word];
                text += word + (i % 5 == 4 ? '\n' : ' ');
            }
            WordPieceTrainerSettings settings;
            settings.vocabularySize = 5 + 6 + 20;
            const auto trained = trainWordPieceOnLines(text, settings);
            const std::vector<std::string>& tokens = trained->vocabulary().tokens;
            const std::vector<std::string> expected = piecesByRecounting(words, tokens.size() - 11);
            QVERIFY(expected.size() >= 10);
            QCOMPARE(std::vector<std::string>(tokens.begin() + 11, tokens.end()), expected);
        }
    }

    void trainsOnWhatBertWouldSee()
    {
        WordPieceTrainerSettings settings;
        settings.vocabularySize = 60;
        const auto trained = trainWordPieceOnLines("Caf\u00E9 caf\u00E9\r\nCAFE, cafe!", settings);
        QVERIFY(trained->find("cafe").has_value());
        QVERIFY(trained->find(",").has_value() && !trained->find("C").has_value());
        QCOMPARE(trained->decode(trained->encode("Cafe!").ids(), true), std::string("cafe!"));
    }

    void trainingRefusesWhatCannotBe()
    {
        WordPieceTrainerSettings settings;
        settings.vocabularySize = 6;
        QVERIFY_EXCEPTION_THROWN(trainWordPieceOnLines("two letters", settings), Error);
        settings.vocabularySize = 100;
        QCOMPARE(trainWordPieceOnLines("", settings)->vocabularySize(), std::size_t{5});
        std::stop_source source;
        source.request_stop();
        QVERIFY_EXCEPTION_THROWN(
            trainWordPieceOnLines("some text", settings, {}, source.get_token()), Cancelled);
    }
};

HEADSCOPE_TEST(TstWordpiece)
#include "tst_wordpiece.moc"

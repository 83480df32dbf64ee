// labels: golden
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json_text.h"
#include "core/base/random.h"
#include "core/text/files/tokenizer_file.h"
#include "core/text/files/tokenizer_json_writer.h"
#include "core/text/files/word_tokenizer_file.h"
#include "core/text/training/unigram_trainer.h"
#include "tests/support/golden.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <numeric>

using namespace headscope;
using nlohmann::json;

namespace {

constexpr auto kNormal = UnigramPiece::Kind::Normal;
constexpr auto kControl = UnigramPiece::Kind::Control;
constexpr auto kUnknown = UnigramPiece::Kind::Unknown;

std::filesystem::path folder()
{
    return test::goldenDir() / "tokenizers";
}

/// vocab.tsv: piece as JSON string, score, type.
UnigramTokenizer goldenTokenizer()
{
    const std::string text = readFile(folder() / "sentencepiece_unigram/vocab.tsv", 1 << 20);
    UnigramVocabulary vocabulary;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at);
        const std::string line = text.substr(at, end - at);
        const std::size_t first = line.find('\t');
        const std::size_t second = line.find('\t', first + 1);
        const std::string type = line.substr(second + 1);
        vocabulary.pieces.push_back(
            {parseJson(line.substr(0, first), "vocab.tsv").get<std::string>(),
             std::stod(line.substr(first + 1, second - first - 1)),
             type == "NORMAL" ? kNormal
             : type == "UNK"  ? kUnknown
                              : kControl});
        at = end + 1;
    }
    return UnigramTokenizer(vocabulary);
}

UnigramTokenizer small(std::vector<std::pair<std::string, double>> pieces)
{
    UnigramVocabulary vocabulary;
    vocabulary.pieces = {{"<unk>", 0.0, kUnknown}};
    for (auto& [text, score] : pieces)
        vocabulary.pieces.push_back({text, score});
    return UnigramTokenizer(vocabulary);
}

/// All cuts of a text, with their pieces and the sum of ln p.
void forCuts(const std::string& text, const std::vector<UnigramPiece>& pieces,
             std::vector<TokenId>& sofar, double sum,
             const std::function<void(const std::vector<TokenId>&, double)>& body)
{
    if (text.empty())
        body(sofar, sum);
    for (std::size_t id = 0; id < pieces.size(); ++id) {
        if (pieces[id].kind != kNormal || !text.starts_with(pieces[id].text))
            continue;
        sofar.push_back(static_cast<TokenId>(id));
        forCuts(text.substr(pieces[id].text.size()), pieces, sofar, sum + pieces[id].score, body);
        sofar.pop_back();
    }
}

} // namespace

class TstUnigram : public QObject
{
    Q_OBJECT

private slots:

    /// Its own rules, read from the model file, are the reference.
    void bytesOfRemovedCharactersAreThoseOfSentencePiece()
    {
        const UnigramTokenizer tokenizer = goldenTokenizer();
        const auto reference = loadTokenizer(folder() / "sentencepiece_unigram/spiece.model");
        const auto rangesOf = [](const Tokenizer& of, std::string_view text) {
            std::vector<ByteRange> ranges;
            for (const Token& token : of.encode(text, false).tokens)
                ranges.push_back(token.bytes);
            return ranges;
        };
        QCOMPARE(rangesOf(tokenizer, "\x01 42?!\u00e9").front().begin, std::size_t{0});
        QCOMPARE(rangesOf(tokenizer, "\x01 42?!\u00e9").front().end, std::size_t{2});
        for (const std::string_view text :
             {"\x01 42?!\u00e9", " \x01 42", "\x01\x02 a", "  \x01  a \x01 b \x01", "\x01", " ",
              "a\x01 b", "\u00a8 a", " \u00a8a", "  a", "\u00a0\x7f\u3000a  b "})
            QVERIFY2(rangesOf(tokenizer, text) == rangesOf(*reference, text),
                     qPrintable(QString::fromUtf8(text.data(), qsizetype(text.size()))));
    }

    void encodesWhatT3SaysAsSentencePieceDoes()
    {
        const UnigramTokenizer tokenizer = goldenTokenizer();
        const json file = parseJson(
            readFile(folder() / "sentencepiece_unigram_encodings.json", 1 << 24), "encodings");
        QCOMPARE(file["encodings"].size(), std::size_t{205});
        for (const json& expected : file["encodings"]) {
            const TokenSequence sequence = tokenizer.encode(expected["text"].get<std::string>());
            json got{{"ids", sequence.ids()},
                     {"byte_offsets", json::array()},
                     {"decoded", tokenizer.decode(sequence.ids())}};
            for (const Token& token : sequence.tokens)
                got["byte_offsets"].push_back({token.bytes.begin, token.bytes.end});
            for (const auto& [key, value] : got.items())
                QVERIFY2(value == expected[key],
                         qPrintable(QString("%1 of %2: got %3 instead of %4")
                                        .arg(key.c_str(), expected["text"].dump().c_str(),
                                             value.dump().c_str(), expected[key].dump().c_str())));
        }
    }

    void theMostProbableOfAllCutsIsTaken()
    {
        Random random(7);
        for (int round = 0; round < 40; ++round) {
            std::vector<UnigramPiece> pieces{{"a", -random.uniform() * 4.0, kNormal},
                                             {"b", -random.uniform() * 4.0, kNormal}};
            for (const char* more : {"ab", "ba", "aa", "aba", "abb", "bab"})
                if (random.below(2) == 0)
                    pieces.push_back({more, -random.uniform() * 6.0, kNormal});
            PieceTrie trie;
            std::vector<double> scores;
            for (std::size_t id = 0; id < pieces.size(); ++id) {
                trie.insert(pieces[id].text, static_cast<TokenId>(id));
                scores.push_back(pieces[id].score);
            }
            std::string text;
            for (int i = 0; i < 9; ++i)
                text += random.below(2) == 0 ? 'a' : 'b';
            double best = -INFINITY;
            double whole = 0.0;
            std::vector<double> counts(pieces.size(), 0.0);
            std::vector<TokenId> sofar;
            forCuts(text, pieces, sofar, 0.0, [&](const std::vector<TokenId>& cut, double sum) {
                best = std::max(best, sum);
                whole += std::exp(sum);
                for (const TokenId id : cut)
                    counts[static_cast<std::size_t>(id)] += std::exp(sum);
            });
            double got = 0.0;
            for (const PieceCut& cut : mostProbableCut(text, {trie, scores, -50.0}))
                got += scores[static_cast<std::size_t>(cut.id)];
            QVERIFY(std::abs(got - best) < 1e-9);
            std::vector<double> expected(pieces.size(), 0.0);
            const double likelihood = addExpectedCounts(text, {trie, scores, -50.0}, 3.0, expected);
            QVERIFY(std::abs(likelihood - std::log(whole)) < 1e-9);
            for (std::size_t id = 0; id < pieces.size(); ++id)
                QVERIFY(std::abs(expected[id] - 3.0 * counts[id] / whole) < 1e-9);
        }
    }

    void neighboursThatAreUnknownAreOneToken()
    {
        const UnigramTokenizer tokenizer = small({{"\u2581", -1.0}, {"a", -2.0}});
        const TokenSequence sequence = tokenizer.encode("xya z");
        QCOMPARE(sequence.ids(), (std::vector<TokenId>{1, 0, 2, 1, 0}));
        QVERIFY((sequence.tokens[1].bytes == ByteRange{0, 2}));
        QCOMPARE(tokenizer.decode(sequence.ids()), std::string(" \u2047 a  \u2047 "));
    }

    void addedTokensAreFoundFirst()
    {
        UnigramVocabulary vocabulary;
        vocabulary.pieces = {{"<unk>", 0.0, kUnknown},
                             {"</s>", 0.0, kControl},
                             {"\u2581", -1.0, kNormal},
                             {"a", -1.0, kNormal}};
        vocabulary.addedTokens = {{1, "</s>", true, false}};
        vocabulary.textSuffix = {1};
        const UnigramTokenizer tokenizer(vocabulary);
        QCOMPARE(tokenizer.encode("a</s>a").ids(), (std::vector<TokenId>{2, 3, 1, 2, 3, 1}));
        QVERIFY(tokenizer.endOfText() == TokenId{1});
        QCOMPARE(tokenizer.decode(tokenizer.encode("a").ids(), true), std::string("a"));
    }

    void anyBytesAreTaken()
    {
        const UnigramTokenizer tokenizer = goldenTokenizer();
        Random random(4);
        for (int i = 0; i < 200; ++i) {
            std::string bytes(random.below(60), '\0');
            for (char& byte : bytes)
                byte = static_cast<char>(random.below(256));
            for (const Token& token : tokenizer.encode(bytes, false).tokens)
                QVERIFY(token.bytes.begin <= token.bytes.end && token.bytes.end <= bytes.size());
        }
    }

    void vocabulariesThatCannotBeAreRefused()
    {
        const auto make = [](std::vector<UnigramPiece> pieces) {
            UnigramVocabulary vocabulary;
            vocabulary.pieces = std::move(pieces);
            return UnigramTokenizer(vocabulary);
        };
        QVERIFY_EXCEPTION_THROWN(make({}), Error);
        QVERIFY_EXCEPTION_THROWN(make({{"a", 0.0, kNormal}}), Error);
        QVERIFY_EXCEPTION_THROWN(make({{"a", 0.0, kUnknown}, {"b", 0.0, kUnknown}}), Error);
        QVERIFY_EXCEPTION_THROWN(make({{"a", 0.0, kUnknown}, {"b", NAN, kNormal}}), Error);
    }

    void learnsTheWordsThatATextIsMadeOf()
    {
        Random random(9);
        std::string text;
        for (int i = 0; i < 1500; ++i) {
            text += random.below(2) == 0 ? "un" : "";
            for (int syllable = 0; syllable < 3; ++syllable)
                (text += "bdgklmprt"[random.below(9)]) += "aeio"[random.below(4)];
            text += random.below(2) == 0 ? "ness" : "";
            text += i % 8 == 7 ? '\n' : ' ';
        }
        UnigramTrainerSettings settings;
        settings.vocabularySize = 80;
        const auto trained = trainUnigramOnLines(text, settings);
        QCOMPARE(trained->vocabularySize(), std::size_t{80});
        std::string pieces;
        for (const TokenId id : trained->encode("unpoditoness").ids())
            pieces += trained->tokenText(id) + ' ';
        QCOMPARE(pieces, std::string("\u2581un po di to ness "));
    }

    void trainedProbabilitiesAreOnesOfPieces()
    {
        UnigramTrainerSettings settings;
        settings.vocabularySize = 120;
        const std::string text = readFile(folder() / "corpus.txt", 1 << 20);
        const auto trained = trainUnigramOnLines(text, settings);
        double sum = 0.0;
        double last = 0.0;
        for (std::size_t id = 3; id < trained->vocabularySize(); ++id) {
            const UnigramPiece& piece = trained->vocabulary().pieces[id];
            QVERIFY(piece.score <= last);
            last = piece.score;
            sum += std::exp(piece.score);
            const std::string plain = trained->tokenBytes(static_cast<TokenId>(id));
            QVERIFY(plain.find(' ', 1) == std::string::npos);
        }
        QVERIFY2(sum > 0.5 && sum <= 1.0, qPrintable(QString::number(sum)));
        const std::string line = text.substr(0, text.find('\n'));
        QCOMPARE(trained->decode(trained->encode(line).ids()), line);
        const auto again = trainUnigramOnLines(text, settings);
        QVERIFY(again->vocabulary() == trained->vocabulary());
    }

    void isWrittenWithEveryPieceAndItsScore()
    {
        UnigramTrainerSettings settings;
        settings.vocabularySize = 100;
        const auto trained =
            trainUnigramOnLines(readFile(folder() / "corpus.txt", 1 << 20), settings);
        const json written = parseJson(toTokenizerJson(*trained), "written");
        QVERIFY(written["model"]["type"] == "Unigram");
        QVERIFY(written["model"]["unk_id"] == 2);
        QVERIFY(written["pre_tokenizer"]["prepend_scheme"] == "always");
        QCOMPARE(written["added_tokens"].size(), std::size_t{3});
        const json& pieces = written["model"]["vocab"];
        QCOMPARE(pieces.size(), trained->vocabularySize());
        for (std::size_t id = 0; id < pieces.size(); ++id) {
            QVERIFY(pieces[id][0] == trained->tokenText(static_cast<TokenId>(id)));
            QCOMPARE(pieces[id][1].get<double>(), trained->vocabulary().pieces[id].score);
        }
    }

    void moreTrainingPiecesCutShorter()
    {
        const std::string text = readFile(folder() / "corpus.txt", 1 << 20);
        std::size_t last = text.size();
        for (const std::size_t size : {100, 200, 400}) {
            UnigramTrainerSettings settings;
            settings.vocabularySize = size;
            const std::size_t tokens = trainUnigramOnLines(text, settings)->encode(text).size();
            QVERIFY(tokens < last);
            last = tokens;
        }
    }

    void trainingRefusesWhatCannotBe()
    {
        UnigramTrainerSettings settings;
        settings.vocabularySize = 8;
        QVERIFY_EXCEPTION_THROWN(trainUnigramOnLines("far too many letters", settings), Error);
        settings.vocabularySize = 3;
        QVERIFY_EXCEPTION_THROWN(trainUnigramOnLines("a", settings), Error);
        settings.vocabularySize = 100;
        QCOMPARE(trainUnigramOnLines("", settings)->vocabularySize(), std::size_t{3});
        std::stop_source source;
        source.request_stop();
        QVERIFY_EXCEPTION_THROWN(trainUnigramOnLines("text", settings, {}, source.get_token()),
                                 Cancelled);
    }
};

HEADSCOPE_TEST(TstUnigram)
#include "tst_unigram.moc"

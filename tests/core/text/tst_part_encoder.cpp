// labels: golden
#include "core/base/file.h"
#include "core/base/json_text.h"
#include "core/base/random.h"
#include "core/text/files/tokenizer_file.h"
#include "core/text/files/tokenizer_json.h"
#include "core/text/tokenizers/id_tokenizer.h"
#include "tests/support/golden.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;

namespace {

using TokenizerPtr = std::shared_ptr<const Tokenizer>;

std::filesystem::path family(const std::string& name)
{
    return std::filesystem::path(HEADSCOPE_TEST_DATA) / "families" / (name + ".json");
}

std::vector<std::pair<std::string, TokenizerPtr>> makeTokenizers()
{
    const auto folder = test::goldenDir() / "tokenizers";
    std::vector<std::pair<std::string, TokenizerPtr>> all{
        {"bpe", loadTokenizer(folder / "bpe/tokenizer.json")},
        {"wordpiece", loadTokenizer(folder / "wordpiece/vocab.txt")},
        {"sentencepiece bpe", loadTokenizer(folder / "sentencepiece_bpe/spiece.model")},
        {"sentencepiece unigram", loadTokenizer(folder / "sentencepiece_unigram/spiece.model")},
        {"ids", std::make_shared<const IdTokenizer>(std::size_t{5000})}};
    for (const auto& entry : std::filesystem::directory_iterator(family("x").parent_path())) {
        const std::string name = entry.path().stem().string();
        if (entry.path().extension() != ".json" || name == "t5") // its table is not in the file
            continue;
        const auto json = parseJson(readFile(entry.path(), 1 << 24), name);
        if (json.contains("tokenizer"))
            all.emplace_back(name, parseTokenizerJson(dumpJson(json["tokenizer"]), name));
    }
    return all;
}

/// Tokenizers of every kind, by name.
const std::vector<std::pair<std::string, TokenizerPtr>>& tokenizers()
{
    static const auto all = makeTokenizers();
    return all;
}

/// About `bytes` of sentences, numbers, other scripts, added tokens and invalid UTF-8, on one line.
std::string longText(std::size_t bytes)
{
    constexpr std::string_view kParts[] = {"the",
                                           "cat",
                                           "sat",
                                           " on",
                                           "Attention",
                                           "ing",
                                           "'s",
                                           ".",
                                           ", ",
                                           "  ",
                                           "42",
                                           "1984",
                                           "(a)",
                                           "\u00e9t\u00e9",
                                           "\u65e5\u672c\u8a9e",
                                           "\u0440\u0443\u0441",
                                           "\U0001f642",
                                           "e\u0301",
                                           "<|endoftext|>",
                                           "</s>",
                                           "[MASK]",
                                           "\t",
                                           "\xff",
                                           "\x01",
                                           "!?",
                                           "\u00a0",
                                           "unbelievably"};
    Random random(7);
    std::string text;
    while (text.size() < bytes) {
        text += kParts[random.below(std::size(kParts))];
        if (random.below(3) > 0)
            text += ' ';
    }
    return text;
}

std::vector<Token> streamed(const Tokenizer& tokenizer, std::string_view text, bool addSpecial)
{
    std::vector<Token> tokens;
    tokenizer.encodeInto(text, addSpecial, [&](const Token& token) { tokens.push_back(token); });
    return tokens;
}

} // namespace

class TstPartEncoder : public QObject
{
    Q_OBJECT

private slots:

    void partsGiveTheTokensOfTheWholeText_data()
    {
        QTest::addColumn<int>("index");
        const auto& all = tokenizers();
        QVERIFY(all.size() > 8);
        for (std::size_t index = 0; index < all.size(); ++index)
            QTest::newRow(all[index].first.c_str()) << static_cast<int>(index);
    }

    void partsGiveTheTokensOfTheWholeText()
    {
        QFETCH(const int, index);
        const TokenizerPtr& tokenizer = tokenizers()[static_cast<std::size_t>(index)].second;
        for (const std::size_t bytes : {std::size_t{1000}, std::size_t{400'000}}) {
            const std::string text = longText(bytes);
            for (const bool addSpecial : {false, true}) {
                const std::vector<Token> whole = tokenizer->encode(text, addSpecial).tokens;
                const std::vector<Token> parts = streamed(*tokenizer, text, addSpecial);
                QCOMPARE(parts.size(), whole.size());
                const auto differs = std::mismatch(whole.begin(), whole.end(), parts.begin()).first;
                QVERIFY2(differs == whole.end(),
                         qPrintable(QString("from byte %1 on").arg(differs->bytes.begin)));
            }
        }
    }

    /// Here neighbouring parts may never agree.
    void endlessWordsAreEncodedAsAWhole()
    {
        for (const auto& [name, tokenizer] : tokenizers()) {
            for (const std::string_view unit : {"a", " "}) {
                std::string text;
                while (text.size() < 262'145)
                    text += unit;
                QVERIFY2(streamed(*tokenizer, text, true) == tokenizer->encode(text).tokens,
                         qPrintable(QString::fromStdString(name + ": " + std::string(unit))));
            }
        }
    }
};

HEADSCOPE_TEST(TstPartEncoder)
#include "tst_part_encoder.moc"

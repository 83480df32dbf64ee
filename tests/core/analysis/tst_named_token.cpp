#include "core/analysis/report/named_token.h"

#include "core/analysis/derivation/word_tokens.h"
#include "core/base/error.h"
#include "core/text/tokenizers/wordpiece_tokenizer.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;

namespace {

LoadedModel encoder(const std::vector<std::string>& words)
{
    std::vector<std::string> vocabulary{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"};
    vocabulary.insert(vocabulary.end(), words.begin(), words.end());
    const auto tokenizer = std::make_shared<const WordPieceTokenizer>(bertVocabulary(vocabulary));
    ModelConfig config;
    config.architecture = Architecture::Encoder;
    config.vocabularySize = static_cast<std::int64_t>(tokenizer->vocabularySize());
    config.dModel = 8;
    config.heads = 2;
    config.layers = 1;
    config.maxLen = 16;
    return {"encoder", std::make_shared<const Model>(Model::initialised(config, 1)), tokenizer};
}

std::string refusalOf(const LoadedModel& model, const std::string& text)
{
    try {
        namedToken(model, text);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

} // namespace

class TstNamedToken : public QObject
{
    Q_OBJECT

private slots:

    void aTextOfSeveralTokensIsRefusedWithThem()
    {
        const LoadedModel model = encoder({"cat", "dog", "sat"});
        QCOMPARE(namedToken(model, "dog"), TokenId{6});
        QCOMPARE(namedToken(model, "[MASK]"), TokenId{4});
        const std::string two = refusalOf(model, "dog sat");
        QVERIFY(two.find("dog") != std::string::npos && two.find("...") == std::string::npos);
        const std::string seven = refusalOf(model, "cat cat cat cat cat dog sat");
        const std::size_t pieces = seven.find("split into");
        QVERIFY(pieces != std::string::npos);
        QVERIFY(seven.find("dog", pieces) != std::string::npos);
        QVERIFY(seven.find("sat", pieces) == std::string::npos); // six are enough
        QVERIFY(seven.find(", ...", pieces) != std::string::npos);
    }

    void anEncoderTellsAtItsMask()
    {
        const LoadedModel model = encoder({"cat", "dog", "sat"});
        const auto positionIn = [&](const char* text) {
            return tellingPosition(model, model.tokenizer->encode(text));
        };
        QCOMPARE(positionIn("cat [MASK] sat"), std::int64_t{2});
        QCOMPARE(positionIn("cat dog sat"), std::int64_t{3}); // the last before [SEP]
    }

    void wordsConsistOfLettersAndDigits()
    {
        std::vector<std::string> words{"0", "9", "a", "z"};
        for (char letter = 'b'; letter < 'n'; ++letter)
            words.emplace_back(1, letter);
        std::vector<TokenId> expected;
        for (std::size_t i = 0; i < words.size(); ++i)
            expected.push_back(static_cast<TokenId>(5 + i));
        QCOMPARE(expected.size(), std::size_t{16}); // as few as are still enough
        words.insert(words.end(), {"!", "##a", "/", ":"});
        QCOMPARE(wordTokens(encoder(words)), expected);
    }
};

HEADSCOPE_TEST(TstNamedToken)
#include "tst_named_token.moc"

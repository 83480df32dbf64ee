#include "core/base/error.h"
#include "core/text/training/bpe_trainer.h"
#include "core/train/data/masked_text_dataset.h"
#include "core/train/data/text_dataset.h"
#include "core/train/stories/story_grammar.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <set>

using namespace headscope;

namespace {

constexpr TokenId kHidden = 3;

MaskingSettings masking()
{
    MaskingSettings settings;
    settings.maskToken = kHidden;
    settings.specialTokens = {0, 1, 2, kHidden};
    settings.vocabularySize = 1000;
    return settings;
}

/// Ordinary tokens with a special one at every tenth place.
Batch plainBatch(std::int64_t rows, std::int64_t length)
{
    Batch batch{rows, length, {}, {}};
    for (std::int64_t i = 0; i < rows * length; ++i)
        batch.inputs.push_back(i % 10 == 0 ? static_cast<TokenId>(i / 10 % 3)
                                           : static_cast<TokenId>(4 + i % 900));
    return batch;
}

bool isNear(double got, double expected, double count)
{
    return std::abs(got - expected) < 4.0 * std::sqrt(expected * (1.0 - expected) / count);
}

struct Text
{
    std::string text = generateStories(5, 60'000);
    std::vector<std::string_view> documents = splitDocuments(text);
    std::shared_ptr<const BpeTokenizer> tokenizer;

    Text()
    {
        BpeTrainerSettings settings;
        settings.vocabularySize = 400;
        settings.specialTokens = maskedTextSpecialTokens();
        tokenizer = trainBpe(documents, settings);
    }

    TokenId id(std::string_view token) const { return *tokenizer->find(token); }
};

const Text& text()
{
    static const Text instance;
    return instance;
}

/// The row as it was before it was masked.
std::vector<TokenId> unmasked(const Batch& batch, std::int64_t row)
{
    std::vector<TokenId> tokens;
    for (std::int64_t i = row * batch.length; i < (row + 1) * batch.length; ++i) {
        const auto at = static_cast<std::size_t>(i);
        tokens.push_back(batch.targets[at] == kIgnoredTarget ? batch.inputs[at]
                                                             : batch.targets[at]);
    }
    return tokens;
}

} // namespace

class TstMaskedObjective : public QObject
{
    Q_OBJECT

private slots:

    void sharesAreThoseOfThePaper()
    {
        const Batch plain = plainBatch(200, 500);
        Batch batch = plain;
        Random random(1, 0);
        maskTokens(masking(), random, batch);
        double ordinary = 0.0, chosen = 0.0, hidden = 0.0, same = 0.0;
        for (std::size_t i = 0; i < plain.inputs.size(); ++i) {
            if (plain.inputs[i] <= kHidden) {
                QCOMPARE(batch.inputs[i], plain.inputs[i]);
                QCOMPARE(batch.targets[i], kIgnoredTarget);
                continue;
            }
            ordinary += 1.0;
            if (batch.targets[i] == kIgnoredTarget) {
                QCOMPARE(batch.inputs[i], plain.inputs[i]);
                continue;
            }
            QCOMPARE(batch.targets[i], plain.inputs[i]);
            QVERIFY(batch.inputs[i] >= kHidden && batch.inputs[i] < 1000);
            chosen += 1.0;
            hidden += batch.inputs[i] == kHidden ? 1.0 : 0.0;
            same += batch.inputs[i] == plain.inputs[i] ? 1.0 : 0.0;
        }
        QVERIFY(isNear(chosen / ordinary, 0.15, ordinary));
        QVERIFY(isNear(hidden / chosen, 0.8, chosen));
        QVERIFY(isNear(same / chosen, 0.1 + 0.1 / 996.0, chosen));
    }

    void masksDependOnTheGeneratorAlone()
    {
        const auto masked = [](std::uint64_t seed, std::uint64_t step) {
            Batch batch = plainBatch(4, 50);
            Random random(seed, step);
            maskTokens(masking(), random, batch);
            return batch.inputs;
        };
        QVERIFY(masked(1, 7) == masked(1, 7));
        QVERIFY(masked(1, 7) != masked(1, 8));
        QVERIFY(masked(1, 7) != masked(2, 7));
    }

    void everyBatchHasALoss()
    {
        MaskingSettings settings = masking();
        settings.fraction = 0.0;
        Batch batch = plainBatch(1, 8);
        Random random(3);
        maskTokens(settings, random, batch);
        QCOMPARE(std::ranges::count(batch.targets, kIgnoredTarget), 7);
    }

    void impossibleMaskingIsRefused()
    {
        Random random(1);
        Batch special{1, 3, {0, 1, 2}, {}};
        QVERIFY_EXCEPTION_THROWN(maskTokens(masking(), random, special), Error);
        Batch batch = plainBatch(1, 20);
        MaskingSettings settings = masking();
        settings.fraction = 1.5;
        QVERIFY_EXCEPTION_THROWN(maskTokens(settings, random, batch), Error);
        settings = masking();
        settings.replaced = 0.3; // 0.8 + 0.3 > 1
        QVERIFY_EXCEPTION_THROWN(maskTokens(settings, random, batch), Error);
        settings = masking();
        settings.vocabularySize = 4;
        QVERIFY_EXCEPTION_THROWN(maskTokens(settings, random, batch), Error);
    }

    void sentencesEndWithTheirQuotes()
    {
        const auto parts = splitSentences("A said: \"Go on!\" B paid 3.50 coins. Why? Yes");
        const std::vector<std::string_view> expected = {"A said: \"Go on!\"", " B paid 3.50 coins.",
                                                        " Why?", " Yes"};
        QVERIFY(parts == expected);
        QVERIFY(splitSentences("").empty());
    }

    void runningRowsAreFullAndBeginWithTheClassToken()
    {
        MaskedTextSettings settings;
        settings.rows = 6;
        settings.length = 40;
        settings.validationFraction = 0.2;
        const MaskedTextDataset dataset(*text().tokenizer, text().documents, settings);
        const Batch batch = dataset.trainingBatch(1, 0);
        QCOMPARE(batch.inputs.size(), std::size_t{240});
        QVERIFY(batch.keyMask.empty() && batch.segments.empty() && batch.nextSentence.empty());
        for (std::int64_t row = 0; row < 6; ++row) {
            const std::vector<TokenId> tokens = unmasked(batch, row);
            QCOMPARE(tokens.front(), text().id(kClassToken));
            QVERIFY(!std::ranges::count(tokens, text().id(kPaddingToken)));
            QVERIFY(text().text.find(text().tokenizer->decode(std::span(tokens).subspan(1, 4))) !=
                    std::string::npos);
        }
        QVERIFY(dataset.trainingBatch(1, 0).inputs == batch.inputs);
        QVERIFY(dataset.trainingBatch(1, 1).inputs != batch.inputs);
        QVERIFY(dataset.trainingBatch(2, 0).inputs != batch.inputs);
    }

    void halfOfThePairsFollowEachOther()
    {
        MaskedTextSettings settings;
        settings.rows = 400;
        settings.length = 48;
        settings.pairs = settings.segments = true;
        settings.validationFraction = 0.2;
        const MaskedTextDataset dataset(*text().tokenizer, text().documents, settings);
        const Batch batch = dataset.trainingBatch(1, 0);
        std::int64_t following = 0;
        for (std::int64_t row = 0; row < batch.rows; ++row) {
            const std::vector<TokenId> tokens = unmasked(batch, row);
            const TokenId separator = text().id(kSeparatorToken);
            QCOMPARE(tokens.front(), text().id(kClassToken));
            QCOMPARE(std::ranges::count(tokens, separator), 2);
            const auto first = std::ranges::find(tokens, separator);
            const auto second = std::find(first + 1, tokens.end(), separator);
            const std::string a = text().tokenizer->decode(std::vector(tokens.begin() + 1, first));
            const std::string b = text().tokenizer->decode(std::vector(first + 1, second));
            const auto random = batch.nextSentence[static_cast<std::size_t>(row)];
            if (random == 0)
                QVERIFY2(text().text.find(a + b) != std::string::npos, (a + "|" + b).c_str());
            following += random == 0 ? 1 : 0;
            for (auto token = tokens.begin(); token != tokens.end(); ++token) {
                const auto at =
                    static_cast<std::size_t>(row * batch.length + (token - tokens.begin()));
                QCOMPARE(batch.keyMask[at], token <= second ? 1 : 0);
                QCOMPARE(batch.segments[at], token > first && token <= second ? 1 : 0);
                QCOMPARE(*token == text().id(kPaddingToken), token > second);
            }
        }
        QVERIFY(isNear(static_cast<double>(following) / 400.0, 0.5, 400.0));
    }

    void aRandomSecondTextIsOfAnotherDocument()
    {
        MaskedTextSettings settings;
        settings.rows = 100;
        settings.length = 48;
        settings.pairs = true;
        settings.validationFraction = 0.0;
        settings.validationBatches = 0;
        const std::vector<std::string_view> documents = {"aa aa. aa aa. aa.", "zz zz. zz zz. zz.",
                                                         "bb bb. bb bb. bb."};
        const MaskedTextDataset dataset(*text().tokenizer, documents, settings);
        const Batch batch = dataset.trainingBatch(1, 0);
        for (std::int64_t row = 0; row < batch.rows; ++row) {
            const std::string pair = text().tokenizer->decode(unmasked(batch, row), true);
            std::set<char> letters(pair.begin(), pair.end());
            letters.erase(' ');
            letters.erase('.');
            const bool isRandom = batch.nextSentence[static_cast<std::size_t>(row)] == 1;
            QCOMPARE(letters.size(), std::size_t{isRandom ? 2U : 1U});
        }
    }

    void heldOutDocumentsAreOfNoTrainingRow()
    {
        MaskedTextSettings settings;
        settings.rows = 8;
        settings.length = 24;
        settings.validationFraction = 0.2;
        const std::vector<std::string_view> documents = {"aa aa aa.", "zz zz zz.", "bb bb bb."};
        const MaskedTextDataset dataset(*text().tokenizer, documents, settings);
        const auto occurs = [&](const Batch& batch, const std::string& word) {
            std::string all;
            for (std::int64_t row = 0; row < batch.rows; ++row)
                all += text().tokenizer->decode(unmasked(batch, row), true);
            return all.find(word) != std::string::npos;
        };
        QVERIFY(!occurs(dataset.trainingBatch(1, 0), "zz"));
        QVERIFY(occurs(dataset.trainingBatch(1, 0), "aa"));
        QVERIFY(occurs(dataset.validationBatch(0), "zz"));
        QVERIFY(!occurs(dataset.validationBatch(0), "bb"));
        QVERIFY_EXCEPTION_THROWN(dataset.validationBatch(8), Error);
    }

    void textsThatGiveNoPairsAreRefused()
    {
        MaskedTextSettings settings;
        const auto refuses = [&](const Tokenizer& tokenizer,
                                 std::vector<std::string_view> documents) {
            try {
                MaskedTextDataset(dynamic_cast<const BpeTokenizer&>(tokenizer), documents,
                                  settings);
            } catch (const Error&) {
                return true;
            }
            return false;
        };
        const std::vector<std::string_view> lines = {"One.", "Two.", "Three.", "Four."};
        QVERIFY(!refuses(*text().tokenizer, lines));
        settings.pairs = true;
        QVERIFY(refuses(*text().tokenizer, lines));
        settings = {};
        QVERIFY(refuses(*text().tokenizer, {"One."}));
        BpeTrainerSettings plain;
        plain.vocabularySize = 300;
        QVERIFY(refuses(*trainBpe(text().documents, plain), lines));
        settings.length = 4;
        QVERIFY(refuses(*text().tokenizer, lines));
    }
};

HEADSCOPE_TEST(TstMaskedObjective)
#include "tst_masked_objective.moc"

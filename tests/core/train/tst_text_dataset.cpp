#include "core/base/error.h"
#include "core/base/random.h"
#include "core/text/training/bpe_trainer.h"
#include "core/train/data/text_dataset.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace headscope;

namespace {

constexpr TokenId kMark = 0;

/// Document d is the mark, then d + 1 again and again: every token tells its document.
std::vector<TokenId> countedDocuments(int count)
{
    std::vector<TokenId> tokens;
    for (int document = 0; document < count; ++document) {
        tokens.push_back(kMark);
        for (int i = 0; i < 3 + document % 5; ++i)
            tokens.push_back(document + 1);
    }
    tokens.push_back(kMark);
    return tokens;
}

TextDatasetSettings smallSettings()
{
    TextDatasetSettings settings;
    settings.rows = 4;
    settings.length = 10;
    settings.validationFraction = 0.2;
    settings.validationBatches = 6;
    return settings;
}

std::set<TokenId> tokensOf(const Batch& batch)
{
    std::set<TokenId> tokens(batch.inputs.begin(), batch.inputs.end());
    tokens.erase(kMark);
    return tokens;
}

} // namespace

class TstTextDataset : public QObject
{
    Q_OBJECT

private slots:

    void documentsAreFoundByMarksParagraphsOrLines()
    {
        using Texts = std::vector<std::string_view>;
        QVERIFY(splitDocuments("a\n\nb<|endoftext|>c<|endoftext|>") == (Texts{"a\n\nb", "c"}));
        QVERIFY(splitDocuments("a\nb\n\nc\n\n\n\nd") == (Texts{"a\nb", "c", "d"}));
        QVERIFY(splitDocuments("a\nb\n \nc") == (Texts{"a", "b", "c"}));
        QVERIFY(splitDocuments("").empty());
        QVERIFY(splitDocuments(" \n\n ").empty());
        QCOMPARE(splitDocuments("alone").size(), std::size_t{1});
    }

    void encodedDocumentsDecodeToTheText()
    {
        const std::string text = "the cat sat<|endoftext|>on the mat<|endoftext|>the end";
        BpeTrainerSettings settings;
        settings.vocabularySize = 265;
        const auto tokenizer = trainBpeOnLines(text, settings);
        const auto tokens = encodeDocuments(*tokenizer, splitDocuments(text));
        QCOMPARE(tokenizer->decode(tokens), "<|endoftext|>" + text + "<|endoftext|>");
    }

    void rowsBeginAtADocument()
    {
        const TextDataset dataset(countedDocuments(50), kMark, smallSettings());
        for (std::int64_t step = 0; step < 20; ++step) {
            const Batch batch = dataset.trainingBatch(1, step);
            QCOMPARE(batch.inputs.size(), std::size_t{40});
            for (std::size_t row = 0; row < 4; ++row) {
                QCOMPARE(batch.inputs[row * 10], kMark);
                QVERIFY(batch.inputs[row * 10 + 1] != kMark);
                for (std::size_t i = 0; i + 1 < 10; ++i)
                    QCOMPARE(batch.targets[row * 10 + i], batch.inputs[row * 10 + i + 1]);
            }
        }
    }

    void heldOutDocumentsAreNotTrainedOn()
    {
        const TextDataset dataset(countedDocuments(200), kMark, smallSettings());
        std::set<TokenId> trained;
        std::set<TokenId> heldOut;
        for (std::int64_t step = 0; step < 200; ++step)
            trained.merge(tokensOf(dataset.trainingBatch(1, step)));
        for (std::int64_t index = 0; index < dataset.validationBatchCount(); ++index)
            heldOut.merge(tokensOf(dataset.validationBatch(index)));
        QVERIFY(heldOut.size() > 10);
        QVERIFY(trained.size() > 120);
        for (const TokenId token : heldOut)
            QVERIFY(!trained.contains(token));
        QCOMPARE(dataset.trainingTokens().size() + dataset.validationTokens().size() + 1,
                 countedDocuments(200).size());
    }

    void batchesDependOnSeedAndStepAlone()
    {
        const TextDataset dataset(countedDocuments(50), kMark, smallSettings());
        const TextDataset other(countedDocuments(50), kMark, smallSettings());
        other.trainingBatch(8, 8);
        QVERIFY(dataset.trainingBatch(2, 5).inputs == other.trainingBatch(2, 5).inputs);
        QVERIFY(dataset.trainingBatch(2, 5).inputs != dataset.trainingBatch(2, 6).inputs);
        QVERIFY(dataset.trainingBatch(2, 5).inputs != dataset.trainingBatch(3, 5).inputs);
        QVERIFY(dataset.validationBatch(1).inputs == other.validationBatch(1).inputs);
        QVERIFY_EXCEPTION_THROWN(dataset.validationBatch(6), Error);
    }

    void aShareOfTheRowsRepeatsARandomLine()
    {
        TextDatasetSettings settings = smallSettings();
        settings.rows = 1;
        settings.length = 40;
        settings.repeatedRows = 0.3;
        const TextDataset dataset(countedDocuments(50), kMark, settings);
        int repeated = 0;
        for (std::int64_t step = 0; step < 1000; ++step) {
            const auto inputs = dataset.trainingBatch(1, step).inputs;
            QCOMPARE(inputs.front(), kMark);
            bool isRepeated = false;
            for (std::ptrdiff_t period = 4; period < 21; ++period)
                isRepeated |= std::equal(inputs.begin() + 1, inputs.end() - period,
                                         inputs.begin() + 1 + period);
            repeated += isRepeated ? 1 : 0;
        }
        QVERIFY2(repeated > 240 && repeated < 360, qPrintable(QString::number(repeated)));
    }

    void textsShorterThanARowAreReadAgain()
    {
        const TextDataset dataset({kMark, 5, kMark, 6, kMark}, kMark, smallSettings());
        const Batch batch = dataset.trainingBatch(1, 1);
        for (std::size_t i = 0; i < 10; ++i)
            QCOMPARE(batch.inputs[i], i % 2 == 0 ? kMark : TokenId{5});
    }

    void impossibleDataIsRefused()
    {
        const auto build = [](const std::vector<TokenId>& tokens, TextDatasetSettings settings) {
            const TextDataset dataset(tokens, kMark, settings);
        };
        QVERIFY_EXCEPTION_THROWN(build({}, smallSettings()), Error);
        QVERIFY_EXCEPTION_THROWN(build({kMark, 1, kMark}, smallSettings()), Error);
        for (const auto& spoil : {+[](TextDatasetSettings& s) { s.rows = 0; },
                                  +[](TextDatasetSettings& s) { s.length = 1; },
                                  +[](TextDatasetSettings& s) { s.repeatedRows = -0.1; },
                                  +[](TextDatasetSettings& s) { s.validationFraction = 2.0; }}) {
            TextDatasetSettings settings = smallSettings();
            spoil(settings);
            QVERIFY_EXCEPTION_THROWN(build(countedDocuments(20), settings), Error);
        }
        const BpeTrainerSettings noMark{260, {}, 1, false};
        const auto tokenizer = trainBpeOnLines("a b", noMark);
        QVERIFY_EXCEPTION_THROWN(encodeDocuments(*tokenizer, {"a"}), Error);
    }
};

HEADSCOPE_TEST(TstTextDataset)
#include "tst_text_dataset.moc"

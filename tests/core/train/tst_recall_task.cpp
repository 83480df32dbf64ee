#include "core/base/error.h"
#include "core/train/data/recall_task.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <set>

using namespace headscope;

namespace {

RecallTaskSettings smallest()
{
    return {.rows = 1, .length = 1, .queries = 1, .symbols = 2, .validationBatches = 0};
}

} // namespace

class TstRecallTask : public QObject
{
    Q_OBJECT

private slots:

    /// Four symbols are 0 to 3, so the query for the symbol `back` places before is 3 + back.
    void aQueryAsksForTheSymbolSoFarBack()
    {
        const RecallTask task({.rows = 3, .length = 5, .queries = 2, .symbols = 4});
        const Batch batch = task.trainingBatch(1, 0);
        QCOMPARE(batch.length, 7);
        for (std::size_t row = 0; row < 3; ++row) {
            for (std::size_t i = 0; i < 5; ++i)
                QCOMPARE(batch.targets[7 * row + i], kIgnoredTarget);
            for (std::size_t query = 5; query < 7; ++query) {
                const int back = batch.inputs[7 * row + query] - 3;
                QVERIFY(back >= 1 && back <= 5);
                QCOMPARE(batch.targets[7 * row + query],
                         batch.inputs[7 * row + 5 - static_cast<std::size_t>(back)]);
            }
        }
    }

    void theSmallestTaskHasOneOfEachAndTwoSymbols()
    {
        QCOMPARE(RecallTask(smallest()).vocabularySize(), 3);
        for (auto field :
             {&RecallTaskSettings::rows, &RecallTaskSettings::length, &RecallTaskSettings::queries,
              &RecallTaskSettings::symbols, &RecallTaskSettings::validationBatches}) {
            RecallTaskSettings less = smallest();
            less.*field -= 1;
            QVERIFY_THROWS_EXCEPTION(Error, RecallTask{less});
        }
    }

    /// No two batches share their symbols, so that their mean says more than one batch does.
    void heldOutBatchesAreAllDifferent()
    {
        const RecallTask task({.rows = 4, .length = 3, .queries = 1, .symbols = 100});
        std::set<std::vector<TokenId>> symbols;
        for (std::int64_t index = 0; index < 4; ++index) {
            for (std::int64_t distance = 1; distance <= 3; ++distance) {
                const Batch batch = task.validationBatchAt(distance, index);
                std::vector<TokenId> read;
                for (std::size_t row = 0; row < 4; ++row) {
                    QCOMPARE(batch.targets[4 * row + 3],
                             batch.inputs[4 * row + 3 - static_cast<std::size_t>(distance)]);
                    read.insert(read.end(), {batch.inputs[4 * row], batch.inputs[4 * row + 1],
                                             batch.inputs[4 * row + 2]});
                }
                symbols.insert(read);
            }
        }
        QCOMPARE(symbols.size(), std::size_t{12});
        QVERIFY_THROWS_EXCEPTION(Error, task.validationBatchAt(4, 0));
        QVERIFY_THROWS_EXCEPTION(Error, task.validationBatchAt(0, 0));
    }
};

HEADSCOPE_TEST_WITHOUT_APPLICATION(TstRecallTask)
#include "tst_recall_task.moc"

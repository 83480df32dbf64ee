#include "core/base/error.h"
#include "tests/core/lessons/lab_runs.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;
using namespace headscope::test;

namespace {

const LabMatrix& matrixIn(const LabResult& result, std::size_t panel)
{
    return std::get<LabMatrix>(result.panels.at(panel).plot);
}

bool throwsError(const std::function<void()>& call)
{
    try {
        call();
    } catch (const Error& error) {
        return std::string(error.what()).size() > 10;
    }
    return false;
}

/// Softmax over the cells that are not masked, from the scores that the lab shows.
std::vector<double> weightsFrom(const LabMatrix& scores)
{
    const std::size_t n = scores.rowLabels.size();
    std::vector<double> weights(n * n, 0.0);
    for (std::size_t query = 0; query < n; ++query) {
        double sum = 0.0;
        for (std::size_t key = 0; key < n; ++key)
            sum += scores.masked[query * n + key] ? 0.0 : std::exp(scores.values[query * n + key]);
        for (std::size_t key = 0; key < n; ++key)
            if (!scores.masked[query * n + key])
                weights[query * n + key] = std::exp(scores.values[query * n + key]) / sum;
    }
    return weights;
}

} // namespace

class TstMasksLabs : public QObject
{
    Q_OBJECT

private slots:

    void everyLabCanBeDrawnAtAllEndsOfItsControls()
    {
        for (const Lab& lab : labsOf(LabSubject::Masks))
            QCOMPARE(flawAtAllEnds(lab), std::string());
    }

    /// Hidden keys get the weight 0, exactly, and the batch changes nothing.
    void m1PaddingHasNoWeightAndBatchedIsUnbatched()
    {
        for (const char* kind : {"padding", "both"}) {
            const LabResult result =
                runLab("masks", {{"kind", kind}, {"words", "5"}, {"length", "9"}});
            QCOMPARE(valueOf(result, "hidden_weight"), 0.0);
            QCOMPARE(valueOf(result, "padding_weight"), 0.0);
            QVERIFY(valueOf(result, "largest_difference") < 1e-6);
            const LabMatrix& weights = matrixIn(result, 1);
            for (std::size_t query = 0; query < 9; ++query)
                for (std::size_t key = 5; key < 9; ++key)
                    QCOMPARE(weights.values[query * 9 + key], 0.0);
            QCOMPARE(weights.columnLabels[5], std::string("<pad>"));
        }
        QCOMPARE(valueOf(runLab("masks", {{"kind", "padding"}, {"words", "5"}, {"length", "9"}}),
                         "hidden_cells"),
                 9.0 * 4.0);
        const LabResult open = runLab("masks", {{"kind", "none"}});
        QVERIFY(valueOf(open, "padding_weight") > 5.0);
        QVERIFY(valueOf(open, "largest_difference") > 1e-2);
    }

    void m2CausalMaskHidesTheUpperTriangle()
    {
        const LabResult result =
            runLab("masks", {{"kind", "causal"}, {"words", "4"}, {"length", "6"}});
        QCOMPARE(valueOf(result, "hidden_cells"), 15.0); // 6 * 5 / 2
        QCOMPARE(valueOf(result, "hidden_weight"), 0.0);
        const LabMatrix& weights = matrixIn(result, 1);
        for (std::size_t query = 0; query < 6; ++query)
            for (std::size_t key = 0; key < 6; ++key)
                QCOMPARE(static_cast<bool>(weights.masked[query * 6 + key]), key > query);
        QCOMPARE(weights.values[0], 1.0);
        // padding stands behind the words, so that they do not see it
        QVERIFY(valueOf(result, "largest_difference") < 1e-6);
    }

    void m3BothMasksHoldAtOnce()
    {
        const LabResult result =
            runLab("masks", {{"kind", "both"}, {"words", "4"}, {"length", "6"}});
        QCOMPARE(valueOf(result, "hidden_cells"), 15.0 + 3.0); // and three below the diagonal
        for (const char* kind : {"none", "causal", "padding", "both"}) {
            const LabResult any = runLab("masks", {{"kind", kind}});
            const std::vector<double> expected = weightsFrom(matrixIn(any, 0));
            for (std::size_t i = 0; i < expected.size(); ++i)
                QVERIFY(near(matrixIn(any, 1).values[i], expected[i]));
            QVERIFY(valueOf(any, "row_error") < 1e-6);
        }
    }

    /// Five rows, each with what it sees and what comes next.
    void m5TableOfBosILikeYouEos()
    {
        const LabResult result = runLab("next-word-table");
        const auto& table = std::get<LabTable>(result.panels[0].plot);
        QCOMPARE(table.rows.size(), std::size_t{5});
        const std::vector<std::string> sees{"<BOS>", "<BOS> I", "<BOS> I like", "<BOS> I like you",
                                            "<BOS> I like you </EOS>"};
        const std::vector<std::string> next{"I", "like", "you", "</EOS>"};
        for (std::size_t row = 0; row < 5; ++row) {
            QCOMPARE(table.rows[row][2], sees[row]);
            if (row < 4) {
                QCOMPARE(table.rows[row][3], next[row]);
                QCOMPARE(table.rows[row][4], std::string("no"));
            }
        }
        QCOMPARE(valueOf(result, "targets"), 4.0);
        QCOMPARE(valueOf(result, "hidden"), 10.0);
        QCOMPARE(valueOf(result, "leaks"), 0.0);
        QVERIFY(near(valueOf(result, "even_loss"), std::log(5.0)));
        const LabMatrix& sight = matrixIn(result, 1);
        for (std::size_t row = 0; row < 5; ++row)
            for (std::size_t key = 0; key < 5; ++key)
                QVERIFY(near(sight.values[row * 5 + key],
                             key <= row ? 1.0 / (static_cast<double>(row) + 1.0) : 0.0));
    }

    void m5WithoutTheMaskEveryRowSeesItsAnswer()
    {
        const LabResult result = runLab("next-word-table", {{"mask", "off"}});
        QCOMPARE(valueOf(result, "leaks"), 4.0);
        QCOMPARE(valueOf(result, "hidden"), 0.0);
        for (const char* sentence : {"", "  ", "a b c d e f g h i"})
            QVERIFY(throwsError([&] { runLab("next-word-table", {{"sentence", sentence}}); }));
    }

    void m4PaintedCellsHaveNoWeightAndTheOthersShareIt()
    {
        const LabResult result = runLab("painted-mask", {{"hidden", "3,1 *,2"}});
        const LabMatrix& before = matrixIn(result, 0);
        const LabMatrix& after = matrixIn(result, 1);
        const std::size_t n = after.rowLabels.size();
        QCOMPARE(n, std::size_t{7});
        for (std::size_t query = 0; query < n; ++query) {
            double kept = 0.0;
            double sum = 0.0;
            for (std::size_t key = 0; key < n; ++key) {
                const bool isPainted = key == 2 || (query == 3 && key == 1);
                kept += isPainted ? 0.0 : before.values[query * n + key];
                sum += after.values[query * n + key];
                if (isPainted)
                    QCOMPARE(after.values[query * n + key], 0.0);
            }
            QVERIFY(near(sum, 1.0, 1e-5));
            for (std::size_t key = 0; key < n; ++key) // layer 0: the scores are the same
                if (after.values[query * n + key] > 0.0)
                    QVERIFY(near(after.values[query * n + key],
                                 before.values[query * n + key] / kept, 1e-5));
        }
        QCOMPARE(valueOf(result, "hidden_weight"), 0.0);
        QCOMPARE(valueOf(result, "hidden_cells"), 21.0 + 5.0 + 1.0);
        QVERIFY(valueOf(result, "output_change") > 0.0);
    }

    void m4ARowThatSeesNothingGivesNothing()
    {
        const LabResult result = runLab("painted-mask", {{"hidden", "3,*"}});
        QCOMPARE(valueOf(result, "empty_rows"), 1.0);
        QVERIFY(result.sentence.find("see nothing") != std::string::npos);
        for (const char* hidden :
             {"7,0", "0,-1", "3", "a,b", "1,", ",", "1;2", "99999999999999,0", "nan,0", "1,2,3"})
            QVERIFY2(throwsError([&] { runLab("painted-mask", {{"hidden", hidden}}); }), hidden);
    }

    void m6DifferenceMapIsAfterMinusBefore()
    {
        const LabResult result =
            runLab("painted-mask", {{"hidden", ""}, {"mask", "none"}, {"layer", "1"}});
        const LabMatrix& before = matrixIn(result, 0);
        const LabMatrix& after = matrixIn(result, 1);
        const LabMatrix& map = matrixIn(result, 2);
        double largest = 0.0;
        for (std::size_t i = 0; i < map.values.size(); ++i) {
            QVERIFY(near(map.values[i], after.values[i] - before.values[i]));
            largest = std::max(largest, std::abs(map.values[i]));
        }
        QVERIFY(near(valueOf(result, "largest_change"), largest));
        QVERIFY(largest > 0.01);
        const LabResult same = runLab("painted-mask", {{"hidden", ""}, {"mask", "causal"}});
        QCOMPARE(valueOf(same, "largest_change"), 0.0); // that is the model's own
        QCOMPARE(valueOf(same, "output_change"), 0.0);
    }

    void m7WithTheMaskNoLaterWordCountsWithoutItAllDo()
    {
        const LabResult masked = runLab("leak", {{"mask", "on"}});
        QCOMPARE(valueOf(masked, "future_change"), 0.0);
        QCOMPARE(valueOf(masked, "answers"), 0.0);
        const LabMatrix& matrix = matrixIn(masked, 0);
        const std::size_t n = matrix.rowLabels.size();
        for (std::size_t row = 0; row < n; ++row)
            QVERIFY(matrix.values[row * n + row] > 0.0); // its own word counts
        const LabResult open = runLab("leak", {{"mask", "off"}});
        QVERIFY(valueOf(open, "future_change") > 1.0);
        QCOMPARE(valueOf(open, "answers"), valueOf(open, "questions"));
    }

    void labsOfSentencesSayWhenThereIsNoModel()
    {
        LabContext context = labContext();
        context.openModel = {};
        for (const char* lab : {"painted-mask", "leak"})
            QVERIFY(throwsError([&] { runLab(lab, {}, context); }));
    }

    void oneWordAloneIsEnough()
    {
        LabContext context = labContext();
        for (const char* text : {"", "a", "\xff\xfe", "\n"}) {
            context.text = text;
            QCOMPARE(flawOf(catalogueLab("leak"), runLab("leak", {}, context)), std::string());
            QCOMPARE(flawOf(catalogueLab("painted-mask"),
                            runLab("painted-mask", {{"hidden", "*,0"}}, context)),
                     std::string());
        }
    }
};

HEADSCOPE_TEST_WITHOUT_APPLICATION(TstMasksLabs)
#include "tst_masks_labs.moc"

// labels: golden
#include "core/attention/cpu_attention.h"
#include "core/attention/reference_attention.h"
#include "tests/support/each_isa.h"
#include "tests/support/golden_blocks.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;
using namespace headscope::test;

namespace {

std::unique_ptr<AttentionBackend> backendOf(const QString& name)
{
    if (name == "reference")
        return std::make_unique<ReferenceAttention>();
    return std::make_unique<CpuAttention>();
}

void addRows()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("backend");
    for (const std::string& file : GoldenBlock::names())
        for (const char* backend : {"reference", "cpu"})
            QTest::addRow("%s, %s", file.c_str(), backend)
                << QString::fromStdString(file) << QString(backend);
}

} // namespace

class TstGoldenBlocks : public QObject
{
    Q_OBJECT

private slots:

    void everyResultAndGradientIsThatOfTorch_data() { addRows(); }

    void everyResultAndGradientIsThatOfTorch()
    {
        QFETCH(QString, file);
        QFETCH(QString, backend);
        const std::string problem =
            GoldenBlock(file.toStdString()).trainingProblem(*backendOf(backend));
        QVERIFY2(problem.empty(), problem.c_str());
    }

    void everySiteIsThatOfTorchAndLookingChangesNothing_data() { addRows(); }

    void everySiteIsThatOfTorchAndLookingChangesNothing()
    {
        QFETCH(QString, file);
        QFETCH(QString, backend);
        const std::string problem =
            GoldenBlock(file.toStdString()).observedProblem(*backendOf(backend));
        QVERIFY2(problem.empty(), problem.c_str());
    }

    void packedWeightsAndACacheGiveTheSame_data() { addRows(); }

    void packedWeightsAndACacheGiveTheSame()
    {
        QFETCH(QString, file);
        QFETCH(QString, backend);
        const std::string problem =
            GoldenBlock(file.toStdString()).inferenceProblem(*backendOf(backend));
        QVERIFY2(problem.empty(), problem.c_str());
    }

    void everyInstructionSetPasses()
    {
        const QString problem = narrowerIsaProblem();
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
    }
};

HEADSCOPE_TEST(TstGoldenBlocks)
#include "tst_golden_blocks.moc"

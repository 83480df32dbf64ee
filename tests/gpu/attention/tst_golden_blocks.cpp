// links: core/model
// labels: golden
#include "tests/gpu/gpu_test.h"

#include "tests/support/golden_blocks.h"
#include "tests/support/test_program.h"

using namespace headscope;
using namespace headscope::test;

/// Whole blocks with attention on the device, forward and back.
class TstGoldenBlocks : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase()
    {
        m_library = testLibrary(m_cache.path().toStdString());
        HS_NEED_DEVICE(m_library);
    }

    void blocksAgreeWithTorch_data()
    {
        QTest::addColumn<QString>("file");
        for (const std::string& file : GoldenBlock::names())
            QTest::newRow(file.c_str()) << QString::fromStdString(file);
    }

    void blocksAgreeWithTorch()
    {
        QFETCH(QString, file);
        gpu::OpenClAttention backend(m_library);
        GoldenBlock block(file.toStdString());
        for (const std::string& problem :
             {block.trainingProblem(backend), block.observedProblem(backend),
              block.inferenceProblem(backend)})
            QVERIFY2(problem.empty(), problem.c_str());
    }

private:
    QTemporaryDir m_cache;
    std::shared_ptr<gpu::KernelLibrary> m_library;
};

HEADSCOPE_TEST(TstGoldenBlocks)
#include "tst_golden_blocks.moc"

// links: core/io
// labels: golden
#include "tests/gpu/gpu_test.h"

#include "tests/support/golden_models.h"
#include "tests/support/test_program.h"

using namespace headscope;
using namespace headscope::test;

/// Tiny models of all families with attention on the device (tests/core/io runs them on the CPU).
class TstGoldenModels : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase()
    {
        m_library = testLibrary(m_cache.path().toStdString());
        HS_NEED_DEVICE(m_library);
    }

    void textsMatch_data()
    {
        QTest::addColumn<GoldenModelName>("name");
        QTest::addColumn<gpu::KernelFamily>("family");
        for (const GoldenModelName& name : GoldenModel::names()) {
            QTest::addRow("%s, block kernels", name.text().c_str())
                << name << gpu::KernelFamily::Block;
            QTest::addRow("%s, tiled kernels", name.text().c_str())
                << name << gpu::KernelFamily::Tiled;
        }
    }

    void textsMatch()
    {
        QFETCH(const GoldenModelName, name);
        QFETCH(const gpu::KernelFamily, family);
        gpu::OpenClAttention backend(m_library, {true, family, {}});
        const std::string problem = GoldenModel(name).textsProblem(backend);
        QVERIFY2(problem.empty(), problem.c_str());
    }

    void paddedBatchesMatch_data() { textsMatch_data(); }

    void paddedBatchesMatch()
    {
        QFETCH(const GoldenModelName, name);
        QFETCH(const gpu::KernelFamily, family);
        gpu::OpenClAttention backend(m_library, {true, family, {}});
        const std::string problem = GoldenModel(name).batchProblem(backend);
        QVERIFY2(problem.empty(), problem.c_str());
    }

private:
    QTemporaryDir m_cache;
    std::shared_ptr<gpu::KernelLibrary> m_library;
};

HEADSCOPE_TEST(TstGoldenModels)
#include "tst_golden_models.moc"

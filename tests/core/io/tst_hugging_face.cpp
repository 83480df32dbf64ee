// labels: golden

#include "core/attention/cpu_attention.h"
#include "core/attention/reference_attention.h"
#include "tests/support/golden_models.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;
using namespace headscope::test;

/// Tiny models of all families, with what transformers computes (tests/gpu runs them on OpenCL).
class TstHuggingFace : public QObject
{
    Q_OBJECT

private slots:

    void textsMatch_data()
    {
        QTest::addColumn<GoldenModelName>("name");
        for (const GoldenModelName& name : GoldenModel::names())
            QTest::newRow(name.text().c_str()) << name;
    }

    void textsMatch()
    {
        QFETCH(const GoldenModelName, name);
        CpuAttention backend;
        const std::string problem = GoldenModel(name).textsProblem(backend);
        QVERIFY2(problem.empty(), problem.c_str());
    }

    void paddedBatchesMatch_data() { textsMatch_data(); }

    void paddedBatchesMatch()
    {
        QFETCH(const GoldenModelName, name);
        CpuAttention backend;
        const std::string problem = GoldenModel(name).batchProblem(backend);
        QVERIFY2(problem.empty(), problem.c_str());
    }

    void growingTextsMatch_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* const name :
             {"gpt2",    "llama",      "mistral",     "qwen2", "gpt_neox", "bloom",
              "gemma3",  "falcon_new", "gpt_oss",     "olmo3", "opt",      "smollm3",
              "gptj",    "gpt_neo",    "gpt_bigcode", "mpt",   "cohere2",  "falcon_rw",
              "exaone4", "opt_post",   "qwen2_moe"})
            QTest::newRow(name) << name;
    }

    void growingTextsMatch()
    {
        QFETCH(const QString, name);
        const GoldenModel golden({name.toStdString(), GoldenKind::OneStack});
        const std::vector<TokenId> ids = golden.textOf(0);
        ReferenceAttention backend;
        KvCache cache(golden.model().config());
        std::vector<float> logits;
        for (std::size_t length = 1; length <= ids.size(); ++length) {
            const Tensor row = golden.model().forward(std::span(ids).first(length), backend, cache);
            logits.insert(logits.end(), row.values().begin(), row.values().end());
        }
        HS_COMPARE(std::span<const float>(logits), golden.logitsOf(0, std::ssize(ids)),
                   GoldenModel::kHiddenStates);
    }
};

HEADSCOPE_TEST(TstHuggingFace)
#include "tst_hugging_face.moc"

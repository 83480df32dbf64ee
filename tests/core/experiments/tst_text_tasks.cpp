// labels: learns
#include "core/experiments/task_catalogue.h"
#include "tests/core/experiments/trained.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;
using headscope::test::Trained;
using headscope::test::trainTask;

/// Small versions of the tasks over text reach what they are for.
class TstTextTasks : public QObject
{
    Q_OBJECT

private slots:

    void verbsAgreeWithSubjectsOfUnseenPairs()
    {
        const Trained agreement = trainTask("agreement", R"({"steps": 1400})");
        QVERIFY(agreement.evaluation.number("agreement") >= 0.95);
        QVERIFY(agreement.evaluation.number("predicate") >= 0.95);
        QVERIFY(agreement.evaluation.head("subject_verb").score > 0.9);
        QVERIFY(agreement.evaluation.number("validation_loss") < agreement.baseline.value);
    }

    void maskedWordsAreGuessed()
    {
        const Trained masked = trainTask(
            "masked", R"({"steps": 1300, "data": {"bytes": 1500000, "vocab_size": 700}})");
        QVERIFY(masked.evaluation.number("token_accuracy") >= 0.45);
        QVERIFY(masked.evaluation.number("token_accuracy") > 3.0 * masked.baseline.value);
        QVERIFY(masked.evaluation.head("previous_token").score > 0.25);
    }

    void storiesAreLearnt()
    {
        const Trained stories = trainTask("stories",
                                          R"({"steps": 900, "batch_size": 12,
                      "model": {"d_model": 64, "n_layers": 2, "n_heads": 4, "n_kv_heads": 4,
                                "d_ff": 256, 
                                "max_len": 64, "embedding_scale": "sqrt"},
                      "data": {"bytes": 1500000, "vocab_size": 800, "repeated_rows": 0},
                      "schedule": {"warmup_steps": 50}})");
        QVERIFY(stories.evaluation.number("token_accuracy") >= 0.55);
        QVERIFY(stories.evaluation.number("validation_loss") < 0.9 * stories.baseline.value);
        QVERIFY(stories.evaluation.number("predicate") >= 0.55);
    }
};

HEADSCOPE_TEST(TstTextTasks)
#include "tst_text_tasks.moc"

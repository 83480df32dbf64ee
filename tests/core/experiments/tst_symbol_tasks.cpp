// labels: learns
#include "core/experiments/task_catalogue.h"
#include "tests/core/experiments/trained.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;
using headscope::test::Trained;
using headscope::test::trainTask;

/// Small versions of the tasks over symbols reach what they are for.
class TstSymbolTasks : public QObject
{
    Q_OBJECT

private slots:

    void copyingDrawsTheDiagonal()
    {
        const Trained copy = trainTask("copy", R"({"steps": 300})");
        QVERIFY(copy.evaluation.number("sequence_accuracy") >= 0.97);
        QVERIFY(copy.evaluation.head("cross_diagonal").score > 0.8);
        QVERIFY(copy.baseline.value < 0.2);
    }

    void reversingDrawsTheAntidiagonal()
    {
        const Trained reverse = trainTask("reverse", R"({"steps": 800})");
        QVERIFY(reverse.evaluation.number("sequence_accuracy") >= 0.95);
        QVERIFY(reverse.evaluation.head("cross_antidiagonal").score > 0.5);
    }

    void sortingLooksForTheNextSymbol()
    {
        const Trained sort = trainTask("sort", R"({"steps": 1300})");
        QVERIFY(sort.evaluation.number("token_accuracy") >= 0.95);
        QVERIFY(sort.evaluation.number("sequence_accuracy") >= 0.75);
        QVERIFY(sort.evaluation.head("cross_next_symbol").score > 0.3);
    }

    void sumsAreRightWithTheirCarries()
    {
        const Trained addition =
            trainTask("addition", R"({"steps": 1500, "data": {"max_length": 2}})");
        QVERIFY(addition.evaluation.number("token_accuracy") >= 0.97);
        QVERIFY(addition.evaluation.number("sequence_accuracy") >= 0.93);
        QVERIFY(addition.evaluation.head("cross_same_place").score > 0.3);
    }

    void sentencesOfThePhraseBookAreTranslated()
    {
        const Trained phrases = trainTask("phrases", R"({"steps": 500})");
        QVERIFY(phrases.evaluation.number("sequence_accuracy") >= 0.7);
        QVERIFY(phrases.evaluation.number("bleu") >= 0.8);
        QVERIFY(phrases.evaluation.head("cross_aligned_words").score > 0.2);
        QVERIFY(phrases.baseline.value < 0.2);
    }

    void bracketsAreJudged()
    {
        const Trained brackets = trainTask("brackets", R"({"steps": 900})");
        QVERIFY(brackets.evaluation.number("answer_accuracy") >= 0.95);
        QVERIFY(brackets.baseline.value < 0.6);
    }

    void inductionFormsWithTwoLayersAndNotWithOne()
    {
        const char* const patch = R"({"steps": 1300})";
        const Trained two = trainTask("repeat", patch);
        const Trained one = trainTask("repeat-one-layer", patch);
        QVERIFY(two.evaluation.number("copy_accuracy") >= 0.9);
        QVERIFY(two.evaluation.head("induction").score > 0.7);
        QVERIFY(one.evaluation.number("copy_accuracy") < 0.2);
        QVERIFY(one.evaluation.head("induction").score < 0.15);
        QVERIFY(two.baseline.value < 0.1);
    }
};

HEADSCOPE_TEST(TstSymbolTasks)
#include "tst_symbol_tasks.moc"

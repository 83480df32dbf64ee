#include "core/base/error.h"
#include "core/train/data/question_task.h"
#include "core/train/data/repeat_task.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <algorithm>
#include <set>

using namespace headscope;

namespace {

QuestionTask task(QuestionTaskKind kind, std::int64_t shortest = 2, std::int64_t longest = 16)
{
    QuestionTaskSettings settings;
    settings.kind = kind;
    settings.shortest = shortest;
    settings.longest = longest;
    return QuestionTask(*symbolTokenizer(), 64, settings);
}

/// Takes "()" away as long as there is one: what stays empty was balanced.
bool cancelsOut(std::string text)
{
    for (auto at = text.find("()"); at != std::string::npos; at = text.find("()"))
        text.erase(at, 2);
    return text.empty();
}

} // namespace

class TstQuestionTask : public QObject
{
    Q_OBJECT

private slots:

    void balancedIsWhatCancelsOut_data()
    {
        QTest::addColumn<QString>("text");
        for (const char* text : {"", "()", "(", ")", ")(", "(())()", "(()", "())(", "((()))())("})
            QTest::newRow(text) << QString(text);
    }

    void balancedIsWhatCancelsOut()
    {
        QFETCH(QString, text);
        QCOMPARE(isBalanced(text.toStdString()), cancelsOut(text.toStdString()));
    }

    void halfOfTheBracketsAreBalancedAndCountingIsNotEnough()
    {
        const QuestionTask brackets = task(QuestionTaskKind::Brackets, 3, 9);
        int balanced = 0;
        int onlyWrongOrder = 0;
        std::set<std::size_t> lengths;
        for (std::uint64_t i = 0; i < 2000; ++i) {
            const Question question = brackets.question(1, i);
            QCOMPARE(question.text.back(), '=');
            const std::string text = question.text.substr(0, question.text.size() - 1);
            QCOMPARE(question.answer, cancelsOut(text) ? 'y' : 'n');
            balanced += question.answer == 'y' ? 1 : 0;
            const bool isEven = 2 * std::ranges::count(text, '(') == std::ssize(text);
            onlyWrongOrder += question.answer == 'n' && isEven ? 1 : 0;
            lengths.insert(text.size());
        }
        QVERIFY(balanced > 900 && balanced < 1100);
        QVERIFY(onlyWrongOrder > 350 && onlyWrongOrder < 650); // about half of the unbalanced
        QCOMPARE(lengths, (std::set<std::size_t>{4, 6, 8}));
    }

    void theSecondSymbolAnswersAQuestionOfOrder()
    {
        const QuestionTask order = task(QuestionTaskKind::Order);
        for (std::uint64_t i = 0; i < 200; ++i) {
            const Question question = order.question(1, i);
            QCOMPARE(question.text.size(), std::size_t{4});
            QVERIFY(question.text[0] != question.text[2]);
            QCOMPARE(question.answer, question.text[2]);
        }
    }

    void aRowIsTheQuestionThenPaddingAndOneTarget()
    {
        const auto tokenizer = symbolTokenizer();
        const Batch batch = task(QuestionTaskKind::Brackets).trainingBatch(3, 7);
        QCOMPARE(batch.length, std::int64_t{18});
        for (std::int64_t row = 0; row < batch.rows; ++row) {
            const auto begin = static_cast<std::size_t>(row * batch.length);
            std::vector<TokenId> shown;
            std::vector<TokenId> targets;
            for (std::size_t i = begin; i < begin + 18; ++i) {
                if (batch.keyMask[i] != 0)
                    shown.push_back(batch.inputs[i]);
                if (batch.targets[i] != kIgnoredTarget) {
                    QCOMPARE(batch.keyMask[i], std::uint8_t{1});
                    QVERIFY(i + 1 == begin + 18 || batch.keyMask[i + 1] == 0);
                    targets.push_back(batch.targets[i]);
                }
            }
            std::string text = tokenizer->decode(shown, true);
            QCOMPARE(text.back(), '=');
            text.pop_back();
            QCOMPARE(tokenizer->decode(targets), std::string(cancelsOut(text) ? "y" : "n"));
        }
    }

    void batchesDependOnSeedAndStepAlone()
    {
        const QuestionTask first = task(QuestionTaskKind::Brackets);
        const QuestionTask second = task(QuestionTaskKind::Brackets);
        QCOMPARE(first.trainingBatch(5, 9).inputs, second.trainingBatch(5, 9).inputs);
        QVERIFY(first.trainingBatch(5, 9).inputs != first.trainingBatch(5, 10).inputs);
        QVERIFY(first.trainingBatch(5, 9).inputs != first.trainingBatch(6, 9).inputs);
        QCOMPARE(first.validationBatch(0).inputs, second.validationBatch(0).inputs);
        QVERIFY_EXCEPTION_THROWN(first.validationBatch(8), Error);
    }

    void settingsThatCannotBeAreRefused()
    {
        QVERIFY_EXCEPTION_THROWN(task(QuestionTaskKind::Brackets, 0, 4), Error);
        QVERIFY_EXCEPTION_THROWN(task(QuestionTaskKind::Brackets, 5, 4), Error);
        QVERIFY_EXCEPTION_THROWN(task(QuestionTaskKind::Brackets, 1, 1), Error);
        QVERIFY_EXCEPTION_THROWN(task(QuestionTaskKind::Brackets, 2, 64), Error); // max_len
        QCOMPARE(task(QuestionTaskKind::Brackets, 1, 3).question(1, 1).text.size(),
                 std::size_t{3}); // one pair
    }
};

HEADSCOPE_TEST(TstQuestionTask)
#include "tst_question_task.moc"

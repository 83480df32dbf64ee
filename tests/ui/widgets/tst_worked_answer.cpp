#include "core/lessons/worked/worked_example.h"
#include "tests/support/test_program.h"
#include "ui/widgets/worked/worked_answer.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace headscope;
using namespace headscope::ui;
using Verdict = WorkedAnswer::Verdict;

namespace {

/// Steps whose results are known by hand.
struct Asked
{
    WorkedExample example;

    WorkedAnswer answer(const QString& typed) const { return checkAnswer(example, 0, typed); }
};

Asked asked(Operation operation, const std::vector<double>& operands)
{
    Asked asked;
    WorkedMatrix result;
    result.name = "result";
    result.title = "Result";
    result.rowLabels = {"sat"};
    result.columnLabels = {"dim 0", "dim 1"};
    WorkedStep step;
    step.operation = operation;
    for (const double value : operands) {
        Operand operand;
        operand.value = value;
        step.operands.push_back(operand);
    }
    step.value = evaluate(operation, operands);
    result.values = {step.value, 7.25};
    result.filledAfter = {1, 2};
    asked.example.matrices.push_back(result);
    asked.example.steps.push_back(step);
    return asked;
}

/// 0.5035 of The, 0.2483 of cat and of sat: 0.3724 of dim 1.
Asked weightedSum()
{
    return asked(Operation::Dot, {0.503490, 0.0, 0.248255, 1.0, 0.248255, 0.5});
}

} // namespace

class TstWorkedAnswer : public QObject
{
    Q_OBJECT

private slots:
    void numbersAreReadAsPeopleTypeThem_data();
    void numbersAreReadAsPeopleTypeThem();
    void whatIsNoNumberIsRefusedWithASentence();
    void twoDecimalsAreEnough();
    void aSmallNumberNeedsTwoDigits();
    void badRoundingIsCalledClose();
    void aSwappedSignIsNamed();
    void aForgottenProductIsNamed();
    void addingInsteadOfMultiplyingIsNamed();
    void aForgottenScaleIsNamed();
    void dividingByTheSquareIsNamed();
    void aForgottenExponentialIsNamed();
    void anotherCellIsNamed();
    void otherwiseItSaysWhichWay();
    void aHiddenCellTakesMinusInfinity();
    void hugeNumbersAreJustWrong();
};

void TstWorkedAnswer::numbersAreReadAsPeopleTypeThem_data()
{
    QTest::addColumn<QString>("typed");
    QTest::addColumn<double>("value");
    QTest::newRow("decimal") << "0.37" << 0.37;
    QTest::newRow("comma") << " 0,37 " << 0.37;
    QTest::newRow("fraction") << "1/2" << 0.5;
    QTest::newRow("root over two") << QStringLiteral("√2/2") << std::sqrt(2.0) / 2.0;
    QTest::newRow("root in words") << "sqrt(2)/2" << std::sqrt(2.0) / 2.0;
    QTest::newRow("factor and root") << QStringLiteral("2√3") << 2.0 * std::sqrt(3.0);
    QTest::newRow("minus sign") << QStringLiteral("−1.5") << -1.5;
    QTest::newRow("minus root") << QStringLiteral("-√2") << -std::sqrt(2.0);
    QTest::newRow("power of ten") << "-1e-3" << -0.001;
    QTest::newRow("infinity") << QStringLiteral("−∞") << -std::numeric_limits<double>::infinity();
    QTest::newRow("infinity in words") << "-inf" << -std::numeric_limits<double>::infinity();
}

void TstWorkedAnswer::numbersAreReadAsPeopleTypeThem()
{
    QFETCH(QString, typed);
    QFETCH(double, value);
    const auto read = readAnswer(typed);
    QVERIFY(read);
    if (std::isinf(value))
        QCOMPARE(*read, value);
    else
        QVERIFY2(std::abs(*read - value) < 1e-12, qPrintable(QString::number(*read)));
}

void TstWorkedAnswer::whatIsNoNumberIsRefusedWithASentence()
{
    for (const char* typed :
         {"", "  ", "abc", "nan", "1/0", "1/2/3", "--1", "√", "1e999", "0x10"}) {
        const WorkedAnswer answer = weightedSum().answer(QString::fromUtf8(typed));
        QVERIFY2(answer.verdict == Verdict::Unreadable, typed);
        QVERIFY(answer.sentence.endsWith(QLatin1Char('.')));
    }
}

void TstWorkedAnswer::twoDecimalsAreEnough()
{
    QCOMPARE(weightedSum().answer("0.37").verdict, Verdict::Right);
    QCOMPARE(weightedSum().answer("0.372383").verdict, Verdict::Right);
    QVERIFY(weightedSum().answer("0.37").sentence.contains("0.372"));
    QVERIFY(weightedSum().answer("0.36").verdict != Verdict::Right);
}

void TstWorkedAnswer::aSmallNumberNeedsTwoDigits()
{
    const Asked small = asked(Operation::Multiply, {0.001, 0.5}); // 0.0005
    QCOMPARE(small.answer("0.0005").verdict, Verdict::Right);
    QVERIFY(small.answer("0").verdict != Verdict::Right);
    QVERIFY(small.answer("0.0006").verdict != Verdict::Right);
}

void TstWorkedAnswer::badRoundingIsCalledClose()
{
    QCOMPARE(asked(Operation::Sum, {0.6276, 0.0}).answer("0.62").verdict, Verdict::Close);
}

void TstWorkedAnswer::aSwappedSignIsNamed()
{
    QVERIFY(asked(Operation::Subtract, {1.0, 3.0}).answer("2").sentence.contains("sign"));
}

void TstWorkedAnswer::aForgottenProductIsNamed()
{
    const WorkedAnswer answer = weightedSum().answer("0.25"); // without 0.2483 · 0.5
    QCOMPARE(answer.verdict, Verdict::Wrong);
    QVERIFY2(answer.sentence.contains(QStringLiteral("0.2483 · 0.5")), qPrintable(answer.sentence));
}

void TstWorkedAnswer::addingInsteadOfMultiplyingIsNamed()
{
    QVERIFY(asked(Operation::Dot, {2, 3, 4, 5}).answer("14").sentence.contains("added"));
}

void TstWorkedAnswer::aForgottenScaleIsNamed()
{
    const WorkedAnswer answer = asked(Operation::Divide, {2.0, std::sqrt(2.0)}).answer("2");
    QVERIFY2(answer.sentence.contains("1.4142"), qPrintable(answer.sentence));
    QVERIFY(answer.sentence.contains("forgot to divide"));
}

void TstWorkedAnswer::dividingByTheSquareIsNamed()
{
    const WorkedAnswer answer = asked(Operation::Divide, {2.0, std::sqrt(2.0)}).answer("1");
    QVERIFY2(answer.sentence.contains("square"), qPrintable(answer.sentence));
}

void TstWorkedAnswer::aForgottenExponentialIsNamed()
{
    const Asked power = asked(Operation::Exponential, {-0.707107});
    QVERIFY(power.answer("-0.71").sentence.contains("unchanged"));
    QVERIFY(power.answer("2.03").sentence.contains("sign"));
}

void TstWorkedAnswer::anotherCellIsNamed()
{
    QVERIFY(weightedSum().answer("7.25").sentence.contains("dim 1"));
}

void TstWorkedAnswer::otherwiseItSaysWhichWay()
{
    QVERIFY(weightedSum().answer("0.3").sentence.contains("larger"));
    QVERIFY(weightedSum().answer("0.45").sentence.contains("smaller"));
    QVERIFY(weightedSum().answer("-3").sentence.contains("above 0"));
}

void TstWorkedAnswer::aHiddenCellTakesMinusInfinity()
{
    const Asked hidden = asked(Operation::Hide, {});
    QCOMPARE(hidden.answer("-inf").verdict, Verdict::Right);
    QVERIFY(hidden.answer("0").sentence.contains("-inf"));
}

void TstWorkedAnswer::hugeNumbersAreJustWrong()
{
    const WorkedAnswer answer = weightedSum().answer("1e300");
    QCOMPARE(answer.verdict, Verdict::Wrong);
    QVERIFY(!answer.sentence.contains("nan", Qt::CaseInsensitive));
}

HEADSCOPE_WINDOW_TEST(TstWorkedAnswer)
#include "tst_worked_answer.moc"

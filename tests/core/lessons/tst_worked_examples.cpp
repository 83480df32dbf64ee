#include "core/base/error.h"
#include "core/lessons/worked_example.h"

#include <QTest>
#include <cmath>

using namespace headscope;

namespace {

/// Compares every cell of a matrix with numbers printed to six decimals.
void compareMatrix(const WorkedExample& example, const char* name,
                   const std::vector<double>& expected)
{
    const WorkedMatrix* matrix = example.find(name);
    QVERIFY2(matrix, name);
    QCOMPARE(matrix->values.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        QVERIFY2(std::abs(matrix->values[i] - expected[i]) <= 5.1e-7,
                 qPrintable(QString("%1 %2: %3 instead of %4")
                                .arg(name)
                                .arg(i)
                                .arg(matrix->values[i], 0, 'g', 12)
                                .arg(expected[i])));
}

WorkedExample worked(const char* name, const char* switched = nullptr, const char* value = "on")
{
    ExampleInputs inputs = exampleInputs(name);
    if (switched)
        inputs.set(switched, value);
    return workExample(inputs);
}

QString exactText(const WorkedExample& example, const char* reference)
{
    const CellAddress cell = example.address(reference);
    const WorkedMatrix& matrix = example.matrices[static_cast<std::size_t>(cell.matrix)];
    const auto& exact = matrix.exact[matrix.at(cell.row, cell.column)];
    return exact ? QString::fromStdString(exact->text()) : QString("none");
}

} // namespace

class TstWorkedExamples : public QObject
{
    Q_OBJECT

private slots:
    void attentionOfThreeTokensIsWhatA2Says();
    void causalMaskOfThreeTokensIsWhatA2Says();
    void attentionOfThreeTokensHasExactForms();
    void attentionOfTwoTokensIsWhatA3Says();
};

void TstWorkedExamples::attentionOfThreeTokensIsWhatA2Says()
{
    const WorkedExample example = worked("attention");
    compareMatrix(example, "scores", {1, 0, 1, 1, 1, 0, 2, 1, 1});
    compareMatrix(
        example, "weights",
        {.401112, .197776, .401112, .401112, .401112, .197776, .503490, .248255, .248255});
    compareMatrix(example, "output", {.601668, .398332, .5, .5, .627617, .372383});
}

void TstWorkedExamples::causalMaskOfThreeTokensIsWhatA2Says()
{
    const WorkedExample example = worked("attention", "causal");
    compareMatrix(example, "weights", {1, 0, 0, .5, .5, 0, .503490, .248255, .248255});
}

void TstWorkedExamples::attentionOfThreeTokensHasExactForms()
{
    const WorkedExample example = worked("attention");
    QCOMPARE(exactText(example, "scaled[2,0]"), "√2");
    QCOMPARE(exactText(example, "scaled[0,0]"), "√2/2");
    QCOMPARE(exactText(example, "exponentials[0,1]"), "e^(−√2/2)");
    QCOMPARE(exactText(example, "weights[2,0]"), "1/(1 + 2e^(−√2/2))");
    QCOMPARE(exactText(example, "output[1,0]"), "1/2");
    QCOMPARE(exactText(example, "output[2,0]"), "(2 + e^(−√2/2))/(2 + 4e^(−√2/2))");
    for (const WorkedStep& step : example.steps)
        QVERIFY(step.exact);
}

void TstWorkedExamples::attentionOfTwoTokensIsWhatA3Says()
{
    const WorkedExample example = worked("two-tokens");
    compareMatrix(example, "weights", {.5, .5, .330238, .669762});
    compareMatrix(example, "output", {2, 3, 2.339523, 3.339523});
}

QTEST_GUILESS_MAIN(TstWorkedExamples)

#include "tst_worked_examples.moc"

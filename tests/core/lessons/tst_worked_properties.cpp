// Whatever is typed into the inputs, the steps of every example are the arithmetic that they show.
#include "core/lessons/worked/example_catalogue.h"
#include "core/lessons/worked/worked_example.h"
#include "tests/core/lessons/worked_inputs.h"
#include "tests/support/test_program.h"

#include <QTest>
#include <cmath>
#include <limits>
#include <map>
#include <set>

using namespace headscope;

namespace {

constexpr int kRounds = 60; ///< of each example

const WorkedMatrix& matrixOf(const WorkedExample& example, CellAddress cell)
{
    return example.matrices.at(static_cast<std::size_t>(cell.matrix));
}

std::size_t placeOf(const WorkedMatrix& matrix, CellAddress cell)
{
    return matrix.at(cell.row, cell.column);
}

/// What a person sees after so many steps, from the steps alone.
std::map<CellAddress, double> known(const WorkedExample& example, std::size_t done)
{
    std::map<CellAddress, double> cells;
    for (int m = 0; m < static_cast<int>(example.matrices.size()); ++m) {
        const WorkedMatrix& matrix = example.matrices[static_cast<std::size_t>(m)];
        for (int row = 0; matrix.isInput && row < matrix.rows(); ++row)
            for (int column = 0; column < matrix.columns(); ++column)
                cells[{m, row, column}] = matrix.values[matrix.at(row, column)];
    }
    for (std::size_t i = 0; i < done; ++i)
        cells[example.steps[i].result] = example.steps[i].value;
    return cells;
}

/// The same, as example.isFilled() says.
std::map<CellAddress, double> filled(const WorkedExample& example, std::size_t done)
{
    std::map<CellAddress, double> cells;
    for (int m = 0; m < static_cast<int>(example.matrices.size()); ++m) {
        const WorkedMatrix& matrix = example.matrices[static_cast<std::size_t>(m)];
        for (int row = 0; row < matrix.rows(); ++row)
            for (int column = 0; column < matrix.columns(); ++column)
                if (example.isFilled({m, row, column}, done))
                    cells[{m, row, column}] = matrix.values[matrix.at(row, column)];
    }
    return cells;
}

} // namespace

class TstWorkedProperties : public QObject
{
    Q_OBJECT

private slots:

    void everyStepIsTheArithmeticOfItsShownOperands_data() { examples(); }

    void everyStepIsTheArithmeticOfItsShownOperands();

    void everyCellIsFilledOnceAndOnlyFromWhatIsKnown_data() { examples(); }

    void everyCellIsFilledOnceAndOnlyFromWhatIsKnown();

    void exactFormsHaveTheValueOfTheDecimals_data() { examples(); }

    void exactFormsHaveTheValueOfTheDecimals();

    void stagesCoverTheStepsAndShowWhatEntersThem_data() { examples(); }

    void stagesCoverTheStepsAndShowWhatEntersThem();

    void backUndoesForwardExactly_data() { examples(); }

    void backUndoesForwardExactly();

    void noNumberIsEverNaN_data() { examples(); }

    void noNumberIsEverNaN();

private:
    static void examples();

    /// check(example) for random inputs of the row's example.
    template<class Check>
    static void forRandomInputs(Check check)
    {
        QFETCH(QString, name);
        RandomInputs random(20260601);
        for (int round = 0; round < kRounds; ++round) {
            check(workExample(random(name.toStdString())));
            if (QTest::currentTestFailed())
                return;
        }
    }
};

void TstWorkedProperties::examples()
{
    QTest::addColumn<QString>("name");
    for (const ExampleEntry& entry : exampleCatalogue())
        QTest::newRow(entry.name.c_str()) << QString::fromStdString(entry.name);
    QVERIFY(exampleCatalogue().size() >= 13);
}

void TstWorkedProperties::everyStepIsTheArithmeticOfItsShownOperands()
{
    forRandomInputs([](const WorkedExample& example) {
        for (const WorkedStep& step : example.steps) {
            std::vector<double> operands;
            for (const Operand& operand : step.operands)
                operands.push_back(operand.value);
            QCOMPARE(evaluate(step.operation, operands), step.value);
            const WorkedMatrix& matrix = matrixOf(example, step.result);
            QCOMPARE(matrix.values[placeOf(matrix, step.result)], step.value);
            QVERIFY(!step.formula.empty());
        }
    });
}

void TstWorkedProperties::everyCellIsFilledOnceAndOnlyFromWhatIsKnown()
{
    forRandomInputs([](const WorkedExample& example) {
        std::map<CellAddress, double> cells = known(example, 0);
        std::size_t total = 0;
        for (const WorkedMatrix& matrix : example.matrices)
            total += matrix.values.size();
        for (const WorkedStep& step : example.steps) {
            for (const Operand& operand : step.operands) {
                QCOMPARE(operand.cell.has_value(), operand.symbol.empty());
                if (!operand.cell)
                    continue;
                QVERIFY2(cells.contains(*operand.cell), step.formula.c_str());
                QCOMPARE(cells[*operand.cell], operand.value);
            }
            QVERIFY2(cells.emplace(step.result, step.value).second, step.formula.c_str());
        }
        QCOMPARE(cells.size(), total);
    });
}

void TstWorkedProperties::exactFormsHaveTheValueOfTheDecimals()
{
    int forms = 0;
    forRandomInputs([&forms](const WorkedExample& example) {
        for (const WorkedStep& step : example.steps) {
            const WorkedMatrix& matrix = matrixOf(example, step.result);
            for (const Operand& operand : step.operands)
                if (!operand.cell && operand.exact)
                    QVERIFY(std::abs(operand.exact->value() - operand.value) < 1e-12);
            const auto& inMatrix = matrix.exact[placeOf(matrix, step.result)];
            QCOMPARE(inMatrix.has_value(), step.exact.has_value());
            if (!step.exact)
                continue;
            ++forms;
            QCOMPARE(inMatrix->text(), step.exact->text());
            QVERIFY2(std::abs(step.exact->value() - step.value) <=
                         1e-9 * std::max(1.0, std::abs(step.value)),
                     step.exact->text().c_str());
        }
    });
    QVERIFY(forms > 0);
}

void TstWorkedProperties::stagesCoverTheStepsAndShowWhatEntersThem()
{
    forRandomInputs([](const WorkedExample& example) {
        std::size_t next = 0;
        for (std::size_t s = 0; s < example.stages.size(); ++s) {
            const WorkedStage& stage = example.stages[s];
            QCOMPARE(stage.firstStep, next);
            QVERIFY(stage.steps > 0);
            QCOMPARE(stage.signs.size() + 1, stage.large.size());
            for (std::size_t i = 0; i < stage.steps; ++i, ++next) {
                const WorkedStep& step = example.steps[next];
                QCOMPARE(step.stage, static_cast<int>(s));
                QVERIFY2(std::ranges::count(stage.large, step.result.matrix) == 1,
                         stage.title.c_str());
                for (const Operand& operand : step.operands) // each can be seen, and lit
                    QVERIFY2(!operand.cell ||
                                 std::ranges::count(stage.large, operand.cell->matrix) == 1,
                             stage.title.c_str());
            }
            QCOMPARE(example.steps[next - 1].result.matrix, stage.large.back());
        }
        QCOMPARE(next, example.steps.size());
        std::set<std::string> names;
        for (const WorkedMatrix& matrix : example.matrices)
            QVERIFY2(names.insert(matrix.name).second, matrix.name.c_str());
    });
}

void TstWorkedProperties::backUndoesForwardExactly()
{
    QFETCH(QString, name);
    RandomInputs random(7);
    const WorkedExample example = workExample(random(name.toStdString()));
    std::vector<std::map<CellAddress, double>> forward;
    for (std::size_t done = 0; done <= example.steps.size(); ++done)
        forward.push_back(filled(example, done));
    for (std::size_t done = example.steps.size() + 1; done-- > 0;) {
        QVERIFY(filled(example, done) == forward[done]);
        QVERIFY(forward[done] == known(example, done));
        if (done > 0)
            QCOMPARE(forward[done].size(), forward[done - 1].size() + 1);
    }
}

void TstWorkedProperties::noNumberIsEverNaN()
{
    forRandomInputs([](const WorkedExample& example) {
        for (const WorkedMatrix& matrix : example.matrices)
            for (std::size_t i = 0; i < matrix.values.size(); ++i) {
                const double value = matrix.values[i];
                QVERIFY(!std::isnan(value));
                const bool isHidden = !matrix.masked.empty() && matrix.masked[i];
                QVERIFY(!isHidden || value == -std::numeric_limits<double>::infinity());
                if (matrix.name == "output" || matrix.name == "weights")
                    QVERIFY(std::isfinite(value));
            }
    });
}

HEADSCOPE_TEST(TstWorkedProperties)

#include "tst_worked_properties.moc"

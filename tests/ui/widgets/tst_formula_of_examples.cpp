// Every formula of every worked example can be painted.
#include "core/base/error.h"
#include "core/lessons/worked/example_catalogue.h"
#include "core/lessons/worked/worked_example.h"
#include "tests/support/qt_under_tsan.h"
#include "tests/support/test_program.h"
#include "ui/widgets/formula/formula_latex.h"

#include <QTest>

using namespace headscope;
using namespace headscope::ui;

class TstFormulaOfExamples : public QObject
{
    Q_OBJECT

private slots:
    void everyFormulaIsRead_data();
    void everyFormulaIsRead();
    void labelsOfAnyCharactersAreRead();

private:
    static void readAll(const WorkedExample& example);
    static void read(const std::string& formula);
};

void TstFormulaOfExamples::read(const std::string& formula)
{
    try {
        const Math math = mathFromLatex(QString::fromStdString(formula));
        QVERIFY2(formula.empty() || math, formula.c_str());
    } catch (const Error& error) {
        QFAIL((formula + ": " + error.what()).c_str());
    }
}

void TstFormulaOfExamples::readAll(const WorkedExample& example)
{
    for (const WorkedMatrix& matrix : example.matrices)
        read(matrix.formula);
    for (const WorkedStage& stage : example.stages)
        read(stage.formula);
    for (const WorkedStep& step : example.steps) {
        read(step.formula);
        if (step.exact)
            read(step.exact->latex());
        for (const Operand& operand : step.operands)
            read(operand.symbol);
    }
}

void TstFormulaOfExamples::everyFormulaIsRead_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("switched");
    for (const ExampleEntry& entry : exampleCatalogue()) {
        QTest::newRow(entry.name.c_str()) << QString::fromStdString(entry.name) << QString();
        const ExampleInputs inputs = exampleInputs(entry.name);
        for (const ExampleInputs::Switch& each : inputs.switches)
            QTest::newRow((entry.name + ", " + each.name).c_str())
                << QString::fromStdString(entry.name) << QString::fromStdString(each.name);
    }
}

void TstFormulaOfExamples::everyFormulaIsRead()
{
    QFETCH(QString, name);
    QFETCH(QString, switched);
    ExampleInputs inputs = exampleInputs(name.toStdString());
    if (!switched.isEmpty())
        inputs.set(switched.toStdString(), inputs.isOn(switched.toStdString()) ? "off" : "on");
    readAll(workExample(inputs));
}

void TstFormulaOfExamples::labelsOfAnyCharactersAreRead()
{
    for (const char* label :
         {"{", "}", "\\", "$5_%^&~#", "", "<0xE2>", "·", "日本", "a{b}c\\", "7", "\n\t"}) {
        ExampleInputs inputs = exampleInputs("attention");
        for (const char* name : {"Q", "K", "V"})
            inputs.matrix(name).rowLabels[1] = label;
        readAll(workExample(inputs));
    }
}

HEADSCOPE_WINDOW_TEST(TstFormulaOfExamples)

#include "tst_formula_of_examples.moc"

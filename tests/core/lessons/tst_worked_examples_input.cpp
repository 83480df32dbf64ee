// What a person types into an example, and what a program hands in: one clear sentence, never a
// crash, never a NaN.
#include "core/base/error.h"
#include "core/lessons/worked/example_catalogue.h"
#include "core/lessons/worked/worked_example.h"
#include "tests/support/test_program.h"

#include <QTest>
#include <cmath>
#include <limits>

using namespace headscope;

namespace {

/// The sentence of the Error that `act` throws, or "".
template<class Act>
QString sentenceOf(const Act& act)
{
    try {
        act();
    } catch (const Error& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

QString sentenceOfSetting(const char* name, const char* value, const char* example = "attention")
{
    return sentenceOf([&] { exampleInputs(example).set(name, value); });
}

} // namespace

class TstWorkedExamplesInput : public QObject
{
    Q_OBJECT

private slots:
    void numbersAreReadAsPeopleTypeThem_data();
    void numbersAreReadAsPeopleTypeThem();
    void whatIsNoNumberIsRefusedInOneSentence_data();
    void whatIsNoNumberIsRefusedInOneSentence();
    void refusedTextLeavesTheInputsAsTheyWere();
    void unknownNamesSayWhatIsNear();
    void switchesTakeOnAndOff();
    void aRowWithoutAnyVisibleKeyHasWeightsAndOutputZero();
    void maskCellsAreOneOrZero();
    void extremeNumbersStayNumbers_data();
    void extremeNumbersStayNumbers();
    void inputsThatDoNotFitAreRefused();
    void settingsWithoutMeaningAreRefused_data();
    void settingsWithoutMeaningAreRefused();
    void operationsTakeTheRightNumberOfOperands();
    void cellsThatDoNotExistAreRefused();
};

void TstWorkedExamplesInput::numbersAreReadAsPeopleTypeThem_data()
{
    QTest::addColumn<QString>("typed");
    QTest::addColumn<double>("value");
    QTest::newRow("whole") << "2" << 2.0;
    QTest::newRow("spaces") << "  1.5 \t" << 1.5;
    QTest::newRow("plus") << "+3" << 3.0;
    QTest::newRow("negative") << "-.25" << -0.25;
    QTest::newRow("power of ten") << "1e3" << 1000.0;
    QTest::newRow("a million") << "-1000000" << -1e6;
    QTest::newRow("minus zero") << "-0" << 0.0;
}

void TstWorkedExamplesInput::numbersAreReadAsPeopleTypeThem()
{
    QFETCH(QString, typed);
    QFETCH(double, value);
    ExampleInputs inputs = exampleInputs("attention");
    inputs.set("Q[2,1]", typed.toStdString());
    QCOMPARE(inputs.matrix("Q").values.back(), value);
    QVERIFY(!std::signbit(inputs.matrix("Q").values.back()) || value < 0.0);
    QCOMPARE(workExample(inputs).number("Q[2,1]"), value);
}

void TstWorkedExamplesInput::whatIsNoNumberIsRefusedInOneSentence_data()
{
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("problem");
    QTest::newRow("empty") << ""
                           << "there is no number";
    QTest::newRow("spaces") << "   "
                            << "there is no number";
    QTest::newRow("words") << "two"
                           << "\"two\" is not a number";
    QTest::newRow("number and words") << "2 apples"
                                      << "\"2 apples\" is not a number";
    QTest::newRow("two signs") << "+-2"
                               << "is not a number";
    QTest::newRow("hexadecimal") << "0x10"
                                 << "is not a number";
    QTest::newRow("nan") << "nan"
                         << "\"nan\" is not finite";
    QTest::newRow("infinity") << "-inf"
                              << "\"-inf\" is not finite";
    QTest::newRow("1e300") << "1e300"
                           << "\"1e300\" is too large";
    QTest::newRow("1e999") << "1e999"
                           << "too large";
    QTest::newRow("a million and one") << "1000001"
                                       << "too large";
    QTest::newRow("hostile") << QString(100000, 'x') << "is not a number";
}

void TstWorkedExamplesInput::whatIsNoNumberIsRefusedInOneSentence()
{
    QFETCH(QString, typed);
    QFETCH(QString, problem);
    const QString sentence = sentenceOfSetting("Q[0,0]", qPrintable(typed));
    QVERIFY2(sentence.contains(problem), qPrintable(sentence));
    QVERIFY2(sentence.contains("Type a number"), qPrintable(sentence));
    QVERIFY(sentence.size() < 250);
}

void TstWorkedExamplesInput::refusedTextLeavesTheInputsAsTheyWere()
{
    ExampleInputs inputs = exampleInputs("attention");
    QVERIFY_EXCEPTION_THROWN(inputs.set("K[0,0]", "nan"), Error);
    QCOMPARE(inputs.matrix("K").values, exampleInputs("attention").matrix("K").values);
}

void TstWorkedExamplesInput::unknownNamesSayWhatIsNear()
{
    QVERIFY(sentenceOfSetting("Q[3,0]", "1").contains("\"Q[2,1]\" the last"));
    for (const char* name : {"Q[0]", "Q[0,0", "Q[-1,0]", "Q", "Q[a,b]", "Q[0,0]x", "Q[",
                             "Q[99999999999999999999,0]", "[0,0]", ""})
        QVERIFY2(!sentenceOfSetting(name, "1").isEmpty(), name);
    QVERIFY(sentenceOfSetting("causl", "on").contains("causal"));
    QVERIFY(sentenceOf([] { exampleInputs("atention"); }).contains("attention"));
    ExampleInputs inputs;
    inputs.example = "none";
    QVERIFY(!sentenceOf([&] { workExample(inputs); }).isEmpty());
    QVERIFY(sentenceOf([] { exampleInputs("attention").matrix("W"); }).contains("\"W\""));
}

void TstWorkedExamplesInput::switchesTakeOnAndOff()
{
    ExampleInputs inputs = exampleInputs("attention");
    inputs.set("causal", "on");
    QVERIFY(inputs.isOn("causal"));
    inputs.set("causal", " off ");
    QVERIFY(!inputs.isOn("causal"));
    QVERIFY(sentenceOfSetting("causal", "maybe").contains("neither on nor off"));
    QVERIFY(!inputs.isOn("no such switch"));
}

void TstWorkedExamplesInput::aRowWithoutAnyVisibleKeyHasWeightsAndOutputZero()
{
    ExampleInputs inputs = exampleInputs("attention");
    inputs.set("own-mask", "on");
    for (const char* cell : {"mask[1,0]", "mask[1,1]", "mask[1,2]"})
        inputs.set(cell, "0");
    const WorkedExample example = workExample(inputs);
    for (int key = 0; key < 3; ++key)
        QCOMPARE(example.find("weights")->values[static_cast<std::size_t>(3 + key)], 0.0);
    QCOMPARE(example.number("output[1,0]"), 0.0);
    QCOMPARE(example.number("output[1,1]"), 0.0);
    QVERIFY(std::abs(example.number("weights[0,0]") - 0.401112) < 1e-6); // others as before
    int reasons = 0;
    for (const WorkedStep& step : example.steps)
        reasons += step.reason.find("No key is visible") != std::string::npos ? 1 : 0;
    QCOMPARE(reasons, 1 + 3 + 3); // the largest, what is shifted, the weights
}

void TstWorkedExamplesInput::maskCellsAreOneOrZero()
{
    ExampleInputs inputs = exampleInputs("attention");
    inputs.set("own-mask", "on");
    inputs.set("mask[0,0]", "0.5");
    QVERIFY(sentenceOf([&] { workExample(inputs); }).contains("Type 1"));
}

void TstWorkedExamplesInput::extremeNumbersStayNumbers_data()
{
    QTest::addColumn<QString>("name");
    for (const ExampleEntry& entry : exampleCatalogue())
        QTest::newRow(entry.name.c_str()) << QString::fromStdString(entry.name);
}

void TstWorkedExamplesInput::extremeNumbersStayNumbers()
{
    QFETCH(QString, name);
    for (const double extreme : {1e6, -1e6, 1e-6, 0.0, 5e-324})
        for (const bool alternates : {false, true}) {
            ExampleInputs inputs = exampleInputs(name.toStdString());
            for (auto& matrix : inputs.matrices)
                for (std::size_t i = 0; i < matrix.values.size(); ++i)
                    matrix.values[i] = alternates && i % 2 == 1 ? -extreme : extreme;
            for (const char* kept :
                 {"targets", "epsilon", "base", "second", "beta1", "beta2", "step", "largest_norm",
                  "d", "d_k", "variance", "pairs", "seed", "sizes"})
                if (inputs.has(kept))
                    inputs.matrix(kept) = exampleInputs(name.toStdString()).matrix(kept);
            const WorkedExample example = workExample(inputs);
            for (const WorkedStep& step : example.steps)
                QVERIFY2(!std::isnan(step.value), step.formula.c_str());
        }
}

void TstWorkedExamplesInput::inputsThatDoNotFitAreRefused()
{
    const ExampleInputs good = exampleInputs("attention");
    const auto sentence = [&](const auto& spoil) {
        ExampleInputs inputs = good;
        spoil(inputs);
        return sentenceOf([&] { workExample(inputs); });
    };
    QVERIFY(
        sentence([](ExampleInputs& i) { i.matrix("Q").rowLabels.clear(); }).contains("no cells"));
    QVERIFY(sentence([](ExampleInputs& i) { i.matrix("Q").values.clear(); }).contains("0 numbers"));
    for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL, 1e300, 1000001.0})
        QVERIFY(sentence([&](ExampleInputs& i) {
                    i.matrix("V").values[2] = bad;
                }).contains("is out of range"));
    QVERIFY(
        sentence([](ExampleInputs& i) { i.matrices.erase(i.matrices.begin()); }).contains("\"Q\""));
    QVERIFY(sentence([](ExampleInputs& i) { // one number more in each key
                ExampleInputs::Matrix& keys = i.matrix("K");
                keys.columnLabels.push_back("dim 2");
                keys.values.resize(9, 1.0);
            })
                .contains("queries have 2 dimensions and keys 3"));
    QVERIFY(sentence([](ExampleInputs& i) {
                ExampleInputs::Matrix& values = i.matrix("V");
                values.rowLabels.push_back("on");
                values.values.resize(8, 1.0);
            }).contains("3 keys and 4 values"));
    QVERIFY(sentence([](ExampleInputs& i) { // beyond what anybody would walk
                ExampleInputs::Matrix& q = i.matrix("Q");
                q.rowLabels.assign(100000, "x");
                q.values.assign(200000, 1.0);
            })
                .contains("too large"));
}

void TstWorkedExamplesInput::settingsWithoutMeaningAreRefused_data()
{
    QTest::addColumn<QString>("example");
    QTest::addColumn<QString>("cell");
    QTest::addColumn<QString>("value");
    const auto add = [](const char* example, const char* cell, const char* value) {
        QTest::newRow(qPrintable(QString("%1 %2 %3").arg(example, cell, value)))
            << example << cell << value;
    };
    add("layer-norm", "epsilon[0,0]", "0");
    add("layer-norm", "epsilon[0,0]", "-1");
    add("rope", "base[0,0]", "1");
    add("rope", "base[0,0]", "-3");
    add("cross-entropy", "targets[0,0]", "4");
    add("cross-entropy", "targets[0,0]", "1.5");
    add("cross-entropy", "targets[0,0]", "-1");
    add("adamw", "beta1[0,0]", "1");
    add("adamw", "beta2[0,0]", "-0.1");
    add("adamw", "epsilon[0,0]", "0");
    add("adamw", "step[0,0]", "0");
    add("adamw", "step[0,0]", "1.5");
    add("adamw", "largest_norm[0,0]", "0");
    add("adamw", "second[0,0]", "-1");
}

void TstWorkedExamplesInput::settingsWithoutMeaningAreRefused()
{
    QFETCH(QString, example);
    QFETCH(QString, cell);
    QFETCH(QString, value);
    ExampleInputs inputs = exampleInputs(example.toStdString());
    inputs.set(cell.toStdString(), value.toStdString());
    const QString sentence = sentenceOf([&] { workExample(inputs); });
    QVERIFY(!sentence.isEmpty());
    QVERIFY2(sentence.contains("Type") || sentence.contains("Updates"), qPrintable(sentence));
}

void TstWorkedExamplesInput::operationsTakeTheRightNumberOfOperands()
{
    QCOMPARE(evaluate(Operation::Dot, {1, 2, 3, 4}), 14.0);
    QCOMPARE(evaluate(Operation::Mean, {1, 2, 6}), 3.0);
    QCOMPARE(evaluate(Operation::Power, {2, 10}), 1024.0);
    QCOMPARE(evaluate(Operation::Hide, {}), -std::numeric_limits<double>::infinity());
    QCOMPARE(nameOf(Operation::Copy), std::string_view("copy"));
    QCOMPARE(nameOf(Operation::Dot), std::string_view("dot"));
    QVERIFY_EXCEPTION_THROWN(evaluate(Operation::Dot, {1, 2, 3}), Error);
    QVERIFY_EXCEPTION_THROWN(evaluate(Operation::Sum, {}), Error);
    QVERIFY_EXCEPTION_THROWN(evaluate(Operation::Subtract, {1}), Error);
    QVERIFY_EXCEPTION_THROWN(evaluate(Operation::Sine, {1, 2}), Error);
    QVERIFY_EXCEPTION_THROWN(evaluate(Operation::Hide, {1}), Error);
}

void TstWorkedExamplesInput::cellsThatDoNotExistAreRefused()
{
    const WorkedExample example = workExample(exampleInputs("attention"));
    QCOMPARE(example.address("scores[2,0]"), (CellAddress{3, 2, 0}));
    for (const char* reference : {"scores", "scores[2]", "scores[3,0]", "scores[0,-1]",
                                  "score[0,0]", "scores[0,0] ", "", "]", "[0,0]", "scores[,]"})
        QVERIFY_EXCEPTION_THROWN(example.number(reference), Error);
    QVERIFY_EXCEPTION_THROWN(example.isFilled({99, 0, 0}, 0), Error);
    QVERIFY_EXCEPTION_THROWN(example.isFilled({-1, 0, 0}, 0), Error);
    QVERIFY_EXCEPTION_THROWN(example.isFilled({0, 3, 0}, 0), Error);
    QVERIFY(example.isFilled({0, 0, 0}, 0));
    QVERIFY(!example.isFilled(example.address("scores[0,0]"), 0));
    QVERIFY(example.isFilled(example.address("scores[0,0]"), 1));
}

HEADSCOPE_TEST(TstWorkedExamplesInput)

#include "tst_worked_examples_input.moc"

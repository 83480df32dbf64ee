#include "core/base/error.h"
#include "core/lessons/worked/example_catalogue.h"
#include "core/lessons/worked/worked_example.h"
#include "tests/core/lessons/worked_values.h"
#include "tests/support/test_program.h"

#include <QRegularExpression>
#include <QSet>
#include <QTest>

#include <cmath>
#include <complex>

using namespace headscope;
using test::compareMatrix;
using test::exactText;

namespace {

WorkedExample worked(const char* name, const char* switched = nullptr, const char* value = "on")
{
    ExampleInputs inputs = exampleInputs(name);
    if (switched)
        inputs.set(switched, value);
    return workExample(inputs);
}

} // namespace

class TstWorkedExamples : public QObject
{
    Q_OBJECT

private slots:
    void attentionOfThreeTokensIsWhatA2Says();
    void causalMaskOfThreeTokensIsWhatA2Says();
    void attentionOfThreeTokensHasExactForms();
    void attentionWithoutScaleIsSharper();
    void attentionOfTwoTokensIsWhatA3Says();
    void softDictionaryReads8AsA1Says();
    void softDictionaryFindsItsWeightsFromAQuery();
    void headZeroOfMultiHeadIsTheExampleOfThreeTokensA6();
    void multiHeadMixesItsHeadsWithWOA6();
    void crossAttentionAlignsTwoTokensWithThreeA7();
    void layerNormB1();
    void rmsNormB1();
    void normOfTheAnnotatedTransformerB1();
    void rotatedScoreIsThatOfTheDifferenceO4();
    void halvesAndPairsTurnOtherDimensionsO4();
    void crossEntropyPerplexityAndGradientR1();
    void firstAdamWStepMovesEachWeightByTheRateR3();
    void adamAddsTheDecayToTheGradientR3();
    void clippingDividesByTheNormR3();
    void everyExampleIsInTheCatalogueWithItsRow();
    void formulasUseWhatCanBePainted_data();
    void formulasUseWhatCanBePainted();
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

void TstWorkedExamples::attentionWithoutScaleIsSharper()
{
    const WorkedExample example = worked("attention", "scale", "off");
    QVERIFY(!example.find("scaled"));
    const double e = std::exp(-1.0);
    compareMatrix(example, "weights",
                  {1 / (2 + e), e / (2 + e), 1 / (2 + e), 1 / (2 + e), 1 / (2 + e), e / (2 + e),
                   1 / (1 + 2 * e), e / (1 + 2 * e), e / (1 + 2 * e)});
    QCOMPARE(exactText(example, "weights[2,0]"), "1/(1 + 2e^(−1))");
}

void TstWorkedExamples::softDictionaryReads8AsA1Says()
{
    ExampleInputs inputs = exampleInputs("soft-dictionary");
    QCOMPARE(inputs.matrix("weights").values, (std::vector<double>{.6, .4, 0}));
    QCOMPARE(inputs.matrix("values").values, (std::vector<double>{10, 5, 2}));
    QCOMPARE(workExample(inputs).number("result[0,0]"), 8.0);
    QCOMPARE(exactText(workExample(inputs), "result[0,0]"), "8");
    inputs.set("weights[0,2]", "0.5");
    QCOMPARE(workExample(inputs).number("result[0,0]"), 9.0);
}

void TstWorkedExamples::softDictionaryFindsItsWeightsFromAQuery()
{
    const WorkedExample example = worked("soft-dictionary", "scores");
    compareMatrix(example, "scores", {4.4, 4, -4});
    const double total = std::exp(4.4) + std::exp(4.0) + std::exp(-4.0);
    const double apple = std::exp(4.4) / total;
    const double banana = std::exp(4.0) / total;
    compareMatrix(example, "weights", {apple, banana, std::exp(-4.0) / total});
    QVERIFY(std::abs(apple - 0.6) < 0.002 && std::abs(banana - 0.4) < 0.002);
    QVERIFY(std::abs(example.number("result[0,0]") - 8.0) < 0.02);
}

void TstWorkedExamples::headZeroOfMultiHeadIsTheExampleOfThreeTokensA6()
{
    const WorkedExample heads = worked("multi-head");
    const WorkedExample alone = worked("attention");
    for (const auto& [ofHeads, ofAlone] :
         {std::pair{"scores", "scores"}, {"weights", "weights"}, {"heads", "output"}}) {
        const std::vector<double>& got = heads.find(ofHeads)->values;
        const std::vector<double>& expected = alone.find(ofAlone)->values;
        QCOMPARE(got.size(), 2 * expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i)
            QCOMPARE(got[i], expected[i]);
    }
    QCOMPARE(heads.find("heads")->rowLabels[4], std::string("1: cat"));
    QVERIFY(heads.number("weights[3,0]") != heads.number("weights[0,0]"));
}

void TstWorkedExamples::multiHeadMixesItsHeadsWithWOA6()
{
    const WorkedExample example = worked("multi-head");
    for (int token = 0; token < 3; ++token) {
        const auto head = [&](int which, int i) {
            return example.find("heads")
                ->values[static_cast<std::size_t>((which * 3 + token) * 2 + i)];
        };
        const auto output = [&](int i) {
            return example.find("output")->values[static_cast<std::size_t>(token * 4 + i)];
        };
        for (int i = 0; i < 2; ++i) { // W_O adds half of the other head
            QVERIFY(std::abs(output(i) - head(0, i) - 0.5 * head(1, i)) < 1e-12);
            QVERIFY(std::abs(output(2 + i) - head(1, i) - 0.5 * head(0, i)) < 1e-12);
        }
    }
}

void TstWorkedExamples::crossAttentionAlignsTwoTokensWithThreeA7()
{
    const WorkedExample example = worked("cross-attention");
    QCOMPARE(example.find("weights")->rows(), 2);
    QCOMPARE(example.find("weights")->columns(), 3);
    QCOMPARE(example.find("output")->rows(), 2);
    const double far = std::exp(-2.0 * std::sqrt(2.0));
    const double near = std::exp(-std::sqrt(2.0));
    const double total = 1.0 + far + near;
    compareMatrix(example, "weights",
                  {1 / total, far / total, near / total, far / total, 1 / total, near / total});
    QCOMPARE(exactText(example, "weights[0,0]"), "1/(1 + e^(−√2) + e^(−2√2))");
}

void TstWorkedExamples::layerNormB1()
{
    const WorkedExample example = worked("layer-norm");
    QCOMPARE(example.number("mean[0,0]"), 2.5);
    QCOMPARE(exactText(example, "variance[0,0]"), "5/4");
    QCOMPARE(exactText(example, "deviation[0,0]"), "3√138890/1000");
    const double divisor = std::sqrt(1.25 + 1e-5);
    const double second = std::sqrt(14.0 + 1e-5);
    compareMatrix(example, "output",
                  {-1.5 / divisor, 0.5 - 0.5 / divisor, 1.0 / divisor, 1.5 / divisor, 0,
                   0.5 - 4 / second, -4 / second, 6 / second});
}

void TstWorkedExamples::rmsNormB1()
{
    const WorkedExample example = worked("layer-norm", "rms");
    QVERIFY(!example.find("mean") && !example.find("beta"));
    QCOMPARE(example.number("variance[0,0]"), 7.5);
    const double divisor = std::sqrt(7.5 + 1e-5);
    compareMatrix(example, "deviation", {divisor, std::sqrt(18.0 + 1e-5)});
    QVERIFY(std::abs(example.number("output[0,2]") - 6.0 / divisor) < 1e-12);
}

void TstWorkedExamples::normOfTheAnnotatedTransformerB1()
{
    ExampleInputs inputs = exampleInputs("layer-norm");
    inputs.set("rms", "on");
    inputs.set("std-eps", "on"); // one of the two at a time
    QVERIFY(!inputs.isOn("rms"));
    const WorkedExample example = workExample(inputs);
    const double divisor = std::sqrt(5.0 / 3.0) + 1e-5;
    compareMatrix(example, "deviation", {divisor, std::sqrt(56.0 / 3.0) + 1e-5});
    QVERIFY(std::abs(example.number("output[0,0]") + 1.5 / divisor) < 1e-12);
    for (ExampleInputs::Switch& each : inputs.switches)
        each.on = true;
    QVERIFY_EXCEPTION_THROWN(workExample(inputs), Error);
}

void TstWorkedExamples::rotatedScoreIsThatOfTheDifferenceO4()
{
    ExampleInputs inputs = exampleInputs("rope");
    // Pairs as complex numbers: the score is the real part of q conj(k) e^(i (m - n) theta).
    const std::complex<double> first(1.0 * 1.0 + 0.0 * 1.0, 0.0 * 1.0 - 1.0 * 1.0);
    const std::complex<double> second(.5 * .5, .5 * .5);
    const auto expected = [&](double difference) {
        return (first * std::polar(1.0, difference)).real() +
               (second * std::polar(1.0, difference / 100.0)).real();
    };
    QVERIFY(std::abs(workExample(inputs).number("score[0,0]") - expected(2.0)) < 1e-12);
    QCOMPARE(exactText(workExample(inputs), "frequencies[1,0]"), "1/100");
    for (const char* shift : {"1", "17", "500"}) {
        inputs.set("shift[0,0]", shift);
        QVERIFY(std::abs(workExample(inputs).number("score[0,0]") - expected(2.0)) < 1e-9);
    }
    inputs.set("positions[0,0]", "9");
    QVERIFY(std::abs(workExample(inputs).number("score[0,0]") - expected(8.0)) < 1e-9);
}

void TstWorkedExamples::halvesAndPairsTurnOtherDimensionsO4()
{
    const double c = std::cos(3.0);
    const double s = std::sin(3.0);
    const double slowC = std::cos(0.03);
    const double slowS = std::sin(0.03);
    compareMatrix(worked("rope"), "turned_q", // (1, 0) and (0.5, 0.5)
                  {c, s, .5 * slowC - .5 * slowS, .5 * slowS + .5 * slowC});
    compareMatrix(worked("rope", "half"), "turned_q", // (1, 0.5) and (0, 0.5)
                  {c - .5 * s, -.5 * slowS, s + .5 * c, .5 * slowC});
}

void TstWorkedExamples::crossEntropyPerplexityAndGradientR1()
{
    const WorkedExample example = worked("cross-entropy");
    const double first = 1.0 + std::exp(-1.0) + 2.0 * std::exp(-2.0);
    const double second = 1.0 + 2.0 * std::exp(-1.0) + std::exp(-2.0);
    const double loss = (std::log(first) + std::log(second)) / 2.0;
    QVERIFY(std::abs(example.number("loss[0,0]") - loss) < 1e-12);
    QVERIFY(std::abs(example.number("perplexity[0,0]") - std::sqrt(first * second)) < 1e-12);
    const WorkedMatrix& gradient = *example.find("gradient");
    for (int row = 0; row < 2; ++row) {
        double sum = 0.0;
        for (int word = 0; word < 4; ++word)
            sum += gradient.values[gradient.at(row, word)];
        QVERIFY(std::abs(sum) < 1e-15);
    }
    QVERIFY(std::abs(example.number("gradient[0,1]") - (1.0 / first - 1.0) / 2.0) < 1e-15);
    for (int word = 0; word < 4; ++word) // the last row has no target
        QCOMPARE(gradient.values[gradient.at(2, word)], 0.0);
    QCOMPARE(exactText(example, "probabilities[1,2]"), "1/(1 + 2e^(−1) + e^(−2))");
    QCOMPARE(exactText(example, "gradient[0,1]"), "(−e^(−1) − 2e^(−2))/(2 + 2e^(−1) + 4e^(−2))");
}

void TstWorkedExamples::firstAdamWStepMovesEachWeightByTheRateR3()
{
    const WorkedExample example = worked("adamw");
    compareMatrix(example, "corrected_first", {.3, -.4, 1.2}); // the gradient itself
    compareMatrix(example, "corrected_second", {.09, .16, 1.44});
    compareMatrix(example, "new_weights", {1 * .999 - .01, -.5 * .999 + .01, .25 * .999 - .01});
    QCOMPARE(exactText(example, "roots[0,2]"), "6/5");
    ExampleInputs later = exampleInputs("adamw");
    later.set("step[0,0]", "3");
    QVERIFY(std::abs(workExample(later).number("corrected_first[0,0]") - .03 / (1 - .729)) < 1e-12);
}

void TstWorkedExamples::adamAddsTheDecayToTheGradientR3()
{
    const WorkedExample example = worked("adamw", "decoupled", "off");
    compareMatrix(example, "pulled", {.3 + .1, -.4 - .05, 1.2 + .025});
    compareMatrix(example, "new_weights", {1 - .01, -.5 + .01, .25 - .01});
}

void TstWorkedExamples::clippingDividesByTheNormR3()
{
    const WorkedExample example = worked("adamw", "clip");
    QVERIFY(std::abs(example.number("norm[0,0]") - 1.3) < 1e-15);
    QCOMPARE(exactText(example, "norm[0,0]"), "13/10");
    compareMatrix(example, "clipped", {.3 / 1.300001, -.4 / 1.300001, 1.2 / 1.300001});
    ExampleInputs wide = exampleInputs("adamw");
    wide.set("clip", "on");
    wide.set("largest_norm[0,0]", "2");
    QCOMPARE(workExample(wide).number("clip_factor[0,0]"), 1.0);
}

void TstWorkedExamples::everyExampleIsInTheCatalogueWithItsRow()
{
    QStringList rows;
    for (const ExampleEntry& entry : exampleCatalogue()) {
        rows << QString::fromStdString(entry.row);
        QCOMPARE(exampleInputs(entry.name).example, entry.name);
        QCOMPARE(workExample(exampleInputs(entry.name)).name, entry.name);
    }
    QCOMPARE(rows.join(' '), "A1 A2 A3 O1 O4 A5 A6 A7 A9 B1 B5 R1 R3");
}

void TstWorkedExamples::formulasUseWhatCanBePainted_data()
{
    QTest::addColumn<QString>("name");
    for (const ExampleEntry& entry : exampleCatalogue())
        QTest::newRow(entry.name.c_str()) << QString::fromStdString(entry.name);
}

void TstWorkedExamples::formulasUseWhatCanBePainted()
{
    QFETCH(QString, name);
    const WorkedExample example = worked(qPrintable(name));
    QStringList formulas;
    for (const WorkedMatrix& matrix : example.matrices)
        formulas << QString::fromStdString(matrix.formula);
    for (const WorkedStage& stage : example.stages)
        formulas << QString::fromStdString(stage.formula);
    for (const WorkedStep& step : example.steps) {
        formulas << QString::fromStdString(step.formula);
        if (step.exact)
            formulas << QString::fromStdString(step.exact->latex());
        for (const Operand& operand : step.operands)
            formulas << QString::fromStdString(operand.symbol);
    }
    static const QSet<QString> known{"frac", "sqrt", "sum",    "max",   "exp",   "ln",    "sin",
                                     "cos",  "top",  "cdot",   "text",  "mu",    "sigma", "epsilon",
                                     "beta", "eta",  "lambda", "theta", "gamma", "infty", "to"};
    static const QRegularExpression command(R"(\\([A-Za-z]+))");
    for (const QString& formula : std::as_const(formulas)) {
        QCOMPARE(formula.count('{'), formula.count('}'));
        for (auto found = command.globalMatch(formula); found.hasNext();) {
            const QString word = found.next().captured(1);
            QVERIFY2(known.contains(word), qPrintable(word + " in " + formula));
        }
    }
}

HEADSCOPE_TEST(TstWorkedExamples)

#include "tst_worked_examples.moc"

// The whole formula of every worked example, with the current operation lit.
#include "core/lessons/worked/example_catalogue.h"
#include "tests/support/test_program.h"
#include "ui/widgets/formula/formula_text.h"
#include "ui/widgets/worked/whole_formula.h"

#include <QtTest>

#include <algorithm>

using namespace headscope;
using namespace headscope::ui;

namespace {

using Tone = MathNode::Tone;

WorkedDiagram diagramOf(const ExampleInputs& inputs)
{
    WorkedDiagram diagram;
    diagram.example = std::make_shared<const WorkedExample>(workExample(inputs));
    diagram.done = diagram.example->steps.size();
    return diagram;
}

bool has(const Math& formula, Tone tone)
{
    return formula && (formula->tone == tone ||
                       std::ranges::any_of(formula->parts,
                                           [tone](const Math& part) { return has(part, tone); }));
}

bool has(const std::vector<Math>& formulas, Tone tone)
{
    return std::ranges::any_of(formulas, [tone](const Math& each) { return has(each, tone); });
}

/// Characters of the lit nodes, in order.
QString litText(const Math& formula)
{
    if (!formula)
        return {};
    QString text = formula->tone == Tone::Lit ? formula->characters : QString();
    for (const Math& part : formula->parts)
        text += litText(part);
    return text;
}

QStringList textsOf(const WorkedDiagram& diagram)
{
    QStringList texts;
    for (const Math& formula : wholeFormula(diagram))
        texts << latexText(formula).simplified();
    return texts;
}

QString litIn(WorkedDiagram diagram, const char* stage)
{
    for (const WorkedStage& each : diagram.example->stages)
        if (each.title == stage)
            diagram.done = each.firstStep + 1;
    QString text;
    for (const Math& formula : wholeFormula(diagram))
        text += litText(formula);
    return text;
}

} // namespace

class TstWholeFormula : public QObject
{
    Q_OBJECT

private slots:

    void aTranslatedTitleKeepsItsLetter()
    {
        WorkedExample example = workExample(exampleInputs("attention"));
        for (auto& matrix : example.matrices)
            if (matrix.title == "Keys K")
                matrix.title = "\u952E K";
        WorkedDiagram diagram;
        diagram.done = example.steps.size();
        diagram.example = std::make_shared<const WorkedExample>(std::move(example));
        QVERIFY(!textsOf(diagram).join(' ').contains(QStringLiteral("\u952E")));
    }

    void attentionIsTheFormulaOfThePaper();
    void theCurrentOperationIsLit();
    void sharedPartsHaveAFormulaOfTheirOwn();
    void everyStageLightsItsOperation_data();
    void everyStageLightsItsOperation();
};

void TstWholeFormula::attentionIsTheFormulaOfThePaper()
{
    const QStringList texts = textsOf(diagramOf(exampleInputs("attention")));
    QCOMPARE(texts.size(), 1);
    QVERIFY2(texts[0].contains("\\operatorname{softmax}"), qPrintable(texts[0]));
    QVERIFY2(texts[0].contains("\\sqrt"), qPrintable(texts[0]));
    ExampleInputs masked = exampleInputs("attention");
    masked.set("causal", "on");
    QVERIFY(textsOf(diagramOf(masked))[0].contains("mask"));
    masked.set("scale", "off");
    QVERIFY(!textsOf(diagramOf(masked))[0].contains("\\sqrt"));
}

void TstWholeFormula::theCurrentOperationIsLit()
{
    const WorkedDiagram diagram = diagramOf(exampleInputs("attention"));
    QCOMPARE(litIn(diagram, "Scores"), QStringLiteral("QKT"));
    QCOMPARE(litIn(diagram, "Scale"), QStringLiteral("dk"));
    QCOMPARE(litIn(diagram, "Exponentials"), QStringLiteral("softmax"));
    QCOMPARE(litIn(diagram, "Weighted sum"), QStringLiteral("V"));
}

void TstWholeFormula::sharedPartsHaveAFormulaOfTheirOwn()
{
    const QStringList norm = textsOf(diagramOf(exampleInputs("layer-norm")));
    QCOMPARE(norm.size(), 2);
    QVERIFY2(norm[0].startsWith("\\text{Centred}"), qPrintable(norm[0]));
    QVERIFY2(norm[1].count("Centred") == 2, qPrintable(norm[1]));
    const QStringList loss = textsOf(diagramOf(exampleInputs("cross-entropy")));
    QCOMPARE(loss.size(), 2); // perplexity and gradient
}

void TstWholeFormula::everyStageLightsItsOperation_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("switched");
    for (const ExampleEntry& entry : exampleCatalogue()) {
        QTest::newRow(entry.name.c_str()) << QString::fromStdString(entry.name) << QString();
        for (const ExampleInputs::Switch& each : exampleInputs(entry.name).switches)
            QTest::newRow((entry.name + ", " + each.name).c_str())
                << QString::fromStdString(entry.name) << QString::fromStdString(each.name);
    }
}

void TstWholeFormula::everyStageLightsItsOperation()
{
    QFETCH(QString, name);
    QFETCH(QString, switched);
    ExampleInputs inputs = exampleInputs(name.toStdString());
    if (!switched.isEmpty())
        inputs.set(switched.toStdString(), inputs.isOn(switched.toStdString()) ? "off" : "on");
    WorkedDiagram diagram = diagramOf(inputs);
    const QStringList texts = textsOf(diagram);
    QVERIFY(!texts.isEmpty());
    QVERIFY(!has(wholeFormula(diagram), Tone::Faint));
    for (const WorkedStage& stage : diagram.example->stages) {
        diagram.done = stage.firstStep + 1;
        QVERIFY2(has(wholeFormula(diagram), Tone::Lit), stage.title.c_str());
        QCOMPARE(textsOf(diagram), texts);
    }
    diagram.done = 0;
    QVERIFY(!has(wholeFormula(diagram), Tone::Lit));
}

HEADSCOPE_WINDOW_TEST(TstWholeFormula)
#include "tst_whole_formula.moc"

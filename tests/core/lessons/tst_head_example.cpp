// Row A4: any head of any model on a person's sentence, with its real vectors.
#include "core/lessons/worked/example_catalogue.h"
#include "core/lessons/worked/head_example.h"

#include "core/attention/reference_attention.h"
#include "core/base/error.h"
#include "core/model/config/mask_choice.h"
#include "tests/support/test_program.h"
#include "tests/support/traced_kinds.h"

#include <QTest>
#include <cmath>

using namespace headscope;
using namespace headscope::test;

namespace {

constexpr std::size_t kTokens = 11;

TracePtr traceOfKind(const LoadedModel& model, const TraceRequest& request,
                     const Interventions& interventions = {})
{
    Tracer tracer(model, std::make_unique<ReferenceAttention>());
    const SourceAndTarget texts = randomTexts(model.model->config(), 3, kTokens);
    if (hasTwoStacks(model.model->config()))
        return tracer.trace(texts, request, interventions);
    return tracer.trace(texts.target, request, interventions);
}

LoadedModel kindNamed(const std::string& name)
{
    for (const auto& [kind, config] : tracedKinds())
        if (kind == name)
            return kindModel(config);
    return {};
}

double sumOf(const std::vector<double>& numbers)
{
    double sum = 0.0;
    for (const double number : numbers)
        sum += number;
    return sum;
}

/// The weights of the shown keys and the output are those of the trace.
void compareHead(const Trace& trace, const Model& model, const HeadExampleChoice& choice)
{
    const WorkedExample worked = workExample(headExample(trace, model, choice));
    const AttentionCell& cell = choice.cell;
    const auto pattern =
        trace.find({cell.cross ? Site::CrossPattern : Site::Pattern, cell.layer, cell.stack});
    const auto context = trace.find({cell.cross ? Site::CrossZ : Site::Z, cell.layer, cell.stack});
    QVERIFY(pattern && context);
    const std::int64_t keys = pattern->shape()[2];
    const WorkedMatrix& weights = *worked.find("weights");
    const WorkedMatrix& output = *worked.find("output");
    const bool hasOthers = worked.find("others") != nullptr;
    const std::int64_t shown = weights.columns() - (hasOthers ? 1 : 0);
    QCOMPARE(shown, std::min<std::int64_t>(keys, choice.keys));
    std::int64_t first = cell.query + 1 - shown;
    if (cell.cross && shown < keys) // the window is around the largest weight: find it
        for (first = 0; first + shown < keys; ++first)
            if (std::abs(weights.values[1] -
                         static_cast<double>(pattern->view()(cell.head, cell.query, first))) < 1e-6)
                break;
    first = std::clamp<std::int64_t>(first, 0, keys - shown);
    for (std::int64_t key = 0; key < shown; ++key) {
        const double recorded =
            static_cast<double>(pattern->view()(cell.head, cell.query, first + key));
        const auto column = static_cast<std::size_t>(key + (hasOthers ? 1 : 0));
        QVERIFY2(std::abs(weights.values[column] - recorded) < 1e-6,
                 qPrintable(QString("key %1: %2, trace %3")
                                .arg(key)
                                .arg(weights.values[column])
                                .arg(recorded)));
    }
    QVERIFY(std::abs(sumOf(weights.values) - 1.0) < 1e-12);
    for (const WorkedStep& step : worked.steps) { // what enters can be seen
        const auto& large = worked.stages[static_cast<std::size_t>(step.stage)].large;
        QVERIFY(std::ranges::count(large, step.result.matrix) == 1);
        for (const Operand& operand : step.operands)
            QVERIFY(!operand.cell || std::ranges::count(large, operand.cell->matrix) == 1);
    }
    for (int i = 0; i < output.columns(); ++i)
        QVERIFY(std::abs(output.values[static_cast<std::size_t>(i)] -
                         static_cast<double>(context->view()(cell.query, cell.head, i))) < 2e-6);
}

} // namespace

class TstHeadExample : public QObject
{
    Q_OBJECT

private slots:
    void everyHeadEndsAtTheTracesPatternAsA4Says_data();
    void everyHeadEndsAtTheTracesPatternAsA4Says();
    void masksOfTheTraceAreKept();
    void manyTokensEnterAsOne();
    void manyDimensionsEnterAsOneNumber();
    void softCapAndBiasAreSteps();
    void editedNumbersAreFollowed();
    void hidingEveryKeyGivesNothing();
    void whatTheTraceLacksIsSaid();
    void itNeedsAnOpenModel();
};

void TstHeadExample::everyHeadEndsAtTheTracesPatternAsA4Says_data()
{
    QTest::addColumn<int>("index");
    int index = 0;
    for (const auto& [name, config] : tracedKinds())
        QTest::newRow(name.c_str()) << index++;
}

void TstHeadExample::everyHeadEndsAtTheTracesPatternAsA4Says()
{
    QFETCH(int, index);
    const LoadedModel model = kindModel(tracedKinds()[static_cast<std::size_t>(index)].second);
    const TracePtr trace = traceOfKind(model, TraceRequest::forViews());
    int rows = 0;
    for (const auto& [key, pattern] : trace->activations()) {
        if (key.site != Site::Pattern && key.site != Site::CrossPattern)
            continue;
        for (int head = 0; head < pattern->shape()[0]; ++head)
            for (const std::int64_t query : {std::int64_t{0}, pattern->shape()[1] - 1}) {
                HeadExampleChoice choice;
                choice.cell = {key.layer, head,      query,
                               0,         key.stack, key.site == Site::CrossPattern};
                choice.keys = head % 2 == 0 ? 16 : 5;
                choice.dimensions = head % 2 == 0 ? 64 : 3;
                compareHead(*trace, *model.model, choice);
                if (QTest::currentTestFailed())
                    return;
                ++rows;
            }
    }
    QCOMPARE(rows > 0, model.model->config().layers > 0);
}

void TstHeadExample::masksOfTheTraceAreKept()
{
    const LoadedModel model = kindNamed("learned");
    for (const char* mask : {"causal", "none", "window:3"}) {
        Interventions interventions;
        MaskChoice::parse(mask).applyTo(interventions, kTokens);
        const TracePtr trace = traceOfKind(model, TraceRequest::forViews(), interventions);
        HeadExampleChoice choice;
        choice.cell = {1, 1, 5, 0};
        choice.keys = 32;
        compareHead(*trace, *model.model, choice);
        const WorkedExample worked = workExample(headExample(*trace, *model.model, choice));
        const WorkedMatrix& masked = *worked.find("masked");
        const auto hidden = std::ranges::count(masked.masked, true);
        QCOMPARE(hidden, std::string(mask) == "causal" ? 5 : std::string(mask) == "none" ? 0 : 8);
    }
}

void TstHeadExample::manyTokensEnterAsOne()
{
    const LoadedModel model = kindNamed("learned");
    const TracePtr trace = traceOfKind(model, TraceRequest::forViews());
    HeadExampleChoice choice;
    choice.cell = {0, 2, 10, 0};
    choice.keys = 4;
    const ExampleInputs inputs = headExample(*trace, *model.model, choice);
    QCOMPARE(inputs.matrix("V").rowLabels.front(), std::string("7 others"));
    QCOMPARE(inputs.matrix("K").rowLabels.size(), std::size_t{4});
    const WorkedExample worked = workExample(inputs);
    const auto pattern = trace->find({Site::Pattern, 0});
    double others = 0.0;
    for (int key = 0; key < 7; ++key)
        others += static_cast<double>(pattern->view()(2, 10, key));
    QVERIFY(std::abs(worked.number("weights[0,0]") - others) < 1e-6);
}

void TstHeadExample::manyDimensionsEnterAsOneNumber()
{
    const LoadedModel model = kindNamed("learned");
    const TracePtr trace = traceOfKind(model, TraceRequest::forViews());
    HeadExampleChoice choice;
    choice.cell = {0, 0, 6, 0};
    choice.dimensions = 2;
    const WorkedExample worked = workExample(headExample(*trace, *model.model, choice));
    QCOMPARE(worked.find("Q")->columns(), 2);
    const WorkedStep& first = worked.steps.front();
    QCOMPARE(first.operation, Operation::Dot);
    QCOMPARE(first.operands.size(), std::size_t{4});
    QVERIFY(!worked.steps[1].reason.empty());
    const auto query = trace->find({Site::Query, 0});
    const auto keys = trace->find({Site::Key, 0});
    double product = 0.0;
    for (std::int64_t i = 0; i < query->shape()[2]; ++i)
        product += static_cast<double>(query->view()(6, 0, i)) *
                   static_cast<double>(keys->view()(0, 0, i));
    QVERIFY(query->shape()[2] > 2);
    QVERIFY(std::abs(worked.number("scores[0,0]") - product) < 1e-12);
}

void TstHeadExample::softCapAndBiasAreSteps()
{
    const LoadedModel capped = kindNamed("window, soft cap, unscaled");
    const TracePtr trace = traceOfKind(capped, TraceRequest::forViews());
    HeadExampleChoice choice;
    choice.cell = {0, 1, 6, 0};
    const WorkedExample worked = workExample(headExample(*trace, *capped.model, choice));
    QVERIFY(!worked.find("scaled"));
    const double score = worked.number("scores[0,5]");
    QVERIFY(std::abs(worked.number("capped[0,5]") - 30.0 * std::tanh(score / 30.0)) < 1e-12);
    const LoadedModel alibi = kindNamed("alibi");
    choice.cell = {1, 2, 9, 0};
    choice.keys = 16;
    const WorkedExample biased = workExample(
        headExample(*traceOfKind(alibi, TraceRequest::forViews()), *alibi.model, choice));
    QCOMPARE(biased.number("bias[0,4]"), -5.0 * std::exp2(-6.0)); // head 2 of 4
    QCOMPARE(biased.number("biased[0,4]"),
             biased.number("scaled[0,4]") + biased.number("bias[0,4]"));
}

void TstHeadExample::editedNumbersAreFollowed()
{
    const LoadedModel model = kindNamed("learned");
    const TracePtr trace = traceOfKind(model, TraceRequest::forViews());
    HeadExampleChoice choice;
    choice.cell = {0, 0, 5, 0};
    choice.keys = 16;
    choice.dimensions = 32;
    ExampleInputs inputs = headExample(*trace, *model.model, choice);
    inputs.set("mask[0,0]", "0");
    for (std::size_t i = 0; i < inputs.matrix("Q").values.size(); ++i)
        inputs.matrix("Q").values[i] = 0.0;
    const WorkedExample worked = workExample(inputs);
    for (int key = 0; key < 11; ++key)
        QCOMPARE(worked.find("weights")->values[static_cast<std::size_t>(key)],
                 key >= 1 && key <= 5 ? 0.2 : 0.0);
}

void TstHeadExample::hidingEveryKeyGivesNothing()
{
    const LoadedModel model = kindNamed("learned");
    const TracePtr trace = traceOfKind(model, TraceRequest::forViews());
    HeadExampleChoice choice;
    choice.cell = {0, 0, 5, 0};
    choice.keys = 16;
    ExampleInputs inputs = headExample(*trace, *model.model, choice);
    std::ranges::fill(inputs.matrix("mask").values, 0.0);
    const WorkedExample worked = workExample(inputs);
    for (const char* name : {"weights", "output"})
        for (const double value : worked.find(name)->values)
            QCOMPARE(value, 0.0);
}

void TstHeadExample::whatTheTraceLacksIsSaid()
{
    const LoadedModel model = kindNamed("learned");
    HeadExampleChoice choice;
    choice.cell = {0, 0, 5, 0};
    const TracePtr bare = traceOfKind(model, {{"*hook_pattern"}});
    QVERIFY_EXCEPTION_THROWN(headExample(*bare, *model.model, choice), Error);
    const TracePtr valueless =
        traceOfKind(model, {{"blocks.*.attn.hook_q", "blocks.*.attn.hook_k"}});
    QVERIFY_EXCEPTION_THROWN(headExample(*valueless, *model.model, choice), Error);
    const TracePtr trace = traceOfKind(model, TraceRequest::forViews());
    choice.cell.query = 99;
    QVERIFY_EXCEPTION_THROWN(headExample(*trace, *model.model, choice), Error);
    choice.cell = {0, 99, 5, 0};
    QVERIFY_EXCEPTION_THROWN(headExample(*trace, *model.model, choice), Error);
    choice.cell = {0, 0, 5, 0};
    choice.keys = 0;
    QVERIFY_EXCEPTION_THROWN(headExample(*trace, *model.model, choice), Error);
}

void TstHeadExample::itNeedsAnOpenModel()
{
    QVERIFY_EXCEPTION_THROWN(exampleInputs("your-sentence"), Error);
}

HEADSCOPE_TEST(TstHeadExample)

#include "tst_head_example.moc"

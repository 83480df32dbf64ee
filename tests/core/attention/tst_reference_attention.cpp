#include "core/attention/attention_check.h"
#include "core/attention/attention_geometry.h"
#include "core/attention/attention_operands.h"
#include "core/attention/reference_attention.h"
#include "tests/support/small_attention_case.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>

using namespace headscope;

namespace {

/// sum(context * upstream): the loss whose gradient backward computes.
double lossOf(const AttentionInputs& inputs, const TensorView& upstream)
{
    ReferenceAttention backend;
    Tensor context(upstream.shape);
    AttentionOutputs outputs;
    outputs.context = context.view();
    backend.forward(inputs, outputs);
    double loss = 0.0;
    for (std::size_t i = 0; i < context.size(); ++i)
        loss += static_cast<double>(context.data()[i]) * static_cast<double>(upstream.data[i]);
    return loss;
}

/// The largest difference between `gradient` and central differences along every operand value.
double worstSlope(const AttentionInputs& inputs, const TensorView& upstream,
                  const TensorView& operand, const Tensor& gradient)
{
    constexpr float kStep = 1e-2F;
    auto* values = const_cast<float*>(operand.data);
    double worst = 0.0;
    for (std::size_t i = 0; i < gradient.size(); ++i) {
        const float original = values[i];
        values[i] = original + kStep;
        const double above = lossOf(inputs, upstream);
        values[i] = original - kStep;
        const double below = lossOf(inputs, upstream);
        values[i] = original;
        const double slope = (above - below) / (2.0 * static_cast<double>(kStep));
        worst = std::max(worst, std::abs(slope - static_cast<double>(gradient.data()[i])));
    }
    return worst;
}

} // namespace

class TstReferenceAttention : public QObject
{
    Q_OBJECT

private slots:
    void computesTheFormulaByHand();
    void gradientsMatchFiniteDifferences_data();
    void gradientsMatchFiniteDifferences();
    void visibleKeysFollowTheMask();
    void countsOnlyVisibleWork();
};

void TstReferenceAttention::computesTheFormulaByHand()
{
    // Scores 0 and ln 3: weights 1/4 and 3/4.
    const float third = std::log(3.0F);
    const float queries[] = {1.0F};
    const float keys[] = {0.0F, third};
    const float values[] = {8.0F, 4.0F};
    AttentionInputs inputs;
    inputs.queries = TensorView(queries, {1, 1, 1, 1});
    inputs.keys = TensorView(keys, {1, 1, 2, 1});
    inputs.values = TensorView(values, {1, 1, 2, 1});
    Tensor context({1, 1, 1, 1});
    Tensor pattern({1, 1, 1, 2});
    Tensor logSumExp({1, 1, 1});
    ReferenceAttention backend;
    backend.forward(inputs, {context.view(), pattern.view(), {}, logSumExp.view()});
    QCOMPARE(pattern.data()[0], 0.25F);
    QCOMPARE(pattern.data()[1], 0.75F);
    QCOMPARE(context.data()[0], 5.0F);
    QCOMPARE(logSumExp.data()[0], std::log(4.0F));
}

void TstReferenceAttention::gradientsMatchFiniteDifferences_data()
{
    QTest::addColumn<int>("kind");
    const char* names[] = {"full",  "causal",   "scattered mask", "bias",
                           "ALiBi", "soft cap", "dropout",        "all at once"};
    for (int kind = 0; kind < 8; ++kind)
        QTest::newRow(names[kind]) << kind;
}

void TstReferenceAttention::gradientsMatchFiniteDifferences()
{
    QFETCH(int, kind);
    AttentionCase test = test::smallCase();
    if (kind == 1)
        test.mask = CaseMask::Causal;
    if (kind == 2 || kind == 7)
        test.mask = CaseMask::Scattered;
    test.bias = kind == 3 || kind == 7;
    test.alibi = kind == 4 || kind == 7;
    test.softCap = kind == 5 || kind == 7 ? 1.5F : 0.0F;
    test.dropout = kind == 6 || kind == 7 ? 0.3F : 0.0F;
    const AttentionOperands operands(test, 3);
    const AttentionInputs inputs = operands.inputs();
    const TensorView upstream = operands.contextGradient();

    ReferenceAttention backend;
    Tensor context(upstream.shape);
    Tensor logSumExp({test.batch, test.queryHeads, test.queryTokens});
    AttentionOutputs outputs;
    outputs.context = context.view();
    outputs.logSumExp = logSumExp.view();
    backend.forward(inputs, outputs);
    Tensor queries(inputs.queries.shape);
    Tensor keys(inputs.keys.shape);
    Tensor values(inputs.values.shape);
    Tensor bias({test.queryHeads, test.queryTokens, test.keyTokens});
    backend.backward(inputs, {outputs.context, outputs.logSumExp, upstream},
                     {queries.view(), keys.view(), values.view(), bias.view()});

    constexpr double kAllowed = 1e-3; // the step's truncation error
    QCOMPARE_LE(worstSlope(inputs, upstream, inputs.queries, queries), kAllowed);
    QCOMPARE_LE(worstSlope(inputs, upstream, inputs.keys, keys), kAllowed);
    QCOMPARE_LE(worstSlope(inputs, upstream, inputs.values, values), kAllowed);
    if (test.bias)
        QCOMPARE_LE(worstSlope(inputs, upstream, inputs.bias, bias), kAllowed);
}

void TstReferenceAttention::visibleKeysFollowTheMask()
{
    const AttentionOperands operands(test::smallCase(), 1); // 3 queries, 5 keys
    const AttentionGeometry geometry(operands.inputs());
    const auto keys = [&](bool causal, std::int64_t window, std::int64_t query) {
        AttentionMask mask;
        mask.causal = causal;
        mask.window = window;
        const KeyRange range = visibleKeys(mask, geometry, query);
        return QString("%1-%2").arg(range.begin).arg(range.end);
    };
    QCOMPARE(keys(false, 0, 0), "0-5");
    QCOMPARE(keys(true, 0, 0), "0-3");
    QCOMPARE(keys(true, 0, 2), "0-5");
    QCOMPARE(keys(false, 2, 0), "1-4");
    QCOMPARE(keys(true, 2, 1), "2-4");
    QCOMPARE(keys(true, std::numeric_limits<std::int64_t>::max(), 1), "0-4");
    QCOMPARE(keys(false, std::numeric_limits<std::int64_t>::max(), 1), "0-5");
}

void TstReferenceAttention::countsOnlyVisibleWork()
{
    AttentionCase test = test::smallCase();
    // 2 batches x 4 heads x 3 queries x 5 keys x 2 x (3 + 2) channels
    QCOMPARE(attentionFlops(AttentionOperands(test, 1).inputs(), false), 8.0 * 15 * 2 * 5);
    test.mask = CaseMask::Causal;
    QCOMPARE(attentionFlops(AttentionOperands(test, 1).inputs(), false), 8.0 * 12 * 2 * 5);
    QCOMPARE(attentionFlops(AttentionOperands(test, 1).inputs(), true), 8.0 * 12 * 2 * (5 + 13));
}

HEADSCOPE_TEST(TstReferenceAttention)
#include "tst_reference_attention.moc"

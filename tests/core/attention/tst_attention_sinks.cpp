#include "core/attention/attention_operands.h"
#include "core/attention/auto_attention.h"
#include "core/attention/cpu_attention.h"
#include "core/attention/fallback_attention.h"
#include "core/attention/reference_attention.h"
#include "tests/support/small_attention_case.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace headscope;

namespace {

std::unique_ptr<AttentionBackend> backendNamed(const QString& name)
{
    if (name == "cpu")
        return std::make_unique<CpuAttention>();
    if (name == "auto")
        return std::make_unique<AutoAttention>();
    if (name == "fallback")
        return std::make_unique<FallbackAttention>(std::make_unique<CpuAttention>());
    return std::make_unique<ReferenceAttention>();
}

/// Results and gradients of one layer.
struct Layer
{
    Layer(const AttentionInputs& inputs, AttentionBackend& backend, TensorView upstream)
        : context(upstream.shape)
        , pattern({inputs.queries.shape[0], inputs.queries.shape[1], inputs.queries.shape[2],
                   inputs.keys.shape[2]})
        , logSumExp({inputs.queries.shape[0], inputs.queries.shape[1], inputs.queries.shape[2]})
        , queries(inputs.queries.shape)
        , keys(inputs.keys.shape)
        , values(inputs.values.shape)
        , bias({inputs.queries.shape[1], inputs.queries.shape[2], inputs.keys.shape[2]})
        , sinks({inputs.queries.shape[1]})
    {
        backend.forward(inputs, {context.view(), pattern.view(), {}, logSumExp.view()});
        AttentionGradients gradients{queries.view(), keys.view(), values.view(), {}, {}};
        if (inputs.bias)
            gradients.bias = bias.view();
        if (inputs.sinks)
            gradients.sinks = sinks.view();
        backend.backward(inputs, {context.view(), logSumExp.view(), upstream}, gradients);
    }

    Tensor context;
    Tensor pattern;
    Tensor logSumExp;
    Tensor queries;
    Tensor keys;
    Tensor values;
    Tensor bias;
    Tensor sinks;
};

/// Copy with one more row of zeros in every head.
Tensor withZeroRow(TensorView rows)
{
    Tensor longer({rows.shape[0], rows.shape[1], rows.shape[2] + 1, rows.shape[3]});
    for (std::int64_t batch = 0; batch < rows.shape[0]; ++batch)
        for (std::int64_t head = 0; head < rows.shape[1]; ++head)
            for (std::int64_t row = 0; row < rows.shape[2]; ++row)
                for (std::int64_t i = 0; i < rows.shape[3]; ++i)
                    longer.view()(batch, head, row, i) = rows(batch, head, row, i);
    return longer;
}

bool isNear(float a, float b)
{
    return std::abs(double{a} - double{b}) < 2e-6;
}

} // namespace

class TstAttentionSinks : public QObject
{
    Q_OBJECT

private slots:

    void aSinkIsAKeyWithoutAValue_data()
    {
        QTest::addColumn<QString>("backend");
        QTest::newRow("reference") << "reference";
        QTest::newRow("cpu") << "cpu";
        QTest::newRow("handed on by auto") << "auto";
        QTest::newRow("handed on by a fallback") << "fallback";
    }

    /// The same layer with one more key, of which only a bias is known, whose value is 0.
    void aSinkIsAKeyWithoutAValue()
    {
        QFETCH(QString, backend);
        const auto device = backendNamed(backend);
        const AttentionOperands operands(test::smallCase(), 5);
        AttentionInputs inputs = operands.inputs();
        Tensor sinks({4});
        for (std::int64_t head = 0; head < 4; ++head)
            sinks.data()[head] = -1.5F + static_cast<float>(head);
        AttentionInputs longer = inputs;
        const Tensor keys = withZeroRow(inputs.keys);
        const Tensor values = withZeroRow(inputs.values);
        Tensor bias({4, 3, 6});
        for (std::int64_t head = 0; head < 4; ++head)
            for (std::int64_t query = 0; query < 3; ++query)
                bias.view()(head, query, 5) = sinks.data()[head];
        longer.keys = keys.view();
        longer.values = values.view();
        longer.bias = bias.view();
        inputs.sinks = sinks.view();
        const Layer got(inputs, *device, operands.contextGradient());
        const Layer expected(longer, *device, operands.contextGradient());
        compareForward(got, expected);
        compareBackward(got, expected);
    }

    void aRowsWeightsAndItsSinkSumToOne()
    {
        const AttentionOperands operands(test::smallCase(), 6);
        AttentionInputs inputs = operands.inputs();
        Tensor sinks({4});
        std::fill_n(sinks.data(), 4, 0.25F);
        inputs.sinks = sinks.view();
        ReferenceAttention device;
        const Layer layer(inputs, device, operands.contextGradient());
        for (std::int64_t head = 0; head < 4; ++head)
            for (std::int64_t query = 0; query < 3; ++query) {
                double sum = std::exp(0.25 - double{layer.logSumExp.view()(1, head, query)});
                for (std::int64_t key = 0; key < 5; ++key)
                    sum += double{layer.pattern.view()(1, head, query, key)};
                QVERIFY(std::abs(sum - 1.0) < 1e-6);
            }
    }

    void aLowSinkChangesNothing()
    {
        const AttentionOperands operands(test::smallCase(), 7);
        AttentionInputs inputs = operands.inputs();
        CpuAttention device;
        const Layer plain(inputs, device, operands.contextGradient());
        Tensor sinks({4});
        std::fill_n(sinks.data(), 4, -std::numeric_limits<float>::infinity());
        inputs.sinks = sinks.view();
        const Layer got(inputs, device, operands.contextGradient());
        QVERIFY(std::equal(plain.context.data(), plain.context.data() + plain.context.size(),
                           got.context.data()));
    }

    void aRowWithoutKeysGivesAllToTheSink()
    {
        const AttentionOperands operands(test::smallCase(), 8);
        AttentionInputs inputs = operands.inputs();
        const std::vector<std::uint8_t> nothing(2 * 3 * 5);
        inputs.mask.allowed = nothing.data();
        inputs.mask.allowedBatchStride = 15;
        inputs.mask.allowedQueryStride = 5;
        Tensor sinks({4});
        inputs.sinks = sinks.view();
        CpuAttention device;
        const Layer got(inputs, device, operands.contextGradient());
        for (const float value : got.context.values())
            QCOMPARE(value, 0.0F);
        for (const float value : got.logSumExp.values())
            QCOMPARE(value, 0.0F);
        for (const float value : got.sinks.values())
            QCOMPARE(value, 0.0F);
    }

private:
    static void compareForward(const Layer& got, const Layer& expected)
    {
        for (std::size_t i = 0; i < got.context.size(); ++i)
            QVERIFY(isNear(got.context.data()[i], expected.context.data()[i]));
        for (std::size_t i = 0; i < got.logSumExp.size(); ++i)
            QVERIFY(isNear(got.logSumExp.data()[i], expected.logSumExp.data()[i]));
        for (std::int64_t head = 0; head < 4; ++head)
            for (std::int64_t key = 0; key < 5; ++key)
                QVERIFY(isNear(got.pattern.view()(1, head, 2, key),
                               expected.pattern.view()(1, head, 2, key)));
    }

    static void compareBackward(const Layer& got, const Layer& expected)
    {
        for (std::size_t i = 0; i < got.queries.size(); ++i)
            QVERIFY(isNear(got.queries.data()[i], expected.queries.data()[i]));
        for (std::int64_t head = 0; head < 2; ++head)
            for (std::int64_t key = 0; key < 5; ++key) {
                QVERIFY(isNear(got.keys.view()(1, head, key, 0),
                               expected.keys.view()(1, head, key, 0)));
                QVERIFY(isNear(got.values.view()(1, head, key, 1),
                               expected.values.view()(1, head, key, 1)));
            }
        for (std::int64_t head = 0; head < 4; ++head) {
            float sum = 0.0F;
            for (std::int64_t query = 0; query < 3; ++query)
                sum += expected.bias.view()(head, query, 5);
            QVERIFY(sum != 0.0F);
            QVERIFY(isNear(got.sinks.data()[head], sum));
        }
    }
};

HEADSCOPE_TEST(TstAttentionSinks)
#include "tst_attention_sinks.moc"

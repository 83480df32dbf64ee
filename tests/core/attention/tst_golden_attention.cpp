// labels: golden
#include "core/attention/attention_kernels.h"
#include "core/attention/cpu_attention.h"
#include "core/attention/reference_attention.h"
#include "tests/support/golden.h"
#include "tests/support/test_program.h"
#include "tests/support/tolerances.h"

#include <QTest>

#include <memory>

using namespace headscope;
using namespace headscope::test;

namespace {

std::unique_ptr<AttentionBackend> makeBackend(const QString& name)
{
    if (name == "reference")
        return std::make_unique<ReferenceAttention>();
    const AttentionKernels* kernels = attentionKernelsFor(name.toUtf8().constData());
    return kernels ? std::make_unique<CpuAttention>(*kernels) : nullptr;
}

/// One golden layer: operands, results, gradients.
class GoldenLayer
{
public:
    explicit GoldenLayer(const GoldenFile& file)
        : m_file(file)
        , m_rotated(file.contains("out.q_rot"))
        , m_queries(file.tensor(m_rotated ? "out.q_rot" : "in.q"))
        , m_keys(file.tensor(m_rotated ? "out.k_rot" : "in.k"))
        , m_values(file.tensor("in.v"))
        , m_upstream(file.tensor("in.dout"))
    {
        if (file.contains("in.bias"))
            m_bias = file.tensor("in.bias");
        if (file.contains("in.allowed"))
            m_allowed = file.bytes("in.allowed");
        if (file.contains("in.keep"))
            m_keep = file.bytes("in.keep");
    }

    /// File gradients are those of queries and keys before the rotation.
    bool isRotated() const { return m_rotated; }

    TensorView upstream() const { return m_upstream.view(); }

    AttentionInputs inputs() const
    {
        AttentionInputs inputs;
        inputs.queries = m_queries.view();
        inputs.keys = m_keys.view();
        inputs.values = m_values.view();
        inputs.scale = m_file.params().at("scale").get<float>();
        if (!m_allowed.empty()) {
            const std::vector<std::int64_t> shape = m_file.shape("in.allowed");
            inputs.mask.allowed = m_allowed.data();
            inputs.mask.allowedBatchStride = shape[1] * shape[2];
            inputs.mask.allowedQueryStride = shape[2];
        }
        if (!m_bias.empty())
            inputs.bias = m_bias.view();
        inputs.softCap = m_file.params().value("softcap_c", 0.0F);
        inputs.keep = m_keep.empty() ? nullptr : m_keep.data();
        inputs.dropout = m_file.params().value("p_drop", 0.0F);
        return inputs;
    }

private:
    const GoldenFile& m_file;
    bool m_rotated;
    Tensor m_queries;
    Tensor m_keys;
    Tensor m_values;
    Tensor m_upstream;
    Tensor m_bias;
    std::vector<std::uint8_t> m_allowed;
    std::vector<std::uint8_t> m_keep;
};

struct Tolerances
{
    Tolerance scores = kAttention;
    Tolerance rows = kAttention;
};

Tolerances tolerancesFor(const QString& file)
{
    if (file.contains("/large_scores"))
        return {kLargeScores, kLargeScoresRows};
    if (file.contains("/large_offset_scores"))
        return {kLargeOffsetScores, kLargeOffsetScores};
    return {};
}

Tensor tensorOf(const GoldenFile& file, const std::string& name)
{
    Shape shape;
    for (const std::int64_t extent : file.shape(name))
        shape.append(extent);
    return Tensor(shape);
}

/// Replaces the bytes of `allowed` by the rule that made them, and says whether that is the same
/// mask.
bool describeByRule(const GoldenFile& file, AttentionInputs& inputs)
{
    AttentionMask rule;
    rule.causal = true;
    rule.window = file.params().value("window", 0);
    const std::vector<std::int64_t> shape = file.shape("in.allowed");
    const std::int64_t offset = shape[2] - shape[1];
    for (std::int64_t batch = 0; batch < shape[0]; ++batch)
        for (std::int64_t query = 0; query < shape[1]; ++query)
            for (std::int64_t key = 0; key < shape[2]; ++key) {
                const std::int64_t distance = query + offset - key;
                const bool visible = distance >= 0 && (rule.window == 0 || distance < rule.window);
                const std::uint8_t byte =
                    inputs.mask.allowed[batch * inputs.mask.allowedBatchStride +
                                        query * inputs.mask.allowedQueryStride + key];
                if (visible != (byte != 0))
                    return false;
            }
    inputs.mask = rule;
    return true;
}

} // namespace

class TstGoldenAttention : public QObject
{
    Q_OBJECT

private slots:
    void forwardAndBackwardMatch_data();
    void forwardAndBackwardMatch();

private:
    void compare(const GoldenFile& file, const GoldenLayer& layer, const AttentionInputs& inputs,
                 AttentionBackend& backend);
};

void TstGoldenAttention::forwardAndBackwardMatch_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("backend");
    const std::vector<std::string> files = goldenFiles("attention");
    QVERIFY(files.size() >= 25);
    for (const char* backend : {"reference", "baseline", "avx2", "avx512"})
        for (const std::string& file : files)
            QTest::addRow("%s, %s", backend, file.c_str())
                << QString::fromStdString(file) << QString(backend);
}

void TstGoldenAttention::forwardAndBackwardMatch()
{
    QFETCH(QString, file);
    QFETCH(QString, backend);
    const std::unique_ptr<AttentionBackend> tested = makeBackend(backend);
    if (!tested)
        QSKIP("not available on this processor");
    const GoldenFile golden(file.toStdString());
    const GoldenLayer layer(golden);
    AttentionInputs inputs = layer.inputs();
    compare(golden, layer, inputs, *tested);
    // Where a rule says the same as the bytes, the path that skips hidden keys must agree too.
    if (inputs.mask.allowed != nullptr && describeByRule(golden, inputs))
        compare(golden, layer, inputs, *tested);
}

void TstGoldenAttention::compare(const GoldenFile& file, const GoldenLayer& layer,
                                 const AttentionInputs& inputs, AttentionBackend& backend)
{
    const Tolerances tolerances = tolerancesFor(QTest::currentDataTag());
    const bool hasMaps = file.contains("out.probs");
    Tensor context = tensorOf(file, "out.out");
    Tensor logSumExp = tensorOf(file, "out.lse");
    Tensor pattern = hasMaps ? tensorOf(file, "out.probs") : Tensor();
    Tensor scores = hasMaps ? tensorOf(file, "out.scores") : Tensor();
    AttentionOutputs outputs;
    outputs.context = context.view();
    outputs.logSumExp = logSumExp.view();
    if (hasMaps) {
        outputs.pattern = pattern.view();
        outputs.scores = scores.view();
    }
    backend.forward(inputs, outputs);
    HS_COMPARE(std::as_const(context).values(), file.expected("out.out"), tolerances.rows);
    HS_COMPARE(std::as_const(logSumExp).values(), file.expected("out.lse"), tolerances.scores);
    if (hasMaps) {
        HS_COMPARE(std::as_const(pattern).values(), file.expected("out.probs"), tolerances.rows);
        HS_COMPARE(std::as_const(scores).values(), file.expected("out.scores"), tolerances.scores);
    }

    Tensor queries(inputs.queries.shape);
    Tensor keys(inputs.keys.shape);
    Tensor values(inputs.values.shape);
    Tensor bias(inputs.bias ? inputs.bias.shape : Shape{0});
    AttentionGradients gradients{queries.view(), keys.view(), values.view(), {}};
    if (file.contains("grad.bias"))
        gradients.bias = bias.view();
    backend.backward(inputs, {outputs.context, outputs.logSumExp, layer.upstream()}, gradients);
    HS_COMPARE(std::as_const(values).values(), file.expected("grad.v"), tolerances.rows);
    if (!layer.isRotated()) {
        HS_COMPARE(std::as_const(queries).values(), file.expected("grad.q"), tolerances.rows);
        HS_COMPARE(std::as_const(keys).values(), file.expected("grad.k"), tolerances.rows);
    }
    if (file.contains("grad.bias"))
        HS_COMPARE(std::as_const(bias).values(), file.expected("grad.bias"), tolerances.rows);
}

HEADSCOPE_TEST(TstGoldenAttention)
#include "tst_golden_attention.moc"

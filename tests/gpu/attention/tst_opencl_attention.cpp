// links: core/attention
// labels: golden
#include "core/attention/attention_operands.h"
#include "tests/gpu/gpu_test.h"

#include "tests/support/attention_cases.h"
#include "tests/support/golden.h"
#include "tests/support/test_program.h"
#include "tests/support/tolerances.h"

#include <cstring>
#include <iterator>
#include <limits>

using namespace headscope;
using namespace headscope::test;
using gpu::KernelFamily;
using gpu::MemoryMode;
using gpu::OpenClAttention;

namespace {

struct Variant
{
    const char* name;
    KernelFamily family;
    MemoryMode memory;
};

constexpr Variant kVariants[] = {
    {"block kernels, shared memory", KernelFamily::Block, MemoryMode::Shared},
    {"block kernels, copied memory", KernelFamily::Block, MemoryMode::Copied},
    {"tiled kernels, copied memory", KernelFamily::Tiled, MemoryMode::Copied},
};

constexpr int kVariantCount = std::size(kVariants);

Tolerance rowTolerance(const std::string& file)
{
    if (file.find("large_offset_scores") != std::string::npos)
        return kLargeOffsetScores;
    return file.find("large_scores") != std::string::npos ? kLargeScoresRows : kAttention;
}

Tolerance scoreTolerance(const std::string& file)
{
    if (file.find("large_offset_scores") != std::string::npos)
        return kLargeOffsetScores;
    return file.find("large_scores") != std::string::npos ? kLargeScores : kAttention;
}

/// The operands of a golden attention file.
class GoldenOperands
{
public:
    explicit GoldenOperands(const GoldenFile& file)
        : m_file(file)
        , m_queries(file.tensor(name("q")))
        , m_keys(file.tensor(name("k")))
        , m_values(file.tensor("in.v"))
        , m_contextGradient(file.tensor("in.dout"))
    {
        if (file.contains("in.bias"))
            m_bias = file.tensor("in.bias");
        if (file.contains("in.allowed"))
            m_allowed = file.bytes("in.allowed");
        if (file.contains("in.keep"))
            m_keep = file.bytes("in.keep");
    }

    AttentionInputs inputs() const
    {
        AttentionInputs inputs;
        inputs.queries = m_queries.view();
        inputs.keys = m_keys.view();
        inputs.values = m_values.view();
        inputs.scale = m_file.params().at("scale").get<float>();
        inputs.softCap = m_file.params().value("softcap_c", 0.0F);
        inputs.dropout = m_file.params().value("p_drop", 0.0F);
        if (!m_bias.empty())
            inputs.bias = m_bias.view();
        if (!m_keep.empty())
            inputs.keep = m_keep.data();
        if (!m_allowed.empty()) {
            inputs.mask.allowed = m_allowed.data();
            inputs.mask.allowedQueryStride = m_keys.shape()[2];
            inputs.mask.allowedBatchStride = m_queries.shape()[2] * m_keys.shape()[2];
        }
        return inputs;
    }

    const Tensor& contextGradient() const { return m_contextGradient; }

    /// Rotary cases rotate before attention; their gradients of q and k are of the unrotated ones.
    bool isRotated() const { return m_file.contains("out.q_rot"); }

private:
    std::string name(const std::string& operand) const
    {
        const std::string rotated = "out." + operand + "_rot";
        return m_file.contains(rotated) ? rotated : "in." + operand;
    }

    const GoldenFile& m_file;
    Tensor m_queries;
    Tensor m_keys;
    Tensor m_values;
    Tensor m_contextGradient;
    Tensor m_bias;
    std::vector<std::uint8_t> m_allowed;
    std::vector<std::uint8_t> m_keep;
};

struct Results
{
    explicit Results(const AttentionInputs& inputs)
        : context({inputs.queries.shape[0], inputs.queries.shape[1], inputs.queries.shape[2],
                   inputs.values.shape[3]})
        , pattern({inputs.queries.shape[0], inputs.queries.shape[1], inputs.queries.shape[2],
                   inputs.keys.shape[2]})
        , scores(pattern.shape())
        , logSumExp({inputs.queries.shape[0], inputs.queries.shape[1], inputs.queries.shape[2]})
        , queries(inputs.queries.shape)
        , keys(inputs.keys.shape)
        , values(inputs.values.shape)
        , bias({inputs.queries.shape[1], inputs.queries.shape[2], inputs.keys.shape[2]})
    {
    }

    Tensor context, pattern, scores, logSumExp, queries, keys, values, bias;
};

} // namespace

class TstOpenclAttention : public QObject
{
    Q_OBJECT

private slots:
    void goldenForwardAndBackward_data();
    void goldenForwardAndBackward();
    void agreesWithTheReference_data();
    void agreesWithTheReference();
    void agreesOnRandomSizes_data();
    void agreesOnRandomSizes();
    void moreQueriesThanKeysWithoutAMask();
    void notANumberNeitherHangsNorSpreads();
    void hiddenNotANumberReachesNoRow();
    void infinityDoesNotHang();
    void tooLargeHeadsAreDeclined();
    void sameInputsGiveTheSameBits();
    void saysNoUntilItsKernelsAreThere();
    void saysWhereItRan();

private:
    OpenClAttention backend(const Variant& variant);

    std::shared_ptr<gpu::KernelLibrary> m_library = testLibrary({});
};

OpenClAttention TstOpenclAttention::backend(const Variant& variant)
{
    return OpenClAttention(m_library, {true, variant.family, variant.memory});
}

void TstOpenclAttention::goldenForwardAndBackward_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("variant");
    for (const std::string& file : goldenFiles("attention")) {
        for (int variant = 0; variant < kVariantCount; ++variant)
            QTest::addRow("%s, %s", file.c_str(), kVariants[variant].name)
                << QString::fromStdString(file) << variant;
    }
}

void TstOpenclAttention::goldenForwardAndBackward()
{
    HS_NEED_DEVICE(m_library);
    QFETCH(QString, file);
    QFETCH(int, variant);
    const std::string path = file.toStdString();
    const GoldenFile golden(path);
    const GoldenOperands operands(golden);
    const AttentionInputs inputs = operands.inputs();
    OpenClAttention attention = backend(kVariants[variant]);
    QVERIFY(attention.supports(inputs));

    Results got(inputs);
    attention.forward(
        inputs, {got.context.view(), got.pattern.view(), got.scores.view(), got.logSumExp.view()});
    HS_COMPARE(got.context.values(), golden.expected("out.out"), rowTolerance(path));
    HS_COMPARE(got.logSumExp.values(), golden.expected("out.lse"), scoreTolerance(path));
    if (golden.contains("out.probs"))
        HS_COMPARE(got.pattern.values(), golden.expected("out.probs"), rowTolerance(path));
    if (golden.contains("out.scores"))
        HS_COMPARE(got.scores.values(), golden.expected("out.scores"), scoreTolerance(path));

    AttentionGradients gradients{got.queries.view(), got.keys.view(), got.values.view(), {}};
    if (golden.contains("grad.bias"))
        gradients.bias = got.bias.view();
    attention.backward(
        inputs, {got.context.view(), got.logSumExp.view(), operands.contextGradient().view()},
        gradients);
    HS_COMPARE(got.values.values(), golden.expected("grad.v"), rowTolerance(path));
    if (!operands.isRotated()) {
        HS_COMPARE(got.queries.values(), golden.expected("grad.q"), rowTolerance(path));
        HS_COMPARE(got.keys.values(), golden.expected("grad.k"), rowTolerance(path));
    }
    if (gradients.bias)
        HS_COMPARE(got.bias.values(), golden.expected("grad.bias"), rowTolerance(path));
}

void TstOpenclAttention::agreesWithTheReference_data()
{
    QTest::addColumn<int>("attentionCase");
    QTest::addColumn<int>("variant");
    for (std::size_t index = 0; index < attentionCases().size(); ++index) {
        for (int variant = 0; variant < kVariantCount; ++variant)
            QTest::addRow("%s, %s", attentionCases()[index].name.c_str(), kVariants[variant].name)
                << static_cast<int>(index) << variant;
    }
}

void TstOpenclAttention::agreesWithTheReference()
{
    HS_NEED_DEVICE(m_library);
    QFETCH(int, variant);
    HS_FETCH_ATTENTION_CASE(test);
    OpenClAttention attention = backend(kVariants[variant]);
    HS_CHECK_ATTENTION_CASE(attention, test);
}

void TstOpenclAttention::agreesOnRandomSizes_data()
{
    QTest::addColumn<int>("seed");
    for (int seed = 1; seed <= 9; ++seed)
        QTest::addRow("seed %d", seed) << seed;
}

void TstOpenclAttention::agreesOnRandomSizes()
{
    HS_NEED_DEVICE(m_library);
    QFETCH(int, seed);
    const AttentionCase test = randomAttentionCase(static_cast<std::uint64_t>(seed), 70);
    OpenClAttention attention = backend(kVariants[seed % kVariantCount]);
    HS_CHECK_ATTENTION_CASE(attention, test);
}

void TstOpenclAttention::moreQueriesThanKeysWithoutAMask()
{
    HS_NEED_DEVICE(m_library);
    AttentionCase test;
    test.queryTokens = 67;
    test.keyTokens = 6;
    test.headDim = 16;
    test.valueDim = 16;
    for (const CaseMask mask : {CaseMask::None, CaseMask::Window}) {
        test.mask = mask;
        test.window = 20;
        for (const Variant& variant : kVariants) {
            OpenClAttention attention = backend(variant);
            HS_CHECK_ATTENTION_CASE(attention, test);
        }
    }
}

void TstOpenclAttention::notANumberNeitherHangsNorSpreads()
{
    HS_NEED_DEVICE(m_library);
    for (const Variant& variant : kVariants) {
        Tensor x({1, 1, 40, 16});
        std::fill_n(x.data(), x.size(), 0.5F);
        Tensor queries = x;
        queries.view()(0, 0, 3, 5) = std::numeric_limits<float>::quiet_NaN();
        AttentionInputs inputs;
        inputs.queries = queries.view();
        inputs.keys = x.view();
        inputs.values = x.view();
        Results got(inputs);
        backend(variant).forward(inputs, {got.context.view(), got.pattern.view(), got.scores.view(),
                                          got.logSumExp.view()});
        for (std::int64_t token = 0; token < 40; ++token) {
            const bool isNan = std::isnan(got.context.view()(0, 0, token, 0));
            QCOMPARE(isNan, token == 3);
        }
    }
}

void TstOpenclAttention::hiddenNotANumberReachesNoRow()
{
    HS_NEED_DEVICE(m_library);
    for (const Variant& variant : kVariants) {
        OpenClAttention attention = backend(variant);
        const std::string problem = reachOfNotANumber(attention);
        QVERIFY2(problem.empty(), problem.c_str());
    }
}

void TstOpenclAttention::infinityDoesNotHang()
{
    HS_NEED_DEVICE(m_library);
    for (const Variant& variant : kVariants) {
        Tensor x({1, 1, 40, 16});
        std::fill_n(x.data(), x.size(), std::numeric_limits<float>::infinity());
        AttentionInputs inputs;
        inputs.queries = x.view();
        inputs.keys = x.view();
        inputs.values = x.view();
        Results got(inputs);
        OpenClAttention attention = backend(variant);
        attention.forward(inputs, {got.context.view(), {}, {}, got.logSumExp.view()});
        attention.backward(inputs, {got.context.view(), got.logSumExp.view(), x.view()},
                           {got.queries.view(), got.keys.view(), got.values.view(), {}});
        QVERIFY(std::isnan(got.context.data()[0]));
    }
}

void TstOpenclAttention::tooLargeHeadsAreDeclined()
{
    HS_NEED_DEVICE(m_library);
    const Tensor x({1, 1, 2, 2000});
    AttentionInputs inputs;
    inputs.queries = x.view();
    inputs.keys = x.view();
    inputs.values = x.view();
    for (const Variant& variant : kVariants)
        QVERIFY(!backend(variant).supports(inputs));
}

void TstOpenclAttention::sameInputsGiveTheSameBits()
{
    HS_NEED_DEVICE(m_library);
    const AttentionCase test = randomAttentionCase(5, 70);
    const AttentionOperands operands(test, 3);
    const AttentionInputs inputs = operands.inputs();
    for (const Variant& variant : kVariants) {
        OpenClAttention attention = backend(variant);
        Results first(inputs);
        Results second(inputs);
        for (Results* results : {&first, &second}) {
            attention.forward(inputs, {results->context.view(), {}, {}, results->logSumExp.view()});
            attention.backward(
                inputs,
                {results->context.view(), results->logSumExp.view(), operands.contextGradient()},
                {results->queries.view(), results->keys.view(), results->values.view(), {}});
        }
        const auto same = [](const Tensor& a, const Tensor& b) {
            return std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
        };
        QVERIFY(same(first.context, second.context));
        QVERIFY(same(first.queries, second.queries));
        QVERIFY(same(first.keys, second.keys));
        QVERIFY(same(first.values, second.values));
    }
}

void TstOpenclAttention::saysNoUntilItsKernelsAreThere()
{
    HS_NEED_DEVICE(m_library);
    const auto library = testLibrary({}, "-DUNSEEN=1");
    OpenClAttention attention(library, {false, std::nullopt, std::nullopt});
    Tensor x({1, 2, 9, 48});
    AttentionInputs inputs;
    inputs.queries = x.view();
    inputs.keys = x.view();
    inputs.values = x.view();
    QVERIFY(!attention.supports(inputs)); // a build takes far longer than asking
    QTRY_VERIFY_WITH_TIMEOUT(attention.supports(inputs), 60000);
    Results got(inputs);
    attention.forward(inputs, {got.context.view(), {}, {}, {}});
    QCOMPARE(got.context.data()[0], 0.0F);
}

void TstOpenclAttention::saysWhereItRan()
{
    HS_NEED_DEVICE(m_library);
    const OpenClAttention attention(m_library);
    QCOMPARE(attention.name(), std::string_view("opencl"));
    QCOMPARE(attention.describe(), "OpenCL: " + m_library->device().facts.common.name);
}

HEADSCOPE_TEST(TstOpenclAttention)
#include "tst_opencl_attention.moc"

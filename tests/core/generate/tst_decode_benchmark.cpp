#include "core/generate/decode_benchmark.h"

#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <chrono>
#include <cmath>
#include <thread>

using namespace headscope;

namespace {

/// Counts the tokens whose attention is computed.
class Counting : public AttentionBackend
{
public:
    explicit Counting(std::int64_t& queries, int msPerNewToken = 0)
        : m_queries(queries)
        , m_msPerNewToken(msPerNewToken)
    {
    }

    std::string_view name() const override { return m_inner.name(); }

    std::string describe() const override { return m_inner.describe(); }

    bool supports(const AttentionInputs& inputs) const override { return m_inner.supports(inputs); }

private:
    void computeForward(const AttentionInputs& inputs, const AttentionOutputs& outputs) override
    {
        m_queries += inputs.queries.shape[2];
        if (inputs.queries.shape[2] == 1)
            std::this_thread::sleep_for(std::chrono::milliseconds(m_msPerNewToken));
        m_inner.forward(inputs, outputs);
    }

    void computeBackward(const AttentionInputs& inputs, const AttentionSaved& saved,
                         const AttentionGradients& gradients) override
    {
        m_inner.backward(inputs, saved, gradients);
    }

    std::int64_t& m_queries;
    int m_msPerNewToken;
    CpuAttention m_inner;
};

} // namespace

class TstDecodeBenchmark : public QObject
{
    Q_OBJECT

private slots:
    void casesFitTheirPositions();
    void timingsDescribeWhatWasMeasured();
    void theFirstTokenIsTimedAlone();
    void everyRoundDecodesThePromptAnew();
    void cancelStops();
    void nothingToMeasureIsRefused();
};

void TstDecodeBenchmark::casesFitTheirPositions()
{
    std::vector<std::string> names;
    for (const DecodeCase& shape : decodeCases()) {
        names.push_back(shape.name);
        shape.config.validate();
        QVERIFY(shape.newTokens > 0);
        QCOMPARE(shape.config.dFf, 4 * shape.config.dModel);
        QVERIFY(shape.promptTokens + shape.newTokens <= shape.config.maxLen);
        QVERIFY(shape.newTokens == 128 ||
                shape.promptTokens + shape.newTokens == shape.config.maxLen);
    }
    QVERIFY(names == (std::vector<std::string>{"toy", "small", "mini", "gpt2-small"}));
}

void TstDecodeBenchmark::timingsDescribeWhatWasMeasured()
{
    const DecodeCase toy = decodeCases().front();
    const DecodeTiming got = measureDecoding(toy, std::make_unique<CpuAttention>(), 3);
    QCOMPARE(got.shape.name, toy.name);
    QCOMPARE(got.rounds, 3);
    QVERIFY(!got.backend.empty());
    QVERIFY(got.firstTokenMs > 0.0);
    QVERIFY(got.totalMs >= got.firstTokenMs);
    QVERIFY(std::abs(got.tokensPerSecond * got.totalMs - 1e3 * double(toy.newTokens)) < 1e-6);
}

void TstDecodeBenchmark::theFirstTokenIsTimedAlone()
{
    DecodeCase toy = decodeCases().front();
    toy.newTokens = 5;
    std::int64_t queries = 0;
    const DecodeTiming got = measureDecoding(toy, std::make_unique<Counting>(queries, 2), 1);
    const auto waited = double(2 * toy.config.layers * (toy.newTokens - 1));
    QVERIFY(got.totalMs - got.firstTokenMs >= waited);
}

void TstDecodeBenchmark::everyRoundDecodesThePromptAnew()
{
    DecodeCase toy = decodeCases().front();
    toy.newTokens = 5;
    std::int64_t two = 0;
    std::int64_t four = 0;
    measureDecoding(toy, std::make_unique<Counting>(two), 2);
    measureDecoding(toy, std::make_unique<Counting>(four), 4);
    // The prompt once, then one position for each token but the last, in every layer.
    QCOMPARE(four - two, 2 * toy.config.layers * (toy.promptTokens + toy.newTokens - 1));
    const auto prepared = two - (four - two); // at most 4 tokens
    QCOMPARE(prepared, toy.config.layers * (toy.promptTokens + 4 - 1));
}

void TstDecodeBenchmark::cancelStops()
{
    std::stop_source source;
    source.request_stop();
    QVERIFY_EXCEPTION_THROWN(measureDecoding(decodeCases().front(),
                                             std::make_unique<CpuAttention>(), 1,
                                             source.get_token()),
                             Cancelled);
}

void TstDecodeBenchmark::nothingToMeasureIsRefused()
{
    const DecodeCase toy = decodeCases().front();
    QVERIFY_EXCEPTION_THROWN(measureDecoding(toy, std::make_unique<CpuAttention>(), 0), Error);
    QVERIFY_EXCEPTION_THROWN(measureDecoding(toy, nullptr, 1), Error);
}

HEADSCOPE_TEST(TstDecodeBenchmark)
#include "tst_decode_benchmark.moc"

#include "core/generate/model_speed.h"

#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "tests/support/small_models.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;
using namespace headscope::test;

namespace {

/// Counts the tokens whose attention is computed.
class Counting : public AttentionBackend
{
public:
    std::string_view name() const override { return m_inner.name(); }

    std::string describe() const override { return "counting"; }

    bool supports(const AttentionInputs& inputs) const override { return m_inner.supports(inputs); }

    std::int64_t queries = 0;
    std::int64_t patterns = 0;       ///< of which the weights are wanted
    std::int64_t beforePatterns = 0; ///< Queries before the first of them.

private:
    void computeForward(const AttentionInputs& inputs, const AttentionOutputs& outputs) override
    {
        if (!outputs.pattern && patterns == 0)
            beforePatterns += inputs.queries.shape[2];
        queries += inputs.queries.shape[2];
        patterns += outputs.pattern ? inputs.queries.shape[2] : 0;
        m_inner.forward(inputs, outputs);
    }

    void computeBackward(const AttentionInputs& inputs, const AttentionSaved& saved,
                         const AttentionGradients& gradients) override
    {
        m_inner.backward(inputs, saved, gradients);
    }

    CpuAttention m_inner;
};

ModelSpeedOptions fewTokens()
{
    ModelSpeedOptions options;
    options.promptTokens = {3, 9, 500};
    options.newTokens = 4;
    options.tokensBefore = 5;
    options.rounds = 2;
    return options;
}

} // namespace

class TstModelSpeed : public QObject
{
    Q_OBJECT

private slots:
    void everyRoundComputesEveryTokenOnce();
    void whatDoesNotFitIsLeftOut();
    void oneRoundOfAllPositionsIsMeasured();
    void nothingToMeasureIsRefused();
    void cancelStops();
};

void TstModelSpeed::everyRoundComputesEveryTokenOnce()
{
    const auto model = smallModel().model; // 3 layers, 24 positions
    Counting backend;
    const std::vector<ModelSpeed> speeds = measureModelSpeed(model, backend, fewTokens());
    using Kind = ModelSpeed::Kind;
    const std::vector<std::pair<Kind, std::int64_t>> expected{
        {Kind::Prompt, 3}, {Kind::Maps, 3}, {Kind::Prompt, 9}, {Kind::Maps, 9}, {Kind::Decode, 4}};
    QCOMPARE(speeds.size(), expected.size()); // 500 tokens do not fit
    for (std::size_t i = 0; i < expected.size(); ++i)
        QVERIFY(speeds[i].kind == expected[i].first && speeds[i].tokens == expected[i].second);
    for (const ModelSpeed& speed : speeds)
        QVERIFY(speed.milliseconds > 0.0 && speed.tokensPerSecond() > 0.0);
    // One round to prepare and two that count.
    QCOMPARE(backend.queries, std::int64_t{3 * 3 * (2 * 3 + 2 * 9 + 5 + 4)});
    QCOMPARE(backend.patterns, std::int64_t{3 * 3 * (3 + 9)});
    QCOMPARE(backend.beforePatterns, std::int64_t{3 * 3}); // the prompt alone comes first
}

void TstModelSpeed::whatDoesNotFitIsLeftOut()
{
    CpuAttention backend;
    ModelSpeedOptions options = fewTokens();
    options.promptTokens = {};
    options.newTokens = 1000;
    const std::vector<ModelSpeed> speeds = measureModelSpeed(smallModel().model, backend, options);
    QCOMPARE(speeds.size(), std::size_t{1});
    QCOMPARE(speeds.front().tokens, std::int64_t{24 - 5});
}

void TstModelSpeed::oneRoundOfAllPositionsIsMeasured()
{
    CpuAttention backend;
    ModelSpeedOptions options = fewTokens();
    options.promptTokens = {24};
    options.newTokens = 0;
    options.rounds = 1;
    const std::vector<ModelSpeed> speeds = measureModelSpeed(smallModel().model, backend, options);
    QCOMPARE(speeds.size(), std::size_t{2});
    for (const ModelSpeed& speed : speeds)
        QVERIFY(speed.milliseconds > 0.0);
}

void TstModelSpeed::nothingToMeasureIsRefused()
{
    CpuAttention backend;
    ModelSpeedOptions options = fewTokens();
    options.rounds = 0;
    QVERIFY_EXCEPTION_THROWN(measureModelSpeed(smallModel().model, backend, options), Error);
    options = fewTokens();
    options.promptTokens = {25};
    options.tokensBefore = 24;
    QVERIFY_EXCEPTION_THROWN(measureModelSpeed(smallModel().model, backend, options), Error);
}

void TstModelSpeed::cancelStops()
{
    CpuAttention backend;
    std::stop_source source;
    source.request_stop();
    QVERIFY_EXCEPTION_THROWN(
        measureModelSpeed(smallModel().model, backend, fewTokens(), source.get_token()), Cancelled);
}

HEADSCOPE_TEST(TstModelSpeed)
#include "tst_model_speed.moc"

#include "core/attention/cpu_attention.h"
#include "core/attention/reference_attention.h"
#include "core/base/error.h"
#include "core/model/config/size_report.h"
#include "core/model/model.h"
#include "tests/support/run_record.h"
#include "tests/support/test_program.h"
#include "tests/support/traced_kinds.h"

#include <QTest>

#include <numeric>
#include <stop_token>

using namespace headscope;
using namespace headscope::test;

Q_DECLARE_METATYPE(headscope::ModelConfig)

namespace {

constexpr std::size_t kTokens = 13;

/// A query's sums over its keys are in the order of the tiles that the query's company asks for.
constexpr Exactness kTiles{1e-5};
constexpr Exactness kBits{};

std::span<const TokenId> firstOf(const RunText& text, std::size_t tokens)
{
    return std::span(text.ids).first(tokens);
}

std::span<const float> lastRows(const Tensor& logits, std::int64_t rows)
{
    return logits.values().last(static_cast<std::size_t>(rows * logits.shape()[1]));
}

/// "" when a pass from `cache` on over the first `tokens` tokens gives what a whole one gives.
std::string stepDifference(const Model& model, const RunText& text, std::size_t tokens,
                           KvCache& cache, AttentionBackend& backend, Exactness exactness)
{
    const WholePass expected = wholePass(model, text, tokens, backend);
    const std::int64_t rows = static_cast<std::int64_t>(tokens) - cache.size();
    RunRecord record;
    const Tensor logits = model.forward(firstOf(text, tokens), backend, cache, &record);
    if (logits.shape()[0] != rows || cache.size() != static_cast<std::int64_t>(tokens))
        return "logits or cache have the wrong size";
    const std::string problem =
        difference(logits.values(), lastRows(expected.logits, rows), exactness);
    return problem.empty() ? difference(record, expected.record, exactness) : problem;
}

std::string stepsDifference(const Model& model, const RunText& text,
                            const std::vector<std::size_t>& ends, AttentionBackend& backend,
                            Exactness exactness)
{
    KvCache cache = cacheFor(model, text, backend);
    for (const std::size_t end : ends) {
        const std::string problem = stepDifference(model, text, end, cache, backend, exactness);
        if (!problem.empty())
            return "after " + std::to_string(end) + " tokens: " + problem;
    }
    return {};
}

/// Asks for a stop at the n-th activation.
class Stopper : public ActivationObserver
{
public:
    explicit Stopper(int activations) : m_left(activations) {}

    bool wants(TraceKey) const override { return true; }

    void record(TraceKey, TensorView, std::int64_t) override
    {
        if (m_left-- == 0)
            source.request_stop();
    }

    std::stop_source source;

private:
    int m_left;
};

bool isCancelled(const Model& model, std::span<const TokenId> ids, KvCache& cache, int activations)
{
    ReferenceAttention backend;
    Stopper stopper(activations);
    try {
        model.forward(ids, backend, cache, &stopper, {}, stopper.source.get_token());
    } catch (const Cancelled&) {
        return true;
    }
    return false;
}

} // namespace

#define HS_SAME(problem)                                                                           \
    do {                                                                                           \
        const std::string problem_ = (problem);                                                    \
        QVERIFY2(problem_.empty(), problem_.c_str());                                              \
    } while (false)

/// Every kind of decoder, as it is used while it writes.
class TstCachedDecoding : public QObject
{
    Q_OBJECT

private slots:

    void tokenByTokenEqualsTheWholePass_data() { decoders(); }

    void tokenByTokenEqualsTheWholePass()
    {
        QFETCH(ModelConfig, config);
        const LoadedModel loaded = kindModel(config);
        const RunText text = randomText(config, 1, kTokens);
        std::vector<std::size_t> ends(kTokens);
        std::iota(ends.begin(), ends.end(), std::size_t{1});
        ReferenceAttention reference;
        HS_SAME(stepsDifference(*loaded.model, text, ends, reference, kBits));
        CpuAttention cpu;
        HS_SAME(stepsDifference(*loaded.model, text, ends, cpu, kTiles));
    }

    void chunksEqualTheWholePass_data() { decoders(); }

    void chunksEqualTheWholePass()
    {
        QFETCH(ModelConfig, config);
        const LoadedModel loaded = kindModel(config);
        const RunText text = randomText(config, 2, kTokens);
        ReferenceAttention reference;
        HS_SAME(stepsDifference(*loaded.model, text, {3, 6, 9, 12, 13}, reference, kBits));
        CpuAttention cpu;
        HS_SAME(stepsDifference(*loaded.model, text, {3, 6, 9, 12, 13}, cpu, kTiles));
    }

    void otherTokensFollowATruncatedCache_data() { decoders(); }

    void otherTokensFollowATruncatedCache()
    {
        QFETCH(ModelConfig, config);
        const LoadedModel loaded = kindModel(config);
        RunText text = randomText(config, 3, kTokens);
        ReferenceAttention backend;
        KvCache cache = cacheFor(*loaded.model, text, backend);
        loaded.model->forward(text.ids, backend, cache);
        for (const std::size_t kept : {7u, 2u, 0u}) {
            cache.truncate(static_cast<std::int64_t>(kept));
            for (std::size_t i = kept; i < kTokens; ++i)
                text.ids[i] = (text.ids[i] + 5) % 37;
            if (kept > 0) // nothing new: at most keys that another length turns otherwise
                HS_SAME(stepDifference(*loaded.model, text, kept, cache, backend, kBits));
            HS_SAME(stepDifference(*loaded.model, text, kept + 1, cache, backend, kBits));
            HS_SAME(stepDifference(*loaded.model, text, kTokens, cache, backend, kBits));
        }
    }

    void aCancelledPassLeavesTheCacheAsItWas_data() { decoders(); }

    void aCancelledPassLeavesTheCacheAsItWas()
    {
        QFETCH(ModelConfig, config);
        const LoadedModel loaded = kindModel(config);
        const RunText text = randomText(config, 4, kTokens);
        const Model& model = *loaded.model;
        ReferenceAttention backend;
        KvCache cache = cacheFor(model, text, backend);
        int cancelled = 0;
        for (const std::size_t end : {3u, 8u}) {
            for (const int activations : {0, 12, 25}) {
                const std::int64_t before = cache.size();
                cancelled += isCancelled(model, text.ids, cache, activations);
                if (cache.size() != before)
                    cache.truncate(before); // it was over before the stop
            }
            HS_SAME(stepDifference(model, text, end, cache, backend, kBits));
        }
        QVERIFY(cancelled >= 2);
        cancelled = isCancelled(model, text.ids, cache, 0);
        QVERIFY(cancelled == 1 && cache.size() == 8);
        cache.truncate(2);
        HS_SAME(stepDifference(model, text, 3, cache, backend, kBits));
    }

    void lastLogitsAloneEqualTheLastRow_data() { decoders(); }

    void lastLogitsAloneEqualTheLastRow()
    {
        QFETCH(ModelConfig, config);
        const LoadedModel loaded = kindModel(config);
        const RunText text = randomText(config, 5, kTokens);
        CpuAttention backend;
        KvCache one = cacheFor(*loaded.model, text, backend);
        KvCache two = one;
        ForwardOptions options;
        options.lastLogitsOnly = true;
        for (const std::size_t end : {5u, 6u, 13u}) {
            const Tensor all = loaded.model->forward(firstOf(text, end), backend, one);
            const Tensor last = loaded.model->forward(firstOf(text, end), backend, two, options);
            QVERIFY(last.shape() == (Shape{1, config.vocabularySize}));
            HS_SAME(difference(last.values(), lastRows(all, 1), kBits));
        }
    }

    void copiesOfACacheAreIndependent_data() { decoders(); }

    void copiesOfACacheAreIndependent()
    {
        QFETCH(ModelConfig, config);
        const LoadedModel loaded = kindModel(config);
        const RunText text = randomText(config, 6, kTokens);
        RunText other = text;
        for (std::size_t i = 4; i < kTokens; ++i)
            other.ids[i] = (other.ids[i] + 11) % 37;
        ReferenceAttention backend;
        KvCache cache = cacheFor(*loaded.model, text, backend);
        loaded.model->forward(firstOf(text, 4), backend, cache);
        KvCache copy = cache;
        HS_SAME(stepDifference(*loaded.model, other, 9, copy, backend, kBits));
        HS_SAME(stepDifference(*loaded.model, text, 7, cache, backend, kBits));
        HS_SAME(stepDifference(*loaded.model, other, 12, copy, backend, kBits));
        HS_SAME(stepDifference(*loaded.model, text, 13, cache, backend, kBits));
    }

    void aCacheHoldsWhatTheModelKeepsOfAToken_data() { decoders(); }

    void aCacheHoldsWhatTheModelKeepsOfAToken()
    {
        QFETCH(ModelConfig, config);
        KvCache cache(config);
        const bool two = config.isEncoderDecoder();
        const auto layers = static_cast<int>(two ? config.decoderLayerCount() : config.layers);
        std::int64_t floats = 0;
        for (int layer = 0; layer < layers; ++layer)
            floats +=
                cache.keys(layer).shape.elementCount() + cache.values(layer).shape.elementCount();
        const std::int64_t perToken =
            config.isLatent() ? config.latent.keyValueRank + config.latent.ropeDim
                              : config.keyHeadCount() * (config.queryDim() + config.valueDim());
        QCOMPARE(floats, layers * config.maxLen * perToken);
        QCOMPARE(kvCacheBytes(config, config.maxLen, 4), 4 * floats);
    }

private:
    /// Those whose cached positions do not depend on later ones. (Without a causal mask a pass
    /// begins with an empty cache.)
    void decoders()
    {
        QTest::addColumn<ModelConfig>("config");
        for (const auto& [name, config] : tracedKinds())
            if (config.hasDecoder() && config.causal)
                QTest::newRow(name.c_str()) << config;
    }
};

HEADSCOPE_TEST(TstCachedDecoding)
#include "tst_cached_decoding.moc"

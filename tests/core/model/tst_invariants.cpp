#include "core/attention/cpu_attention.h"
#include "core/attention/reference_attention.h"
#include "tests/support/run_record.h"
#include "tests/support/small_models.h"
#include "tests/support/test_program.h"
#include "tests/support/traced_kinds.h"

#include <QTest>

using namespace headscope;
using namespace headscope::test;

Q_DECLARE_METATYPE(headscope::ModelConfig)

namespace {

constexpr std::size_t kTokens = 13;
constexpr Exactness kBits{};
constexpr Exactness kRounding{1e-5};

bool dependsOnPlacesAlone(const ModelConfig& config)
{
    return config.positions == Positions::Learned || config.positions == Positions::Sinusoidal;
}

bool isDynamic(const ModelConfig& config)
{
    return config.rope.scaling == RopeSettings::Scaling::Dynamic;
}

std::span<const float> rowOf(const Tensor& logits, std::size_t row)
{
    const auto width = static_cast<std::size_t>(logits.shape()[1]);
    return logits.values().subspan(row * width, width);
}

/// The first `rows` rows of everything that `record` holds of the decoder.
std::string earlierRowsDifference(const RunRecord& got, const RunRecord& expected,
                                  std::int64_t rows)
{
    for (const auto& [key, all] : expected.all()) {
        if (isComputedAtOnce(key))
            continue;
        const TensorView a = got.all().at(key).values.view();
        const TensorView b = all.values.view();
        const bool perHead = hasQueryRowsPerHead(key.site);
        for (std::int64_t outer = 0; outer < (perHead ? b.shape[0] : 1); ++outer)
            for (std::int64_t row = 0; row < rows; ++row) {
                const Tensor x = contiguous(perHead ? a[outer][row] : a[row]);
                const Tensor y = contiguous(perHead ? b[outer][row] : b[row]);
                const std::string problem = difference(x.values(), y.values(), kBits);
                if (!problem.empty())
                    return headscope::toString(key) + ": " + problem;
            }
    }
    return {};
}

/// A mask under which the last `tokens` of `all` tokens see one another as far as they are no
/// later, and the others each itself.
std::vector<std::uint8_t> lastAlone(std::size_t tokens, std::size_t all)
{
    std::vector<std::uint8_t> cells(all * all);
    for (std::size_t query = 0; query < all; ++query)
        for (std::size_t key = 0; key <= query; ++key)
            cells[query * all + key] = query == key || key >= all - tokens;
    return cells;
}

/// Logits of the last `tokens` tokens of `ids`, which do not see those before them.
Tensor shiftedLogits(const Model& model, const std::vector<TokenId>& ids, std::size_t tokens)
{
    ReferenceAttention backend;
    Interventions interventions;
    interventions.mask = AttentionMask{};
    interventions.mask->window = model.config().window.value_or(0);
    interventions.maskCells = lastAlone(tokens, ids.size());
    ForwardOptions options;
    options.interventions = &interventions;
    const Tensor all = wholePass(model, {ids, {}}, ids.size(), backend, options).logits;
    Tensor last({static_cast<std::int64_t>(tokens), all.shape()[1]});
    std::copy_n(all.data() + all.size() - last.size(), last.size(), last.data());
    return last;
}

} // namespace

#define HS_SAME(problem)                                                                           \
    do {                                                                                           \
        const std::string problem_ = (problem);                                                    \
        QVERIFY2(problem_.empty(), problem_.c_str());                                              \
    } while (false)

/// What holds for every model of a kind, whatever its weights are.
class TstInvariants : public QObject
{
    Q_OBJECT

private slots:
    void earlierRowsDoNotDependOnLaterTokens_data();
    void earlierRowsDoNotDependOnLaterTokens();
    void withoutPositionsAPermutationPermutesTheOutputs_data();
    void withoutPositionsAPermutationPermutesTheOutputs();
    void relativePositionsAreTheSameFurtherOn_data();
    void relativePositionsAreTheSameFurtherOn();
    void tilesGiveWhatTheFormulasGive_data();
    void tilesGiveWhatTheFormulasGive();
    void ablatingAndRestoringGivesTheOriginalBits_data();
    void ablatingAndRestoringGivesTheOriginalBits();
};

void TstInvariants::earlierRowsDoNotDependOnLaterTokens_data()
{
    QTest::addColumn<ModelConfig>("config");
    for (const auto& [name, config] : tracedKinds())
        if (config.hasDecoder() && config.causal)
            QTest::newRow(name.c_str()) << config;
}

void TstInvariants::earlierRowsDoNotDependOnLaterTokens()
{
    QFETCH(ModelConfig, config);
    const LoadedModel loaded = kindModel(config);
    const RunText text = randomText(config, 1, kTokens);
    ReferenceAttention reference;
    CpuAttention cpu;
    for (AttentionBackend* backend :
         {static_cast<AttentionBackend*>(&reference), static_cast<AttentionBackend*>(&cpu)}) {
        const WholePass pass = wholePass(*loaded.model, text, kTokens, *backend);
        for (const std::size_t kept : {1u, 6u, 12u}) {
            RunText other = text;
            for (std::size_t i = kept; i < kTokens; ++i)
                other.ids[i] = (other.ids[i] + 3) % 37;
            const WholePass changed = wholePass(*loaded.model, other, kTokens, *backend);
            HS_SAME(earlierRowsDifference(changed.record, pass.record,
                                          static_cast<std::int64_t>(kept)));
            HS_SAME(
                difference(rowOf(changed.logits, kept - 1), rowOf(pass.logits, kept - 1), kBits));
            QVERIFY(
                !difference(rowOf(changed.logits, kept), rowOf(pass.logits, kept), kBits).empty());
        }
    }
}

void TstInvariants::withoutPositionsAPermutationPermutesTheOutputs_data()
{
    QTest::addColumn<ModelConfig>("config");
    for (auto [name, config] : tracedKinds()) {
        if (config.isEncoderDecoder() || config.window)
            continue;
        config.positions = Positions::None;
        config.causal = false;
        for (LayerSettings& layer : config.layerSettings)
            layer.window.reset();
        config.latent.ropeDim = 0;
        QTest::newRow(name.c_str()) << config;
    }
}

void TstInvariants::withoutPositionsAPermutationPermutesTheOutputs()
{
    QFETCH(ModelConfig, config);
    const LoadedModel loaded = kindModel(config);
    const RunText text = randomText(config, 2, kTokens);
    RunText turned = text;
    for (std::size_t i = 0; i < kTokens; ++i)
        turned.ids[i] = text.ids[(i * 5 + 3) % kTokens];
    ReferenceAttention backend;
    const Tensor expected = wholePass(*loaded.model, text, kTokens, backend).logits;
    const Tensor got = wholePass(*loaded.model, turned, kTokens, backend).logits;
    for (std::size_t i = 0; i < kTokens; ++i)
        HS_SAME(difference(rowOf(got, i), rowOf(expected, (i * 5 + 3) % kTokens), kRounding));
}

void TstInvariants::relativePositionsAreTheSameFurtherOn_data()
{
    QTest::addColumn<ModelConfig>("config");
    for (const auto& [name, config] : tracedKinds())
        if (config.architecture == Architecture::Decoder && config.causal && !isDynamic(config))
            QTest::newRow(name.c_str()) << config;
}

/// Rotary angles, distances and buckets depend on differences alone; tables of places do not.
void TstInvariants::relativePositionsAreTheSameFurtherOn()
{
    QFETCH(ModelConfig, config);
    const LoadedModel loaded = kindModel(config);
    const std::vector<TokenId> ids = randomText(config, 3, kTokens).ids;
    const Tensor expected = shiftedLogits(*loaded.model, ids, kTokens);
    for (const std::size_t shift : {1u, 7u}) {
        std::vector<TokenId> longer = randomIds(4, shift, config.vocabularySize);
        longer.insert(longer.end(), ids.begin(), ids.end());
        const std::string problem = difference(
            shiftedLogits(*loaded.model, longer, kTokens).values(), expected.values(), kRounding);
        if (dependsOnPlacesAlone(config))
            QVERIFY(!problem.empty());
        else
            HS_SAME(problem);
    }
}

void TstInvariants::tilesGiveWhatTheFormulasGive_data()
{
    QTest::addColumn<ModelConfig>("config");
    for (auto [name, config] : tracedKinds()) {
        config.maxLen = 300;
        config.initStd = 0.1;
        QTest::newRow(name.c_str()) << config;
    }
}

void TstInvariants::tilesGiveWhatTheFormulasGive()
{
    QFETCH(ModelConfig, config);
    const LoadedModel loaded = kindModel(config);
    RunText text = randomText(config, 5, 203);
    if (!text.source.empty())
        text.source = randomIds(6, 171, config.vocabularySize);
    ReferenceAttention reference;
    CpuAttention cpu;
    const WholePass expected = wholePass(*loaded.model, text, 203, reference);
    const WholePass got = wholePass(*loaded.model, text, 203, cpu);
    HS_SAME(difference(got.logits.values(), expected.logits.values(), {2e-5}));
    HS_SAME(difference(got.record, expected.record, {2e-5}));
}

void TstInvariants::ablatingAndRestoringGivesTheOriginalBits_data()
{
    QTest::addColumn<ModelConfig>("config");
    for (const auto& [name, config] : tracedKinds())
        if (config.layers > 0)
            QTest::newRow(name.c_str()) << config;
}

void TstInvariants::ablatingAndRestoringGivesTheOriginalBits()
{
    QFETCH(ModelConfig, config);
    const LoadedModel loaded = kindModel(config);
    const RunText text = randomText(config, 7, kTokens);
    CpuAttention backend;
    const WholePass before = wholePass(*loaded.model, text, kTokens, backend);
    Interventions interventions;
    interventions.ablatedHeads = {{0, 1}};
    if (hasTwoStacks(config))
        interventions.ablatedHeads = {{AttentionKind::DecoderSelf, 0, 1},
                                      {AttentionKind::EncoderSelf, 1, 2}};
    ForwardOptions options;
    options.interventions = &interventions;
    const WholePass ablated = wholePass(*loaded.model, text, kTokens, backend, options);
    QVERIFY(!difference(ablated.logits.values(), before.logits.values(), {1e-4}).empty());
    interventions.ablatedHeads.clear();
    const WholePass after = wholePass(*loaded.model, text, kTokens, backend, options);
    HS_SAME(difference(after.logits.values(), before.logits.values(), kBits));
    HS_SAME(difference(after.record, before.record, kBits));
}

HEADSCOPE_TEST(TstInvariants)
#include "tst_invariants.moc"

// labels: golden
#include "core/attention/cpu_attention.h"
#include "core/model/pass/gradient_trace.h"
#include "core/model/pass/tracer.h"
#include "core/trace/trace_recorder.h"
#include "tests/support/each_isa.h"
#include "tests/support/hugging_face_model.h"
#include "tests/support/small_models.h"
#include "tests/support/test_program.h"
#include "tests/support/tolerances.h"

#include <QTest>

#include <algorithm>
#include <numeric>

using namespace headscope;
using namespace headscope::test;

namespace {

/// The tiny GPT-2 and one text, as the file has them.
class Internals
{
public:
    Internals() : m_file("interp/gpt2_internals.safetensors")
    {
        m_model.name = "gpt2";
        m_model.model =
            std::make_shared<const Model>(loadHuggingFaceModel(goldenDir() / "hf" / "gpt2"));
        const std::vector<std::int64_t> ids = m_file.integers("in.ids");
        m_ids.assign(ids.begin(), ids.end());
    }

    const GoldenFile& file() const { return m_file; }

    const ModelConfig& config() const { return m_model.model->config(); }

    const Model& model() const { return *m_model.model; }

    const std::vector<TokenId>& ids() const { return m_ids; }

    TracePtr trace(const Interventions& interventions = {}) const
    {
        Tracer tracer(m_model, std::make_unique<CpuAttention>());
        return tracer.trace(tokensOf(m_ids), TraceRequest::everything(), interventions);
    }

    TraceKey lastStream() const { return {Site::ResidPost, static_cast<int>(config().layers) - 1}; }

    /// After so many blocks: 0 is the sum of the embeddings.
    std::shared_ptr<const Tensor> stream(const Trace& trace, int blocks) const
    {
        return blocks == 0 ? trace.find({Site::ResidPre, 0})
                           : trace.find({Site::ResidPost, blocks - 1});
    }

    /// The logits if all blocks but the first few did nothing.
    Tensor lens(const Trace& trace, int blocks) const
    {
        Interventions interventions;
        interventions.patches = {{lastStream(), stream(trace, blocks), {}, {}}};
        return *this->trace(interventions)->find({Site::Logits, 0});
    }

private:
    GoldenFile m_file;
    LoadedModel m_model;
    std::vector<TokenId> m_ids;
};

std::vector<double> part(const std::vector<double>& all, std::int64_t index, std::int64_t count)
{
    const auto size = static_cast<std::ptrdiff_t>(all.size()) / count;
    return {all.begin() + index * size, all.begin() + (index + 1) * size};
}

std::span<const float> lastRows(const Tensor& rows, std::int64_t count)
{
    return rows.values().last(static_cast<std::size_t>(count * rows.shape()[1]));
}

} // namespace

/// What a person asks of a model beyond its output, against transformers' GPT-2.
class TstGoldenInternals : public QObject
{
    Q_OBJECT

private slots:

    void streamsAreThoseOfTransformers()
    {
        const Internals internals;
        const TracePtr trace = internals.trace();
        const std::int64_t count = internals.config().layers + 1;
        const std::vector<double> expected = internals.file().expected("out.residual");
        for (int blocks = 0; blocks < count; ++blocks)
            HS_COMPARE(internals.stream(*trace, blocks)->values(), part(expected, blocks, count),
                       kInterpretability);
    }

    void theLogitLensIsAPatchOfTheLastStream()
    {
        const Internals internals;
        const TracePtr trace = internals.trace();
        const std::vector<std::int64_t> shape = internals.file().shape("out.lens_last3");
        const std::vector<double> expected = internals.file().expected("out.lens_last3");
        const std::vector<std::int64_t> top = internals.file().integers("out.lens_top5");
        auto next = top.begin();
        for (int blocks = 0; blocks < shape[0]; ++blocks) {
            const Tensor lens = internals.lens(*trace, blocks);
            HS_COMPARE(lastRows(lens, shape[1]), part(expected, blocks, shape[0]),
                       kInterpretability);
            for (std::int64_t row = 0; row < lens.shape()[0]; ++row) {
                const TensorView logits = lens.view()[row];
                std::vector<std::int64_t> order(static_cast<std::size_t>(logits.shape[0]));
                std::iota(order.begin(), order.end(), 0);
                std::partial_sort(
                    order.begin(), order.begin() + 5, order.end(),
                    [&](std::int64_t a, std::int64_t b) { return logits(a) > logits(b); });
                QVERIFY(std::equal(next, next + 5, order.begin()));
                next += 5;
            }
        }
        QVERIFY(next == top.end());
    }

    void gradientsOfALogitAreThoseOfAutograd()
    {
        const Internals internals;
        const auto tokens = static_cast<std::int64_t>(internals.ids().size());
        const int layers = static_cast<int>(internals.config().layers);
        std::vector<TraceKey> keys{{Site::Embed, 0}};
        for (int layer = 0; layer < layers; ++layer)
            keys.push_back({Site::Pattern, layer});
        TraceRecorder gradients(keys, tokens, nullptr);
        GradientTarget target;
        target.token = static_cast<TokenId>(internals.file().integers("in.target")[0]);
        CpuAttention backend;
        traceGradients(internals.model(), {internals.ids()}, target, backend, gradients);
        const Trace::Activations got = gradients.take();
        const Tensor& embed = *got.at({Site::Embed, 0});
        HS_COMPARE(embed.values(), internals.file().expected("out.grad_embed"), kInterpretability);
        const std::vector<double> expected = internals.file().expected("out.attn_grad");
        for (int layer = 0; layer < layers; ++layer)
            HS_COMPARE(got.at({Site::Pattern, layer})->values(), part(expected, layer, layers),
                       kInterpretability);
        const auto table = internals.trace()->find({Site::Embed, 0});
        std::vector<double> products;
        for (std::int64_t token = 0; token < tokens; ++token) {
            const float* row = embed.view()[token].data;
            products.push_back(
                std::inner_product(row, row + embed.shape()[1], table->view()[token].data, 0.0));
        }
        HS_COMPARE(std::span<const double>(products), internals.file().expected("out.grad_x_input"),
                   kInterpretability);
    }

    void logitsWithoutAHeadAreThoseOfTransformers()
    {
        const Internals internals;
        const std::vector<double> expected = internals.file().expected("out.ablate");
        const std::int64_t heads = internals.config().heads;
        const std::int64_t layers = internals.config().layers;
        for (std::int64_t layer = 0; layer < layers; ++layer)
            for (std::int64_t head = 0; head < heads; ++head) {
                Interventions interventions;
                interventions.ablatedHeads = {{static_cast<int>(layer), static_cast<int>(head)}};
                const Tensor logits = *internals.trace(interventions)->find({Site::Logits, 0});
                HS_COMPARE(lastRows(logits, 1),
                           part(expected, layer * heads + head, layers * heads), kInterpretability);
            }
    }

    void everyInstructionSetPasses()
    {
        const QString problem = narrowerIsaProblem();
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
    }
};

HEADSCOPE_TEST(TstGoldenInternals)
#include "tst_golden_internals.moc"

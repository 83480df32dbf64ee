#include "tests/support/golden_blocks.h"

#include "core/model/pass/kv_cache.h"
#include "tests/support/tolerances.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace headscope::test {

namespace {

constexpr TraceKey kPattern{Site::Pattern, 0};
constexpr TraceKey kLatent{Site::Latent, 0};
constexpr TraceKey kRotaryKey{Site::RotaryKey, 0};
constexpr TraceKey kRouter{Site::RouterProbs, 0};
constexpr TraceKey kExperts{Site::ExpertWeights, 0};

/// Appends what it sees of every run.
class Collector : public ActivationObserver
{
public:
    explicit Collector(std::map<TraceKey, std::vector<float>>& seen) : m_seen(seen) {}

    bool wants(TraceKey key) const override
    {
        return key == kPattern || key == kLatent || key == kRotaryKey || key == kRouter ||
               key == kExperts;
    }

    void record(TraceKey key, TensorView activation, std::int64_t) override
    {
        append(activation, m_seen[key]);
    }

private:
    static void append(TensorView view, std::vector<float>& values)
    {
        for (std::int64_t i = 0; i < view.shape[0]; ++i)
            if (view.shape.rank() == 1)
                values.push_back(view(i));
            else
                append(view[i], values);
    }

    std::map<TraceKey, std::vector<float>>& m_seen;
};

std::string named(const std::string& name, const std::string& problem)
{
    return problem.empty() ? problem : name + ": " + problem;
}

} // namespace

std::vector<std::string> GoldenBlock::names()
{
    return {"llama_block", "encoder_block_postln", "mla_norope", "mla_rope", "moe_ffn"};
}

GoldenBlock::GoldenBlock(const std::string& name) : m_file("models/" + name + ".safetensors")
{
    setExtents(name);
    setAttention(name);
    m_config.validate();
    setParameters();
    build(name);
    m_ids.resize(static_cast<std::size_t>(m_sequences * m_length));
    std::iota(m_ids.begin(), m_ids.end(), 0);
    const std::int64_t d = m_config.dModel;
    const Tensor upstream = m_file.tensor("in.dout");
    m_logitGradient = Tensor({m_sequences * m_length, m_config.vocabularySize});
    for (std::int64_t row = 0; row < m_sequences * m_length; ++row)
        std::copy_n(upstream.data() + row * d, d, &m_logitGradient.view()(row, 0));
}

void GoldenBlock::setExtents(const std::string& name)
{
    const nlohmann::json& params = m_file.params();
    const std::vector<std::int64_t> shape = m_file.shape("in.x");
    m_length = shape[shape.size() - 2];
    m_sequences = shape.size() == 3 ? shape[0] : 1;
    m_isSublayer = name.starts_with("mla") || name == "moe_ffn";
    m_config.dModel = shape.back();
    m_config.vocabularySize = std::max(m_sequences * m_length, m_config.dModel);
    m_config.maxLen = m_length;
    m_config.layers = 1;
    m_config.heads = params.value("heads", 1);
    m_config.keyHeads = params.value("kv_heads", 0);
    m_config.dFf = params.value("ff", 0);
    m_config.tieEmbeddings = false;
    m_config.bias = false;
    m_config.activation = Activation::SwiGlu;
    if (name == "moe_ffn") {
        m_config.experts.count = params.at("experts");
        m_config.experts.topK = params.at("top_k");
        m_config.experts.balanceCoefficient = params.at("aux_coef");
    }
}

void GoldenBlock::setAttention(const std::string& name)
{
    const nlohmann::json& params = m_file.params();
    m_config.positions = Positions::None;
    if (name == "encoder_block_postln") {
        m_config.architecture = Architecture::Encoder;
        m_config.normPosition = NormPosition::Post;
        m_config.normEpsilon = params.at("ln_eps");
        m_config.activation = Activation::Relu;
        m_config.bias = true;
        m_keyMask = m_file.bytes("in.key_allowed");
        return;
    }
    m_config.norm = Norm::Rms;
    m_config.normEpsilon = params.value("rms_eps", 1e-6);
    if (params.contains("rope") && params.value("d_rope", 1) > 0) {
        m_config.positions = Positions::Rope;
        m_config.rope.theta = params.at("rope_theta");
        m_config.rope.layout = params.at("rope") == "half" ? RopeSettings::Layout::Half
                                                           : RopeSettings::Layout::Interleaved;
    }
    if (params.contains("kv_rank"))
        m_config.latent = {params.at("kv_rank"), params.at("q_rank"), params.at("d_rope"),
                           params.at("d_nope"), params.at("d_v")};
}

/// "rms1.weight" is "h.0.ln1.weight", "mlp.up.weight" is "h.0.up.weight".
std::string GoldenBlock::parameterName(const std::string& golden) const
{
    if (golden.starts_with("rms"))
        return "h.0.ln" + golden.substr(3);
    if (golden.starts_with("mlp."))
        return "h.0." + golden.substr(4);
    return (m_config.isLatent() ? "h.0.attn." : "h.0.") + golden;
}

void GoldenBlock::setParameters()
{
    m_parameters = ParameterSet(m_config);
    m_gradients = ParameterSet(m_config);
    const Tensor x = m_file.tensor("in.x");
    std::copy_n(x.data(), x.size(), m_parameters.view("tok_emb.weight").data);
    for (std::int64_t i = 0; i < m_config.dModel; ++i)
        m_parameters.view("head.weight")(i, i) = 1.0F;
    for (const auto& [name, stored] : m_file.file().tensors())
        if (name.starts_with("w.")) {
            const Tensor weight = stored.toTensor();
            std::copy_n(weight.data(), weight.size(),
                        m_parameters.view(parameterName(name.substr(2))).data);
        }
}

void GoldenBlock::build(const std::string& name)
{
    StackBuilder stack(m_config, Stack::Blocks, m_counters);
    const ValueRef x = stack.embed();
    if (!m_isSublayer)
        stack.heads(stack.block(0, x));
    else
        stack.heads(name == "moe_ffn" ? stack.feedForwardSublayer(0, x, x)
                                      : stack.attentionSublayer(0, x, x));
    m_program = stack.finish();
    const auto view = [&](const ParameterRef& ref) {
        return ref ? TensorView(m_parameters.values().data() + ref.offset, ref.shape)
                   : TensorView();
    };
    for (const LinearRef& linear : m_counters.linears)
        m_packed.emplace_back(view(linear.weight), view(linear.bias));
}

ModelPass GoldenBlock::makePass(AttentionBackend& backend, std::int64_t firstSequence,
                                std::int64_t sequences)
{
    const auto first = static_cast<std::size_t>(firstSequence * m_length);
    ModelPass pass(m_config, m_program, m_workspace, backend);
    pass.parameters = m_parameters.values().data();
    pass.causal = m_config.hasDecoder();
    pass.wantsLogits = true;
    pass.texts.sequences = sequences;
    pass.texts.queryTokens = m_length;
    pass.texts.ids =
        std::span(m_ids).subspan(first, static_cast<std::size_t>(sequences * m_length));
    pass.texts.keyMask = m_keyMask.empty() ? nullptr : m_keyMask.data() + first;
    if (m_config.experts.count > 0)
        pass.loss.balanceScale = m_config.experts.balanceCoefficient;
    return pass;
}

void GoldenBlock::addForward(ModelPass& pass, Result& result, std::int64_t firstToken)
{
    pass.forward();
    const std::int64_t d = m_config.dModel;
    const Tensor x = m_file.tensor("in.x");
    for (std::int64_t row = 0; row < pass.texts.count(Rows::Query); ++row)
        for (std::int64_t c = 0; c < d; ++c) {
            const float out = m_workspace.logits.data()[row * m_config.vocabularySize + c];
            const float in = x.data()[(firstToken + row) * d + c];
            result.out.push_back(m_isSublayer ? out - in : out);
        }
    result.balance += pass.loss.balanceSum;
}

/// Gradients of this run are added to those of the others.
void GoldenBlock::addBackward(ModelPass& pass, std::int64_t firstToken)
{
    const std::int64_t width = m_config.vocabularySize;
    pass.gradients = m_gradients.values().data();
    pass.logitGradient = {m_logitGradient.data() + firstToken * width,
                          {pass.texts.count(Rows::Query), width}};
    pass.backward();
    m_sum.resize(m_gradients.values().size());
    for (std::size_t i = 0; i < m_sum.size(); ++i)
        m_sum[i] += static_cast<double>(m_gradients.values()[i]);
}

std::string GoldenBlock::resultProblem(const Result& result) const
{
    const std::string name = m_file.contains("out.y") ? "out.y" : "out.out";
    const std::string problem =
        mismatch(std::span<const float>(result.out), m_file.expected(name), kModelOutputs);
    if (!problem.empty() || !m_file.contains("out.loss"))
        return named(name, problem);
    const Tensor upstream = m_file.tensor("in.dout");
    double loss = m_config.experts.balanceCoefficient * result.balance;
    for (std::size_t i = 0; i < upstream.size(); ++i)
        loss += static_cast<double>(upstream.data()[i]) * static_cast<double>(result.out[i]);
    const std::vector<double> got{result.balance, loss};
    const std::vector<double> expected{m_file.expected("out.aux_loss")[0],
                                       m_file.expected("out.loss")[0]};
    return named("balancing loss, loss",
                 mismatch(std::span<const double>(got), expected, kModelOutputs));
}

std::string GoldenBlock::gradientProblem() const
{
    const auto problemOf = [&](const std::string& name, const std::string& golden) {
        std::vector<double> got;
        for (const ParameterSpec& spec : m_gradients.specs())
            if (spec.name == name)
                got.assign(m_sum.begin() + static_cast<std::ptrdiff_t>(spec.offset),
                           m_sum.begin() + static_cast<std::ptrdiff_t>(spec.offset) +
                               spec.shape.elementCount());
        const std::vector<double> expected = m_file.expected("grad." + golden);
        if (golden == "x") {
            got.resize(expected.size()); // the table may have more rows than there are tokens
            const Tensor upstream = m_file.tensor("in.dout");
            for (std::size_t i = 0; m_isSublayer && i < got.size(); ++i)
                got[i] -= static_cast<double>(upstream.data()[i]);
        }
        return named(name, mismatch(std::span<const double>(got), expected, kModelGradients));
    };
    std::string problem = problemOf("tok_emb.weight", "x");
    for (const auto& [name, stored] : m_file.file().tensors())
        if (problem.empty() && name.starts_with("w."))
            problem = problemOf(parameterName(name.substr(2)), name.substr(2));
    return problem;
}

std::string GoldenBlock::observationProblem(const Result& result) const
{
    const std::pair<TraceKey, const char*> sites[]{{kPattern, "out.attn"},
                                                   {kLatent, "out.latent"},
                                                   {kRotaryKey, "out.k_rope"},
                                                   {kRouter, "out.router_probs"}};
    for (const auto& [key, name] : sites) {
        if (!m_file.contains(name))
            continue;
        const auto found = result.observed.find(key);
        if (found == result.observed.end())
            return toString(key) + " was not observed";
        const std::string problem =
            mismatch(std::span<const float>(found->second), m_file.expected(name), kModelOutputs);
        if (!problem.empty())
            return named(name, problem);
    }
    return m_config.experts.count > 0 ? routerProblem(result) : std::string();
}

std::string GoldenBlock::routerProblem(const Result& result) const
{
    const auto experts = static_cast<std::size_t>(m_config.experts.count);
    const auto topK = static_cast<std::size_t>(m_config.experts.topK);
    const std::vector<std::int64_t> chosen = m_file.integers("out.topk_index");
    const std::vector<double> weights = m_file.expected("out.topk_weight");
    std::vector<double> expected(m_ids.size() * experts);
    for (std::size_t i = 0; i < chosen.size(); ++i)
        expected[i / topK * experts + static_cast<std::size_t>(chosen[i])] = weights[i];
    const std::vector<float>& got = result.observed.at(kExperts);
    const std::string problem = mismatch(std::span<const float>(got), expected, kModelOutputs);
    if (!problem.empty())
        return named("out.topk_weight", problem);
    std::vector<double> fraction(experts);
    for (std::size_t i = 0; i < got.size(); ++i)
        fraction[i % experts] += got[i] != 0.0F ? 1.0 / static_cast<double>(chosen.size()) : 0.0;
    return named("out.expert_fraction",
                 mismatch(std::span<const double>(fraction), m_file.expected("out.expert_fraction"),
                          kModelOutputs));
}

std::string GoldenBlock::trainingProblem(AttentionBackend& backend)
{
    m_sum.clear();
    Result result;
    ModelPass pass = makePass(backend, 0, m_sequences);
    pass.training = true;
    addForward(pass, result, 0);
    addBackward(pass, 0);
    const std::string problem = resultProblem(result);
    return problem.empty() ? gradientProblem() : problem;
}

std::string GoldenBlock::observedProblem(AttentionBackend& backend)
{
    m_sum.clear();
    Result result;
    Collector collector(result.observed);
    for (std::int64_t sequence = 0; sequence < m_sequences; ++sequence) {
        ModelPass pass = makePass(backend, sequence, 1);
        pass.training = true;
        pass.observer = &collector;
        addForward(pass, result, sequence * m_length);
        addBackward(pass, sequence * m_length);
    }
    std::string problem = resultProblem(result);
    if (problem.empty())
        problem = observationProblem(result);
    return problem.empty() ? gradientProblem() : problem;
}

std::string GoldenBlock::inferenceProblem(AttentionBackend& backend)
{
    Result result;
    // The balancing loss is that of a whole sequence.
    const bool stepwise = m_config.hasDecoder() && m_config.experts.count == 0;
    for (std::int64_t sequence = 0; sequence < m_sequences; ++sequence) {
        KvCache cache(m_config);
        const std::int64_t count = stepwise ? 1 : m_length;
        for (std::int64_t first = 0; first < m_length; first += count) {
            ModelPass pass = makePass(backend, sequence, 1);
            pass.packed = &m_packed;
            pass.cache = m_config.hasDecoder() ? &cache : nullptr;
            pass.texts.firstPosition = first;
            pass.texts.queryTokens = count;
            pass.texts.ids = pass.texts.ids.subspan(static_cast<std::size_t>(first),
                                                    static_cast<std::size_t>(count));
            addForward(pass, result, sequence * m_length + first);
            cache.grow(count);
        }
    }
    return resultProblem(result);
}

} // namespace headscope::test

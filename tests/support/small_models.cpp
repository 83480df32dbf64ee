#include "tests/support/small_models.h"

#include "core/base/random.h"

#include <cmath>
#include <fmt/format.h>

namespace headscope::test {

Model goldenModel(const GoldenFile& file)
{
    const nlohmann::json& params = file.params();
    ModelConfig config;
    config.vocabularySize = file.shape("w.tok_emb.weight")[0];
    config.dModel = file.shape("w.tok_emb.weight")[1];
    config.maxLen = file.shape("w.pos_emb.weight")[0];
    config.heads = params.at("heads").get<std::int64_t>();
    config.layers = params.at("layers").get<std::int64_t>();
    config.dFf = file.shape("w.h.0.fc1.weight")[0];
    config.normEpsilon = params.at("ln_eps").get<double>();
    config.activation =
        params.value("gelu", "exact") == "tanh" ? Activation::GeluTanh : Activation::GeluExact;
    ParameterSet parameters(config);
    for (const ParameterSpec& spec : parameters.specs()) {
        const Tensor stored = file.tensor("w." + spec.name);
        std::copy_n(stored.data(), stored.size(), parameters.view(spec).data);
    }
    return {config, std::move(parameters)};
}

ModelConfig smallConfig()
{
    ModelConfig config;
    config.vocabularySize = 37;
    config.dModel = 32;
    config.heads = 4;
    config.layers = 3;
    config.dFf = 72;
    config.maxLen = 24;
    config.initStd = 0.3;
    return config;
}

LoadedModel smallModel(std::uint64_t seed, const ModelConfig& config)
{
    LoadedModel loaded;
    loaded.name = "small";
    loaded.model = std::make_shared<const Model>(Model::initialised(config, seed));
    return loaded;
}

TokenSequence tokensOf(const std::vector<TokenId>& ids)
{
    TokenSequence sequence;
    for (const TokenId id : ids) {
        const std::size_t begin = sequence.text.size();
        sequence.text += fmt::format("{} ", id);
        sequence.tokens.push_back({id, {begin, sequence.text.size()}, false});
    }
    return sequence;
}

std::vector<TokenId> randomIds(std::uint64_t seed, std::size_t count, std::int64_t vocabulary)
{
    Random random(seed);
    std::vector<TokenId> ids(count);
    for (TokenId& id : ids)
        id = static_cast<TokenId>(random.below(static_cast<std::uint64_t>(vocabulary)));
    return ids;
}

std::string traceDifference(const Trace& got, const Trace& expected, double tolerance)
{
    if (got.tokens().ids() != expected.tokens().ids())
        return "the tokens differ";
    const auto countOf = [](const Trace& trace) {
        const std::size_t omitted = trace.omitted() ? trace.omitted()->keys().size() : 0;
        return trace.activations().size() + trace.retainedPatterns().size() + omitted;
    };
    if (countOf(got) != countOf(expected))
        return fmt::format("{} activations where {} were expected", countOf(got),
                           countOf(expected));
    for (const auto& [key, wanted] : expected.activations()) {
        const std::shared_ptr<const Tensor> found = got.find(key);
        if (!found || found->shape() != wanted->shape())
            return fmt::format("{} is missing or has another shape", toString(key));
        const std::vector<double> values(wanted->values().begin(), wanted->values().end());
        const std::string problem = mismatch(found->values(), values, {tolerance, 0.0});
        if (!problem.empty())
            return toString(key) + ": " + problem;
    }
    return {};
}

} // namespace headscope::test

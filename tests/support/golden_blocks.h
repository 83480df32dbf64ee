#pragma once

#include "core/model/layers/stack_builder.h"
#include "core/model/pass/model_pass.h"
#include "tests/support/golden.h"

#include <map>
#include <string>
#include <vector>

namespace headscope::test {

/// One golden file "models/NAME.safetensors" that holds a single block or sublayer, run through the
/// layers of a model: in.x as the table of token embeddings, an untied head that is the identity,
/// in.dout as the gradient of the logits. All results are "" or where something differs.
class GoldenBlock
{
public:
    explicit GoldenBlock(const std::string& name);

    static std::vector<std::string> names(); ///< of all files that this class can run

    /// The whole batch at once, forward and back: result, losses, every gradient.
    std::string trainingProblem(AttentionBackend& backend);

    /// The same with an observer, one sequence after the other: patterns, latents, router too.
    std::string observedProblem(AttentionBackend& backend);

    /// Packed weights; where the mask is causal one token at a time, with a cache.
    std::string inferenceProblem(AttentionBackend& backend);

private:
    void setExtents(const std::string& name);
    void setAttention(const std::string& name);
    void setParameters();
    void build(const std::string& name);
    std::string parameterName(const std::string& golden) const;

    struct Result
    {
        std::vector<float> out; ///< [tokens, d], what the file calls its result
        std::map<TraceKey, std::vector<float>> observed;
        double balance = 0.0;
    };

    ModelPass makePass(AttentionBackend& backend, std::int64_t firstSequence,
                       std::int64_t sequences);
    void addForward(ModelPass& pass, Result& result, std::int64_t firstToken);
    void addBackward(ModelPass& pass, std::int64_t firstToken);
    std::string resultProblem(const Result& result) const;
    std::string gradientProblem() const;
    std::string observationProblem(const Result& result) const;
    std::string routerProblem(const Result& result) const;

    GoldenFile m_file;
    ModelConfig m_config;
    ParameterSet m_parameters;
    ParameterSet m_gradients;  ///< of one run
    std::vector<double> m_sum; ///< of all runs, as m_gradients lies
    Program m_program;
    BuildCounters m_counters;
    std::vector<PackedLinear> m_packed;
    Workspace m_workspace;
    std::vector<std::int32_t> m_ids;
    std::vector<std::uint8_t> m_keyMask;
    Tensor m_logitGradient;
    std::int64_t m_sequences = 1;
    std::int64_t m_length = 0;
    bool m_isSublayer = false; ///< the file's result is without the residual stream
};

} // namespace headscope::test

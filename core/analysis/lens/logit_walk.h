#pragma once

#include "core/analysis/lens/frozen_norm.h"
#include "core/analysis/lens/logit_attribution.h"

namespace headscope {

/// Follows one logit back through everything that was added to its stream.
class LogitWalk
{
public:
    /// Throws as logitAttribution.
    LogitWalk(const Trace& trace, const Model& model, const LogitTarget& target);

    LogitAttribution all();

    /// [heads * channels]: what z of the attention of that layer is multiplied with.
    Direction towardsHeads(int wanted, bool cross);

    const LogitTarget& target() const { return m_target; }

    Stack stack() const { return m_stack; }

    const float* row(TraceKey key) const; ///< of the target's position

    /// What one head's channels of z add.
    double headValue(const Direction& pulled, const float* z, std::int64_t head) const;

private:
    std::shared_ptr<const Tensor> find(TraceKey key) const { return m_trace.find(key); }

    std::int64_t width() const { return m_config.dModel; }

    bool hasCross() const { return m_config.isEncoderDecoder(); }

    bool isPost() const { return m_config.normPosition == NormPosition::Post; }

    TraceKey at(Site site, int layer) const { return {site, layer, m_stack}; }

    std::string prefix(int layer) const;
    std::vector<float> stream(Site site, int layer) const;
    std::vector<float> lastStream() const;
    std::vector<float> beforeMlp(int layer) const;
    std::vector<float> segmentRow() const;
    std::vector<float> embedded() const;
    double recordedLogit() const;
    double headBias() const;
    Direction pulledBack(int layer, bool cross) const;

    void add(LogitPartKind kind, int layer, double value, bool cross = false);
    void addNormBias(LogitNorm norm, int layer, double value);
    void addReplaced(int layer, const std::vector<float>& is, const std::vector<double>& computed);
    void addReplacedOutput(int layer, bool cross, double parts);

    void fromLogits();
    void throughFinalNorm();
    void throughNorm(const std::string& name, LogitNorm which, int layer,
                     const std::vector<float>& x, const std::vector<float>& is);
    void throughBlock(int layer);
    void beforeBlockEnd(int layer);
    void throughMlp(int layer);
    void closeSublayer(int layer, const std::vector<float>& sum, const std::vector<float>& is,
                       const char* norm, LogitNorm which);
    void beforeAttention(int layer, bool cross);
    void throughAttention(int layer, bool cross);
    void throughEmbeddings();

    const Trace& m_trace;
    const Model& m_model;
    const ModelConfig& m_config;
    Stack m_stack;
    LogitTarget m_target;
    int m_layers;
    Direction m_direction;          ///< what a part of the stream is multiplied with here
    std::vector<LogitPart> m_parts; ///< from the logits back
};

} // namespace headscope

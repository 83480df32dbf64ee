#pragma once

#include "core/analysis/lens/frozen_norm.h"
#include "core/analysis/lens/logit_attribution.h"
#include "core/analysis/lens/recorded_stream.h"

namespace headscope {

/// Follows one logit back through everything that was added to its residual stream.
class LogitWalk
{
public:
    /// Throws as logitAttribution.
    LogitWalk(const Trace& trace, const Model& model, const LogitTarget& target);

    LogitAttribution all();

    /// Factors [heads * channels] of z of that layer's attention.
    Direction towardsHeads(int wanted, bool cross);

    const LogitTarget& target() const { return m_target; }

    Stack stack() const { return m_recorded.stack(); }

    const RecordedStream& recorded() const { return m_recorded; }

    /// Contribution of one head's channels of z.
    double headValue(const Direction& pulled, const float* z, std::int64_t head) const;

private:
    bool hasCross() const { return m_config.isEncoderDecoder(); }

    bool isPost() const { return m_config.normPosition == NormPosition::Post; }

    std::string prefix(int layer) const;
    double ofTarget(const float* values) const;
    Direction pulledBack(int layer, bool cross) const;
    double throughOutput(int layer, bool cross);
    std::vector<float> projectedHeads(int layer, bool cross) const;

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
    std::vector<float> sublayerSum(std::vector<float> before, const float* added) const;
    void leaveSublayer();
    void closeSublayer(int layer, const std::vector<float>& sum, const std::vector<float>& is,
                       const char* norm, LogitNorm which);
    void beforeAttention(int layer, bool cross);
    void throughAttention(int layer, bool cross);
    void throughEmbeddings();

    const Model& m_model;
    const ModelConfig& m_config;
    LogitTarget m_target;
    RecordedStream m_recorded;
    Direction m_direction;          ///< Current factors of a part of the stream.
    Direction m_added;              ///< Those of an attention output before its norm and factor.
    std::vector<LogitPart> m_parts; ///< Parts found so far, from the logits back.
};

} // namespace headscope

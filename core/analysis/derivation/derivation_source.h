#pragma once

#include "core/analysis/derivation/derivation.h"

#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace headscope::derive_detail {

/// True for a lens of the residual stream, false for the model's own logits.
bool isLens(const NumberRef& probability);

/// Reads numbers from a trace and its model's weights.
class Source
{
public:
    Source(const Trace& trace, const Model& model);

    const Trace& trace; ///< These three are borrowed.
    const Model& model;
    const ModelConfig& config;

    /// Positions in force: those of an intervention, else the model's.
    Positions positions = Positions::None;
    double base = 10000.0; ///< Their N or theta.
    bool replaced = false; ///< Replaced by an intervention: plain rotary settings.

    bool has(TraceKey key) const { return shapeOf(key).has_value(); }

    /// As Trace::shapeOf(). Scores that the trace does not contain follow from queries and keys.
    std::optional<Shape> shapeOf(TraceKey key) const;

    /// Scores [keys] of one query, -infinity where the mask hides the key. Needs has(scores).
    const std::vector<double>& scoreRow(TraceKey scores, std::int64_t head,
                                        std::int64_t query) const;

    bool hasParameter(const std::string& name) const;

    double activation(TraceKey key, const std::vector<std::int64_t>& index) const;
    double parameter(const std::string& name, const std::vector<std::int64_t>& index) const;

    /// Value of any number; outputs of norms are computed.
    double value(const NumberRef& number) const;

    Factor factor(const std::string& name, NumberRef of) const;
    Factor at(const std::string& name, TraceKey key, std::vector<std::int64_t> index) const;
    Factor weight(const std::string& name, const std::string& parameter,
                  std::vector<std::int64_t> index) const;
    static Factor constant(const std::string& name, double value);

    std::string prefix(TraceKey key) const; ///< For example "h.0", "enc.0", "dec.0".
    std::vector<Factor> normSummands(const NumberRef& input) const; ///< Summands of a NormInput.
    /// Norm input of the whole token.
    std::vector<double> normInputRow(const NumberRef& norm) const;

    /// Input of a sublayer: a norm's output before it, or the residual stream itself.
    NumberRef sublayerInput(TraceKey key, const char* norm, Site stream, std::int64_t token) const;

    std::int64_t tokenCount(TraceKey key) const;

    /// Logits of the token's whole row.
    std::vector<double> logitsOf(const NumberRef& probability) const;
    double contribution(const NumberRef& number) const;

private:
    using ScoreRow = std::tuple<TraceKey, std::int64_t, std::int64_t>; ///< Scores, head, query.

    mutable std::map<ScoreRow, std::vector<double>> m_scores;
    /// [m, d] per query.
    mutable std::map<std::pair<TraceKey, std::int64_t>, Tensor> m_contributions;
};

} // namespace headscope::derive_detail

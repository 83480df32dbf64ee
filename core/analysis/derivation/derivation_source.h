#pragma once

#include "core/analysis/derivation/derivation.h"

#include <map>
#include <utility>

namespace headscope::derive_detail {

/// True of a lens of a stream, false of the model's own logits.
bool isLens(const NumberRef& probability);

/// The trace and the weights as one place to read numbers from.
class Source
{
public:
    Source(const Trace& trace, const Model& model);

    const Trace& trace; ///< the three are borrowed
    const Model& model;
    const ModelConfig& config;

    Positions positions = Positions::None; ///< in force: those of an intervention, else the model's
    double base = 10000.0;                 ///< their N or theta
    bool replaced = false;                 ///< by an intervention: plain rotary settings

    bool has(TraceKey key) const { return trace.find(key) != nullptr; }

    bool hasParameter(const std::string& name) const;

    double activation(TraceKey key, const std::vector<std::int64_t>& index) const;
    double parameter(const std::string& name, const std::vector<std::int64_t>& index) const;

    /// Any number: of norms it is computed.
    double value(const NumberRef& number) const;

    Factor factor(const std::string& name, NumberRef of) const;
    Factor at(const std::string& name, TraceKey key, std::vector<std::int64_t> index) const;
    Factor weight(const std::string& name, const std::string& parameter,
                  std::vector<std::int64_t> index) const;
    static Factor constant(const std::string& name, double value);

    std::string prefix(TraceKey key) const;                         ///< "h.0", "enc.0", "dec.0"
    std::vector<Factor> normSummands(const NumberRef& input) const; ///< what a NormInput adds up
    std::vector<double> normInputRow(const NumberRef& norm) const;  ///< of the whole token

    /// What a sublayer reads: a norm's output before it, or the stream itself.
    NumberRef sublayerInput(TraceKey key, const char* norm, Site stream, std::int64_t token) const;

    std::int64_t tokenCount(TraceKey key) const;

    std::vector<double> logitsOf(const NumberRef& probability) const; ///< of the token's whole row
    double contribution(const NumberRef& number) const;

private:
    mutable std::map<std::pair<TraceKey, std::int64_t>, Tensor> m_contributions; ///< [m, d] a query
};

} // namespace headscope::derive_detail

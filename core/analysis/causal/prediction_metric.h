#pragma once

#include "core/model/pass/gradient_trace.h"
#include "core/trace/trace.h"

namespace headscope {

/// Throws a one-sentence Error if the metric cannot be read from the logits of such a text: no
/// language head, no such position or token, a next-token loss where the model does not predict the
/// next token or there is only one token.
void checkMetric(const ModelConfig& config, std::span<const TokenId> ids,
                 const GradientTarget& metric);

/// The metric of causal tests: a logit, a logit difference, or the mean loss in nats. `logits`
/// [rows, V] are those of the last rows of the text. Sums in double.
double metricOf(const GradientTarget& metric, std::span<const TokenId> ids, TensorView logits);

/// The same of a trace that has logits; only the rows that the metric reads are computed.
double metricOf(const GradientTarget& metric, const Trace& trace);

/// The row that the metric reads; none for a loss, which reads many.
std::optional<std::int64_t> metricRow(const GradientTarget& metric, std::int64_t tokens);

} // namespace headscope

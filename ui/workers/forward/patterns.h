#pragma once

#include "core/model/config/model_config.h"
#include "core/trace/trace.h"
#include "ui/widgets/heads/head_grid.h"

#include <map>
#include <vector>

namespace headscope::ui {

/// One family of attention: that of the only stack, of an encoder-decoder's encoder or decoder on
/// themselves, or of its decoder on the source.
enum class AttentionPart { Self, Encoder, Decoder, Cross };

/// Of a model, in the order in which they are computed; of a trace, those it has patterns of.
std::vector<AttentionPart> partsOf(const ModelConfig& config);
std::vector<AttentionPart> partsOf(const Trace& trace);

TraceKey patternKey(AttentionPart part, int layer);
TraceKey scoresKey(AttentionPart part, int layer);
Stack stackOf(AttentionPart part);

/// "", "encoder", "decoder", "cross": short words for titles and files.
QString partName(AttentionPart part);

int layerCount(const Trace& trace, AttentionPart part);
int headCount(const Trace& trace, AttentionPart part);

/// The tokens that look (rows) and those that are looked at (columns).
const TokenSequence& queryTokens(const Trace& trace, AttentionPart part);
const TokenSequence& keyTokens(const Trace& trace, AttentionPart part);

/// The cells that nobody could see, as maps draw them, from the trace's own settings.
HeatmapMask maskOf(const Trace& trace, AttentionPart part = AttentionPart::Self);

/// One head of a [heads, n, m] activation, sharing its memory. Empty when there is no such head.
HeatmapMatrix patternOf(const std::shared_ptr<const Tensor>& pattern, int head);
HeatmapMatrix patternOf(const Trace& trace, AttentionPart part, HeadIndex index);

using PartThumbnails = std::map<AttentionPart, std::vector<ThumbnailPtr>>; ///< layer-major

/// b - a, cell by cell; empty when they differ in size.
HeatmapMatrix differenceOf(const HeatmapMatrix& a, const HeatmapMatrix& b);

} // namespace headscope::ui

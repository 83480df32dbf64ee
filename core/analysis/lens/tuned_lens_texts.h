#pragma once

#include "core/analysis/lens/tuned_lens_training.h"

namespace headscope {

/// Called with (done, all) tokens; may be empty.
using TokensProgress = std::function<void(std::int64_t done, std::int64_t all)>;

/// Texts for a lens: the given ones, then what the model itself writes until there are
/// `settings.tokens`, sampled at temperature 1. Decoders continue beginnings of the given texts and
/// the empty text, encoder-decoders answer given sources and such with some tokens exchanged,
/// encoders rewrite given texts token by token (Wang, Cho 2019, "BERT has a Mouth, and It Must
/// Speak"). The same seed, the same texts. Throws Error where there is nothing to begin with,
/// Cancelled when `stop` asks.
std::vector<SourceAndTarget> lensTexts(const LoadedModel& model, std::vector<SourceAndTarget> given,
                                       const TunedLensSettings& settings,
                                       const TokensProgress& progress = {},
                                       const std::stop_token& stop = {});

} // namespace headscope

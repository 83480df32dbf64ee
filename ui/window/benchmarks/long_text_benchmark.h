#pragma once

#include "core/attention/backend_registry.h"
#include "core/model/pass/tracer.h"

#include <string>
#include <vector>

namespace headscope::ui {

/// One step from a long text to its maps.
struct LongTextTiming
{
    std::string step;
    std::string model;
    int tokens = 0;
    double wallMs = 0.0;
    double cpuMs = 0.0;   ///< Processor time of all threads: other programs do not count.
    double peakMiB = 0.0; ///< Largest resident memory of the process meanwhile.
    double ofPlain = 0.0; ///< Processor time as a fraction of the plain pass's.
};

/// Times a plain forward pass with the logits of every token and with those of the last, the pass
/// that the window makes, the first head's map with its image,
/// and the thumbnails of all heads. Median of `rounds` by processor time, interleaved. A text longer
/// than the model's context is truncated.
std::vector<LongTextTiming> measureLongText(const LoadedModel& model,
                                            const BackendRegistry& registry,
                                            const std::string& device, int tokens, int rounds);

} // namespace headscope::ui

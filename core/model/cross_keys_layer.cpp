#include "core/model/cross_keys_layer.h"

#include "core/model/run.h"

namespace headscope {

void CrossKeysLayer::forward(Run& run) const
{
    if (run.cache == nullptr || !run.cache->crossReady())
        run.linear(m_linear, run.value(m_in), run.value(m_out));
    noteParts(run);
}

} // namespace headscope

#pragma once

#include "core/tensor/tensor.h"
#include "core/trace/activation_observer.h"

#include <vector>

namespace headscope {

/// Retains one site of all layers, each [heads, n, m]: Site::Pattern or Site::CrossPattern.
class PatternKeeper final : public ActivationObserver
{
public:
    explicit PatternKeeper(Site site) : m_site(site) {}

    bool wants(TraceKey key) const override { return key.site == m_site; }

    void record(TraceKey key, TensorView activation, std::int64_t firstRow) override;

    std::vector<Tensor> patterns;

private:
    Site m_site;
};

} // namespace headscope

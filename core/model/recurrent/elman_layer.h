#pragma once

#include "core/model/recurrent/recurrent_layer.h"

namespace headscope {

/// The simple recurrent network: the state is a tanh of everything before (torch.nn.RNN).
class ElmanLayer final : public RecurrentLayer
{
public:
    ElmanLayer() : RecurrentLayer(RecurrentKind::Elman) {}

private:
    void begin(const RecurrentState&, std::int64_t) override {}

    void activate(std::int64_t step) override;

    void end(RecurrentState&, std::int64_t) const override {}

    void beginBackward() override {}

    void differentiate(std::int64_t step, TensorView dHidden) override;
};

} // namespace headscope

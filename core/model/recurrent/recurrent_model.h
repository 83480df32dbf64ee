#pragma once

#include "core/model/recurrent/recurrent_config.h"
#include "core/text/tokenizers/tokenizer.h"

#include <span>
#include <vector>

namespace headscope {

/// What a recurrent model carries from one token to the next: one state per layer, of the same size
/// after any number of tokens.
struct RecurrentMemory
{
    std::vector<RecurrentState> layers;

    std::size_t byteCount() const;
};

/// A trained or freshly initialised recurrent language model.
class RecurrentModel
{
public:
    /// Zeros; fill values() or use initialised().
    explicit RecurrentModel(const RecurrentConfig& config);

    /// Random parameters, as PyTorch's layers begin: uniform within 1 / sqrt(hidden), embeddings
    /// N(0, 1). The same seed gives the same numbers.
    static RecurrentModel initialised(const RecurrentConfig& config, std::uint64_t seed);

    const RecurrentConfig& config() const { return m_config; }

    const std::vector<ParameterSpec>& layout() const { return m_layout; }

    std::span<float> values() { return m_values.values(); } ///< All parameters.

    std::span<const float> values() const { return m_values.values(); }

    TensorView view(std::string_view name) const; ///< Throws ShapeError for an unknown name.

    RecurrentMemory emptyMemory(std::int64_t rows = 1) const;

    /// Logits [ids, V] of one sequence that continues what `memory` has read.
    Tensor forward(std::span<const TokenId> ids, RecurrentMemory& memory) const;

private:
    RecurrentConfig m_config;
    std::vector<ParameterSpec> m_layout;
    Tensor m_values;
};

/// Views into a buffer of recurrentLayout().
template<class View>
struct RecurrentViews
{
    View embedding;
    std::vector<RecurrentWeights<View>> layers;
    View head;
    View headBias;
};

template<class View, class Value>
RecurrentViews<View> recurrentViews(const std::vector<ParameterSpec>& layout, Value* values)
{
    std::size_t next = 0;
    const auto take = [&] {
        const ParameterSpec& spec = layout[next++];
        return View(values + spec.offset, spec.shape);
    };
    RecurrentViews<View> views;
    views.embedding = take();
    while (next + 2 < layout.size()) {
        RecurrentWeights<View> layer;
        layer.inputs = take();
        layer.states = take();
        layer.bias = take();
        views.layers.push_back(layer);
    }
    views.head = take();
    views.headBias = take();
    return views;
}

} // namespace headscope

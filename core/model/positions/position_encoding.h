#pragma once

#include "core/model/config/model_config.h"
#include "core/ops/relative_bias.h"
#include "core/tensor/tensor.h"

#include <optional>
#include <string>
#include <string_view>

namespace headscope {

struct PositionsChoice;

/// A table that every stack of a model learns: "pos_emb.weight".
struct PositionParameter
{
    std::string name;
    Shape shape;
};

/// The scores of one stack, to which a bias by distance is added.
struct BiasedScores
{
    bool bidirectional = false;     ///< keys ahead of the query count too
    std::int64_t firstPosition = 0; ///< of the queries
    RelativeBiasScratch* memory = nullptr;
};

/// How the order of tokens enters a model. One object an encoding, without state; the table of them
/// is position_encodings.cpp.
class PositionEncoding
{
public:
    struct Traits
    {
        Positions kind = Positions::None;
        std::string_view name = {};  ///< in files and on the command line: "rope"
        std::string_view words = {}; ///< in a sentence: "rotary positions"
        std::string_view base = {};  ///< what a number after the name means, as in "rope:THETA"
        bool addsVectors = false;    ///< to embeddings: a learned table's rows, or vectors()
        bool turns = false;          ///< queries and keys, as config.rope says
        bool addsBias = false;       ///< to scores: bias() of a learned table
    };

    explicit PositionEncoding(const Traits& traits) : m_traits(traits) {}

    PositionEncoding(const PositionEncoding&) = delete;
    PositionEncoding& operator=(const PositionEncoding&) = delete;
    virtual ~PositionEncoding() = default;

    const Traits& traits() const { return m_traits; }

    /// Throws Error for a setting of its own that is out of range, whatever the model's encoding.
    virtual void checkSettings(const ModelConfig& /*config*/) const {}

    /// Throws Error for a model that cannot have it.
    virtual void check(const ModelConfig& /*config*/) const {}

    /// Throws ShapeError where it cannot take the place of the model's own.
    virtual void checkInstead(const ModelConfig& /*config*/, const PositionsChoice& choice) const;

    /// What is learned, if anything is.
    virtual std::optional<PositionParameter> parameter(const ModelConfig& /*config*/) const
    {
        return std::nullopt;
    }

    /// Vectors added to embeddings that are not learned, [count, dModel], or nothing.
    virtual Tensor vectors(const ModelConfig& /*config*/, std::int64_t /*count*/,
                           double /*base*/) const
    {
        return {};
    }

    /// What each head subtracts from a score for each token of distance, [heads], or nothing.
    virtual Tensor slopes(const ModelConfig& /*config*/) const { return {}; }

    /// bias [heads, queries, keys] of the learned table, overwritten.
    virtual void bias(const ModelConfig& /*config*/, const BiasedScores& /*scores*/,
                      TensorView /*table*/, MutableTensorView /*bias*/) const
    {
    }

    /// Adds the bias's gradient to the table's.
    virtual void biasBackward(const ModelConfig& /*config*/, const BiasedScores& /*scores*/,
                              TensorView /*biasGradient*/,
                              MutableTensorView /*tableGradient*/) const
    {
    }

private:
    Traits m_traits;
};

} // namespace headscope

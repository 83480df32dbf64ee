#pragma once

#include "core/model/config/model_config.h"
#include "core/ops/relative_bias.h"
#include "core/tensor/tensor.h"

#include <optional>
#include <string>
#include <string_view>

namespace headscope {

struct PositionsChoice;

/// A matrix that every stack of a model learns: "pos_emb.weight".
struct PositionParameter
{
    std::string name;
    Shape shape;
};

/// Scores of one stack, to which a relative position bias is added.
struct BiasedScores
{
    bool bidirectional = false;     ///< True when keys after the query count too.
    std::int64_t firstPosition = 0; ///< Position of the first query.
    RelativeBiasScratch* memory = nullptr;
};

/// How the order of tokens enters a model. One stateless object per encoding; all are listed in
/// position_encodings.cpp.
class PositionEncoding
{
public:
    struct Traits
    {
        Positions kind = Positions::None;
        std::string_view name = {};  ///< Name in files and on the command line: "rope".
        std::string_view words = {}; ///< Words for a sentence: "rotary positions".
        std::string_view base = {};  ///< Meaning of a number after the name, as in "rope:THETA".
        bool addsVectors = false;    ///< Adds to embeddings: a learned matrix's rows, or vectors().
        bool turns = false;          ///< Rotates queries and keys, as config.rope says.
        bool addsBias = false;       ///< Adds to scores: bias() of a learned matrix.
    };

    explicit PositionEncoding(const Traits& traits) : m_traits(traits) {}

    PositionEncoding(const PositionEncoding&) = delete;
    PositionEncoding& operator=(const PositionEncoding&) = delete;
    virtual ~PositionEncoding() = default;

    const Traits& traits() const { return m_traits; }

    /// Throws Error for one of its own settings that is out of range, whatever the model's
    /// encoding.
    virtual void checkSettings(const ModelConfig& /*config*/) const {}

    /// Throws Error for a model that does not support it.
    virtual void check(const ModelConfig& /*config*/) const {}

    /// Throws ShapeError where it cannot replace the model's own.
    virtual void checkInstead(const ModelConfig& /*config*/, const PositionsChoice& choice) const;

    /// Learned parameter, if any.
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

    /// Amount that each head subtracts from a score per token of distance, [heads], or nothing.
    virtual Tensor slopes(const ModelConfig& /*config*/) const { return {}; }

    /// Computes bias [heads, queries, keys] from the learned matrix, overwriting it.
    virtual void bias(const ModelConfig& /*config*/, const BiasedScores& /*scores*/,
                      TensorView /*table*/, MutableTensorView /*bias*/) const
    {
    }

    /// Adds the gradient of the bias to that of the matrix.
    virtual void biasBackward(const ModelConfig& /*config*/, const BiasedScores& /*scores*/,
                              TensorView /*biasGradient*/,
                              MutableTensorView /*tableGradient*/) const
    {
    }

private:
    Traits m_traits;
};

} // namespace headscope

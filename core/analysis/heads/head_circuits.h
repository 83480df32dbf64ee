#pragma once

#include "core/model/model.h"

#include <complex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace headscope {

/// Whether the gain of the preceding norm is multiplied into a matrix. Nothing is centred in either
/// case, and the norm's division by the size of the residual stream is not part of a circuit.
enum class NormGains {
    AsStored, ///< Weights as stored in the file.
    /// W_Q, W_K, W_V times the gain before attention, W_U times that of the final norm (as
    /// TransformerLens folds). Equal to AsStored in post-norm models, where no norm lies between
    /// the residual stream and what reads it.
    Folded,
};

/// A head's four matrices in the row-vector convention (Elhage et al. 2021, "A Mathematical
/// Framework for Transformer Circuits"): q = x W_Q, and its output is A x W_V W_O. With shared key
/// heads W_K and W_V are those of the group. Biases belong to no circuit. With rotary positions W_Q
/// W_K^T is that of a query and a key at the same position, before any rotation; position biases
/// are added separately.
struct HeadMatrices
{
    Tensor query;  ///< W_Q [d, d_k].
    Tensor key;    ///< W_K [d, d_k].
    Tensor value;  ///< W_V [d, d_v].
    Tensor output; ///< W_O [d_v, d].
};

/// Reason why circuits are not defined for a model: latent attention has a norm between the
/// residual stream and its keys and values, so no single matrix represents them. Empty when they
/// are defined.
std::string whyNoCircuits(const ModelConfig& config);

/// Throws Error if whyNoCircuits is not empty, ShapeError for a head out of range.
HeadMatrices headMatrices(const Model& model, HeadId place, NormGains gains = NormGains::AsStored);

/// Singular values of W_Q W_K^T and W_V W_O [d, d], largest first: at most d_k of them (d_v), the
/// others are 0.
struct CircuitSpectra
{
    std::vector<double> queryKey;
    std::vector<double> outputValue;
};

CircuitSpectra circuitSpectra(const HeadMatrices& head);

/// W_U W_E as [d, d], with W_E [V, d] the token embeddings and W_U [d, V] the unembedding: shared
/// by all copying scores of a model, so that no matrix [V, V] is needed. Computed for one choice of
/// gains.
struct VocabularyCircuit
{
    Tensor product;
    NormGains gains = NormGains::AsStored;
};

/// Reason why copying is not defined for a model: no language head, a head that is not a single
/// matrix, or an embedding norm. Empty when it is defined.
std::string whyNoCopying(const ModelConfig& config);

/// Throws Error if whyNoCopying is not empty, Cancelled.
VocabularyCircuit vocabularyCircuit(const Model& model, NormGains gains = NormGains::AsStored,
                                    const std::stop_token& stop = {});

/// Eigenvalues of W_E W_V W_O W_U [V, V] that may differ from 0: those of the d_v x d_v product
/// W_O W_U W_E W_V. Largest modulus first.
std::vector<std::complex<double>> copyingEigenvalues(const HeadMatrices& head,
                                                     const VocabularyCircuit& vocabulary);

/// Copying score sum(lambda) / sum|lambda|: 1 for a head that raises the logits of what it attends
/// to, -1 for one that lowers them (Elhage et al. 2021). NaN when all are 0. Pass the gains of the
/// vocabulary circuit to headMatrices too.
double copyingScore(std::span<const std::complex<double>> eigenvalues);

/// Empty where copying is not defined for this head: in the encoder of an encoder-decoder, and for
/// cross-attention, the input does not come from the vocabulary's embedding.
std::optional<double> copyingScore(const Model& model, HeadId place,
                                   const VocabularyCircuit& vocabulary);

} // namespace headscope

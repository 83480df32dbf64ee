#pragma once

#include "core/model/model.h"

#include <complex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace headscope {

/// Whether the gain of the norm in front of a matrix is multiplied into it. Nothing is centred in
/// either case, and the norm's own division by the stream's size is no part of a circuit.
enum class NormGains {
    AsStored, ///< the weights as they are in the file
    Folded,   ///< W_Q, W_K, W_V times the gain before attention, W_U times that of the last norm
    ///< (TransformerLens folds so). The same as AsStored in post-norm models, where no norm
    ///< stands between the stream and what reads it.
};

/// A head's four matrices in the row-vector convention (Elhage et al. 2021, "A Mathematical
/// Framework for Transformer Circuits"): q = x W_Q, and what it writes is A x W_V W_O. With shared
/// key heads W_K and W_V are those of the group. Biases belong to no circuit. Where positions are
/// rotary W_Q W_K^T is that of a query and a key at the same place, before any rotation; position
/// biases are added beside it.
struct HeadMatrices
{
    Tensor query;  ///< [d, d_k]
    Tensor key;    ///< [d, d_k]
    Tensor value;  ///< [d, d_v]
    Tensor output; ///< [d_v, d]
};

/// Why circuits are not defined for a model: latent attention has a norm between the stream and its
/// keys and values, so that no single matrix stands for them. Empty when they are.
std::string whyNoCircuits(const ModelConfig& config);

/// Throws Error where whyNoCircuits says something, ShapeError for a head that is not there.
HeadMatrices headMatrices(const Model& model, HeadId place, NormGains gains = NormGains::AsStored);

/// Singular values of W_Q W_K^T and W_V W_O [d, d], largest first: at most d_k of them (d_v), the others are 0.
struct CircuitSpectra
{
    std::vector<double> queryKey;
    std::vector<double> outputValue;
};

CircuitSpectra circuitSpectra(const HeadMatrices& head);

/// W_U W_E as [d, d], with W_E [V, d] the token embeddings and W_U [d, V] the head's weights: what
/// all copying scores of a model share, so that no matrix [V, V] is ever made. Kept for one choice
/// of gains.
struct VocabularyCircuit
{
    Tensor product;
    NormGains gains = NormGains::AsStored;
};

/// Why copying is not defined for a model: no language head, a head that is no matrix, or an
/// embedding norm. Empty when it is.
std::string whyNoCopying(const ModelConfig& config);

/// Throws Error where whyNoCopying says something, Cancelled.
VocabularyCircuit vocabularyCircuit(const Model& model, NormGains gains = NormGains::AsStored,
                                    const std::stop_token& stop = {});

/// Eigenvalues of W_E W_V W_O W_U [V, V] that may differ from 0: those of the d_v x d_v product
/// W_O W_U W_E W_V. Largest modulus first.
std::vector<std::complex<double>> copyingEigenvalues(const HeadMatrices& head,
                                                     const VocabularyCircuit& vocabulary);

/// sum(lambda) / sum|lambda|: 1 a head that raises what it attends to, -1 one that lowers it
/// (Elhage et al. 2021). NaN when all are 0. Give the gains of the vocabulary's circuit to
/// headMatrices too.
double copyingScore(std::span<const std::complex<double>> eigenvalues);

/// Empty where copying is not defined for this head: in an encoder beside a decoder, and for
/// attention to a source, what is read is not what the vocabulary's embedding writes.
std::optional<double> copyingScore(const Model& model, HeadId place,
                                   const VocabularyCircuit& vocabulary);

} // namespace headscope

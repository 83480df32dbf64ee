#pragma once

#include "core/base/file.h"
#include "core/base/progress.h"
#include "core/io/safetensors/safetensors_file.h"
#include "core/io/safetensors/stored_tensor.h"
#include "core/model/model.h"

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// A matrix by which a stored one is multiplied on loading.
struct StoredFactor
{
    std::string name;        ///< Tensor; empty: none.
    bool transposed = false; ///< Stored as [out, in], as linear layers are.
};

/// Location of one of our parameters in a file of another program.
struct StoredWeight
{
    std::string parameter; ///< Name such as "h.0.attn.k.weight".
    /// Possible names, of which the first that exists is used. Empty: the model has none, zeros.
    std::vector<std::string> names;
    bool optional = false; ///< Zeros if none of them exists.
    /// Every number of a parameter that no file has (1: norms without gamma, 0: no such bias); none:
    /// as above.
    std::optional<float> constant = {};
    bool transposed = false; ///< Stored as [in, out] (Conv1D).
    bool isVector = false;   ///< A matrix of one row, stored without the axis of rows.
    /// Index among `parts` matrices that are stored as one: part by part, or, with several groups,
    /// [part 0 | part 1 | ...] of head after head.
    int part = 0;
    int parts = 1;
    std::int64_t groups = 1;
    /// Stored row of each row of the parameter, among `storedRows`; empty: as `part` says.
    std::vector<std::int64_t> order = {};
    std::int64_t storedRows = 0;
    /// Index among `slices` matrices stored as one tensor [slices, ...]; 0 slices: not stacked.
    std::int64_t slice = 0;
    std::int64_t slices = 0;
    /// Tensors that make up the parameter one after another; used if none of `names` exists.
    std::vector<std::string> joined = {};
    /// The parameter is the stored matrix times this one (embeddings narrower than the model).
    StoredFactor factor = {};
};

/// One tensor of a model's files, not read yet, and its use.
struct ModelTensor
{
    std::string name; ///< Name without the prefix of the base model.
    std::string type; ///< Type such as "F16" or "Q4_1".
    std::vector<std::int64_t> shape;
    std::span<const std::byte> bytes;
    std::optional<BlockFormat> format;       ///< Empty: the stored type is not supported.
    std::optional<StoredTensor> convertible; ///< Set when it can be converted to floats.
    std::shared_ptr<const MappedFile> file;  ///< Null for memory.
    std::shared_ptr<const void> owner;       ///< Keeps `bytes` that are not the file's.
    std::vector<std::string> parameters;     ///< Parameters read from it; empty: unused.

    std::int64_t columns() const { return shape.empty() ? 1 : shape.back(); }

    std::int64_t rows() const; ///< Product of all axes but the last.
};

/// A model in mapped files: every parameter found, its shape checked, no weight read.
struct StoredModel
{
    std::string path;   ///< Path in errors: the file, or the first of several.
    std::string format; ///< Format such as "GGUF version 3" or "safetensors".
    std::string family; ///< Family such as "llama".
    ModelConfig config;
    std::vector<ModelTensor> tensors;
    std::vector<StoredParameter> parameters; ///< Parameters in the order of the layout.
    std::vector<std::string> zeros;          ///< Parameters without a tensor.
};

/// Fills in `parameters`, `zeros` and the tensors' use. Throws FormatError when tensors are
/// missing, have a shape other than configured, or are of an unsupported type; and when one is
/// unused that `isRedundant` does not accept.
void findParameters(StoredModel& model, const std::vector<StoredWeight>& weights,
                    const std::function<bool(std::string_view name)>& isRedundant);

/// Statistics from reading a tensor once.
struct TensorNumbers
{
    float smallest = std::numeric_limits<float>::infinity();
    float largest = -std::numeric_limits<float>::infinity();
    std::int64_t count = 0;
    std::optional<std::int64_t> firstNonFinite; ///< Index of the first NaN or infinity.

    bool isConstant() const { return count > 1 && smallest == largest && !firstNonFinite; }
};

TensorNumbers numbersOf(std::span<const float> values);

/// Reads all used tensors in order; the others are left empty. Progress counts bytes. Throws
/// Cancelled, and FormatError when a file was modified meanwhile.
std::vector<TensorNumbers> readNumbers(const StoredModel& model, Progress& progress);

/// Throws FormatError naming the first tensor with a non-finite number, and its index.
void requireFinite(const StoredModel& model, const std::vector<TensorNumbers>& numbers);

/// Creates the model; its weights stay where they are stored.
Model makeModel(const StoredModel& model);

} // namespace headscope

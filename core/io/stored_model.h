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

/// Where the numbers of one of our parameters lie in a file of others.
struct StoredWeight
{
    std::string parameter;          ///< "h.0.attn.k.weight"
    std::vector<std::string> names; ///< the first that is there is taken. Empty: the model has
                                    ///< none, zeros
    bool optional = false;          ///< zeros if none of them is there
    bool transposed = false;        ///< stored as [in, out] (Conv1D)
    /// One of `parts` matrices that are stored as one: part by part, or, with several groups,
    /// [part 0 | part 1 | ...] of head after head.
    int part = 0;
    int parts = 1;
    std::int64_t groups = 1;
};

/// One tensor of a model's files, not read yet, and what it is used for.
struct ModelTensor
{
    std::string name; ///< without the prefix of the base model
    std::string type; ///< "F16", "Q4_1"
    std::vector<std::int64_t> shape;
    std::span<const std::byte> bytes;
    std::optional<BlockFormat> format;       ///< none: it cannot be computed with as it is stored
    std::optional<StoredTensor> convertible; ///< then: it can be turned into floats
    std::shared_ptr<const MappedFile> file;  ///< null for memory
    std::vector<std::string> parameters;     ///< what was made of it; empty: unused

    std::int64_t columns() const { return shape.empty() ? 1 : shape.back(); }

    std::int64_t rows() const; ///< of all axes but the last
};

/// A model that lies in mapped files: every parameter found, its shape checked, no weight read.
struct StoredModel
{
    std::string path;   ///< what errors name: the file, or the first of several
    std::string format; ///< "GGUF version 3", "safetensors"
    std::string family; ///< "llama"
    ModelConfig config;
    std::vector<ModelTensor> tensors;
    std::vector<StoredParameter> parameters; ///< in the order of the layout
    std::vector<std::string> zeros;          ///< parameters that no tensor holds
};

/// Fills in `parameters`, `zeros` and the tensors' use. Throws FormatError when tensors are
/// missing, have another shape than the configuration says, or are of a type that cannot be
/// computed with; and when one is left over that `isRedundant` does not know.
void findParameters(StoredModel& model, const std::vector<StoredWeight>& weights,
                    const std::function<bool(std::string_view name)>& isRedundant);

/// What reading a tensor once tells about it.
struct TensorNumbers
{
    float smallest = std::numeric_limits<float>::infinity();
    float largest = -std::numeric_limits<float>::infinity();
    std::int64_t count = 0;
    std::optional<std::int64_t> firstNonFinite; ///< its index

    bool isConstant() const { return count > 1 && smallest == largest && !firstNonFinite; }
};

TensorNumbers numbersOf(std::span<const float> values);

/// Reads all tensors that are used, in their order; the others are left empty. Progress counts
/// bytes. Throws Cancelled, and FormatError when a file was changed meanwhile.
std::vector<TensorNumbers> readNumbers(const StoredModel& model, Progress& progress);

/// Throws FormatError naming the first tensor with a number that is none, and where.
void requireFinite(const StoredModel& model, const std::vector<TensorNumbers>& numbers);

/// The model, its weights still where they are stored.
Model makeModel(const StoredModel& model);

} // namespace headscope

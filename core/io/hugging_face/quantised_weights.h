#pragma once

#include "core/io/hugging_face/config_reader.h"
#include "core/io/stored_model.h"

#include <map>
#include <string>

namespace headscope {

/// Extents of a block of weights that share a scale, as "weight_block_size" says.
struct ScaleBlock
{
    std::int64_t rows = 128;
    std::int64_t columns = 128;
};

/// Reads "quantization_config". Throws FormatError for a method that widenQuantised does not read.
ScaleBlock readQuantisation(const ConfigReader& json);

/// Tensors that belong to a quantised weight, by their name: the weight's name, or nothing where
/// they are of use only to arithmetic in 8 bits.
using QuantisationParts = std::map<std::string, std::string>;

/// Gives 8-bit floats (F8_E4M3, F8_E5M2) the values that they have times their scales, in F32: of
/// the whole tensor, of each row, or of blocks (NAME_scale_inv, NAME_scale). Joins the blocks and
/// scales of gpt-oss (NAME_blocks, NAME_scales) to a tensor NAME in MXFP4. Throws FormatError for
/// a scale that is missing or does not fit, and Error without enough memory.
QuantisationParts widenQuantised(StoredModel& model, ScaleBlock block);

} // namespace headscope

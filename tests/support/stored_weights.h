#pragma once

#include "core/model/weights/parameters.h"

namespace headscope::test {

/// [rows, columns] of random blocks: every code occurs, scales are about `scale`.
StoredParameter randomBlocks(BlockFormat format, std::int64_t rows, std::int64_t columns,
                             std::uint64_t seed, double scale = 0.01);

/// All parameters of a configuration: matrices whose rows are whole blocks in `format` with
/// weights of about 0.05, other ones in F32, gains about 1.
std::vector<StoredParameter> randomStored(const ModelConfig& config, BlockFormat format,
                                          std::uint64_t seed);

/// The numbers of a stored parameter.
Tensor floatsOf(const StoredParameter& stored);

} // namespace headscope::test

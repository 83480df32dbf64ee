#pragma once

namespace headscope {

/// How rows are multiplied with weights that a file stores as small integers.
enum class Products {
    Exact,   ///< Codes become floats; sums are sums of floats.
    Integer, ///< Rows are rounded to 8 bits in blocks of 32; blocks are summed as integers.
};

} // namespace headscope

#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace headscope {

/// A copy of `original` in which texts of `overlay` replace those in the same place, as in a
/// translation that contains nothing but texts. What the overlay omits stays as it is: keys that are
/// missing, and entries of a list that are null. Throws FormatError with `where` for a key that the
/// original lacks, for a list of another length, and for anything but a text in place of a text.
nlohmann::json withOverlay(nlohmann::json original, const nlohmann::json& overlay,
                           const std::string& where);

} // namespace headscope

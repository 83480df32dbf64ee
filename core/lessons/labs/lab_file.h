#pragma once

#include "core/lessons/labs/lab.h"

namespace headscope {

/// Reads resources/labs/NAME.json: all of a lab but what computes it. Throws FormatError, one
/// sentence with the file and the key, for a key that is unknown, missing or of the wrong kind, for
/// a name that is not the file's, and for an initial value that its control does not take. The file
/// of a translation would be resources/labs/LOCALE/NAME.json, in the place of this one.
Lab parseLab(std::string_view name, std::string_view text);

} // namespace headscope

#pragma once

#include "core/lessons/labs/lab.h"

namespace headscope {

/// Reads resources/labs/NAME.json: everything of a lab except its computation. Throws FormatError,
/// one sentence with file and key, for a key that is unknown, missing or of the wrong type, for a
/// name other than the file's, and for an initial value that its control rejects. Its
/// translation is resources/translations/LOCALE/labs/NAME.json, see content_language.h.
Lab parseLab(std::string_view name, std::string_view text);

} // namespace headscope

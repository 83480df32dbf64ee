#pragma once

#include "core/train/files/json_record.h"

#include <string>

namespace headscope {

/// Text of "often_said" in the file of a lab or of a lesson's step, one paragraph for each claim:
/// what is often said, and with {{references}} what is computed here. Empty without such a list.
/// Throws FormatError for an entry that lacks "said" or "here".
std::string oftenSaidText(const JsonRecord& record);

} // namespace headscope

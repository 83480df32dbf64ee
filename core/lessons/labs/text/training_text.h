#pragma once

#include <string>

namespace headscope {

/// What the labs' tokenizers learn from, made by the program: stories, one document a line, and a
/// small dictionary of word families (happy, happily, happiness, unhappy, ...), one entry a line.
const std::string& labTrainingText();

} // namespace headscope

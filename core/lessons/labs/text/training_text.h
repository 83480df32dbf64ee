#pragma once

#include <string>

namespace headscope {

/// Generated training text of the labs' tokenizers: stories, one document per line, and a small
/// dictionary of word families (happy, happily, happiness, unhappy, ...), one entry per line.
const std::string& labTrainingText();

} // namespace headscope

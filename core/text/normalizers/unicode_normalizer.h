#pragma once

#include "core/text/normalizers/text_normalizer.h"

namespace headscope {

enum class UnicodeForm { Nfc, Nfd, Nfkc, Nfkd };

TextNormalizer unicodeNormalizer(UnicodeForm form);

} // namespace headscope

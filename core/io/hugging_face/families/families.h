#pragma once

#include "core/io/hugging_face/hugging_face_family.h"

// One object per family, defined in FAMILY_family.cpp.

namespace headscope {

extern const HuggingFaceFamily kBertFamily;
extern const HuggingFaceFamily kBloomFamily;
extern const HuggingFaceFamily kGpt2Family;
extern const HuggingFaceFamily kGptNeoXFamily;
extern const HuggingFaceFamily kLlamaFamily;
extern const HuggingFaceFamily kMistralFamily;
extern const HuggingFaceFamily kQwen2Family;
extern const HuggingFaceFamily kT5Family;

} // namespace headscope

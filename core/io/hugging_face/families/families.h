#pragma once

#include "core/io/hugging_face/hugging_face_family.h"

// One object per family, defined in FAMILY_family.cpp; closely related ones share a file.

namespace headscope {

extern const HuggingFaceFamily kBaichuanFamily;
extern const HuggingFaceFamily kBartFamily;
extern const HuggingFaceFamily kBertFamily;
extern const HuggingFaceFamily kBloomFamily;
extern const HuggingFaceFamily kCamembertFamily;
extern const HuggingFaceFamily kCodeGenFamily;
extern const HuggingFaceFamily kCohereFamily;
extern const HuggingFaceFamily kCohere2Family;
extern const HuggingFaceFamily kDistilBertFamily;
extern const HuggingFaceFamily kElectraFamily;
extern const HuggingFaceFamily kErnie45Family;
extern const HuggingFaceFamily kExaone4Family;
extern const HuggingFaceFamily kFalconFamily;
extern const HuggingFaceFamily kGemmaFamily;
extern const HuggingFaceFamily kGemma2Family;
extern const HuggingFaceFamily kGemma3Family;
extern const HuggingFaceFamily kGlmFamily;
extern const HuggingFaceFamily kGlm4Family;
extern const HuggingFaceFamily kGpt2Family;
extern const HuggingFaceFamily kGptBigCodeFamily;
extern const HuggingFaceFamily kGptJFamily;
extern const HuggingFaceFamily kGptNeoFamily;
extern const HuggingFaceFamily kGptNeoXFamily;
extern const HuggingFaceFamily kGptOssFamily;
extern const HuggingFaceFamily kGraniteFamily;
extern const HuggingFaceFamily kGraniteMoeFamily;
extern const HuggingFaceFamily kInternLm2Family;
extern const HuggingFaceFamily kLlamaFamily;
extern const HuggingFaceFamily kMarianFamily;
extern const HuggingFaceFamily kMbartFamily;
extern const HuggingFaceFamily kMistralFamily;
extern const HuggingFaceFamily kMixtralFamily;
extern const HuggingFaceFamily kModernBertFamily;
extern const HuggingFaceFamily kMptFamily;
extern const HuggingFaceFamily kMt5Family;
extern const HuggingFaceFamily kOlmoFamily;
extern const HuggingFaceFamily kOlmo2Family;
extern const HuggingFaceFamily kOlmo3Family;
extern const HuggingFaceFamily kOlmoeFamily;
extern const HuggingFaceFamily kOptFamily;
extern const HuggingFaceFamily kPhiFamily;
extern const HuggingFaceFamily kPhi3Family;
extern const HuggingFaceFamily kQwen2Family;
extern const HuggingFaceFamily kQwen2MoeFamily;
extern const HuggingFaceFamily kQwen3Family;
extern const HuggingFaceFamily kQwen3MoeFamily;
extern const HuggingFaceFamily kRobertaFamily;
extern const HuggingFaceFamily kSeedOssFamily;
extern const HuggingFaceFamily kSmolLm3Family;
extern const HuggingFaceFamily kStableLmFamily;
extern const HuggingFaceFamily kStarcoder2Family;
extern const HuggingFaceFamily kT5Family;
extern const HuggingFaceFamily kXlmRobertaFamily;

} // namespace headscope

#include "core/io/hugging_face/families/families.h"

#include <algorithm>

namespace headscope {

std::span<const HuggingFaceFamily* const> huggingFaceFamilies()
{
    static constexpr const HuggingFaceFamily* kFamilies[] = {
        &kBaichuanFamily,   &kBartFamily,       &kBertFamily,       &kBloomFamily,
        &kCamembertFamily,  &kCodeGenFamily,    &kCohere2Family,    &kCohereFamily,
        &kDistilBertFamily, &kElectraFamily,    &kErnie45Family,    &kExaone4Family,
        &kFalconFamily,     &kGemma2Family,     &kGemma3Family,     &kGemmaFamily,
        &kGlm4Family,       &kGlmFamily,        &kGpt2Family,       &kGptBigCodeFamily,
        &kGptJFamily,       &kGptNeoFamily,     &kGptNeoXFamily,    &kGptOssFamily,
        &kGraniteFamily,    &kGraniteMoeFamily, &kInternLm2Family,  &kLlamaFamily,
        &kMarianFamily,     &kMbartFamily,      &kMistralFamily,    &kMixtralFamily,
        &kModernBertFamily, &kMptFamily,        &kMt5Family,        &kOlmo2Family,
        &kOlmo3Family,      &kOlmoeFamily,      &kOlmoFamily,       &kOptFamily,
        &kPhi3Family,       &kPhiFamily,        &kQwen2Family,      &kQwen2MoeFamily,
        &kQwen3Family,      &kQwen3MoeFamily,   &kRobertaFamily,    &kSeedOssFamily,
        &kSmolLm3Family,    &kStableLmFamily,   &kStarcoder2Family, &kT5Family,
        &kXlmRobertaFamily};
    return kFamilies;
}

const HuggingFaceFamily* findHuggingFaceFamily(std::string_view modelType)
{
    const auto families = huggingFaceFamilies();
    const auto found = std::ranges::find(families, modelType, &HuggingFaceFamily::modelType);
    return found == families.end() ? nullptr : *found;
}

} // namespace headscope

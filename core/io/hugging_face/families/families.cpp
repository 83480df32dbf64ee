#include "core/io/hugging_face/families/families.h"

#include <algorithm>

namespace headscope {

std::span<const HuggingFaceFamily* const> huggingFaceFamilies()
{
    static constexpr const HuggingFaceFamily* kFamilies[] = {
        &kBaichuanFamily,   &kBartFamily,       &kBertFamily,      &kBloomFamily,
        &kCamembertFamily,  &kCodeGenFamily,    &kCohereFamily,    &kCohere2Family,
        &kDistilBertFamily, &kElectraFamily,    &kErnie45Family,   &kExaone4Family,
        &kFalconFamily,     &kGemmaFamily,      &kGemma2Family,    &kGemma3Family,
        &kGlmFamily,        &kGlm4Family,       &kGpt2Family,      &kGptBigCodeFamily,
        &kGptJFamily,       &kGptNeoFamily,     &kGptNeoXFamily,   &kGptOssFamily,
        &kGraniteFamily,    &kGraniteMoeFamily, &kInternLm2Family, &kLlamaFamily,
        &kMarianFamily,     &kMbartFamily,      &kMistralFamily,   &kMixtralFamily,
        &kMptFamily,        &kMt5Family,        &kOlmoFamily,      &kOlmo2Family,
        &kOlmo3Family,      &kOlmoeFamily,      &kOptFamily,       &kPhiFamily,
        &kPhi3Family,       &kQwen2Family,      &kQwen3Family,     &kQwen3MoeFamily,
        &kRobertaFamily,    &kSeedOssFamily,    &kSmolLm3Family,   &kStableLmFamily,
        &kStarcoder2Family, &kT5Family,         &kXlmRobertaFamily};
    return kFamilies;
}

const HuggingFaceFamily* findHuggingFaceFamily(std::string_view modelType)
{
    const auto families = huggingFaceFamilies();
    const auto found = std::ranges::find(families, modelType, &HuggingFaceFamily::modelType);
    return found == families.end() ? nullptr : *found;
}

} // namespace headscope

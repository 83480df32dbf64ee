#include "core/io/hugging_face/families/families.h"

#include <algorithm>

namespace headscope {

std::span<const HuggingFaceFamily* const> huggingFaceFamilies()
{
    static constexpr const HuggingFaceFamily* kFamilies[] = {
        &kBertFamily,     &kBloomFamily,      &kCamembertFamily, &kDistilBertFamily,
        &kElectraFamily,  &kFalconFamily,     &kGemmaFamily,     &kGemma2Family,
        &kGemma3Family,   &kGpt2Family,       &kGptNeoXFamily,   &kGptOssFamily,
        &kGraniteFamily,  &kLlamaFamily,      &kMarianFamily,    &kMistralFamily,
        &kMixtralFamily,  &kModernBertFamily, &kOlmo2Family,     &kOlmo3Family,
        &kOptFamily,      &kPhiFamily,        &kPhi3Family,      &kQwen2Family,
        &kQwen2MoeFamily, &kQwen3Family,      &kQwen3MoeFamily,  &kRobertaFamily,
        &kSmolLm3Family,  &kStableLmFamily,   &kT5Family,        &kXlmRobertaFamily};
    return kFamilies;
}

const HuggingFaceFamily* findHuggingFaceFamily(std::string_view modelType)
{
    const auto families = huggingFaceFamilies();
    const auto found = std::ranges::find(families, modelType, &HuggingFaceFamily::modelType);
    return found == families.end() ? nullptr : *found;
}

} // namespace headscope

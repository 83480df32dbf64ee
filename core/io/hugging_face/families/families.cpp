#include "core/io/hugging_face/families/families.h"

#include <algorithm>

namespace headscope {

std::span<const HuggingFaceFamily* const> huggingFaceFamilies()
{
    static constexpr const HuggingFaceFamily* kFamilies[] = {
        &kBertFamily,  &kBloomFamily,   &kGpt2Family,  &kGptNeoXFamily,
        &kLlamaFamily, &kMistralFamily, &kQwen2Family, &kT5Family};
    return kFamilies;
}

const HuggingFaceFamily* findHuggingFaceFamily(std::string_view modelType)
{
    const auto families = huggingFaceFamilies();
    const auto found = std::ranges::find(families, modelType, &HuggingFaceFamily::modelType);
    return found == families.end() ? nullptr : *found;
}

} // namespace headscope

#include "core/io/gguf/families/families.h"

#include <algorithm>

namespace headscope {

std::span<const GgufFamily* const> ggufFamilies()
{
    static constexpr const GgufFamily* kFamilies[] = {
        &kGgufFalcon,   &kGgufGemma, &kGgufGemma2,   &kGgufGemma3,  &kGgufGpt2,    &kGgufGptOss,
        &kGgufGranite,  &kGgufLlama, &kGgufOlmo2,    &kGgufPhi2,    &kGgufPhi3,    &kGgufQwen2,
        &kGgufQwen2Moe, &kGgufQwen3, &kGgufQwen3Moe, &kGgufSmolLm3, &kGgufStableLm};
    return kFamilies;
}

const GgufFamily* findGgufFamily(std::string_view architecture)
{
    const auto families = ggufFamilies();
    const auto found = std::ranges::find(families, architecture, &GgufFamily::architecture);
    return found == families.end() ? nullptr : *found;
}

} // namespace headscope

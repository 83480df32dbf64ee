#include "core/io/gguf/families/families.h"

#include <algorithm>

namespace headscope {

std::span<const GgufFamily* const> ggufFamilies()
{
    static constexpr const GgufFamily* kFamilies[] = {
        &kGgufGemma, &kGgufGemma2, &kGgufGemma3, &kGgufGpt2,     &kGgufGranite, &kGgufLlama,
        &kGgufOlmo2, &kGgufQwen2,  &kGgufQwen3,  &kGgufQwen3Moe, &kGgufSmolLm3};
    return kFamilies;
}

const GgufFamily* findGgufFamily(std::string_view architecture)
{
    const auto families = ggufFamilies();
    const auto found = std::ranges::find(families, architecture, &GgufFamily::architecture);
    return found == families.end() ? nullptr : *found;
}

} // namespace headscope

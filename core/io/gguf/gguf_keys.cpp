#include "core/io/gguf/gguf_keys.h"

#include <algorithm>
#include <fmt/format.h>

namespace headscope {

std::int64_t GgufKeys::integerOfAllLayers(const char* name,
                                          std::optional<std::int64_t> otherwise) const
{
    const std::string key = (*this)(name);
    const GgufValue* const found = m_metadata.find(key);
    if (found == nullptr || found->type != GgufValueType::Array)
        return m_metadata.integer(key, otherwise);
    const std::vector<std::int64_t> values = m_metadata.integers(key);
    for (const std::int64_t value : values)
        if (value != values.front())
            refuse(name, "Only models with the same number in all layers are supported");
    if (values.empty())
        refuse(name, "A whole number was expected");
    return values.front();
}

std::vector<bool> GgufKeys::flagOfEachLayer(const char* name, std::size_t layers) const
{
    const GgufValue* const found = m_metadata.find((*this)(name));
    const auto* const list = found != nullptr ? std::get_if<GgufArray>(&found->data) : nullptr;
    if (list == nullptr)
        return {};
    if (list->type != GgufValueType::Bool || list->count != layers || list->bytes.size() != layers)
        refuse(name, fmt::format("A list of {} BOOL was expected", layers));
    std::vector<bool> flags;
    std::ranges::transform(list->bytes, std::back_inserter(flags),
                           [](std::byte value) { return value != std::byte{0}; });
    return flags;
}

void GgufKeys::requireNone(const char* name, const char* what) const
{
    if (has(name) && number(name) != 0.0)
        refuse(name, fmt::format("Models with {} are not supported", what));
}

void GgufKeys::refuse(const char* name, const std::string& advice) const
{
    throw m_metadata.refusal((*this)(name), advice);
}

} // namespace headscope

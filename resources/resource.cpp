#include "resources/resource.h"

#include "resources/embedded.h"

#include <algorithm>

namespace headscope {

namespace {

/// What stands between `before` and `after` in the names of the resources that have both.
std::vector<std::string> namesBetween(std::string_view before, std::string_view after)
{
    std::vector<std::string> names;
    for (const detail::EmbeddedFile& file : detail::embeddedFiles())
        if (file.path.starts_with(before) && file.path.ends_with(after))
            names.emplace_back(
                file.path.substr(before.size(), file.path.size() - before.size() - after.size()));
    std::sort(names.begin(), names.end());
    return names;
}

} // namespace

std::optional<std::span<const std::byte>> resource(std::string_view path)
{
    for (const detail::EmbeddedFile& file : detail::embeddedFiles())
        if (file.path == path)
            return std::as_bytes(std::span(file.begin, file.end));
    return std::nullopt;
}

std::optional<std::string_view> resourceText(std::string_view path)
{
    const auto bytes = resource(path);
    if (!bytes)
        return std::nullopt;
    return std::string_view(reinterpret_cast<const char*>(bytes->data()), bytes->size());
}

std::vector<std::string> resourceNames()
{
    return namesBetween({}, {});
}

std::vector<std::string> builtinModelNames()
{
    return namesBetween("models/", "/model.safetensors");
}

std::vector<std::string> builtinTrainingNames()
{
    return namesBetween("training/", ".json");
}

} // namespace headscope

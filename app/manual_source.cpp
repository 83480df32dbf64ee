#include "app/manual_source.h"

#include "core/base/error.h"
#include "resources/resource.h"

namespace headscope::app {

namespace {

constexpr std::string_view kFolder = "manual/";
constexpr std::string_view kEnding = ".md";
constexpr std::string_view kContents = "manual/README.md";

Manual readManual()
{
    const auto contents = resourceText(kContents);
    if (!contents)
        throw Error("the manual is missing from this build", std::string(kContents),
                    "Build Headscope again");
    std::vector<ManualPage> pages;
    for (const std::string& path : resourceNames()) {
        if (!path.starts_with(kFolder) || path == kContents)
            continue;
        const std::size_t length = path.size() - kFolder.size() - kEnding.size();
        pages.push_back(
            {path.substr(kFolder.size(), length), {}, {}, std::string(resourceText(path).value())});
    }
    return {*contents, std::move(pages)};
}

} // namespace

const Manual& builtinManual()
{
    static const Manual kManual = readManual();
    return kManual;
}

} // namespace headscope::app

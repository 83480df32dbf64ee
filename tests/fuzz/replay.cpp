#include "tests/fuzz/replay.h"

#include "core/base/file.h"

#include <algorithm>
#include <exception>
#include <vector>

namespace headscope::fuzz {

namespace {

constexpr std::uint64_t kLargestSeed = 1 << 20;

} // namespace

std::vector<std::filesystem::path> seedsOf(const std::string& target)
{
    std::vector<std::filesystem::path> seeds;
    const std::filesystem::path folder = std::filesystem::path(HEADSCOPE_FUZZ_CORPUS) / target;
    if (!std::filesystem::is_directory(folder))
        return seeds;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        seeds.push_back(entry.path());
    std::sort(seeds.begin(), seeds.end());
    return seeds;
}

std::string replay(const Target& target, std::string_view file, const std::string& name)
{
    const std::vector<char> exact(file.begin(),
                                  file.end()); // a sanitizer sees a byte beyond the end
    try {
        const bool accepted = target.read({exact.data(), exact.size()});
        if (accepted && name.starts_with("bad_"))
            return "accepted";
        if (!accepted && name.starts_with("ok_"))
            return "refused";
    } catch (const std::exception& error) {
        return error.what();
    }
    return {};
}

std::string replay(const Target& target, const std::filesystem::path& seed)
{
    return replay(target, readFile(seed, kLargestSeed), seed.filename().string());
}

} // namespace headscope::fuzz

#include "tests/support/golden.h"

#include "core/base/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace headscope::test {

namespace {

template<class Got>
std::string worstMismatch(std::span<const Got> got, std::span<const double> expected,
                          Tolerance tolerance)
{
    if (got.size() != expected.size())
        return fmt::format("{} values where {} were expected", got.size(), expected.size());
    double worst = 0.0;
    std::size_t where = got.size();
    for (std::size_t i = 0; i < got.size(); ++i) {
        const double value = static_cast<double>(got[i]);
        if (value == expected[i])
            continue;
        const double error = std::abs(value - expected[i]);
        const double excess =
            error - tolerance.absolute - tolerance.relative * std::abs(expected[i]);
        if (std::isfinite(error) && excess <= 0.0)
            continue;
        const double size = std::isfinite(excess) ? excess : INFINITY;
        if (where == got.size() || size > worst) {
            worst = size;
            where = i;
        }
    }
    if (where == got.size())
        return {};
    return fmt::format("index {}: got {:.9g}, expected {:.9g}, over the tolerance by {:.3g}", where,
                       static_cast<double>(got[where]), expected[where], worst);
}

} // namespace

std::filesystem::path goldenDir()
{
    if (const char* folder = std::getenv("HEADSCOPE_GOLDEN_DIR"); folder && *folder)
        return folder;
    return std::filesystem::path(HEADSCOPE_TEST_DATA) / "golden";
}

GoldenFile::GoldenFile(const std::string& relativePath)
    : m_file(SafetensorsFile::open(goldenDir() / relativePath))
{
    const auto params = m_file.metadata().find("params");
    if (params != m_file.metadata().end())
        m_params = nlohmann::json::parse(params->second);
}

std::vector<std::int64_t> GoldenFile::integers(const std::string& name) const
{
    return m_file.tensor(name).toIntegers();
}

std::vector<double> GoldenFile::doubles(const std::string& name) const
{
    return m_file.tensor(name).toDoubles();
}

std::vector<std::uint8_t> GoldenFile::bytes(const std::string& name) const
{
    const std::vector<std::int64_t> values = integers(name);
    return {values.begin(), values.end()};
}

std::vector<std::int64_t> GoldenFile::shape(const std::string& name) const
{
    return m_file.tensor(name).shape;
}

std::vector<double> GoldenFile::expected(const std::string& name) const
{
    const std::size_t dot = name.find('.');
    const std::string precise = name.substr(0, dot) + "64" + name.substr(dot);
    return doubles(m_file.contains(precise) ? precise : name);
}

std::vector<std::string> goldenFiles(const std::string& folder, const std::string& prefix)
{
    std::vector<std::string> paths;
    for (const auto& entry : std::filesystem::directory_iterator(goldenDir() / folder)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with(prefix) && name.ends_with(".safetensors"))
            paths.push_back(folder + "/" + name);
    }
    std::sort(paths.begin(), paths.end());
    return paths;
}

std::string mismatch(std::span<const float> got, std::span<const double> expected,
                     Tolerance tolerance)
{
    return worstMismatch(got, expected, tolerance);
}

std::string mismatch(std::span<const double> got, std::span<const double> expected,
                     Tolerance tolerance)
{
    return worstMismatch(got, expected, tolerance);
}

} // namespace headscope::test

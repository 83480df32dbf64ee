#pragma once

#include "core/io/safetensors/safetensors_file.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace headscope::test {

/// HEADSCOPE_GOLDEN_DIR, or tests/data/golden.
std::filesystem::path goldenDir();

/// One golden .safetensors file: every shape and parameter comes from it.
class GoldenFile
{
public:
    explicit GoldenFile(const std::string& relativePath); ///< "attention/causal.safetensors"

    bool contains(const std::string& name) const { return m_file.contains(name); }

    const nlohmann::json& params() const { return m_params; }

    const SafetensorsFile& file() const { return m_file; }

    Tensor tensor(const std::string& name) const { return m_file.tensor(name).toTensor(); }

    std::vector<std::int64_t> integers(const std::string& name) const;
    std::vector<double> doubles(const std::string& name) const;
    std::vector<std::uint8_t> bytes(const std::string& name) const;
    std::vector<std::int64_t> shape(const std::string& name) const;

    /// "out64.x" or "grad64.x" where the file has it, else "out.x" or "grad.x".
    std::vector<double> expected(const std::string& name) const;

private:
    SafetensorsFile m_file;
    nlohmann::json m_params;
};

/// Paths below goldenDir()/`folder` whose file name begins with `prefix`, sorted, ".safetensors" only.
std::vector<std::string> goldenFiles(const std::string& folder, const std::string& prefix = {});

struct Tolerance
{
    double absolute = 1e-5;
    double relative = 1e-5;
};

/// "" when |got - expected| <= absolute + relative |expected| everywhere (equal infinities pass, NaN never
/// does), else one line with the largest excess, its index and both values.
std::string mismatch(std::span<const float> got, std::span<const double> expected,
                     Tolerance tolerance);
std::string mismatch(std::span<const double> got, std::span<const double> expected,
                     Tolerance tolerance);

} // namespace headscope::test

/// QVERIFY that prints where two arrays differ most.
#define HS_COMPARE(got, expected, tolerance)                                                       \
    do {                                                                                           \
        const std::string problem_ = headscope::test::mismatch((got), (expected), (tolerance));    \
        QVERIFY2(problem_.empty(), problem_.c_str());                                              \
    } while (false)

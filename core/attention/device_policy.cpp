#include "core/attention/device_policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

namespace headscope {

namespace {

/// Amount of work up to which a layer belongs to a typed sentence.
constexpr double kShortFlops = 1.6e7;
constexpr const char* kHeader = "headscope attention timings 1";

const char* sizeText(double flops)
{
    return flops <= kShortFlops ? "short sentences" : "layers of this size";
}

const MeasuredClass* nearestClass(const MeasuredTable& table, SizeClass wanted)
{
    const MeasuredClass* nearest = nullptr;
    for (const MeasuredClass& measured : table.classes) {
        if (measured.size.backward != wanted.backward)
            continue;
        if (nearest == nullptr || std::abs(measured.size.index - wanted.index) <
                                      std::abs(nearest->size.index - wanted.index))
            nearest = &measured;
    }
    return nearest;
}

std::string unmeasuredReason(const DeviceChoice& choice, const PolicyDevice& device)
{
    if (choice.onDevice)
        return "a large layer (not measured yet)";
    if (!device.isGpu)
        return fmt::format("{} has not been measured yet", device.name);
    return fmt::format("{} are too small for {}", sizeText(choice.flops), device.name);
}

bool isTime(double milliseconds)
{
    return std::isfinite(milliseconds) && milliseconds > 0.0;
}

} // namespace

SizeClass sizeClassOf(double flops, bool backward)
{
    const double fourfold = std::log2(std::clamp(flops, 1.0, 1e18)) / 2.0;
    return {static_cast<int>(std::floor(fourfold)), backward};
}

std::string MeasuredTable::toText() const
{
    std::string text = fmt::format("{}\n{}\n", kHeader, device);
    for (const MeasuredClass& measured : classes)
        text += fmt::format("{} {} {:.6g} {:.6g}\n", measured.size.index,
                            measured.size.backward ? 1 : 0, measured.cpuMs, measured.deviceMs);
    return text;
}

std::optional<MeasuredTable> MeasuredTable::fromText(const std::string& text)
{
    std::istringstream lines(text);
    std::string line;
    MeasuredTable table;
    if (!std::getline(lines, line) || line != kHeader || !std::getline(lines, table.device))
        return std::nullopt;
    while (std::getline(lines, line)) {
        std::istringstream words(line);
        MeasuredClass measured;
        int backward = 0;
        std::string rest;
        words >> measured.size.index >> backward >> measured.cpuMs >> measured.deviceMs;
        if (words.fail() || words >> rest || backward < 0 || backward > 1 ||
            !isTime(measured.cpuMs) || !isTime(measured.deviceMs))
            return std::nullopt;
        measured.size.backward = backward == 1;
        table.classes.push_back(measured);
    }
    return table;
}

DeviceChoice chooseDevice(const MeasuredTable& table, const PolicyDevice& device, double flops,
                          bool backward)
{
    const MeasuredClass* measured = nearestClass(table, sizeClassOf(flops, backward));
    if (measured == nullptr)
        return {device.isGpu && flops >= kUnmeasuredDeviceFlops, flops, std::nullopt};
    return {measured->deviceMs < measured->cpuMs, flops, *measured};
}

std::string reasonOf(const DeviceChoice& choice, const PolicyDevice& device)
{
    if (!choice.measured)
        return unmeasuredReason(choice, device);
    const double cpu = choice.measured->cpuMs;
    const double other = choice.measured->deviceMs;
    return fmt::format("faster than {} for {} (measured: {:.2g} vs. {:.2g} ms)",
                       choice.onDevice ? std::string("the CPU") : device.name,
                       sizeText(choice.flops), choice.onDevice ? other : cpu,
                       choice.onDevice ? cpu : other);
}

} // namespace headscope

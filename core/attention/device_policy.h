#pragma once

#include "core/attention/attention_backend.h"

#include <optional>
#include <string>
#include <vector>

namespace headscope {

/// Layers of similar cost: each class does at most four times the work of the one before.
struct SizeClass
{
    int index = 0;
    bool backward = false;

    friend bool operator==(const SizeClass&, const SizeClass&) = default;
};

/// `flops` as attentionFlops counts them.
SizeClass sizeClassOf(double flops, bool backward);

/// Milliseconds of one call of a class on the processor and on the device.
struct MeasuredClass
{
    SizeClass size;
    double cpuMs = 0.0;
    double deviceMs = 0.0;
};

/// What was measured once on this machine. A plain value: the application stores it as text.
struct MeasuredTable
{
    std::string device; ///< for which the numbers hold: name and driver version
    std::vector<MeasuredClass> classes;

    std::string toText() const;

    /// Empty for a text that is not one of ours, damaged, or of another version.
    static std::optional<MeasuredTable> fromText(const std::string& text);
};

/// Which side, and the numbers that decided.
struct DeviceChoice
{
    bool onDevice = false;
    double flops = 0.0;
    std::optional<MeasuredClass> measured; ///< nothing: the cautious rule decided
};

/// Facts that the choice without a measurement rests on.
struct PolicyDevice
{
    std::string name;
    bool isGpu = false;
};

/// Where a layer of `flops` runs. Measured classes decide by the numbers, the nearest measured
/// class standing in for one that is missing. Without any measurement only a GPU gets work, and
/// only from kUnmeasuredDeviceFlops on.
DeviceChoice chooseDevice(const MeasuredTable& table, const PolicyDevice& device, double flops,
                          bool backward);

constexpr double kUnmeasuredDeviceFlops = 2e8;

/// The choice for people: "faster than OpenCL for short sentences (measured 0.02 against 0.11 ms)".
std::string reasonOf(const DeviceChoice& choice, const PolicyDevice& device);

} // namespace headscope

#pragma once

#include "core/attention/attention_backend.h"

#include <optional>
#include <string>
#include <vector>

namespace headscope {

/// Layers of similar cost: each class does at most four times the work of the previous one.
struct SizeClass
{
    int index = 0;
    bool backward = false;

    friend bool operator==(const SizeClass&, const SizeClass&) = default;
};

/// Size class of `flops` as counted by attentionFlops.
SizeClass sizeClassOf(double flops, bool backward);

/// Milliseconds per call of a class on the processor and on the device.
struct MeasuredClass
{
    SizeClass size;
    double cpuMs = 0.0;
    double deviceMs = 0.0;
};

/// Measurements of this machine. A plain value: the application stores it as text.
struct MeasuredTable
{
    std::string device; ///< Device that the numbers belong to: name and driver version.
    std::vector<MeasuredClass> classes;

    std::string toText() const;

    /// Empty for a text that is in another format, damaged, or of another version.
    static std::optional<MeasuredTable> fromText(const std::string& text);
};

/// The chosen side, and the numbers that decided.
struct DeviceChoice
{
    bool onDevice = false;
    double flops = 0.0;
    /// Deciding measurement; empty: the conservative rule decided.
    std::optional<MeasuredClass> measured;
};

/// Properties that the choice without a measurement depends on.
struct PolicyDevice
{
    std::string name;
    bool isGpu = false;
};

/// Chooses where a layer of `flops` runs. Measured classes decide by the numbers; the nearest
/// measured class replaces a missing one. Without any measurement only a GPU gets work, and only
/// from kUnmeasuredDeviceFlops on.
DeviceChoice chooseDevice(const MeasuredTable& table, const PolicyDevice& device, double flops,
                          bool backward);

constexpr double kUnmeasuredDeviceFlops = 2e8;

/// Explains the choice: "faster than OpenCL for short sentences (measured: 0.02 vs. 0.11 ms)".
std::string reasonOf(const DeviceChoice& choice, const PolicyDevice& device);

} // namespace headscope

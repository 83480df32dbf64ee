#pragma once

#include "core/attention/cpu_attention.h"
#include "core/attention/device_policy.h"
#include "core/attention/fallback_attention.h"

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace headscope {

/// Storage for measurements between sessions. Either function may be empty.
struct MeasurementStore
{
    /// MeasuredTable::toText of an earlier session.
    std::function<std::optional<std::string>()> load;
    std::function<void(const std::string&)> save;
};

/// Measurements of one device, shared by the instances of all threads: one instance measures, the
/// others use the result from their next call on. Thread-safe.
class SharedMeasurements
{
public:
    /// Takes the `device` that the measurements must belong to; stored ones of another device are
    /// ignored.
    explicit SharedMeasurements(std::string device, MeasurementStore store = {});

    std::shared_ptr<const MeasuredTable> table() const;

    /// Sets and saves the measurements.
    void set(std::vector<MeasuredClass> classes);

private:
    const std::string m_device;
    const MeasurementStore m_store;
    mutable std::mutex m_mutex;
    std::shared_ptr<const MeasuredTable> m_table;
};

/// Chooses the device or the CPU, whichever is faster for a layer of that size. Starts with the
/// stored measurement or, without one, a conservative rule; measuring is a separate call, and the
/// first call never creates the device, so that the first image waits for neither. A failing device
/// leaves everything to the CPU.
class AutoAttention : public AttentionBackend
{
public:
    /// Creates the device; may throw BackendError, which leaves the CPU.
    using Factory = std::function<std::unique_ptr<AttentionBackend>()>;

    AutoAttention(); ///< Without a device.
    /// Without a device, for this reason.
    explicit AutoAttention(std::string problem);
    AutoAttention(PolicyDevice device, Factory create,
                  std::shared_ptr<SharedMeasurements> measurements);

    std::string_view name() const override { return "auto"; }

    std::string describe() const override;

    bool supports(const AttentionInputs&) const override { return true; }

    /// Creates the device now instead of on first use.
    void prepare();

    /// True without a device too: there is nothing left to measure.
    bool isMeasured() const;

    /// Times both sides on layers of increasing size and shares the result; takes a second or two.
    /// A stop request ends it between two calls and discards the result. Does nothing without a
    /// device. Meant for a background thread with its own instance.
    void calibrate(const std::stop_token& stop = {});

private:
    void computeForward(const AttentionInputs& inputs, const AttentionOutputs& outputs) override;
    void computeBackward(const AttentionInputs& inputs, const AttentionSaved& saved,
                         const AttentionGradients& gradients) override;

    AttentionBackend& backendFor(const AttentionInputs& inputs, bool backward);

    CpuAttention m_cpu;
    PolicyDevice m_facts;
    Factory m_create;
    std::shared_ptr<SharedMeasurements> m_measurements;
    std::unique_ptr<FallbackAttention> m_device;
    std::string m_problem; ///< Reason why there is no device.
    std::optional<DeviceChoice> m_choice;
    bool m_ranOnDevice = false; ///< Device of the last call.
    bool m_hasRun = false;
};

} // namespace headscope

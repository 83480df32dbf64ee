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

/// Where measurements are kept between runs. Either may be empty.
struct MeasurementStore
{
    std::function<std::optional<std::string>()> load; ///< MeasuredTable::toText of an earlier run
    std::function<void(const std::string&)> save;
};

/// The measurements of one device, shared by the instances of all threads: what one of them
/// measures, the others use from their next call on. Safe to use from any thread.
class SharedMeasurements
{
public:
    /// `device` names what the numbers must belong to; stored ones of another device are ignored.
    explicit SharedMeasurements(std::string device, MeasurementStore store = {});

    std::shared_ptr<const MeasuredTable> table() const;

    /// Keeps and saves them.
    void set(std::vector<MeasuredClass> classes);

private:
    const std::string m_device;
    const MeasurementStore m_store;
    mutable std::mutex m_mutex;
    std::shared_ptr<const MeasuredTable> m_table;
};

/// The device or the CPU, whichever is faster for a layer of that size. Starts with the stored
/// measurement or, without one, a cautious rule; measuring is a call of its own, and the first call
/// never makes the device, so that the first picture waits for neither. A failing device leaves
/// everything to the CPU.
class AutoAttention : public AttentionBackend
{
public:
    /// Makes the device; may throw BackendError, which leaves the CPU.
    using Factory = std::function<std::unique_ptr<AttentionBackend>()>;

    AutoAttention(); ///< no device
    AutoAttention(PolicyDevice device, Factory create,
                  std::shared_ptr<SharedMeasurements> measurements);

    std::string_view name() const override { return "auto"; }

    std::string describe() const override;

    bool supports(const AttentionInputs&) const override { return true; }

    /// Makes the device now instead of when it is first needed.
    void prepare();

    /// True without a device too: there is nothing left to measure.
    bool isMeasured() const;

    /// Times both sides for growing layers and shares the result: a second or two. A stop request
    /// ends it between two calls and keeps nothing. Does nothing without a device. Meant for a
    /// background thread with an instance of its own.
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
    std::string m_problem; ///< why there is no device
    std::optional<DeviceChoice> m_choice;
    bool m_ranOnDevice = false; ///< the last call
    bool m_hasRun = false;
};

} // namespace headscope

#include "core/attention/auto_attention.h"

#include "core/attention/attention_benchmark.h"
#include "core/attention/attention_geometry.h"
#include "core/base/error.h"

#include <fmt/format.h>

#include <utility>

namespace headscope {

SharedMeasurements::SharedMeasurements(std::string device, MeasurementStore store)
    : m_device(std::move(device))
    , m_store(std::move(store))
{
    MeasuredTable table{m_device, {}};
    if (m_store.load) {
        const std::optional<std::string> text = m_store.load();
        std::optional<MeasuredTable> stored;
        if (text)
            stored = MeasuredTable::fromText(*text);
        if (stored && stored->device == m_device)
            table = std::move(*stored);
    }
    m_table = std::make_shared<const MeasuredTable>(std::move(table));
}

std::shared_ptr<const MeasuredTable> SharedMeasurements::table() const
{
    const std::lock_guard lock(m_mutex);
    return m_table;
}

void SharedMeasurements::set(std::vector<MeasuredClass> classes)
{
    auto table = std::make_shared<const MeasuredTable>(MeasuredTable{m_device, std::move(classes)});
    {
        const std::lock_guard lock(m_mutex);
        m_table = table;
    }
    if (m_store.save)
        m_store.save(table->toText());
}

AutoAttention::AutoAttention() : AutoAttention("no other device") {}

AutoAttention::AutoAttention(std::string problem) : m_problem(std::move(problem)) {}

AutoAttention::AutoAttention(PolicyDevice device, Factory create,
                             std::shared_ptr<SharedMeasurements> measurements)
    : m_facts(std::move(device))
    , m_create(std::move(create))
    , m_measurements(std::move(measurements))
{
    if (!m_create || !m_measurements)
        throw Error("AutoAttention needs a device and its measurements");
}

std::string AutoAttention::describe() const
{
    if (!m_problem.empty())
        return "CPU: " + m_problem;
    if (m_device && (m_device->hasFailed() || (m_ranOnDevice && !m_device->ranOnDevice())))
        return m_device->describe();
    if (!m_choice)
        return m_cpu.describe();
    if (m_ranOnDevice)
        return m_device->describe() + ": " + reasonOf(*m_choice, m_facts);
    if (m_choice->onDevice)
        return fmt::format("CPU: {} is used from the next call on", m_facts.name);
    return "CPU: " + reasonOf(*m_choice, m_facts);
}

void AutoAttention::prepare()
{
    if (m_device || !m_problem.empty())
        return;
    try {
        m_device = std::make_unique<FallbackAttention>(m_create());
    } catch (const Error& error) {
        m_problem = fmt::format("{} is not available ({})", m_facts.name, error.what());
    }
}

AttentionBackend& AutoAttention::backendFor(const AttentionInputs& inputs, bool backward)
{
    m_ranOnDevice = false;
    if (!m_problem.empty())
        return m_cpu;
    const double forward = attentionFlops(inputs, false);
    const double flops = backward ? attentionFlops(inputs, true) - forward : forward;
    m_choice = chooseDevice(*m_measurements->table(), m_facts, flops, backward);
    if (m_choice->onDevice && m_hasRun)
        prepare();
    m_hasRun = true;
    m_ranOnDevice = m_choice->onDevice && m_device != nullptr;
    if (m_ranOnDevice)
        return *m_device;
    return m_cpu;
}

void AutoAttention::computeForward(const AttentionInputs& inputs, const AttentionOutputs& outputs)
{
    backendFor(inputs, false).forward(inputs, outputs);
}

void AutoAttention::computeBackward(const AttentionInputs& inputs, const AttentionSaved& saved,
                                    const AttentionGradients& gradients)
{
    backendFor(inputs, true).backward(inputs, saved, gradients);
}

bool AutoAttention::isMeasured() const
{
    if (m_measurements == nullptr)
        return true;
    const std::shared_ptr<const MeasuredTable> table = m_measurements->table();
    return table != nullptr && !table->classes.empty();
}

void AutoAttention::calibrate(const std::stop_token& stop)
{
    if (!m_problem.empty())
        return;
    prepare();
    if (m_device == nullptr)
        return;
    std::optional<std::vector<MeasuredClass>> classes = measureClasses(m_cpu, *m_device, stop);
    if (classes && !m_device->hasFailed())
        m_measurements->set(std::move(*classes));
}

} // namespace headscope

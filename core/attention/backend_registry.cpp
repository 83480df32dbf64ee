#include "core/attention/backend_registry.h"

#include "core/attention/auto_attention.h"
#include "core/attention/cpu_attention.h"
#include "core/attention/fallback_attention.h"
#include "core/attention/reference_attention.h"
#include "core/base/error.h"

#include <fmt/format.h>

#include <thread>
#include <utility>

namespace headscope {

namespace {

DeviceFacts processorFacts(const char* id, const char* name)
{
    DeviceFacts facts;
    facts.id = id;
    facts.name = name;
    facts.computeUnits = static_cast<int>(std::thread::hardware_concurrency());
    return facts;
}

bool isProcessor(const BackendEntry& entry)
{
    return entry.facts.id == "cpu" || entry.facts.id == "reference";
}

bool isOpenCl(const BackendEntry& entry)
{
    return entry.facts.id.starts_with("opencl:");
}

std::unique_ptr<AttentionBackend> createFrom(const BackendEntry& entry)
{
    if (isProcessor(entry))
        return entry.create();
    return std::make_unique<FallbackAttention>(entry.create());
}

std::string keyOf(const DeviceFacts& facts)
{
    return fmt::format("{}, {}, {}", facts.name, facts.platform, facts.version);
}

std::string choicesOf(const std::vector<BackendEntry>& entries, bool hasDevice)
{
    std::string choices = hasDevice ? "auto, opencl" : "auto";
    for (const BackendEntry& entry : entries)
        choices += ", " + entry.facts.id;
    return choices;
}

} // namespace

std::string whyUnused(const DeviceFacts& facts)
{
    return fmt::format("{} computes on the same processor; choose it to use it", facts.name);
}

BackendRegistry::BackendRegistry()
{
    add({processorFacts("cpu", "CPU"), [] { return std::make_unique<CpuAttention>(); }});
    add({processorFacts("reference", "CPU, plain reference loops"),
         [] { return std::make_unique<ReferenceAttention>(); }});
}

/// Prefers a GPU to a processor, then more compute units, then the first.
const BackendEntry* BackendRegistry::bestDevice() const
{
    const auto rank = [](const BackendEntry& entry) {
        return std::pair(entry.facts.isGpu, entry.facts.computeUnits);
    };
    const BackendEntry* best = nullptr;
    for (const BackendEntry& entry : m_entries)
        if (isOpenCl(entry) && (best == nullptr || rank(entry) > rank(*best)))
            best = &entry;
    return best;
}

void BackendRegistry::add(BackendEntry entry)
{
    m_entries.push_back(std::move(entry));
    setMeasurementStore({});
}

void BackendRegistry::setMeasurementStore(MeasurementStore store)
{
    if (const BackendEntry* device = bestDevice())
        m_measurements =
            std::make_shared<SharedMeasurements>(keyOf(device->facts), std::move(store));
}

std::unique_ptr<AttentionBackend> BackendRegistry::create(const std::string& choice) const
{
    const BackendEntry* best = bestDevice();
    if (choice == "auto" && best == nullptr)
        return std::make_unique<AutoAttention>();
    if (choice == "auto" && best->facts.isCpu)
        return std::make_unique<AutoAttention>(whyUnused(best->facts));
    if (choice == "auto")
        return std::make_unique<AutoAttention>(PolicyDevice{best->facts.name, best->facts.isGpu},
                                               best->create, m_measurements);
    if (choice == "opencl" && best != nullptr)
        return createFrom(*best);
    for (const BackendEntry& entry : m_entries)
        if (entry.facts.id == choice)
            return createFrom(entry);
    throw Error(fmt::format("no such device: \"{}\"", choice), {},
                fmt::format("Choose one of: {}.", choicesOf(m_entries, best != nullptr)));
}

} // namespace headscope

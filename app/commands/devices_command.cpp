#include "app/commands/card_drivers.h"
#include "app/commands/command.h"
#include "app/console.h"
#include "core/attention/attention_check.h"
#include "core/base/error.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

namespace headscope::app {

namespace {

/// Results of the attention cases on one device.
struct CheckResult
{
    int passed = 0;
    int declined = 0; ///< Number of cases left to the CPU.
    double largestError = 0.0;
    std::vector<std::string> problems;
};

CheckResult checkDevice(const BackendEntry& entry)
{
    CheckResult result;
    ProgressBar bar(entry.facts.id);
    try {
        const std::unique_ptr<AttentionBackend> backend = entry.create();
        std::int64_t done = 0;
        for (const AttentionCase& test : attentionCases()) {
            bar.show(done++, static_cast<std::int64_t>(attentionCases().size()), test.name);
            const AttentionComparison comparison = compareWithReference(*backend, test);
            result.declined += comparison.supported ? 0 : 1;
            result.passed += comparison.supported && comparison.problem.empty() ? 1 : 0;
            result.largestError = std::max(result.largestError, comparison.largestError);
            if (!comparison.problem.empty())
                result.problems.push_back(test.name + ": " + comparison.problem);
        }
    } catch (const Error& error) {
        result.problems.emplace_back(error.what());
    }
    return result;
}

nlohmann::json factsJson(const DeviceFacts& facts)
{
    return {{"id", facts.id},
            {"name", facts.name},
            {"platform", facts.platform},
            {"version", facts.version},
            {"is_gpu", facts.isGpu},
            {"is_cpu", facts.isCpu},
            {"compute_units", facts.computeUnits},
            {"memory_bytes", facts.memoryBytes},
            {"shares_host_memory", facts.sharesHostMemory}};
}

nlohmann::json checkJson(const CheckResult& result)
{
    return {{"passed", result.passed},
            {"declined", result.declined},
            {"largest_error", result.largestError},
            {"problems", result.problems}};
}

std::string line(const DeviceFacts& facts)
{
    std::string text = fmt::format("{:<10}  {}", facts.id, facts.name);
    if (!facts.platform.empty())
        text += fmt::format(", {}", facts.platform);
    if (!facts.version.empty())
        text += fmt::format(", {}", facts.version);
    text += fmt::format(", {} compute units", facts.computeUnits);
    if (facts.memoryBytes != 0)
        text += fmt::format(", {:.1f} GiB", static_cast<double>(facts.memoryBytes) / (1 << 30));
    return text + "\n";
}

std::string line(const CheckResult& result)
{
    std::string text = fmt::format("{:<10}  {} cases agree with the reference, {} left to the CPU, "
                                   "largest error {:.3g}\n",
                                   "", result.passed, result.declined, result.largestError);
    for (const std::string& problem : result.problems)
        text += fmt::format("{:<10}  WRONG: {}\n", "", oneLine(problem));
    return text;
}

/// Drivers that would add this machine's graphics cards; none where one of them is a device already.
std::vector<CardDriver> missingDrivers(const BackendRegistry& registry)
{
    const bool hasGpu = std::ranges::any_of(
        registry.entries(), [](const BackendEntry& entry) { return entry.facts.isGpu; });
    return hasGpu ? std::vector<CardDriver>() : cardDrivers();
}

void showDevices(const BackendRegistry& registry, bool check, bool json)
{
    nlohmann::json all = nlohmann::json::array();
    std::size_t wrong = 0;
    for (const BackendEntry& entry : registry.entries()) {
        if (entry.facts.id == "reference")
            continue; // not a device: the reference for the others
        nlohmann::json one = factsJson(entry.facts);
        if (!json)
            print(line(entry.facts));
        if (!json && entry.facts.isCpu)
            print(fmt::format("{:<10}  not used by auto: {}\n", "", whyUnused(entry.facts)));
        if (check) {
            const CheckResult result = checkDevice(entry);
            wrong += result.problems.size();
            one["check"] = checkJson(result);
            if (!json)
                print(line(result));
            finishOutput(); // the next device may take a while
        }
        all.push_back(std::move(one));
    }
    nlohmann::json missing = nlohmann::json::array();
    for (const CardDriver& driver : missingDrivers(registry)) {
        missing.push_back({{"maker", driver.maker}, {"package", driver.package}});
        if (!json)
            note(fmt::format("the {} graphics card has no OpenCL driver; on Debian the package {} "
                             "has it",
                             driver.maker, driver.package));
    }
    if (json)
        printJsonLine({{"devices", all}, {"missing_drivers", missing}});
    if (wrong != 0)
        throw Error(fmt::format("{} results differ from the reference", wrong),
                    "headscope devices --check", "Use --device cpu and report this");
}

} // namespace

void addDevicesCommand(CLI::App& app, CommandContext&)
{
    struct Options
    {
        bool check = false;
        bool json = false;
    };

    const auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("devices", "List the devices that attention can "
                                                      "run on");
    command->add_flag("--check", options->check,
                      "Compare every case on every device with the reference");
    command->add_flag("--json", options->json, "One JSON object");
    command->callback(
        [options] { showDevices(CommandContext::allDevices(), options->check, options->json); });
}

} // namespace headscope::app

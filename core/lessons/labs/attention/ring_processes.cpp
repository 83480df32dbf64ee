#include "core/lessons/labs/attention/ring_processes.h"

#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/cluster/thread_group.h"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

namespace headscope {

namespace {

namespace fs = std::filesystem;

/// This program, or the one that the environment names, for tests.
std::string programFile()
{
    if (const char* named = std::getenv("HEADSCOPE_PROGRAM"))
        return named;
    std::error_code ignored;
    const fs::path self = fs::read_symlink("/proc/self/exe", ignored);
    return self.filename() == "headscope" ? self.string() : std::string();
}

bool isOnPath(const std::string& program)
{
    const char* const path = std::getenv("PATH");
    std::string folders = path ? path : "";
    for (std::size_t from = 0; from <= folders.size();) {
        const std::size_t end = std::min(folders.find(':', from), folders.size());
        std::error_code ignored;
        if (end > from && fs::exists(fs::path(folders.substr(from, end - from)) / program, ignored))
            return true;
        from = end + 1;
    }
    return false;
}

std::string quoted(const std::string& text)
{
    std::string result = "'";
    for (const char c : text)
        result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
}

/// Open MPI refuses to run as the superuser, as in containers, unless it is told to.
std::string commandOf(const std::string& program, std::int64_t workers, const RingCase& shape)
{
    return fmt::format(
        "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
        "OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_btl=self,vader HEADSCOPE_THREADS=1 "
        "mpirun --oversubscribe --bind-to none -n {} {} bench ring --json --device cpu --tokens {} "
        "--rounds {} 2>/dev/null",
        workers, quoted(program), shape.tokens, shape.rounds);
}

std::string outputOf(const std::string& command)
{
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command.c_str(), "r"), pclose);
    std::string output;
    std::array<char, 4096> part{};
    while (pipe && std::fgets(part.data(), static_cast<int>(part.size()), pipe.get()))
        output += part.data();
    return output;
}

RingTiming overThreads(std::int64_t workers, const RingCase& shape)
{
    RingTiming timing;
    runThreadGroup(workers, [&](Communicator& group) {
        CpuAttention backend;
        const RingTiming own = measureRing(group, backend, shape);
        if (group.rank() == 0)
            timing = own;
    });
    return timing;
}

} // namespace

RingTiming parseRingTiming(const std::string& text)
{
    const std::string where = "headscope bench ring";
    const nlohmann::json root = parseJson(text, where);
    try {
        const nlohmann::json& row = root.at("results").at(0);
        RingTiming timing;
        timing.shape = {row.at("tokens"), row.at("heads"), row.at("head_dim"), row.at("rounds")};
        timing.processes = row.at("processes");
        timing.ringMs = row.at("ring_ms");
        timing.fullMs = row.at("full_ms");
        timing.largestError = row.at("largest_error");
        timing.blockBytes = row.at("block_bytes");
        timing.wholeBytes = row.at("whole_bytes");
        for (const nlohmann::json& visit : row.at("visits"))
            timing.visits.push_back({visit.at("worker"),
                                     visit.at("process"),
                                     {visit.at("round"),
                                      {visit.at("first_key"), visit.at("keys")},
                                      visit.at("skipped")},
                                     visit.at("ms")});
        return timing;
    } catch (const nlohmann::json::exception&) {
        throw FormatError("this is not a measurement of ring attention", where);
    }
}

RingMeasurement measureRingHere(std::int64_t workers, const RingCase& shape)
{
    const std::string program = programFile();
    if (program.empty())
        return {overThreads(workers, shape), "this program has no file of its own"};
    if (!isOnPath("mpirun"))
        return {overThreads(workers, shape), "mpirun is not installed"};
    try {
        RingTiming timing = parseRingTiming(outputOf(commandOf(program, workers, shape)));
        if (timing.processes == workers)
            return {std::move(timing), {}};
    } catch (const Error&) { // as without mpirun
    }
    return {overThreads(workers, shape), "mpirun could not start the processes"};
}

} // namespace headscope

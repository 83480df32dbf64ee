#include "core/base/content_language.h"
#include "core/lessons/labs/attention/attention_parts.h"
#include "core/lessons/labs/attention/ring_processes.h"
#include "core/lessons/labs/lab.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace headscope {

namespace {

const RingVisit& visitOf(const RingTiming& timing, std::int64_t worker, std::int64_t round)
{
    return timing.visits.at(static_cast<std::size_t>(worker * timing.processes + round));
}

/// Worker whose keys these are.
std::int64_t ownerOf(const RingTiming& timing, const RingVisit& visit)
{
    for (std::int64_t rank = 0; rank < timing.processes; ++rank)
        if (ringPart(timing.shape.tokens, rank, timing.processes) == visit.step.keys)
            return rank;
    return 0;
}

LabTable visitTable(const RingTiming& timing)
{
    LabTable table{{"Worker", "Process id"}};
    for (std::int64_t round = 1; round <= timing.processes; ++round)
        table.columns.push_back(fmt::format("Round {}", round));
    for (std::int64_t worker = 0; worker < timing.processes; ++worker) {
        auto& row = table.rows.emplace_back();
        row = {fmt::format("{}", worker), fmt::format("{}", visitOf(timing, worker, 0).process)};
        for (std::int64_t round = 0; round < timing.processes; ++round) {
            const RingVisit& visit = visitOf(timing, worker, round);
            const std::int64_t owner = ownerOf(timing, visit);
            row.push_back(visit.step.isSkipped ? fmt::format("({})", owner)
                                               : fmt::format("{}", owner));
        }
    }
    return table;
}

/// Time at which each worker was done with its block, by round.
LabChart timeChart(const RingTiming& timing)
{
    LabChart chart{"round", "ms"};
    for (std::int64_t worker = 0; worker < timing.processes; ++worker) {
        LabChart::Series series{fmt::format("worker {}", worker)};
        for (std::int64_t round = 0; round < timing.processes; ++round) {
            series.x.push_back(static_cast<double>(round + 1));
            series.y.push_back(visitOf(timing, worker, round).ms);
        }
        chart.series.push_back(std::move(series));
    }
    return chart;
}

LabBars timeBars(const RingTiming& timing)
{
    const auto bar = [](std::string label, double ms, bool subject) {
        return LabBars::Bar{std::move(label), ms, fmt::format("{:.1f} ms", ms), subject};
    };
    return {"ms",
            {bar(message(fmt::format("ring of {}", timing.processes)), timing.ringMs, true),
             bar(message("one worker, whole text"), timing.fullMs, false)}};
}

std::int64_t processesOf(const RingTiming& timing)
{
    std::set<std::int64_t> ids;
    for (const RingVisit& visit : timing.visits)
        ids.insert(visit.process);
    return static_cast<std::int64_t>(ids.size());
}

} // namespace

LabResult runRingProcesses(const LabSettings& settings, const LabContext&,
                           const std::stop_token& stop)
{
    throwIfStopped(stop);
    RingCase shape;
    shape.tokens = settings.integer("tokens");
    shape.rounds = 3;
    const RingMeasurement measured = measureRingHere(settings.integer("workers"), shape);
    const RingTiming& timing = measured.timing;
    const std::string how = measured.hasProcesses() ? std::string("processes started by mpirun")
                                                    : "threads, since " + measured.why;
    const auto skipped = std::ranges::count_if(
        timing.visits, [](const RingVisit& visit) { return visit.step.isSkipped; });
    LabResult result;
    result.panels = {{"Whose keys each worker held", how, visitTable(timing)},
                     {"When each block was done", "measured in every worker", timeChart(timing)},
                     {"Ring and whole text", "median of several rounds", timeBars(timing)}};
    result.numbers = {
        measuredNumber("ring_ms", "Time of the ring", timing.ringMs, "ms"),
        measuredNumber("full_ms", "Time of one worker", timing.fullMs, "ms"),
        measuredNumber("processes", "Processes", static_cast<double>(processesOf(timing)), ""),
        labNumber("workers", "Workers", timing.processes),
        labNumber("tokens", "Tokens", timing.shape.tokens),
        labNumber("skipped", "Blocks skipped", static_cast<std::int64_t>(skipped)),
        labNumber("block_bytes", "Keys and values per worker", timing.blockBytes, "B"),
        labNumber("whole_bytes", "Keys and values of the text", timing.wholeBytes, "B"),
        measuredNumber("largest_difference", "Difference from full attention", timing.largestError,
                       "")};
    const char* const sentence =
        measured.hasProcesses()
            ? "{} processes took {:.1f} ms, one worker {:.1f} ms. Each held {} of {}, and the "
              "results differ by {:.1g}."
            : "{} threads took {:.1f} ms, one worker {:.1f} ms. Each held {} of {}, and the results "
              "differ by {:.1g}.";
    result.sentence =
        fmt::format(fmt::runtime(sentence), timing.processes, timing.ringMs, timing.fullMs,
                    bytesText(static_cast<double>(timing.blockBytes)),
                    bytesText(static_cast<double>(timing.wholeBytes)), timing.largestError);
    return result;
}

} // namespace headscope

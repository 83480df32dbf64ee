#include "app/commands/inspect_parts.h"

#include "app/console.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headscope::app {

namespace {

constexpr std::size_t kListed = 20; ///< Number of heads listed by effect; --json has all.

std::string number(double value)
{
    return std::isfinite(value) ? fmt::format("{:.3f}", value) : "-";
}

std::string headNames(const std::vector<HeadId>& heads)
{
    std::string names;
    for (const HeadId& head : heads)
        names += (names.empty() ? "" : " ") + toString(head);
    return names;
}

/// "TITLE\nWHY\n" for a part that is not available.
template<class Value>
std::string missingText(const std::string& title, const ReportPart<Value>& part)
{
    return fmt::format("\n{}\n{}\n", title, part.missing);
}

bool isMeasured(const HeadScoreTables& tables, HeadScore score)
{
    return std::any_of(tables.begin(), tables.end(),
                       [score](const auto& entry) { return entry.second.has(score); });
}

std::vector<HeadScoreInfo> measuredScores(const HeadScoreTables& tables)
{
    std::vector<HeadScoreInfo> measured;
    for (const HeadScoreInfo& info : headScoreInfos())
        if (isMeasured(tables, info.score))
            measured.push_back(info);
    return measured;
}

std::size_t longestName(const HeadScoreTables& tables)
{
    std::size_t longest = 5; // "head "
    for (const auto& [attention, table] : tables)
        longest = std::max(longest,
                           toString(HeadId{attention, table.layers - 1, table.heads - 1}).size());
    return longest;
}

/// Reasons why some scores have no column.
std::string unmeasuredText(const HeadScoreTables& tables)
{
    std::string text;
    for (const HeadScoreInfo& info : headScoreInfos())
        if (!tables.empty() && !isMeasured(tables, info.score))
            text += fmt::format("{}: {}\n", info.key, tables.begin()->second.why(info.score));
    return text;
}

} // namespace

std::string scoresText(const HeadScoreTables& tables)
{
    if (tables.empty())
        return {};
    const std::vector<HeadScoreInfo> scores = measuredScores(tables);
    const std::size_t width = longestName(tables);
    std::string text = fmt::format("{:<{}}", "head", width);
    for (const HeadScoreInfo& info : scores)
        text += fmt::format(" {:>9}", info.column);
    text += "\n";
    for (const auto& [attention, table] : tables) {
        for (const HeadId head : table.measuredHeads()) {
            text += fmt::format("{:<{}}", toString(head), width);
            for (const HeadScoreInfo& info : scores)
                text += fmt::format(" {:>9}", number(table.at(head, info.score)));
            text += "\n";
        }
    }
    return text + unmeasuredText(tables);
}

std::string inContextText(const std::optional<InContextScore>& score)
{
    if (!score)
        return {};
    return fmt::format(
        "in-context-learning score {} nats: the loss at position {} minus that at {}\n",
        number(score->score()), score->positions.late, score->positions.early);
}

std::string labelsText(const ReportPart<ReportLabels>& labels)
{
    if (!labels)
        return missingText("labels", labels);
    std::string text = fmt::format("\nlabels, from {}\n", labels->measuredOn);
    for (const auto& [attention, table] : labels->tables) {
        for (int layer = 0; layer < table.layers; ++layer)
            for (int head = 0; head < table.heads; ++head)
                for (const HeadLabel& label : table.at({layer, head}))
                    text +=
                        fmt::format("{:<6} {:<17} {}\n", toString(HeadId{attention, layer, head}),
                                    ruleOf(label.kind).name, oneLine(label.sentence));
        for (const auto& [kind, why] : table.notMeasured)
            text += fmt::format("{:<6} {:<17} {}\n", "-", ruleOf(kind).name, why);
    }
    return text;
}

std::string lensText(const ReportPart<ReportLens>& part)
{
    if (!part)
        return missingText("logit lens", part);
    const StreamLens& lens = part->lens;
    std::string text =
        fmt::format("\nlogit lens at token {}, target \"{}\"\n{:<28} {:>11} {:>6} {:>8} {:>8} "
                    "{:>8}  {}\n",
                    lens.positions.front(), oneLine(part->target.text), "stage", "probability",
                    "rank", "entropy", "KL", "top p", "top");
    for (int stage = 0; stage < lens.stageCount(); ++stage)
        text +=
            fmt::format("{:<28} {:>11} {:>6} {:>8} {:>8} {:>8}  \"{}\"\n",
                        nameOf(lens.stages[static_cast<std::size_t>(stage)]),
                        number(std::exp(lens.logProbabilities[lens.at(0, stage)])),
                        lens.ranks[lens.at(0, stage)], number(lens.entropies[lens.at(0, stage)]),
                        number(lens.divergences[lens.at(0, stage)]),
                        number(static_cast<double>(lens.probabilities[lens.topAt(0, stage)])),
                        oneLine(part->tops[static_cast<std::size_t>(stage)]));
    text += part->settled < 0
                ? "the target is not the top-1 token at the end\n"
                : fmt::format("the target is the top-1 token from: {}\n",
                              nameOf(lens.stages[static_cast<std::size_t>(part->settled)]));
    return text;
}

std::string attributionText(const ReportPart<ReportAttribution>& part)
{
    if (!part)
        return missingText("direct logit attribution", part);
    const LogitAttribution& all = part->parts;
    std::string text = fmt::format(
        "\ndirect logit attribution of \"{}\"{} at token {}\n", oneLine(part->token.text),
        part->other ? " minus \"" + oneLine(part->other->text) + "\"" : "", all.target.position);
    for (const LogitPart& one : all.parts)
        text += fmt::format("{:<40} {:>10.4f}\n", nameOf(one), one.value);
    const char* whole = part->other ? "the model's logit difference" : "the model's logit";
    return text +
           fmt::format("{:<40} {:>10.4f}\n{:<40} {:>10.4f}\n", "sum", all.sum(), whole, all.logit);
}

std::string ablationText(const ReportPart<ReportAblation>& part, const std::string& title)
{
    if (!part)
        return missingText(title, part);
    const ReportAblation& ablation = *part.value;
    std::string text = fmt::format("\n{}, one head at a time: {}\n{}: {} without ablation\n", title,
                                   ablation.method, ablation.metric, number(ablation.before));
    const std::vector<ReportEffect> ranked = ablation.ranked();
    for (std::size_t index = 0; index < std::min(ranked.size(), kListed); ++index)
        text +=
            fmt::format("{:<14} {:>+10.4f}\n", toString(ranked[index].head), ranked[index].effect);
    if (ranked.size() > kListed)
        text += fmt::format("and {} more, in --json\n", ranked.size() - kListed);
    for (const ReportPrediction& prediction : ablation.predictions)
        text +=
            fmt::format("predicted by {:<24} rank correlation {:>6}, first {}\n", prediction.title,
                        number(prediction.correlation), headNames(prediction.first));
    return text;
}

std::string commandLine(const std::vector<std::string>& words)
{
    constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                        "0123456789-_./:=,+@";
    std::string line;
    for (const std::string& word : words) {
        line += line.empty() ? "" : " ";
        if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) {
            line += word;
            continue;
        }
        line += '\'';
        for (const char letter : word)
            line += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
        line += '\'';
    }
    return line;
}

} // namespace headscope::app

#include "core/generate/beam_search.h"
#include "core/lessons/labs/decoding/decoding_parts.h"
#include "core/lessons/labs/lab_parts.h"
#include "core/text/display_text.h"

#include <fmt/format.h>

#include <cmath>

namespace headscope {

namespace {

std::string shown(const LoadedModel& model, std::span<const TokenId> ids)
{
    std::string bytes;
    for (const TokenId id : ids)
        bytes += model.tokenizer->tokenBytes(id);
    return displayText(bytes);
}

LabTree treeOf(const BeamSearch& search, const LoadedModel& model)
{
    LabTree tree;
    for (const BeamNode& node : search.nodes) {
        const auto fate = node.fate == BeamNode::Fate::Kept       ? LabTree::Fate::Kept
                          : node.fate == BeamNode::Fate::Finished ? LabTree::Fate::Finished
                                                                  : LabTree::Fate::Pruned;
        tree.nodes.push_back(
            {shown(model, std::span(&node.token, 1)), node.parent,
             fmt::format("{:.2f} \u00B7 sum {:.2f}", std::exp(node.logProbability), node.sum), fate,
             false});
    }
    if (!search.hypotheses.empty())
        for (int node = search.hypotheses.front().node; node >= 0;
             node = search.nodes[static_cast<std::size_t>(node)].parent)
            tree.nodes[static_cast<std::size_t>(node)].isOnBestPath = true;
    return tree;
}

LabPanel finished(const BeamSearch& search, const LoadedModel& model)
{
    LabTable table{{"Continuation", "Tokens", "Sum of ln p", "Score"}, {}, 0};
    for (const BeamHypothesis& found : search.hypotheses) {
        const std::vector<TokenId> ids = search.tokensTo(found.node);
        table.rows.push_back({shown(model, ids), fmt::format("{}", found.newTokens),
                              decimals(found.sum, 3), decimals(found.score, 3)});
    }
    if (table.rows.empty())
        table.rows.push_back({"-", "-", "-", "-"});
    return {"Beams found", "Score: sum divided by length to the power of the penalty",
            std::move(table)};
}

struct Found
{
    std::string words;
    double sum = 0.0;
};

Found bestBeamOf(const BeamSearch& search, const LoadedModel& model)
{
    if (search.hypotheses.empty())
        return {};
    const BeamHypothesis& best = search.hypotheses.front();
    return {shown(model, search.tokensTo(best.node)), best.sum};
}

} // namespace

LabResult runBeam(const LabSettings& settings, const LabContext& context,
                  const std::stop_token& stop)
{
    const LoadedModel model = decoderOf(context);
    const auto backend = backendOf(context);
    BeamSettings beam;
    beam.beams = static_cast<int>(settings.integer("beams"));
    beam.maxTokens = settings.integer("length");
    beam.lengthPenalty = settings.number("length_penalty");
    beam.endOfText = endOfText(model);
    const DecodingStart start = startDecoding(
        model, *backend, promptOf(context, model, settings, beam.maxTokens), {}, stop);
    const BeamSearch search = beamSearch(start.state, start.ids, beam, {}, stop);
    BeamSettings greedy = beam;
    greedy.beams = 1;
    const Found one = bestBeamOf(beamSearch(start.state, start.ids, greedy, {}, stop), model);
    const Found best = bestBeamOf(search, model);

    LabResult result;
    result.panels = {{"The beam", "Below each token: its probability and the sum of ln p so far",
                      treeOf(search, model)},
                     finished(search, model)};
    result.numbers = {
        {"beams", "Beams", static_cast<double>(beam.beams)},
        {"looked_at", "Continuations scored", static_cast<double>(search.nodes.size())},
        {"best_sum", "Sum of ln p, best", best.sum},
        {"best_score", "Score, best",
         search.hypotheses.empty() ? 0.0 : search.hypotheses.front().score},
        {"greedy_sum", "Sum of ln p, greedy", one.sum},
        {"times", "Best relative to greedy", std::exp(best.sum - one.sum)}};
    result.sentence = fmt::format(
        "The best of {} {} continues with \"{}\", total ln p {}. Greedy continues with \"{}\", ln "
        "p {}.",
        beam.beams, beam.beams == 1 ? "beam" : "beams", best.words, decimals(best.sum, 3),
        one.words, decimals(one.sum, 3));
    return result;
}

} // namespace headscope

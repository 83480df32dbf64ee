#include "core/model/pass/interventions.h"

#include "core/model/config/mask_choice.h"

#include <nlohmann/json.hpp>

namespace headscope {

namespace {

using Json = nlohmann::json;

/// Writes one string of 0 and 1 per query.
Json cellsJson(const std::vector<std::uint8_t>& cells, std::int64_t tokens)
{
    Json rows = Json::array();
    const std::size_t width = tokens;
    for (std::size_t begin = 0; width > 0 && begin + width <= cells.size(); begin += width) {
        std::string row(width, '0');
        for (std::size_t i = 0; i < width; ++i)
            row[i] = cells[begin + i] != 0 ? '1' : '0';
        rows.push_back(std::move(row));
    }
    return rows;
}

Json patchJson(const Patch& patch)
{
    Json json{{"site", toString(patch.key)}};
    if (patch.head)
        json["head"] = *patch.head;
    if (!patch.positions.empty())
        json["positions"] = patch.positions;
    const Shape shape = patch.values ? patch.values->shape() : Shape();
    json["shape"] = std::vector<std::int64_t>(shape.begin(), shape.end());
    return json;
}

Json editJson(const PatternEdit& edit)
{
    Json json{{"site", toString(edit.key)},
              {"head", edit.head},
              {"query", edit.query},
              {"weights", edit.weights}};
    if (edit.keyToken)
        json["key"] = *edit.keyToken;
    if (edit.rescale)
        json["rescale"] = true;
    return json;
}

} // namespace

Json settingsJson(const ModelConfig& config, std::int64_t tokens,
                  const Interventions& interventions)
{
    Json heads = Json::array();
    for (const HeadId& head : interventions.ablatedHeads)
        heads.push_back(headCode(head));
    Json settings{{"mask", maskName(config, interventions)}, {"ablate", heads}};
    if (settings["mask"] == kMaskByLayer) {
        settings["causal"] = config.hasDecoder() && config.causal;
        for (const LayerSettings& layer : config.layerSettings)
            settings["windows"].push_back(layer.window.value_or(0));
    }
    if (config.attentionSinks)
        settings["attention_sinks"] = true;
    if (!interventions.maskCells.empty())
        settings["mask_cells"] = cellsJson(interventions.maskCells, tokens);
    if (interventions.positions)
        settings["positions"] = toString(*interventions.positions);
    for (const Patch& patch : interventions.patches)
        settings["patches"].push_back(patchJson(patch));
    for (const PatternEdit& edit : interventions.patternEdits)
        settings["edits"].push_back(editJson(edit));
    return settings;
}

} // namespace headscope

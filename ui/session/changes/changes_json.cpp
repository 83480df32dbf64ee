#include "ui/session/changes/changes_json.h"

#include "core/base/error.h"
#include "core/model/config/mask_choice.h"
#include "ui/session/changes/json_object.h"
#include "ui/session/chat/chat_json.h"

#include <cmath>

namespace headscope::ui {

namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

constexpr int kMostTokens = 1 << 20;
constexpr int kMostHeads = 1 << 16;

constexpr std::pair<const char*, MaskChange::Kind> kMasks[] = {
    {"as-trained", MaskChange::Kind::AsTrained},
    {"causal", MaskChange::Kind::Causal},
    {"none", MaskChange::Kind::None},
    {"window", MaskChange::Kind::Window},
    {"painted", MaskChange::Kind::Painted},
};
constexpr std::pair<const char*, HeadOff::Method> kMethods[] = {
    {"zero", HeadOff::Method::Zero},
    {"mean", HeadOff::Method::Mean},
};

/// One line of 0 and 1 per query.
OrderedJson cellLines(const MaskChange& mask)
{
    OrderedJson lines = OrderedJson::array();
    for (int query = 0; query < mask.side; ++query) {
        std::string line;
        for (int key = 0; key < mask.side; ++key)
            line += mask.cells[static_cast<std::size_t>(query * mask.side + key)] != 0 ? '1' : '0';
        lines.push_back(std::move(line));
    }
    return lines;
}

OrderedJson jsonOf(const MaskChange& mask)
{
    OrderedJson json{{"kind", nameIn(kMasks, mask.kind)}};
    if (mask.window != MaskChange{}.window)
        json["window"] = mask.window;
    if (mask.side > 0)
        json["cells"] = cellLines(mask);
    return json;
}

OrderedJson jsonOf(const HeadOff& off)
{
    return {{"head", headCode(off.head)}, {"method", nameIn(kMethods, off.method)}};
}

OrderedJson jsonOf(const PatternEdit& edit)
{
    OrderedJson json{{"site", toString(edit.key)}, {"head", edit.head}, {"query", edit.query}};
    if (edit.keyToken)
        json["key"] = *edit.keyToken;
    json["weights"] = edit.weights;
    if (edit.rescale)
        json["rescale"] = true;
    return json;
}

OrderedJson jsonOf(const TokenSwap& swap)
{
    return {{"position", swap.position}, {"id", swap.id}};
}

OrderedJson jsonOf(const CellPatch& patch)
{
    return {{"site", toString(patch.key)}, {"from", patch.fromToken}, {"to", patch.toToken}};
}

OrderedJson jsonOf(const Freeze& freeze)
{
    OrderedJson json{{"text", freeze.text.text}};
    if (!freeze.text.target.empty())
        json["target"] = freeze.text.target;
    if (freeze.text.chat)
        json["chat"] = toJson(*freeze.text.chat);
    if (freeze.head)
        json["head"] = headCode(*freeze.head);
    return json;
}

template<class List>
void put(OrderedJson& json, const char* key, const List& list)
{
    for (const auto& entry : list)
        json[key].push_back(jsonOf(entry));
}

// ------------------------------------------------------------------------------------- reading it

HeadId headFrom(const JsonObject& object, const std::string& key)
{
    try {
        const auto heads = parseHeads(object.text(key).toStdString());
        if (heads.size() == 1 && heads.front().layer < kMostHeads &&
            heads.front().head < kMostHeads)
            return heads.front();
    } catch (const FormatError&) {
        throw;
    } catch (const Error&) {
    }
    object.complain(key, "a head such as L0H3");
}

TraceKey siteFrom(const JsonObject& object)
{
    const auto key = parseTraceKey(object.text("site").toStdString());
    if (!key)
        object.complain("site", "an activation name such as blocks.0.attn.hook_pattern");
    return *key;
}

void readCells(const JsonObject& object, MaskChange& mask)
{
    const Json& lines = object.need("cells");
    if (!lines.is_array() || lines.empty() || lines.size() > kMostTokens)
        object.complain("cells", "lines of 0 and 1, as many as there are cells per line");
    mask.side = static_cast<int>(lines.size());
    for (const Json& line : lines) {
        const std::string cells = line.is_string() ? line.get<std::string>() : std::string();
        if (cells.size() != lines.size() || cells.find_first_not_of("01") != std::string::npos)
            object.complain("cells", "lines of 0 and 1, as many as there are cells per line");
        for (const char cell : cells)
            mask.cells.push_back(cell == '1' ? 1 : 0);
    }
}

MaskChange maskFrom(const Json& value, const std::string& where)
{
    const JsonObject object(value, where, {"kind", "window", "cells"});
    MaskChange mask;
    mask.kind = object.choice("kind", kMasks, mask.kind);
    mask.window = object.number("window", mask.window, 1, kMostTokens);
    if (mask.kind == MaskChange::Kind::Painted || object.find("cells"))
        readCells(object, mask);
    return mask;
}

HeadOff headOffFrom(const Json& value, const std::string& where)
{
    const JsonObject object(value, where, {"head", "method"});
    return {headFrom(object, "head"), object.choice("method", kMethods, HeadOff::Method::Zero)};
}

std::vector<float> weightsFrom(const JsonObject& object)
{
    const Json& list = object.need("weights");
    std::vector<float> weights;
    if (list.is_array() && list.size() <= kMostTokens) {
        for (const Json& entry : list)
            weights.push_back(entry.is_number() ? static_cast<float>(entry.get<double>())
                                                : std::nanf(""));
    }
    const bool allFinite = std::all_of(weights.begin(), weights.end(),
                                       [](float weight) { return std::isfinite(weight); });
    if (weights.empty() || !allFinite)
        object.complain("weights", "a list of numbers");
    return weights;
}

PatternEdit editFrom(const Json& value, const std::string& where)
{
    const JsonObject object(value, where, {"site", "head", "query", "key", "weights", "rescale"});
    PatternEdit edit;
    edit.key = siteFrom(object);
    if (!isPattern(edit.key.site))
        object.complain("site", "the name of a pattern");
    edit.head = object.number("head", 0, 0, kMostHeads);
    edit.query = object.number("query", 0, 0, kMostTokens);
    if (object.find("key"))
        edit.keyToken = object.number("key", 0, 0, kMostTokens);
    edit.weights = weightsFrom(object);
    if (edit.keyToken && edit.weights.size() != 1)
        object.complain("weights", "one number for one key");
    edit.rescale = object.flag("rescale", false);
    return edit;
}

TokenSwap swapFrom(const Json& value, const std::string& where)
{
    const JsonObject object(value, where, {"position", "id"});
    TokenSwap swap;
    swap.position = object.number("position", 0, 0, kMostTokens);
    swap.id = object.number("id", 0, 0);
    return swap;
}

CellPatch patchFrom(const Json& value, const std::string& where)
{
    const JsonObject object(value, where, {"site", "from", "to"});
    return {siteFrom(object), object.number("from", 0, 0, kMostTokens),
            object.number("to", 0, 0, kMostTokens)};
}

Freeze freezeFrom(const Json& value, const std::string& where)
{
    const JsonObject object(value, where, {"text", "target", "chat", "head"});
    Freeze freeze;
    freeze.text.text = object.text("text").toStdString();
    freeze.text.target = object.text("target").toStdString();
    if (const Json* chat = object.find("chat"))
        freeze.text.chat = chatInputFromJson(*chat, object.place("chat"));
    if (object.find("head"))
        freeze.head = headFrom(object, "head");
    return freeze;
}

template<class Entry>
std::vector<Entry> listFrom(const JsonObject& object, const char* key,
                            Entry (*read)(const Json&, const std::string&))
{
    std::vector<Entry> entries;
    const Json* list = object.find(key);
    if (!list)
        return entries;
    if (!list->is_array())
        object.complain(key, "a list");
    for (std::size_t index = 0; index < list->size(); ++index)
        entries.push_back(
            read((*list)[index], object.place(key) + "[" + std::to_string(index) + "]"));
    return entries;
}

/// A single disabled change, without others inside it.
Changes asideFrom(const Json& value, const std::string& where)
{
    if (value.is_object() && value.contains("aside"))
        throw FormatError("a disabled change contains other changes", where, std::nullopt,
                          "List each change separately");
    return changesFromJson(value, where);
}

PositionsChoice positionsFrom(const JsonObject& object)
{
    const std::string choice = object.text("positions").toStdString();
    try {
        return parsePositions(choice);
    } catch (const Error& error) {
        throw FormatError(error.problem(), object.place("positions"), std::nullopt, error.advice());
    }
}

} // namespace

OrderedJson toJson(const Changes& changes)
{
    // Fields added here must also be written and read below.
    const auto& [mask, positions, headsOff, weights, edits, swaps, patches, freezes, text, target,
                 model, aside] = changes;
    OrderedJson json = OrderedJson::object();
    if (!model.isEmpty())
        json["model"] = model.toStdString();
    if (text)
        json["text"] = text->toStdString();
    if (target)
        json["target"] = target->toStdString();
    if (mask != MaskChange{})
        json["mask"] = jsonOf(mask);
    if (positions)
        json["positions"] = toString(*positions);
    put(json, "heads_off", headsOff);
    for (const WeightEdit& edit : weights)
        json["weights"].push_back(OrderedJson(headscope::toJson(edit)));
    put(json, "edits", edits);
    put(json, "swaps", swaps);
    put(json, "patches", patches);
    put(json, "freezes", freezes);
    for (const Changes& one : aside)
        json["aside"].push_back(toJson(one));
    return json;
}

Changes changesFromJson(const Json& value, const std::string& where)
{
    const JsonObject object(value, where,
                            {"model", "text", "target", "mask", "positions", "heads_off", "weights",
                             "edits", "swaps", "patches", "freezes", "aside"});
    Changes changes;
    changes.model = object.text("model");
    if (object.find("text"))
        changes.text = object.text("text");
    if (object.find("target"))
        changes.target = object.text("target");
    if (const Json* mask = object.find("mask"))
        changes.mask = maskFrom(*mask, object.place("mask"));
    if (object.find("positions"))
        changes.positions = positionsFrom(object);
    changes.headsOff = listFrom(object, "heads_off", headOffFrom);
    changes.weights = listFrom(object, "weights", weightEditFromJson);
    changes.edits = listFrom(object, "edits", editFrom);
    changes.swaps = listFrom(object, "swaps", swapFrom);
    changes.patches = listFrom(object, "patches", patchFrom);
    changes.freezes = listFrom(object, "freezes", freezeFrom);
    changes.aside = listFrom(object, "aside", asideFrom);
    return changes;
}

} // namespace headscope::ui

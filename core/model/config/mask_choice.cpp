#include "core/model/config/mask_choice.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json_text.h"
#include "core/model/positions/layer_ropes.h"
#include "core/model/positions/position_encodings.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <optional>
#include <string_view>

namespace headscope {

namespace {

constexpr std::string_view kWindow = "window:";
constexpr std::uint64_t kMaskFileLimit = 64u << 20;

/// Reads digits from the front of `text`.
std::optional<std::int64_t> takeNumber(std::string_view& text)
{
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || text.empty() || text.front() == '-')
        return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

MaskChoice parseWindow(const std::string& choice)
{
    std::string_view rest = std::string_view(choice).substr(kWindow.size());
    const std::optional<std::int64_t> width = takeNumber(rest);
    if (!width || *width < 1 || !rest.empty())
        throw Error(fmt::format("the mask {} has no width", inQuotes(choice)), "mask",
                    "Write it as window:8");
    MaskChoice mask;
    mask.kind = MaskChoice::Kind::Window;
    mask.window = *width;
    return mask;
}

void appendRow(std::string_view line, std::int64_t number, const std::string& where,
               MaskChoice& mask)
{
    const std::size_t before = mask.cells.size();
    for (const char c : line) {
        if (c == '0' || c == '1')
            mask.cells.push_back(c == '1');
        else if (c != ' ' && c != '\t' && c != ',' && c != '\r')
            throw FormatError(
                fmt::format("line {} of the mask contains something other than 0 and 1", number),
                where, std::nullopt, "Write n lines of n cells 0 or 1");
    }
    if (mask.cells.size() == before)
        return;
    const std::int64_t cells = mask.cells.size() - before;
    if (mask.side == 0)
        mask.side = cells;
    if (cells != mask.side)
        throw FormatError(fmt::format("line {} of the mask has {} cells, but {} were expected",
                                      number, cells, mask.side),
                          where, std::nullopt, "Write n lines of n cells 0 or 1");
}

/// First letter of a head's name, by its kind of attention.
constexpr std::string_view kHeadLetters = "LEDC";

std::optional<HeadId> takeHead(std::string_view& text)
{
    HeadId head;
    const char letter = text.empty() ? '\0' : text.front();
    const auto* const found =
        std::find_if(kHeadLetters.begin(), kHeadLetters.end(),
                     [letter](char one) { return letter == one || letter == one + 32; });
    const bool named = found != kHeadLetters.end();
    if (named) {
        head.attention = kAttentionKinds.at(static_cast<std::size_t>(found - kHeadLetters.begin()));
        text.remove_prefix(1);
    }
    const std::optional<std::int64_t> layer = takeNumber(text);
    const std::string_view separators = named ? "Hh" : ".";
    if (!layer || text.empty() || separators.find(text.front()) == std::string_view::npos)
        return std::nullopt;
    text.remove_prefix(1);
    const std::optional<std::int64_t> number = takeNumber(text);
    constexpr std::int64_t limit = 1 << 20;
    if (!number || *layer > limit || *number > limit)
        return std::nullopt;
    head.layer = static_cast<int>(*layer);
    head.head = static_cast<int>(*number);
    return head;
}

double parseBase(const std::string& choice, std::string_view text)
{
    double base = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), base);
    if (error != std::errc{} || end != text.data() + text.size() || !(base > 1.0 && base <= 1e12))
        throw Error(fmt::format("the positions {} have no base", inQuotes(choice)), "positions",
                    "Write a number above 1, as in rope:10000");
    return base;
}

bool hasWindowsByLayer(const ModelConfig& config)
{
    return std::ranges::any_of(config.layerSettings, [&](const LayerSettings& layer) {
        return layer.window != config.window;
    });
}

/// True when all keys are rotated by different angles once a text exceeds the original length.
bool turnsByLength(const ModelConfig& config)
{
    return turningLength(config, config.maxLen) > 0;
}

} // namespace

MaskChoice MaskChoice::parse(const std::string& choice)
{
    MaskChoice mask;
    if (choice == "causal")
        return mask;
    if (choice == "none") {
        mask.kind = Kind::None;
        return mask;
    }
    if (choice.starts_with(kWindow))
        return parseWindow(choice);
    if (choice.empty())
        throw Error("the mask is empty", "mask", "Write causal, none, window:W, or a file");
    return parseCells(readFile(choice, kMaskFileLimit), choice);
}

MaskChoice MaskChoice::parseCells(const std::string& content, const std::string& where)
{
    MaskChoice mask;
    mask.kind = Kind::Painted;
    std::string_view rest = content;
    for (std::int64_t number = 1; !rest.empty(); ++number) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        appendRow(rest.substr(0, end), number, where, mask);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    const std::int64_t rows = mask.side == 0 ? 0 : std::ssize(mask.cells) / mask.side;
    if (rows == 0 || rows != mask.side)
        throw FormatError(fmt::format("the mask has {} lines of {} cells", rows, mask.side), where,
                          std::nullopt, "Write n lines of n cells 0 or 1");
    return mask;
}

void MaskChoice::applyTo(Interventions& interventions, std::int64_t tokens) const
{
    interventions.mask.reset();
    interventions.maskCells.clear();
    AttentionMask mask;
    mask.causal = kind == Kind::Causal || kind == Kind::Window;
    mask.window = kind == Kind::Window ? window : 0;
    if (kind == Kind::Painted) {
        if (side != tokens)
            throw ShapeError(
                fmt::format("a mask of {0} by {0} cells does not fit {1} tokens", side, tokens),
                "mask", fmt::format("Write {0} lines of {0} cells", tokens));
        interventions.maskCells = cells;
    }
    interventions.mask = mask;
}

std::string maskName(const ModelConfig& config, const Interventions& interventions)
{
    AttentionMask mask;
    mask.causal = config.hasDecoder() && config.causal;
    mask.window = config.window.value_or(0);
    mask = interventions.mask.value_or(mask);
    if (!interventions.maskCells.empty() || mask.allowed != nullptr)
        return "painted";
    if (!interventions.mask && hasWindowsByLayer(config))
        return std::string(kMaskByLayer);
    if (mask.window > 0)
        return fmt::format("{}{}", mask.causal ? kWindow : "two-sided window:", mask.window);
    return mask.causal ? "causal" : "none";
}

bool keepsPrefixes(const ModelConfig& config, const Interventions& interventions)
{
    const bool painted = !interventions.maskCells.empty() ||
                         (interventions.mask && interventions.mask->allowed != nullptr);
    const bool causal = interventions.mask ? interventions.mask->causal : config.causal;
    const bool changed = !interventions.patches.empty() || !interventions.patternEdits.empty();
    return config.hasDecoder() && causal && !painted && !changed &&
           (interventions.positions || !turnsByLength(config));
}

std::string headCode(HeadId head)
{
    return fmt::format("{}{}H{}", kHeadLetters[static_cast<std::size_t>(head.attention)],
                       head.layer, head.head);
}

std::string toString(const PositionsChoice& choice)
{
    const PositionEncoding::Traits& traits = encodingOf(choice.kind).traits();
    return traits.base.empty() ? std::string(traits.name)
                               : fmt::format("{}:{}", traits.name, choice.base);
}

PositionsChoice parsePositions(const std::string& choice)
{
    const std::size_t colon = choice.find(':');
    const std::string name = choice.substr(0, colon);
    const auto all = positionEncodings();
    const auto found = std::find_if(all.begin(), all.end(), [&](const PositionEncoding* encoding) {
        return encoding->traits().name == name;
    });
    if (found == all.end()) {
        std::vector<std::string> names;
        for (const PositionEncoding* encoding : all)
            names.emplace_back(encoding->traits().name);
        throw Error(fmt::format("unknown positions {}", inQuotes(name)), "positions",
                    nearestNameAdvice(name, names));
    }
    const PositionEncoding::Traits& traits = (*found)->traits();
    PositionsChoice positions{traits.kind};
    if (colon != std::string::npos && traits.base.empty())
        throw Error(fmt::format("the positions {} take no number", inQuotes(choice)), "positions",
                    fmt::format("Write {}", name));
    if (colon != std::string::npos)
        positions.base = parseBase(choice, std::string_view(choice).substr(colon + 1));
    return positions;
}

std::vector<HeadId> parseHeads(const std::string& list)
{
    std::vector<HeadId> heads;
    std::string_view rest = list;
    while (!rest.empty()) {
        const std::optional<HeadId> head = takeHead(rest);
        const bool another = !rest.empty() && rest.front() == ',';
        if (!head || (!rest.empty() && !another) || (another && rest.size() == 1))
            throw Error(fmt::format("{} is not a list of heads", inQuotes(list)), "heads",
                        "Write it as L0H3,L2H1 (E, D and C for an encoder, a decoder and its "
                        "cross-attention)");
        heads.push_back(*head);
        rest.remove_prefix(another ? 1 : 0);
    }
    return heads;
}

} // namespace headscope

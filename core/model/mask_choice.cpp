#include "core/model/mask_choice.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json_text.h"

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
                fmt::format("line {} of the mask holds something other than 0 and 1", number),
                where, std::nullopt, "Write n lines of n cells 0 or 1");
    }
    if (mask.cells.size() == before)
        return;
    const auto cells = static_cast<std::int64_t>(mask.cells.size() - before);
    if (mask.side == 0)
        mask.side = cells;
    if (cells != mask.side)
        throw FormatError(fmt::format("line {} of the mask has {} cells where {} were expected",
                                      number, cells, mask.side),
                          where, std::nullopt, "Write n lines of n cells 0 or 1");
}

std::optional<Interventions::Head> takeHead(std::string_view& text)
{
    const bool named = !text.empty() && (text.front() == 'L' || text.front() == 'l');
    if (named)
        text.remove_prefix(1);
    const std::optional<std::int64_t> layer = takeNumber(text);
    const std::string_view separators = named ? "Hh" : ".";
    if (!layer || text.empty() || separators.find(text.front()) == std::string_view::npos)
        return std::nullopt;
    text.remove_prefix(1);
    const std::optional<std::int64_t> head = takeNumber(text);
    constexpr std::int64_t limit = 1 << 20;
    if (!head || *layer > limit || *head > limit)
        return std::nullopt;
    return Interventions::Head{static_cast<int>(*layer), static_cast<int>(*head)};
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
    const std::int64_t rows =
        mask.side == 0 ? 0 : static_cast<std::int64_t>(mask.cells.size()) / mask.side;
    if (rows == 0 || rows != mask.side)
        throw FormatError(fmt::format("the mask has {} lines of {} cells", rows, mask.side), where,
                          std::nullopt, "Write n lines of n cells 0 or 1");
    return mask;
}

void MaskChoice::applyTo(Interventions& interventions, std::int64_t tokens) const
{
    interventions.mask.reset();
    interventions.maskCells.clear();
    if (kind == Kind::Causal)
        return;
    AttentionMask mask;
    if (kind == Kind::Window) {
        mask.causal = true;
        mask.window = window;
    }
    if (kind == Kind::Painted) {
        if (side != tokens)
            throw ShapeError(fmt::format("a mask of {0} by {0} cells for {1} tokens", side, tokens),
                             "mask", fmt::format("Write {0} lines of {0} cells", tokens));
        interventions.maskCells = cells;
    }
    interventions.mask = mask;
}

std::string maskName(const Interventions& interventions)
{
    const AttentionMask mask = interventions.mask.value_or(AttentionMask{.causal = true});
    if (!interventions.maskCells.empty() || mask.allowed != nullptr)
        return "painted";
    if (mask.window > 0)
        return fmt::format("{}{}", mask.causal ? kWindow : "two-sided window:", mask.window);
    return mask.causal ? "causal" : "none";
}

bool keepsPrefixes(const Interventions& interventions)
{
    const bool painted = !interventions.maskCells.empty() ||
                         (interventions.mask && interventions.mask->allowed != nullptr);
    return !painted && (!interventions.mask || interventions.mask->causal);
}

std::string toString(Interventions::Head head)
{
    return fmt::format("L{}H{}", head.layer, head.head);
}

std::vector<Interventions::Head> parseHeads(const std::string& list)
{
    std::vector<Interventions::Head> heads;
    std::string_view rest = list;
    while (!rest.empty()) {
        const std::optional<Interventions::Head> head = takeHead(rest);
        const bool another = !rest.empty() && rest.front() == ',';
        if (!head || (!rest.empty() && !another) || (another && rest.size() == 1))
            throw Error(fmt::format("{} is no list of heads", inQuotes(list)), "heads",
                        "Write it as L0H3,L2H1");
        heads.push_back(*head);
        rest.remove_prefix(another ? 1 : 0);
    }
    return heads;
}

} // namespace headscope

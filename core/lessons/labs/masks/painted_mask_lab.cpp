#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/generate/sampling.h"
#include "core/lessons/labs/lab.h"
#include "core/lessons/labs/lab_parts.h"
#include "core/model/config/mask_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

namespace headscope {

namespace {

constexpr std::size_t kLongest = 10;

[[noreturn]] void refuse(const std::string& cell)
{
    throw Error("there is no cell " + inQuotes(cell), "Hidden cells",
                "Write query,key, such as 3,0; * means all");
}

struct WordRange
{
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

/// Indices of "3", or of "*" for all.
WordRange wordsOf(std::string_view text, const std::string& cell, std::int64_t tokens)
{
    if (text == "*")
        return {0, tokens};
    std::int64_t word = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), word);
    if (error != std::errc() || end != text.data() + text.size())
        refuse(cell);
    if (word < 0 || word >= tokens)
        throw Error(fmt::format("there is no word {}", word), "Hidden cells",
                    fmt::format("Choose a position from 0 to {}", tokens - 1));
    return {word, word + 1};
}

/// Mask [n, n] parsed from "3,0 *,1"; 1: visible.
std::vector<std::uint8_t> paintedCells(const std::string& hidden, std::int64_t tokens)
{
    std::vector<std::uint8_t> cells(static_cast<std::size_t>(tokens * tokens), 1);
    std::istringstream stream(hidden);
    for (std::string cell; stream >> cell;) {
        const std::size_t comma = cell.find(',');
        if (comma == std::string::npos)
            refuse(cell);
        const std::string_view whole = cell;
        const WordRange queries = wordsOf(whole.substr(0, comma), cell, tokens);
        const WordRange keys = wordsOf(whole.substr(comma + 1), cell, tokens);
        for (std::int64_t query = queries.begin; query < queries.end; ++query)
            for (std::int64_t key = keys.begin; key < keys.end; ++key)
                cells[static_cast<std::size_t>(query * tokens + key)] = 0;
    }
    return cells;
}

struct Look
{
    Tensor pattern;          ///< Pattern of the head [n, n].
    std::vector<float> next; ///< Next-token probabilities; empty without a language head.
};

class HeadReader
{
public:
    HeadReader(const LoadedModel& model, TokenSequence tokens,
               std::unique_ptr<AttentionBackend> backend)
        : m_tracer(model, std::move(backend))
        , m_tokens(std::move(tokens))
    {
    }

    Look look(int layer, std::int64_t head, const Interventions& interventions,
              const std::stop_token& stop)
    {
        const Stack stack = Stack::Blocks;
        const TraceKey pattern{Site::Pattern, layer, stack};
        const TraceKey logits{Site::Logits};
        const TracePtr trace =
            m_tracer.trace(m_tokens, {{toString(pattern), toString(logits)}}, interventions, stop);
        const auto found = trace->find(pattern);
        if (found == nullptr)
            throw Error(fmt::format("there is no layer {}", layer), "Layer", "Choose a lower one");
        Look result;
        const TensorView cells = found->view()[head];
        result.pattern = Tensor(Shape{cells.shape[0], cells.shape[1]});
        for (std::int64_t query = 0; query < cells.shape[0]; ++query)
            std::copy_n(cells[query].data, cells.shape[1], &result.pattern.view()(query, 0));
        if (const auto scores = trace->find(logits)) {
            const TensorView last = scores->view()[scores->shape()[0] - 1];
            result.next =
                samplingDistribution({last.data, static_cast<std::size_t>(last.shape[0])}, {});
        }
        return result;
    }

private:
    Tracer m_tracer;
    TokenSequence m_tokens;
};

LabMatrix patternMatrix(TensorView values, const std::vector<std::string>& labels,
                        const std::vector<std::uint8_t>* allowed)
{
    LabMatrix matrix = matrixOf("query", "key", values);
    matrix.rowLabels = labels;
    matrix.columnLabels = labels;
    matrix.low = 0.0;
    matrix.high = 1.0;
    for (std::size_t i = 0; i < matrix.values.size(); ++i)
        matrix.masked.push_back(allowed ? (*allowed)[i] == 0 : matrix.values[i] == 0.0);
    return matrix;
}

Tensor minus(TensorView a, TensorView b)
{
    Tensor result(a.shape);
    for (std::int64_t i = 0; i < a.shape.elementCount(); ++i)
        result.data()[i] = a.data[i] - b.data[i];
    return result;
}

double emptyRows(TensorView pattern)
{
    double count = 0.0;
    for (std::int64_t row = 0; row < pattern.shape[0]; ++row)
        count += rowNorm(pattern[row]) == 0.0 ? 1.0 : 0.0;
    return count;
}

/// Visible cells under the selected mask and the painted cells together.
std::vector<std::uint8_t> inSight(const Interventions& interventions, bool isCausal)
{
    std::vector<std::uint8_t> cells = interventions.maskCells;
    const auto tokens = static_cast<std::size_t>(std::llround(std::sqrt(cells.size())));
    for (std::size_t i = 0; isCausal && i < cells.size(); ++i)
        if (i % tokens > i / tokens)
            cells[i] = 0;
    return cells;
}

} // namespace

LabResult runPaintedMask(const LabSettings& settings, const LabContext& context,
                         const std::stop_token& stop)
{
    const LoadedModel model = decoderOf(context);
    const ModelConfig& config = model.model->config();
    const TokenSequence tokens = sentenceOf(context, model, kLongest);
    const auto count = static_cast<std::int64_t>(tokens.size());
    const std::int64_t layer = std::min(settings.integer("layer"), config.layers - 1);
    const std::int64_t head = std::min(settings.integer("head"), config.heads - 1);
    Interventions changed;
    if (settings.text("mask") != "own")
        MaskChoice::parse(settings.text("mask")).applyTo(changed, count);
    changed.maskCells = paintedCells(settings.text("hidden"), count);
    HeadReader headReader(model, tokens, backendOf(context));
    const Look before = headReader.look(static_cast<int>(layer), head, {}, stop);
    const Look after = headReader.look(static_cast<int>(layer), head, changed, stop);
    const Tensor difference = minus(after.pattern.view(), before.pattern.view());

    std::vector<std::string> labels = tokenLabels(model, tokens);
    for (std::size_t i = 0; i < labels.size(); ++i)
        labels[i] = fmt::format("{} {}", i, labels[i]);
    const bool isCausal =
        changed.mask ? changed.mask->causal : config.hasDecoder() && config.causal;
    const std::vector<std::uint8_t> allowed = inSight(changed, isCausal);
    double hiddenWeight = 0.0;
    double moved = 0.0;
    double changedCells = 0.0;
    for (std::size_t i = 0; i < allowed.size(); ++i) {
        const double change = std::abs(static_cast<double>(difference.data()[i]));
        hiddenWeight += allowed[i] == 0 ? static_cast<double>(after.pattern.data()[i]) : 0.0;
        changedCells += change > 1e-6 ? 1.0 : 0.0;
        moved = std::max(moved, change);
    }
    LabMatrix map = patternMatrix(difference.view(), labels, &allowed);
    for (std::size_t i = 0; i < allowed.size(); ++i) // shows lost weights
        map.masked[i] = map.masked[i] && map.values[i] == 0.0;
    map.isSigned = true;
    map.low = -std::max(moved, 1e-6);
    map.high = std::max(moved, 1e-6);
    LabResult result;
    result.panels = {
        {"Before", fmt::format("The model's own mask, layer {}, head {}", layer, head),
         patternMatrix(before.pattern.view(), labels, nullptr)},
        {"After", "Grey: hidden", patternMatrix(after.pattern.view(), labels, &allowed)},
        {"Difference", "After minus before", std::move(map)}};
    result.numbers = {
        {"hidden_cells", "Hidden cells", static_cast<double>(std::ranges::count(allowed, 0))},
        {"hidden_weight", "Hidden weight", hiddenWeight},
        {"changed_cells", "Cells that changed", changedCells},
        {"largest_change", "Largest change", moved},
        {"empty_rows", "Rows without visible keys", emptyRows(after.pattern.view())}};
    result.sentence = fmt::format("{} weights changed, by at most {:.2f}.", changedCells, moved);
    if (!before.next.empty()) {
        const double fraction = 100.0 * movedFraction(before.next, after.next);
        result.numbers.push_back({"output_change", "Change of the probabilities", fraction, "%"});
        result.sentence = fmt::format(
            "{} weights changed, by at most {:.2f}. Of the probability of the next word {:.1f} % "
            "moved.",
            changedCells, moved, fraction);
    }
    if (const double empty = emptyRows(after.pattern.view()); empty > 0.0)
        result.sentence += fmt::format(" {} rows see nothing: their weights are all 0.", empty);
    putFirst(result, "largest_change");
    return result;
}

} // namespace headscope

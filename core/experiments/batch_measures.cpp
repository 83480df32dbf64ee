#include "core/experiments/batch_measures.h"

#include "core/model/pass/model_program.h"
#include "core/train/training_pass.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace headscope {

namespace {

constexpr std::int64_t kTexts = 16;
constexpr std::int64_t kWatched = 8; ///< Texts whose neighbours are replaced, one after the other.
constexpr std::int64_t kShort = 4;
constexpr std::int64_t kLengths[] = {2, kShort, 8, 16};

void append(Batch& to, const Batch& rows)
{
    to.rows += rows.rows;
    to.length = rows.length;
    to.inputs.insert(to.inputs.end(), rows.inputs.begin(), rows.inputs.end());
    to.targets.insert(to.targets.end(), rows.targets.begin(), rows.targets.end());
}

/// Held-out rows [first, first + count).
Batch heldOutRows(const BatchSource& batches, std::int64_t first, std::int64_t count)
{
    Batch all;
    for (std::int64_t i = 0; i < batches.validationBatchCount() && all.rows < first + count; ++i)
        append(all, batches.validationBatch(i));
    return batchRows(all, std::min(first, all.rows), std::min(first + count, all.rows));
}

/// The first `length` tokens of every row.
Batch firstTokens(const Batch& batch, std::int64_t length)
{
    Batch cut;
    cut.rows = batch.rows;
    cut.length = length;
    for (std::int64_t row = 0; row < batch.rows; ++row) {
        const auto first = static_cast<std::ptrdiff_t>(row * batch.length);
        const auto copy = [&](const std::vector<TokenId>& from, std::vector<TokenId>& to) {
            to.insert(to.end(), from.begin() + first, from.begin() + first + length);
        };
        copy(batch.inputs, cut.inputs);
        copy(batch.targets, cut.targets);
    }
    return cut;
}

/// Only targets of positions and rows that `counts(row, position)` keeps.
template<class Counts>
Batch withTargets(Batch batch, const Counts& counts)
{
    for (std::int64_t row = 0; row < batch.rows; ++row)
        for (std::int64_t i = 0; i < batch.length; ++i)
            if (!counts(row, i))
                batch.targets[static_cast<std::size_t>(row * batch.length + i)] = kIgnoredTarget;
    return batch;
}

/// Mean loss of a batch under a trained model.
class BatchLoss
{
public:
    explicit BatchLoss(const TrainedVariant& variant)
        : m_parameters(variant.model.parameters().values())
        , m_gradients(variant.data.model)
        , m_pass(variant.data.model, std::make_shared<const ModelProgram>(variant.data.model),
                 variant.makeBackend())
    {
    }

    double asTrained(const Batch& batch)
    {
        return mean(m_pass.forwardBackward(inputs(batch), m_gradients.values().data()), batch);
    }

    double inUse(const Batch& batch) { return mean(m_pass.forward(inputs(batch)), batch); }

private:
    PassInputs inputs(const Batch& batch) const
    {
        PassInputs inputs{batch};
        inputs.rows = batch.rows;
        inputs.parameters = m_parameters.data();
        return inputs;
    }

    static double mean(const PassLosses& losses, const Batch& batch)
    {
        return losses.token / static_cast<double>(keptTargets(batch.targets));
    }

    std::span<const float> m_parameters;
    ParameterSet m_gradients;
    TrainingPass m_pass;
};

double aloneLoss(BatchLoss& loss, const Batch& texts)
{
    double sum = 0.0;
    for (std::int64_t row = 0; row < texts.rows; ++row)
        sum += loss.asTrained(batchRows(texts, row, row + 1));
    return sum / static_cast<double>(texts.rows);
}

double neighbourChange(BatchLoss& loss, const Batch& texts, const Batch& others)
{
    const std::int64_t watched = std::min(kWatched, texts.rows);
    double sum = 0.0;
    for (std::int64_t text = 0; text < watched; ++text) {
        Batch among = batchRows(texts, text, text + 1);
        append(among, batchRows(others, 1, others.rows));
        const auto isFirst = [](std::int64_t row, std::int64_t) { return row == 0; };
        const auto isText = [text](std::int64_t row, std::int64_t) { return row == text; };
        sum += std::abs(loss.asTrained(withTargets(among, isFirst)) -
                        loss.asTrained(withTargets(texts, isText)));
    }
    return sum / static_cast<double>(watched);
}

/// Texts of half the length, filled up with the first token of the vocabulary.
double paddingChange(BatchLoss& loss, const Batch& texts)
{
    const std::int64_t half = texts.length / 2;
    const auto isShown = [half](std::int64_t, std::int64_t position) { return position < half; };
    Batch padded = withTargets(texts, isShown);
    for (std::int64_t row = 0; row < padded.rows; ++row) {
        for (std::int64_t i = 0; i < padded.length; ++i) {
            padded.keyMask.push_back(isShown(row, i) ? 1 : 0);
            if (!isShown(row, i))
                padded.inputs[static_cast<std::size_t>(row * padded.length + i)] = 0;
        }
    }
    Batch counted = padded;
    counted.keyMask.clear();
    return std::abs(loss.asTrained(counted) - loss.asTrained(padded));
}

ExperimentSeries lengthChanges(BatchLoss& loss, const Batch& texts)
{
    ExperimentSeries series{"length_change", {}, {}};
    for (const std::int64_t length : kLengths) {
        if (length > texts.length)
            break;
        const auto isFirst = [length](std::int64_t, std::int64_t i) { return i < length; };
        series.x.push_back(static_cast<double>(length));
        series.y.push_back(loss.asTrained(firstTokens(texts, length)) -
                           loss.asTrained(withTargets(texts, isFirst)));
    }
    return series;
}

} // namespace

void addBatches(const TrainedVariant& variant, VariantResult& result)
{
    const Batch texts = heldOutRows(*variant.data.batches, 0, kTexts);
    const Batch others = heldOutRows(*variant.data.batches, kTexts, kTexts);
    BatchLoss loss(variant);
    const auto add = [&](const char* name, double value) {
        result.numbers.push_back({name, value});
    };
    add("use_loss", loss.inUse(texts));
    add("batch_loss", loss.asTrained(texts));
    add("alone_loss", aloneLoss(loss, texts));
    add("neighbour_change", neighbourChange(loss, texts, others));
    add("padding_change", paddingChange(loss, texts));
    ExperimentSeries changes = lengthChanges(loss, texts);
    const auto found = std::ranges::find(changes.x, static_cast<double>(kShort));
    if (found != changes.x.end())
        add("short_change", changes.y[static_cast<std::size_t>(found - changes.x.begin())]);
    result.series.push_back(std::move(changes));
}

} // namespace headscope

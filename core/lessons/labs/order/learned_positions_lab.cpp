#include "core/base/error.h"
#include "core/lessons/labs/lab.h"
#include "core/lessons/labs/lab_parts.h"
#include "core/ops/positions.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope {

namespace {

/// Name of the learned positions, of the decoder if there are two. Throws Error if there are none.
std::string tableName(const LoadedModel& model)
{
    if (model.model->config().positions != Positions::Learned)
        throw Error("this model has no learned positions", model.name,
                    "Choose the built-in repeat model");
    const bool hasTwo = model.model->config().isEncoderDecoder();
    return hasTwo ? "dec.pos_emb" : "pos_emb";
}

/// Finds the weights "pos_emb" or "pos_emb.weight".
TensorView tableOf(const LoadedModel& model)
{
    const std::string name = tableName(model);
    for (const ParameterSpec& spec : model.model->parameters().specs()) {
        if (spec.name.starts_with(name))
            return model.model->parameters().view(spec);
    }
    throw Error("this model has no position embeddings", model.name, "Choose another model");
}

TensorView firstRows(TensorView table, std::int64_t count)
{
    table.shape = Shape{std::min(count, table.shape[0]), table.shape[1]};
    return table;
}

/// Cosine similarities of all pairs of rows.
Tensor likeness(TensorView rows)
{
    Tensor products = dotProducts(rows);
    std::vector<double> lengths;
    for (std::int64_t i = 0; i < rows.shape[0]; ++i)
        lengths.push_back(std::max(rowNorm(rows[i]), 1e-12));
    for (std::int64_t i = 0; i < rows.shape[0]; ++i)
        for (std::int64_t j = 0; j < rows.shape[0]; ++j)
            products.view()(i, j) /= static_cast<float>(lengths[static_cast<std::size_t>(i)] *
                                                        lengths[static_cast<std::size_t>(j)]);
    return products;
}

/// Mean cosine similarity of rows `distance` apart.
double meanAt(TensorView cosines, std::int64_t distance)
{
    double sum = 0.0;
    const std::int64_t count = cosines.shape[0] - distance;
    for (std::int64_t i = 0; i < count; ++i)
        sum += static_cast<double>(cosines(i, i + distance));
    return sum / static_cast<double>(count);
}

LabPanel likenessPanel(const char* title, const char* caption, const Tensor& cosines)
{
    LabMatrix matrix = matrixOf("position", "position", cosines.view(), true);
    matrix.low = -1.0;
    matrix.high = 1.0;
    matrix.decimals = -1;
    return {title, caption, std::move(matrix)};
}

LoadedModel chosenModel(const std::string& choice, const LabContext& context)
{
    if (choice == "open") {
        if (context.model.model == nullptr)
            throw Error("no model is open", "Model", "Choose the built-in repeat model");
        return context.model;
    }
    if (!context.openModel)
        throw Error("this context cannot open built-in models", "Model", "Choose the open model");
    return context.openModel("builtin:" + choice);
}

} // namespace

LabResult runLearnedPositions(const LabSettings& settings, const LabContext& context,
                              const std::stop_token&)
{
    const LoadedModel model = chosenModel(settings.text("model"), context);
    const TensorView whole = tableOf(model);
    const TensorView table = firstRows(whole, settings.integer("positions"));
    const Tensor sinusoid = sinusoidalPositions(table.shape[0], table.shape[1]);
    const Tensor learned = likeness(table);
    const Tensor computed = likeness(sinusoid.view());
    const std::int64_t far = std::min<std::int64_t>(8, table.shape[0] - 1);

    LabMatrix cells = matrixOf("position", "column", table, true);
    cells.decimals = -1;
    LabResult result;
    result.panels = {{"Learned positions", "After training", std::move(cells)},
                     likenessPanel("Cosine similarity, learned",
                                   "1 on the diagonal: each row with itself", learned),
                     likenessPanel("Cosine similarity, sinusoidal",
                                   "For comparison: computed, never trained", computed)};
    const double parameters = static_cast<double>(whole.shape.elementCount());
    result.numbers = {
        {"max_len", "Rows", static_cast<double>(whole.shape[0])},
        {"d", "Columns", static_cast<double>(whole.shape[1])},
        {"parameters", "Parameters", parameters},
        {"neighbours", "Similarity of neighbours", meanAt(learned.view(), 1)},
        {"far", "Similarity 8 apart", meanAt(learned.view(), far)},
        {"neighbours_sinusoidal", "Sinusoidal, neighbours", meanAt(computed.view(), 1)},
        {"far_sinusoidal", "Sinusoidal, 8 apart", meanAt(computed.view(), far)}};
    result.sentence = fmt::format(
        "The matrix has {} rows of {}, {} parameters, and no row beyond {}. Neighbouring rows have "
        "a cosine similarity of {:.2f}, sinusoidal ones {:.2f}.",
        whole.shape[0], whole.shape[1], whole.shape.elementCount(), whole.shape[0] - 1,
        result.number("neighbours").value, result.number("neighbours_sinusoidal").value);
    putFirst(result, "neighbours");
    return result;
}

} // namespace headscope

#include "core/model/edits/edited_model.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/base/stop.h"
#include "core/model/edits/adapter_edit.h"
#include "core/model/edits/weight_matrix.h"
#include "core/model/model.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace headscope {

namespace {

using Axis = WeightMatrix::Axis;

[[noreturn]] void refuse(const std::string& problem, const std::string& advice)
{
    throw ShapeError(problem, "edit", advice);
}

/// Selected cells of a matrix: rows [row, lastRow), columns [column, lastColumn).
struct Cells
{
    std::int64_t row = 0;
    std::int64_t lastRow = 0;
    std::int64_t column = 0;
    std::int64_t lastColumn = 0;

    std::int64_t count() const { return (lastRow - row) * (lastColumn - column); }
};

void checkIndex(const char* what, std::int64_t index, std::int64_t count, const std::string& matrix)
{
    if (index >= count)
        refuse(fmt::format("{} has no {} {}", matrix, what, index),
               fmt::format("Choose {} 0 to {}", what, count - 1));
}

void narrow(std::int64_t& first, std::int64_t& last, std::int64_t begin, std::int64_t count)
{
    first = begin;
    last = begin + count;
}

/// Cells of one head. Throws where the matrix is not divided into heads.
Cells headCells(const WeightMatrix& matrix, int head)
{
    if (matrix.headAxis == Axis::None)
        refuse(fmt::format("{} is not divided into heads", matrix.name),
               "Choose W_Q, W_K, W_V or W_O of an attention, or a row or a column");
    checkIndex("head", head, matrix.heads, matrix.name);
    Cells cells{0, matrix.rows, 0, matrix.columns};
    const std::int64_t size = matrix.headSize();
    if (matrix.headAxis == Axis::Rows)
        narrow(cells.row, cells.lastRow, head * size, size);
    else
        narrow(cells.column, cells.lastColumn, head * size, size);
    return cells;
}

/// Of a vector one index alone is that of the entry.
Cells selectedCells(const WeightMatrix& matrix, const WeightEdit& edit)
{
    Cells cells =
        edit.head ? headCells(matrix, *edit.head) : Cells{0, matrix.rows, 0, matrix.columns};
    const bool isEntry = matrix.isVector() && edit.row && !edit.column;
    const std::optional<std::int64_t> row = isEntry ? std::nullopt : edit.row;
    const std::optional<std::int64_t> column = isEntry ? edit.row : edit.column;
    if (row) {
        checkIndex("row", *row, matrix.rows, matrix.name);
        narrow(cells.row, cells.lastRow, *row, 1);
    }
    if (column) {
        checkIndex(matrix.isVector() ? "entry" : "column", *column, matrix.columns, matrix.name);
        narrow(cells.column, cells.lastColumn, *column, 1);
    }
    return cells;
}

/// Throws for a swap of heads that do not exist or do not share keys and values as heads do.
void checkSwap(const ModelConfig& config, const std::vector<WeightMatrix>& matrices,
               const WeightEdit& edit)
{
    const std::vector<std::string> known = attentionNames(matrices);
    if (std::ranges::find(known, edit.matrix) == known.end())
        refuse("no such attention: " + inQuotes(edit.matrix),
               nearestNameAdvice(edit.matrix, known));
    const int a = edit.head.value_or(0);
    const int b = edit.otherHead;
    for (const int head : {a, b})
        checkIndex("head", head, config.heads, edit.matrix);
    const auto perGroup = static_cast<int>(config.heads / config.keyHeadCount());
    if (a / perGroup != b / perGroup && perGroup > 1)
        refuse(fmt::format("heads {} and {} use different keys and values", a, b),
               fmt::format("Swap heads of one group, such as {} and {}", a / perGroup * perGroup,
                           a / perGroup * perGroup + 1));
}

/// Applies edits to copies of the matrices that they touch.
class WeightEditor
{
public:
    WeightEditor(const Model& base, const OpenCheckpoint& open)
        : m_base(base)
        , m_open(open)
        , m_matrices(weightMatrices(base.config()))
    {
    }

    void apply(const WeightEdit& edit)
    {
        if (edit.kind == WeightEdit::Kind::Swap)
            return swapHeads(edit);
        const WeightMatrix& matrix = findMatrix(m_matrices, edit.matrix);
        const Cells cells = selectedCells(matrix, edit);
        switch (edit.kind) {
        case WeightEdit::Kind::Scale:
            return scale(matrix, cells, edit.factor);
        case WeightEdit::Kind::Take:
            return takeFrom(matrix, cells, edit.checkpoint);
        default:
            return set(matrix, cells, edit);
        }
    }

    std::vector<ReplacedParameter> take()
    {
        std::vector<ReplacedParameter> replaced;
        for (auto& [index, values] : m_touched)
            replaced.push_back({index, std::move(values)});
        return replaced;
    }

private:
    Tensor& touched(const WeightMatrix& matrix)
    {
        const auto found = m_touched.find(matrix.parameter);
        if (found != m_touched.end())
            return found->second;
        const ParameterSet& parameters = m_base.parameters();
        const TensorView view = parameters.view(parameters.specs()[matrix.parameter]);
        Tensor copy(view.shape);
        std::copy_n(view.data, copy.size(), copy.data());
        return m_touched.emplace(matrix.parameter, std::move(copy)).first->second;
    }

    template<class Function>
    static void forEach(const Cells& cells, Function function)
    {
        for (std::int64_t row = cells.row; row < cells.lastRow; ++row)
            for (std::int64_t column = cells.column; column < cells.lastColumn; ++column)
                function(row, column);
    }

    void set(const WeightMatrix& matrix, const Cells& cells, const WeightEdit& edit)
    {
        const std::int64_t given = std::ssize(edit.values);
        if (given != 1 && given != cells.count())
            refuse(fmt::format("{} values for {} weights of {}", given, cells.count(), matrix.name),
                   "Give one number, or one for each weight");
        float* const values = touched(matrix).data();
        std::size_t next = 0;
        forEach(cells, [&](std::int64_t row, std::int64_t column) {
            values[matrix.cell(row, column)] = edit.values[given == 1 ? 0 : next++];
        });
    }

    void scale(const WeightMatrix& matrix, const Cells& cells, double factor)
    {
        float* const values = touched(matrix).data();
        const auto by = static_cast<float>(factor);
        forEach(cells, [&](std::int64_t row, std::int64_t column) {
            values[matrix.cell(row, column)] *= by;
        });
    }

    const Model& checkpoint(const std::string& name)
    {
        std::shared_ptr<const Model>& model = m_checkpoints[name];
        if (!model)
            model = m_open(name);
        return *model;
    }

    void takeFrom(const WeightMatrix& matrix, const Cells& cells, const std::string& name)
    {
        const Model& other = checkpoint(name);
        const std::vector<WeightMatrix> theirs = weightMatrices(other.config());
        const auto same = std::ranges::find(theirs, matrix.name, &WeightMatrix::name);
        if (same == theirs.end())
            refuse(fmt::format("{} has no matrix {}", inQuotes(name), matrix.name),
                   "Choose a checkpoint of the same architecture");
        if (same->rows != matrix.rows || same->columns != matrix.columns)
            refuse(fmt::format("{} is [{}, {}] in {}, but [{}, {}] here", matrix.name, same->rows,
                               same->columns, inQuotes(name), matrix.rows, matrix.columns),
                   "Choose a checkpoint of the same sizes");
        const ParameterSet& parameters = other.parameters();
        const TensorView from = parameters.view(parameters.specs()[same->parameter]);
        parameters.requireUnchanged();
        float* const values = touched(matrix).data();
        forEach(cells, [&](std::int64_t row, std::int64_t column) {
            values[matrix.cell(row, column)] = from.data[same->cell(row, column)];
        });
    }

    void swapHeads(const WeightEdit& edit)
    {
        const ModelConfig& config = m_base.config();
        checkSwap(config, m_matrices, edit);
        const int a = edit.head.value_or(0);
        const int b = edit.otherHead;
        for (const WeightMatrix& matrix : m_matrices)
            if (matrix.name.starts_with(edit.matrix + ".") && matrix.heads == config.heads)
                swapIn(matrix, a, b);
    }

    void swapIn(const WeightMatrix& matrix, int a, int b)
    {
        const Cells first = headCells(matrix, a);
        const Cells second = headCells(matrix, b);
        float* const values = touched(matrix).data();
        forEach(first, [&](std::int64_t row, std::int64_t column) {
            std::swap(values[matrix.cell(row, column)],
                      values[matrix.cell(row - first.row + second.row,
                                         column - first.column + second.column)]);
        });
    }

    const Model& m_base;
    const OpenCheckpoint& m_open;
    std::vector<WeightMatrix> m_matrices;
    std::map<std::size_t, Tensor> m_touched; ///< By parameter.
    std::map<std::string, std::shared_ptr<const Model>> m_checkpoints;
};

} // namespace

std::shared_ptr<const Model> editedModel(const std::shared_ptr<const Model>& base,
                                         const std::vector<WeightEdit>& edits,
                                         const OpenCheckpoint& open, std::stop_token stop)
{
    if (edits.empty())
        return base;
    WeightEditor editor(*base, open);
    for (const WeightEdit& edit : edits) {
        throwIfStopped(stop);
        editor.apply(edit);
    }
    base->parameters().requireUnchanged();
    return std::make_shared<const Model>(Model::replaced(base, editor.take(), edits));
}

void checkWeightEdit(const ModelConfig& config, const WeightEdit& edit)
{
    if (isAdapter(edit))
        return; // its file says what it changes
    const std::vector<WeightMatrix> matrices = weightMatrices(config);
    if (edit.kind == WeightEdit::Kind::Swap)
        checkSwap(config, matrices, edit);
    else
        selectedCells(findMatrix(matrices, edit.matrix), edit);
}

} // namespace headscope

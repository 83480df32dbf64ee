#pragma once

#include "core/analysis/weights/nearest_rows.h"
#include "core/analysis/weights/weight_map.h"
#include "ui/pages/shared/maps/map_content.h"
#include "ui/pages/weights/weights_options.h"
#include "ui/widgets/charts/bars/bars.h"

namespace headscope::ui {

using WeightMapPtr = std::shared_ptr<const WeightMap>;

/// The matrix of a view: that of A or B, or their difference.
struct WeightSubject
{
    std::shared_ptr<const Model> model; ///< Null: there is nothing to read.
    std::shared_ptr<const Model> minus; ///< A, for a difference.
    WeightMatrix matrix;

    bool isEmpty() const { return model == nullptr; }

    friend bool operator==(const WeightSubject& a, const WeightSubject& b)
    {
        return a.model == b.model && a.minus == b.minus && a.matrix.name == b.matrix.name;
    }
};

/// One row or column.
struct WeightLine
{
    std::int64_t index = 0;
    bool isColumn = false;
    std::vector<float> values;
    std::vector<NearRow> near; ///< Nearest tokens, where the line is that of a token.
};

/// The selected matrix of the shown variant. Selects the first one where the name is unknown, and
/// brings row and column within it.
WeightSubject weightSubject(const ViewSnapshot& view, WeightsOptions& options);

/// Rows to draw: all of them, or some around the selected one.
WeightMapRequest mapRequest(const WeightMatrix& matrix, const WeightsOptions& options);

/// True when the selected row, or column, is that of a token.
bool isTokenLine(const WeightMatrix& matrix, bool isColumn);

/// Part of the model that a matrix belongs to: "Embeddings", "Layer 3", "Output".
QString partTitle(const std::string& name);

/// "W_Q · queries".
QString matrixTitle(const std::string& name);

/// The map with its colour bar, whose range is symmetric around 0.
MapWithLegend weightsMap(const WeightSubject& subject, const WeightMap& map,
                         const WeightsOptions& options, const LoadedModel& model);

/// "row 17 “cat”", "column 5".
QString lineName(const WeightMatrix& matrix, bool isColumn, std::int64_t index,
                 const LoadedModel& model);

/// Size, storage, and what one cell of the map is.
QString matrixText(const WeightSubject& subject, const WeightMap* map, const LoadedModel& model);

/// Length, mean and largest weight of a line.
QString lineText(const WeightLine& line);

/// Nearest tokens by cosine, as bars.
std::vector<Bar> nearBars(const WeightLine& line, const LoadedModel& model);

/// "Largest 12.3, smallest 0.02. 17 of 128 hold 90 % of the sum of squares."
QString spectrumText(const std::vector<double>& values);

} // namespace headscope::ui

// Figures of labs as tables: as text, and as numbers for files.
#include "core/analysis/scores/undefined.h"
#include "ui/pages/shared/figures/number_rows.h"
#include "ui/pages/shared/stages/lab_content.h"
#include "ui/widgets/text/string_list.h"
#include "ui/widgets/tr.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope::ui {

namespace {

LabTable withColumns(const QStringList& columns)
{
    LabTable table;
    for (const QString& column : columns)
        table.columns.push_back(column.toStdString());
    return table;
}

/// Name of the values of a bar chart.
QString valueName(const LabBars& bars)
{
    return bars.unit.empty() ? tr("value") : QString::fromStdString(bars.unit);
}

std::string text(double value)
{
    return shortNumber(value).toStdString();
}

LabTable tableOfPlot(const LabChart& chart)
{
    LabTable table{{chart.x}, {}, -1};
    std::vector<double> places;
    for (const LabChart::Series& series : chart.series) {
        table.columns.push_back(series.name);
        places.insert(places.end(), series.x.begin(), series.x.end());
    }
    std::ranges::sort(places);
    places.erase(std::unique(places.begin(), places.end()), places.end());
    for (const double x : places) {
        std::vector<std::string> row{text(x)};
        for (const LabChart::Series& series : chart.series) {
            const auto at = std::ranges::find(series.x, x);
            const auto index = static_cast<std::size_t>(at - series.x.begin());
            row.push_back(at == series.x.end() ? std::string() : text(series.y[index]));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

LabTable tableOfPlot(const LabBars& bars)
{
    LabTable table = withColumns({tr("name"), valueName(bars)});
    for (const LabBars::Bar& bar : bars.bars)
        table.rows.push_back({bar.label, bar.words.empty() ? text(bar.value) : bar.words});
    return table;
}

LabTable tableOfPlot(const LabMatrix& matrix)
{
    LabTable table{{matrix.rows}, {}, -1};
    table.columns.insert(table.columns.end(), matrix.columnLabels.begin(),
                         matrix.columnLabels.end());
    for (std::size_t row = 0; row < matrix.rowLabels.size(); ++row) {
        std::vector<std::string> texts{matrix.rowLabels[row]};
        for (std::size_t column = 0; column < matrix.columnLabels.size(); ++column)
            texts.push_back(text(matrix.values[row * matrix.columnLabels.size() + column]));
        table.rows.push_back(std::move(texts));
    }
    return table;
}

LabTable tableOfPlot(const LabTable& table)
{
    return table;
}

LabTable tableOfPlot(const LabTokens& tokens)
{
    LabTable table = withColumns({tr("row"), tr("token"), tr("id"), tr("bytes")});
    for (const LabTokens::Row& row : tokens.rows)
        for (const LabTokens::Token& token : row.tokens)
            table.rows.push_back({row.name, token.text, fmt::format("{}", token.id),
                                  fmt::format("{} to {}", token.begin, token.end)});
    return table;
}

LabTable tableOfPlot(const LabTree& tree)
{
    LabTable table = withColumns({tr("node"), tr("words"), tr("parent"), tr("fate")});
    const auto fate = [](LabTree::Fate of) {
        const QString name = of == LabTree::Fate::Kept     ? tr("kept")
                             : of == LabTree::Fate::Pruned ? tr("dropped")
                                                           : tr("finished");
        return name.toStdString();
    };
    for (const LabTree::Node& node : tree.nodes) {
        const bool hasParent =
            node.parent >= 0 && static_cast<std::size_t>(node.parent) < tree.nodes.size();
        table.rows.push_back(
            {node.label, node.words,
             hasParent ? tree.nodes[static_cast<std::size_t>(node.parent)].label : std::string(),
             fate(node.fate)});
    }
    return table;
}

LabTable tableOfPlot(const LabTiles& tiles)
{
    LabTable table = withColumns({tr("step"), QString::fromStdString(tiles.rowsName),
                                  QString::fromStdString(tiles.columnsName), tr("description")});
    for (const LabTiles::Tile& tile : tiles.tiles) {
        std::string says = tile.caption;
        for (const auto& [name, value] : tile.numbers)
            says += fmt::format("; {} {}", name, text(value));
        table.rows.push_back({fmt::format("{}", table.rows.size() + 1), fmt::format("{}", tile.row),
                              fmt::format("{}", tile.column), says});
    }
    return table;
}

LabTable tableOfPlot(const LabDiagram& diagram)
{
    LabTable table = withColumns({tr("box"), tr("words"), tr("goes to")});
    for (std::size_t index = 0; index < diagram.boxes.size(); ++index) {
        std::string to;
        for (const auto& [from, target] : diagram.arrows)
            if (from == static_cast<int>(index))
                to += (to.empty() ? "" : ", ") +
                      diagram.boxes[static_cast<std::size_t>(target)].label;
        table.rows.push_back({diagram.boxes[index].label, diagram.boxes[index].words, to});
    }
    return table;
}

NumberTable numbersOfChart(const LabChart& chart)
{
    std::vector<double> rising;
    for (const LabChart::Series& series : chart.series)
        rising.insert(rising.end(), series.x.begin(), series.x.end());
    std::ranges::sort(rising);
    rising.erase(std::unique(rising.begin(), rising.end()), rising.end());
    NumberRows rows;
    for (const double x : rising) {
        std::vector<double> values{x};
        for (const LabChart::Series& series : chart.series) {
            const auto at = std::ranges::find(series.x, x);
            const auto index = static_cast<std::size_t>(at - series.x.begin());
            values.push_back(at == series.x.end() ? kUndefined : series.y[index]);
        }
        rows.add(shortNumber(x), values);
    }
    return rows.table({}, stringList(tableOfPlot(chart).columns));
}

NumberTable numbersOfBars(const LabBars& bars)
{
    NumberRows rows;
    for (const LabBars::Bar& bar : bars.bars)
        rows.add(QString::fromStdString(bar.label), {bar.value});
    return rows.table({}, {valueName(bars)});
}

NumberTable numbersOfTiles(const LabTiles& tiles)
{
    NumberRows rows;
    QStringList columns;
    for (const LabTiles::Tile& tile : tiles.tiles) {
        if (columns.isEmpty())
            for (const auto& [name, value] : tile.numbers)
                columns << QString::fromStdString(name);
        if (static_cast<qsizetype>(tile.numbers.size()) != columns.size())
            return {};
        std::vector<double> values;
        for (const auto& [name, value] : tile.numbers)
            values.push_back(value);
        rows.add(QStringLiteral("%1,%2").arg(tile.row).arg(tile.column), values);
    }
    return rows.table({}, columns);
}

} // namespace

LabTable tableOf(const LabPlot& plot)
{
    return std::visit([](const auto& one) { return tableOfPlot(one); }, plot);
}

std::vector<NumberTable> numbersOf(const LabPanel& panel)
{
    NumberTable table;
    if (const auto* chart = std::get_if<LabChart>(&panel.plot)) {
        table = numbersOfChart(*chart);
    } else if (const auto* bars = std::get_if<LabBars>(&panel.plot)) {
        table = numbersOfBars(*bars);
    } else if (const auto* tiles = std::get_if<LabTiles>(&panel.plot)) {
        table = numbersOfTiles(*tiles);
    } else if (const auto* matrix = std::get_if<LabMatrix>(&panel.plot)) {
        const HeatmapContent content = matrixContent(*matrix);
        table = {{}, content.rowLabels, content.columnLabels, content.matrix};
    }
    table.name = QString::fromStdString(panel.title);
    if (table.values.isEmpty())
        return {};
    return {table};
}

NumberTable numbersOf(const std::vector<LabNumber>& numbers)
{
    NumberRows rows;
    for (const LabNumber& number : numbers) {
        const QString unit = QString::fromStdString(number.unit);
        const QString title = QString::fromStdString(number.title);
        rows.add(unit.isEmpty() ? title : QStringLiteral("%1 [%2]").arg(title, unit),
                 {number.value});
    }
    return rows.table(QStringLiteral("numbers"), {tr("value")});
}

} // namespace headscope::ui

#include "core/lessons/labs/lab_translation.h"

#include "core/base/content_language.h"

namespace headscope {

namespace {

void translate(std::string& text)
{
    if (!text.empty())
        text = message(text);
}

void translate(LabChart& chart)
{
    translate(chart.x);
    translate(chart.y);
    translate(chart.markText);
    for (LabChart::Series& series : chart.series)
        translate(series.name);
}

void translate(LabBars& bars)
{
    translate(bars.unit);
    for (LabBars::Bar& bar : bars.bars)
        translate(bar.words);
}

void translate(LabMatrix& matrix)
{
    translate(matrix.rows);
    translate(matrix.columns);
}

void translate(LabTable& table)
{
    for (std::string& column : table.columns)
        translate(column);
}

void translate(LabTokens& tokens)
{
    for (LabTokens::Row& row : tokens.rows) {
        translate(row.name);
        translate(row.note);
    }
}

void translate(LabTree& tree)
{
    for (LabTree::Node& node : tree.nodes)
        translate(node.words);
}

void translate(LabTiles& tiles)
{
    translate(tiles.rowsName);
    translate(tiles.columnsName);
    for (LabTiles::Tile& tile : tiles.tiles) {
        translate(tile.caption);
        for (auto& [name, value] : tile.numbers)
            translate(name);
    }
}

void translate(LabDiagram& diagram)
{
    for (LabDiagram::Box& box : diagram.boxes) {
        translate(box.label);
        translate(box.words);
    }
}

} // namespace

LabResult translated(LabResult result)
{
    for (LabPanel& panel : result.panels) {
        translate(panel.title);
        translate(panel.caption);
        std::visit([](auto& plot) { translate(plot); }, panel.plot);
    }
    for (LabNumber& number : result.numbers) {
        translate(number.title);
        translate(number.unit);
    }
    translate(result.sentence);
    return result;
}

} // namespace headscope

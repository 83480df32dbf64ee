#include "core/lessons/lesson_report.h"

#include "core/lessons/worked/example_inputs.h"

#include <fmt/format.h>

#include <cmath>

namespace headscope {

namespace {

using Json = nlohmann::ordered_json;

/// JSON has no infinity, so a hidden score becomes null.
Json finiteOrNull(double value)
{
    return std::isfinite(value) ? Json(value) : Json();
}

const WorkedMatrix& matrixAt(const WorkedExample& example, CellAddress address)
{
    return example.matrices[static_cast<std::size_t>(address.matrix)];
}

Json operandJson(const WorkedExample& example, const Operand& operand)
{
    Json json;
    if (operand.cell)
        json["cell"] = nameOf(example, *operand.cell);
    else
        json["symbol"] = operand.symbol;
    json["value"] = finiteOrNull(operand.value);
    return json;
}

Json stepJson(const WorkedExample& example, const WorkedStep& step)
{
    Json json{{"stage", example.stages[static_cast<std::size_t>(step.stage)].title},
              {"operation", nameOf(step.operation)},
              {"operands", Json::array()},
              {"result", nameOf(example, step.result)},
              {"value", finiteOrNull(step.value)}};
    for (const Operand& operand : step.operands)
        json["operands"].push_back(operandJson(example, operand));
    if (step.exact)
        json["exact"] = step.exact->text();
    if (!step.formula.empty())
        json["formula"] = step.formula;
    if (!step.reason.empty())
        json["reason"] = step.reason;
    return json;
}

Json matrixJson(const WorkedMatrix& matrix)
{
    Json json{
        {"name", matrix.name},      {"title", matrix.title},          {"input", matrix.isInput},
        {"rows", matrix.rowLabels}, {"columns", matrix.columnLabels}, {"values", Json::array()}};
    for (int row = 0; row < matrix.rows(); ++row) {
        Json values = Json::array();
        for (int column = 0; column < matrix.columns(); ++column)
            values.push_back(finiteOrNull(matrix.values[matrix.at(row, column)]));
        json["values"].push_back(std::move(values));
    }
    return json;
}

Json linesJson(const ListingCode& code)
{
    Json lines = Json::array();
    for (const ListingLine& line : code.lines) {
        Json json{{"code", line.code}};
        if (!line.shape.empty())
            json["shape"] = line.shape;
        if (!line.part.empty())
            json["part"] = line.part;
        lines.push_back(std::move(json));
    }
    return lines;
}

std::string shortNumber(double value)
{
    return std::isinf(value) ? (value < 0 ? "-inf" : "inf") : fmt::format("{:.6g}", value);
}

std::string operandsText(const WorkedStep& step)
{
    std::string text;
    for (std::size_t i = 0; i < step.operands.size(); ++i) {
        const bool isPair = step.operation == Operation::Dot && i % 2 == 1;
        text += i == 0 ? "" : (isPair ? " * " : ", ");
        text += shortNumber(step.operands[i].value);
    }
    return text;
}

std::string stepText(const WorkedExample& example, const WorkedStep& step)
{
    std::string line =
        fmt::format("{} = {}({}) = {}", nameOf(example, step.result), nameOf(step.operation),
                    operandsText(step), shortNumber(step.value));
    if (step.exact)
        line += " = " + step.exact->text();
    return step.reason.empty() ? line : line + "  (" + step.reason + ")";
}

/// Data of a figure by kind; diagrams export their labels.
struct PlotJson
{
    Json operator()(const LabChart& chart) const
    {
        Json json{{"kind", "chart"}, {"x", chart.x}, {"y", chart.y}, {"series", Json::array()}};
        for (const LabChart::Series& series : chart.series) {
            Json y = Json::array();
            for (const double value : series.y)
                y.push_back(finiteOrNull(value));
            json["series"].push_back({{"name", series.name}, {"x", series.x}, {"y", y}});
        }
        return json;
    }

    Json operator()(const LabBars& bars) const
    {
        Json json{{"kind", "bars"}, {"unit", bars.unit}, {"bars", Json::array()}};
        for (const LabBars::Bar& bar : bars.bars)
            json["bars"].push_back({{"label", bar.label}, {"value", finiteOrNull(bar.value)}});
        return json;
    }

    Json operator()(const LabMatrix& matrix) const
    {
        Json json{{"kind", "matrix"},
                  {"rows", matrix.rowLabels},
                  {"columns", matrix.columnLabels},
                  {"values", Json::array()}};
        for (const double value : matrix.values)
            json["values"].push_back(finiteOrNull(value));
        return json;
    }

    Json operator()(const LabTable& table) const
    {
        return {{"kind", "table"}, {"columns", table.columns}, {"rows", table.rows}};
    }

    Json operator()(const LabTokens& tokens) const
    {
        Json json{{"kind", "tokens"}, {"rows", Json::array()}};
        for (const LabTokens::Row& row : tokens.rows) {
            Json list = Json::array();
            for (const LabTokens::Token& token : row.tokens)
                list.push_back(
                    {{"text", token.text}, {"id", token.id}, {"bytes", {token.begin, token.end}}});
            json["rows"].push_back({{"name", row.name}, {"tokens", list}, {"note", row.note}});
        }
        return json;
    }

    Json operator()(const LabTree& tree) const
    {
        Json json{{"kind", "tree"}, {"nodes", Json::array()}};
        for (const LabTree::Node& node : tree.nodes)
            json["nodes"].push_back({{"label", node.label},
                                     {"parent", node.parent},
                                     {"words", node.words},
                                     {"best", node.isOnBestPath}});
        return json;
    }

    Json operator()(const LabTiles& tiles) const
    {
        Json json{{"kind", "tiles"},
                  {"rows", tiles.rows},
                  {"columns", tiles.columns},
                  {"tiles", Json::array()}};
        for (const LabTiles::Tile& tile : tiles.tiles) {
            Json numbers = Json::object();
            for (const auto& [name, value] : tile.numbers)
                numbers[name] = finiteOrNull(value);
            json["tiles"].push_back({{"row", tile.row},
                                     {"column", tile.column},
                                     {"worker", tile.worker},
                                     {"numbers", numbers}});
        }
        return json;
    }

    Json operator()(const LabDiagram& diagram) const
    {
        Json json{{"kind", "diagram"}, {"boxes", Json::array()}, {"arrows", diagram.arrows}};
        for (const LabDiagram::Box& box : diagram.boxes)
            json["boxes"].push_back({{"label", box.label}, {"words", box.words}});
        return json;
    }
};

} // namespace

std::string nameOf(const WorkedExample& example, CellAddress address)
{
    return fmt::format("{}[{},{}]", matrixAt(example, address).name, address.row, address.column);
}

Json toJson(const WorkedExample& example, const ExampleInputs& inputs)
{
    Json json{{"example", example.name}, {"title", example.title}};
    json["switches"] = Json::object();
    for (const ExampleInputs::Switch& entry : inputs.switches)
        json["switches"][entry.name] = entry.on;
    json["matrices"] = Json::array();
    for (const WorkedMatrix& matrix : example.matrices)
        json["matrices"].push_back(matrixJson(matrix));
    json["steps"] = Json::array();
    for (const WorkedStep& step : example.steps)
        json["steps"].push_back(stepJson(example, step));
    return json;
}

Json toJson(const Lab& lab, const LabSettings& settings, const LabResult& result)
{
    Json json{{"lab", lab.name}, {"title", lab.title}, {"question", lab.question}};
    json["settings"] = settings.values();
    json["numbers"] = Json::object();
    for (const LabNumber& number : result.numbers)
        json["numbers"][number.name] = finiteOrNull(number.value);
    json["sentence"] = result.sentence;
    json["panels"] = Json::array();
    for (const LabPanel& panel : result.panels)
        json["panels"].push_back(
            {{"title", panel.title}, {"picture", std::visit(PlotJson(), panel.plot)}});
    return json;
}

Json toJson(const Listing& listing)
{
    Json json{{"listing", listing.name},
              {"title", listing.title},
              {"summary", listing.summary},
              {"examples", listing.examples},
              {"labs", listing.labs},
              {"set", listing.set},
              {"notes", Json::object()},
              {"cpp", linesJson(listing.cpp)},
              {"torch", linesJson(listing.torch)}};
    for (const Listing::Note& note : listing.notes)
        json["notes"][note.part] = note.text;
    return json;
}

std::string textOf(const WorkedExample& example)
{
    std::string text = example.title + "\n";
    for (const WorkedStage& stage : example.stages) {
        text += "\n" + stage.title + (stage.formula.empty() ? "" : ":  " + stage.formula) + "\n";
        for (std::size_t i = 0; i < stage.steps; ++i)
            text += "  " + stepText(example, example.steps[stage.firstStep + i]) + "\n";
    }
    return text;
}

std::string textOf(const Lab& lab, const LabSettings& settings, const LabResult& result)
{
    std::string text = lab.title + "\n" + lab.question + "\n\n";
    for (const LabControl& control : settings.controls())
        text += fmt::format("  {} = {}\n", control.name, settings.text(control.name));
    text += "\n";
    for (const LabNumber& number : result.numbers)
        text +=
            fmt::format("  {:<28} {} {}\n", number.name, shortNumber(number.value), number.unit);
    return text + "\n" + result.sentence + "\n";
}

} // namespace headscope

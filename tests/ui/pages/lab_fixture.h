#pragma once

#include "core/base/error.h"
#include "core/lessons/labs/lab.h"
#include "tests/ui/child.h"
#include "ui/pages/shared/stages/lab_stage.h"
#include "ui/widgets/labels.h"

#include <memory>

namespace headscope::ui::test {

/// Why the last computation failed; empty otherwise.
inline QString labProblem(const LabStage& stage)
{
    const QString sentence = childOf<TextLabel>(stage, "outcome").text();
    return sentence.startsWith(QChar(0x26A0)) ? sentence : QString();
}

/// With a result of the settings that the controls show.
inline bool isLabReady(const LabStage& stage)
{
    return stage.isSettled() && stage.result() && labProblem(stage).isEmpty();
}

inline LabControl numberControl()
{
    LabControl control;
    control.name = "size";
    control.title = "Size";
    control.initial = "4";
    control.low = 1.0;
    control.high = 64.0;
    return control;
}

inline LabControl choiceControl()
{
    LabControl control;
    control.name = "kind";
    control.title = "Kind";
    control.kind = LabControl::Kind::Choice;
    control.initial = "plain";
    control.choices = {"plain", "flash"};
    control.titles = {"Plain", "Flash"};
    return control;
}

inline LabControl switchControl()
{
    LabControl control;
    control.name = "causal";
    control.title = "Causal mask";
    control.kind = LabControl::Kind::Switch;
    control.initial = "off";
    return control;
}

inline LabControl textControl()
{
    LabControl control;
    control.name = "words";
    control.title = "Words";
    control.kind = LabControl::Kind::Text;
    control.initial = "unhappiness";
    return control;
}

/// One panel of each kind, all of size n where that means something.
inline std::vector<LabPanel> everyImage(int n)
{
    LabChart chart;
    chart.x = "position";
    chart.y = "score";
    LabBars bars;
    bars.unit = "ms";
    LabMatrix matrix;
    matrix.rows = "query";
    matrix.columns = "key";
    LabTable table{{"model", "layers"}, {}, 1};
    LabTokens tokens{{{"BPE", {}, "a note"}}};
    LabTree tree{{{"the", -1, "", LabTree::Fate::Kept, true}}};
    LabTiles tiles;
    tiles.rows = tiles.columns = 2;
    tiles.rowsName = "queries";
    tiles.columnsName = "keys";
    LabDiagram diagram{{{"Embedding", "[n, 8]", 0, 0}, {"Attention", "", 0, 1}}, {{0, 1}}};
    chart.series = {{"first", {}, {}, false}, {"second", {}, {}, true}};
    for (int index = 0; index < n; ++index) {
        const std::string name = "t" + std::to_string(index);
        for (auto& series : chart.series) {
            series.x.push_back(index);
            series.y.push_back(index * index + (&series == &chart.series[0] ? 0.0 : 3.0));
        }
        bars.bars.push_back({name, index + 1.0, {}, index == 0});
        matrix.rowLabels.push_back(name);
        matrix.columnLabels.push_back(name);
        table.rows.push_back({name, std::to_string(index)});
        tokens.rows[0].tokens.push_back({name, index, 2 * index, 2 * index + 2, index == 1});
        tree.nodes.push_back({name, 0, "0.5", LabTree::Fate::Pruned, false});
        for (int key = 0; key < n; ++key)
            matrix.values.push_back(1.0 / (1 + index + key));
    }
    tiles.tiles = {{0, 0, "starts", {{"maximum", 1.0}}, 0},
                   {1, 0, "starts", {{"maximum", 2.0}}, 0}};
    tiles.skipped = {{0, 1}};
    return {{"Chart", "of squares", chart}, {"Bars", "", bars},      {"Matrix", "", matrix},
            {"Table", "", table},           {"Tokens", "", tokens},  {"Tree", "", tree},
            {"Tiles", "", tiles},           {"Diagram", "", diagram}};
}

/// All controls, the first `panels` kinds of pictures from `first` on.
inline std::shared_ptr<Lab> everyLab(std::size_t first = 0, std::size_t panels = 3)
{
    auto lab = std::make_shared<Lab>();
    lab->name = "every";
    lab->title = "Every control";
    lab->question = "What does the size do?";
    lab->answer = "It makes **{{square}}** of it.";
    lab->controls = {numberControl(), choiceControl(), switchControl(), textControl()};
    lab->run = [first, panels](const LabSettings& settings, const LabContext& context,
                               const std::stop_token&) {
        const double size = settings.number("size");
        if (settings.text("words") == "fail")
            throw Error("the words fail", "words", "Type others");
        LabResult result;
        const auto all = everyImage(static_cast<int>(settings.integer("size")));
        for (std::size_t index = first; index < first + panels && index < all.size(); ++index)
            result.panels.push_back(all[index]);
        result.numbers = {{"square", "Square", size * size, {}, false},
                          {"letters", "Letters", double(settings.text("words").size()), {}, false},
                          {"time", "Time", 3.25, "ms", true}};
        result.sentence = settings.text("kind") + (settings.isOn("causal") ? ", causal: " : ": ") +
                          settings.text("words") + " | " + context.text;
        return result;
    };
    return lab;
}

} // namespace headscope::ui::test

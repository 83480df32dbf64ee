#pragma once

#include "core/base/file.h"
#include "core/lessons/labs/lab.h"
#include "core/lessons/worked/example_inputs.h"
#include "core/lessons/worked/worked_example.h"

#include <fmt/format.h>

#include <QRegularExpression>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace headscope::test {

// Texts of results that a window shows, and sentences in the sources that make them.

/// Settings at the ends and choices of every control, the others as they begin.
inline std::vector<LabSettings> settingsOf(const Lab& lab)
{
    std::vector<LabSettings> all{LabSettings(lab.controls)};
    for (const LabControl& control : lab.controls) {
        std::vector<std::string> values = control.choices;
        if (control.kind == LabControl::Kind::Number)
            values = {fmt::format("{}", control.low), fmt::format("{}", control.high)};
        else if (control.kind == LabControl::Kind::Switch)
            values = {"on", "off"};
        for (const std::string& value : values) {
            if (value == "open")
                continue;
            all.emplace_back(lab.controls);
            all.back().set(control.name, value);
        }
    }
    return all;
}

struct PlotTexts
{
    std::vector<std::string>& texts;

    void operator()(const LabChart& chart)
    {
        texts.insert(texts.end(), {chart.x, chart.y, chart.markText});
        for (const auto& series : chart.series)
            texts.push_back(series.name);
    }

    void operator()(const LabBars& bars) { texts.push_back(bars.unit); }

    void operator()(const LabMatrix& matrix)
    {
        texts.insert(texts.end(), {matrix.rows, matrix.columns});
    }

    void operator()(const LabTable& table)
    {
        texts.insert(texts.end(), table.columns.begin(), table.columns.end());
    }

    void operator()(const LabTokens& tokens)
    {
        for (const auto& row : tokens.rows)
            texts.insert(texts.end(), {row.name, row.note});
    }

    void operator()(const LabTree& tree)
    {
        for (const auto& node : tree.nodes)
            texts.push_back(node.words);
    }

    void operator()(const LabTiles& tiles)
    {
        texts.insert(texts.end(), {tiles.rowsName, tiles.columnsName});
        for (const auto& tile : tiles.tiles) {
            texts.push_back(tile.caption);
            for (const auto& [name, value] : tile.numbers)
                texts.push_back(name);
        }
    }

    void operator()(const LabDiagram& diagram)
    {
        for (const auto& box : diagram.boxes)
            texts.insert(texts.end(), {box.label, box.words});
    }
};

/// All but the labels and cells that may be tokens.
inline std::vector<std::string> textsOf(const LabResult& result)
{
    std::vector<std::string> texts{result.sentence};
    for (const LabNumber& number : result.numbers)
        texts.insert(texts.end(), {number.title, number.unit});
    for (const LabPanel& panel : result.panels) {
        texts.insert(texts.end(), {panel.title, panel.caption});
        std::visit(PlotTexts{texts}, panel.plot);
    }
    return texts;
}

inline std::vector<std::string> textsOf(const ExampleInputs& inputs)
{
    std::vector<std::string> texts{inputs.title};
    for (const auto& each : inputs.switches)
        texts.push_back(each.title);
    return texts;
}

inline std::vector<std::string> textsOf(const WorkedExample& example)
{
    std::vector<std::string> texts{example.title};
    for (const WorkedMatrix& matrix : example.matrices)
        texts.push_back(matrix.title);
    for (const WorkedStage& stage : example.stages)
        texts.push_back(stage.title);
    for (const WorkedStep& step : example.steps)
        texts.push_back(step.reason);
    return texts;
}

/// Sources below a folder, by their paths from the root.
inline std::vector<std::string> sourcesIn(const std::string& folder)
{
    const std::filesystem::path root(HEADSCOPE_SOURCE_DIR);
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder))
        if (entry.path().extension() == ".cpp")
            files.push_back(std::filesystem::relative(entry.path(), root).string());
    std::ranges::sort(files);
    return files;
}

struct Literal
{
    std::string text;
    bool isOfError = false; ///< Between the brackets of Error(...) or FormatError(...).
};

/// Text of a literal between its quotes, with \u escapes as characters.
inline std::string unescaped(QString text)
{
    static const QRegularExpression kCode(R"(\\u([0-9A-Fa-f]{4}))");
    for (auto code = kCode.match(text); code.hasMatch(); code = kCode.match(text))
        text.replace(code.capturedStart(), code.capturedLength(),
                     QChar(code.captured(1).toUShort(nullptr, 16)));
    text.replace("\\n", "\n").replace("\\\"", "\"").replace("\\\\", "\\");
    return text.toStdString();
}

/// Literals of a source, neighbours joined, without those of comments and #include.
inline std::vector<Literal> literalsOf(const std::string& file)
{
    const auto path = std::filesystem::path(HEADSCOPE_SOURCE_DIR) / file;
    QString source = QString::fromStdString(readFile(path.string(), 1 << 22));
    // No raw string: moc loses its place at a quotation mark within one.
    static const QRegularExpression kToken("(?<skip>//[^\\n]*|\\n#[^\\n]*|'(?:\\\\.|[^'\\\\\\n])+')"
                                           "|(?<text>\"(?:\\\\.|[^\"\\\\\\n])*\")"
                                           "|(?<error>\\b(?:Format)?Error\\()|(?<sign>[^\\s])");
    std::vector<Literal> all;
    int depth = 0;      // of brackets
    int errorDepth = 0; // 0: outside an error
    bool joins = false;
    for (auto tokens = kToken.globalMatch(source); tokens.hasNext();) {
        const auto token = tokens.next();
        if (!token.captured("skip").isEmpty())
            continue;
        if (const QString text = token.captured("text"); !text.isEmpty()) {
            const std::string part = unescaped(text.mid(1, text.size() - 2));
            if (joins)
                all.back().text += part;
            else
                all.push_back({part, errorDepth > 0});
            joins = true;
            continue;
        }
        joins = false;
        const bool isError = !token.captured("error").isEmpty();
        const QString sign = token.captured("sign");
        depth += isError || sign == "(" ? 1 : sign == ")" ? -1 : 0;
        if (isError && errorDepth == 0)
            errorDepth = depth;
        if (errorDepth > depth)
            errorDepth = 0;
    }
    return all;
}

/// Two words in a row: no name, key or format.
inline bool isSentence(const std::string& text)
{
    static const QRegularExpression kWords("[A-Za-z]{2,},? [A-Za-z]{2,}");
    return kWords.match(QString::fromStdString(text)).hasMatch();
}

/// As a constant is written where it becomes a format string.
inline std::string withDoubledBraces(const std::string& text)
{
    return QString::fromStdString(text).replace("{", "{{").replace("}", "}}").toStdString();
}

} // namespace headscope::test

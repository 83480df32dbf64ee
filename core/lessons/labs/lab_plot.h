#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace headscope {

/// Figures returned by labs. Plain values; the renderer decides how they look.

struct LabChart
{
    struct Series
    {
        std::string name;
        std::vector<double> x = {}; ///< Increasing.
        std::vector<double> y = {}; ///< Same length as x; NaN leaves a gap.
        bool isDashed = false;
    };

    std::string x; ///< Axis title with its unit: "position".
    std::string y;
    bool isLogX = false;
    bool isLogY = false;
    std::vector<Series> series = {};
    std::optional<double> mark = std::nullopt; ///< Marked x value.
    std::string markText = {};
};

struct LabBars
{
    struct Bar
    {
        std::string label;
        double value = 0.0;
        std::string words = {}; ///< Number as shown; empty: three decimals.
        bool isSubject = false; ///< Selected by the controls.
    };

    std::string unit;
    std::vector<Bar> bars = {};
};

struct LabMatrix
{
    std::string rows; ///< Title of the rows: "query".
    std::string columns;
    std::vector<std::string> rowLabels = {};
    std::vector<std::string> columnLabels = {};
    std::vector<double> values = {}; ///< [rows, columns].
    std::vector<bool> masked = {};   ///< Same shape as values, or empty.
    double low = 0.0;                ///< Lower end of the colour scale.
    double high = 1.0;
    bool isSigned = false; ///< Diverging colours around 0.
    int decimals = 2;      ///< Decimals of the numbers in cells; -1: no numbers.
};

struct LabTable
{
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows = {};
    int current = -1; ///< Row selected by the controls.
};

struct LabTokens
{
    struct Token
    {
        std::string text; ///< Visible text.
        std::int64_t id = -1;
        std::int64_t begin = 0; ///< First byte in the text.
        std::int64_t end = 0;
        bool isNew = false; ///< Created by the step shown.
    };

    struct Row
    {
        std::string name; ///< Row title: "BPE".
        std::vector<Token> tokens = {};
        std::string note = {}; ///< Note: "3 tokens, 3.67 bytes each".
    };

    std::vector<Row> rows;
};

struct LabTree
{
    enum class Fate { Kept, Pruned, Finished };

    struct Node
    {
        std::string label;
        int parent = -1;   ///< Index of an earlier node; -1: root.
        std::string words; ///< Text below the node: "0.41 · sum -0.89".
        Fate fate = Fate::Kept;
        bool isOnBestPath = false;
    };

    std::vector<Node> nodes; ///< Nodes level by level.
};

/// Matrix computed tile by tile; the user steps through the frames.
struct LabTiles
{
    struct Tile
    {
        int row = 0; ///< Row index in the grid of tiles.
        int column = 0;
        std::string caption; ///< Description of this tile.
        std::vector<std::pair<std::string, double>>
            numbers;    ///< State after it: running maximum, sum ...
        int worker = 0; ///< Index of the worker.
    };

    int rows = 0;
    int columns = 0;
    std::string rowsName; ///< Title of the rows: "block of queries".
    std::string columnsName;
    std::vector<Tile> tiles;                  ///< Tiles in computation order.
    std::vector<std::pair<int, int>> skipped; ///< (row, column) of tiles never computed.
};

/// Diagram of boxes and arrows, layer by layer from the bottom.
struct LabDiagram
{
    struct Box
    {
        std::string label;
        std::string words; ///< Text below the title: "[n, 512]".
        int column = 0;    ///< Column; 0: left.
        int level = 0;     ///< Level; 0: bottom.
    };

    std::vector<Box> boxes;
    std::vector<std::pair<int, int>> arrows; ///< (from, to): indices into boxes.
};

using LabPlot =
    std::variant<LabChart, LabBars, LabMatrix, LabTable, LabTokens, LabTree, LabTiles, LabDiagram>;

struct LabPanel
{
    std::string title;
    std::string caption; ///< One short line; may be empty.
    LabPlot plot;
};

} // namespace headscope

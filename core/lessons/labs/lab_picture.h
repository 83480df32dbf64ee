#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace headscope {

/// The kinds of pictures that labs answer with. Plain values; whoever draws them decides how.

struct LabChart
{
    struct Series
    {
        std::string name;
        std::vector<double> x; ///< rising
        std::vector<double> y; ///< as x; NaN: a gap
        bool isDashed = false;
    };

    std::string x; ///< what the axis counts, with its unit: "position"
    std::string y;
    bool isLogX = false;
    bool isLogY = false;
    std::vector<Series> series;
    std::optional<double> mark = std::nullopt; ///< an x to point at
    std::string markText = {};
};

struct LabBars
{
    struct Bar
    {
        std::string label;
        double value = 0.0;
        std::string words;      ///< the number as shown; empty: three decimals
        bool isSubject = false; ///< what the controls speak of
    };

    std::string unit;
    std::vector<Bar> bars;
};

struct LabMatrix
{
    std::string rows; ///< what the rows are: "query"
    std::string columns;
    std::vector<std::string> rowLabels;
    std::vector<std::string> columnLabels;
    std::vector<double> values; ///< [rows, columns]
    std::vector<bool> masked;   ///< as values, or empty
    double low = 0.0;           ///< of the colour scale
    double high = 1.0;
    bool isSigned = false; ///< colours for both signs around 0
    int decimals = 2;      ///< of the numbers in cells; -1: none
};

struct LabTable
{
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;
    int current = -1; ///< the row that the controls speak of
};

struct LabTokens
{
    struct Token
    {
        std::string text; ///< as a person reads it
        std::int64_t id = -1;
        std::int64_t begin = 0; ///< bytes of the text
        std::int64_t end = 0;
        bool isNew = false; ///< made by the step that is shown
    };

    struct Row
    {
        std::string name; ///< "BPE"
        std::vector<Token> tokens;
        std::string note; ///< "3 tokens, 3.67 bytes each"
    };

    std::vector<Row> rows;
};

struct LabTree
{
    enum class Fate { Kept, Pruned, Finished };

    struct Node
    {
        std::string label;
        int parent = -1;   ///< an earlier node; -1: the root
        std::string words; ///< beneath: "0.41 · sum -0.89"
        Fate fate = Fate::Kept;
        bool isOnBestPath = false;
    };

    std::vector<Node> nodes; ///< level by level
};

/// Work on a matrix done block by block; the person steps through the frames.
struct LabTiles
{
    struct Tile
    {
        int row = 0; ///< of tiles
        int column = 0;
        std::string caption;                                 ///< what this block does
        std::vector<std::pair<std::string, double>> numbers; ///< after it: running maximum, sum ...
        int worker = 0;                                      ///< of several processes
    };

    int rows = 0;
    int columns = 0;
    std::string rowsName; ///< "block of queries"
    std::string columnsName;
    std::vector<Tile> tiles;                  ///< in the order in which they are done
    std::vector<std::pair<int, int>> skipped; ///< row, column: never touched
};

/// Boxes and arrows, layer by layer from the bottom.
struct LabDiagram
{
    struct Box
    {
        std::string label;
        std::string words; ///< beneath: "[n, 512]"
        int column = 0;    ///< 0: left
        int level = 0;     ///< 0: bottom
    };

    std::vector<Box> boxes;
    std::vector<std::pair<int, int>> arrows; ///< from, to: places in boxes
};

using LabPicture =
    std::variant<LabChart, LabBars, LabMatrix, LabTable, LabTokens, LabTree, LabTiles, LabDiagram>;

struct LabPanel
{
    std::string title;
    std::string caption; ///< one short line; may be empty
    LabPicture picture;
};

} // namespace headscope

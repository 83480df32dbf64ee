#pragma once

#include "core/model/config/model_config.h"
#include "ui/workers/forward/patterns.h"

#include <QString>

#include <vector>

namespace headscope::ui {

/// One part of a model: its output shape and parameter count.
struct ArchitectureBox
{
    enum class Role { Plain, Query, Key, Value, Free }; ///< Free: no weights.

    QString name;   ///< Label such as "q", "norm", "Blocks 0 to 2".
    QString shape;  ///< Output shape with the current number of tokens: "[12, 64]".
    QString note;   ///< Text in place of a count: "tied to the token embedding".
    QString spoken; ///< Spoken location: "block 2, attention".
    QString page;   ///< Page opened by a click; empty for none.
    Role role = Role::Plain;
    std::int64_t parameters = 0;
    AttentionKind part = AttentionKind::Self; ///< Attention kind selected by a click.
    int layer = -1;                           ///< Layer selected by a click; -1: unchanged.
    int copies = 1;                           ///< Number of blocks drawn as one.
};

/// Group of boxes, ordered left to right; boxes of one column are stacked vertically.
struct ArchitectureRow
{
    enum class Kind {
        Spine,  ///< On the residual stream: modifies it.
        Branch, ///< Reads the stream and adds to it.
        Input,  ///< Adds to the stream, next to the previous row.
        Side,   ///< Neither: a matrix used elsewhere, or a second output.
    };

    Kind kind = Kind::Spine;
    std::vector<std::vector<int>> columns; ///< Indices into ModelParts::boxes.
    int chain = -1;                        ///< Column whose boxes form a sequence; -1: none.
    bool parallel = false;                 ///< Whether it reads the same input as the previous row.
    bool cross = false;    ///< Whether the second column's k and v come from the first stack.
    bool replaces = false; ///< Whether its output replaces the stream: no residual connection.
    QString title;         ///< Title such as "self-attention".
};

struct ArchitectureStack
{
    QString title; ///< Title such as "Encoder"; empty with a single stack.
    std::vector<ArchitectureRow> rows;
    bool expanded = false; ///< Whether one of its blocks is drawn in full.
};

/// Diagram of a model: every parameter belongs to exactly one box.
struct ModelParts
{
    std::vector<ArchitectureBox> boxes;
    std::vector<ArchitectureStack> stacks; ///< Stacks, encoder first.

    std::int64_t parameters() const; ///< Sum over all boxes.
};

/// View of the diagram: the expanded block, and the number of tokens (-1: unknown).
struct ArchitectureFocus
{
    AttentionKind part = AttentionKind::Self;
    int layer = 0;
    int tokens = -1;
    int sourceTokens = -1;
};

/// Counts the parameters of parameterLayout() by name. Throws Error for an invalid configuration.
ModelParts architectureOf(const ModelConfig& config, const ArchitectureFocus& focus);

} // namespace headscope::ui

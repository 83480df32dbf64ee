#pragma once

#include "core/model/config/model_config.h"
#include "ui/workers/forward/patterns.h"

#include <QString>

#include <vector>

namespace headscope::ui {

/// One part of a model: what goes out of it, and how many parameters it has.
struct ArchitectureBox
{
    enum class Role { Plain, Query, Key, Value, Free }; ///< Free: computes without weights

    QString name;   ///< "q", "norm", "Blocks 0 to 2"
    QString shape;  ///< of what goes out, with the present number of tokens: "[12, 64]"
    QString note;   ///< instead of a count: "the token table again"
    QString spoken; ///< where it stands: "block 2, attention"
    QString page;   ///< where a click goes, or empty
    Role role = Role::Plain;
    std::int64_t parameters = 0;
    AttentionKind part = AttentionKind::Self; ///< made active by a click
    int layer = -1;                           ///< made active by a click, -1: stays
    int copies = 1;                           ///< blocks that are drawn as one
};

/// Boxes that belong together, from left to right; boxes of a column stand above each other.
struct ArchitectureRow
{
    enum class Kind {
        Spine,  ///< on the residual stream: changes it
        Branch, ///< reads the stream and adds to it
        Input,  ///< adds to the stream, beside the row before
        Side,   ///< neither: a table that others use, or a second result
    };

    Kind kind = Kind::Spine;
    std::vector<std::vector<int>> columns; ///< indices of ModelParts::boxes
    int chain = -1;                        ///< column whose boxes follow one another downwards
    bool parallel = false;                 ///< reads what the row before read
    bool cross = false; ///< second column: q from this stack, the others from the first stack
    QString title;      ///< "self-attention"
};

struct ArchitectureStack
{
    QString title; ///< "Encoder"; empty when there is one stack
    std::vector<ArchitectureRow> rows;
    bool expanded = false; ///< one of its blocks is drawn in full
};

/// A model as a picture: every parameter belongs to exactly one box.
struct ModelParts
{
    std::vector<ArchitectureBox> boxes;
    std::vector<ArchitectureStack> stacks; ///< encoder first

    std::int64_t parameters() const; ///< sum of all boxes
};

/// What is looked at: the block drawn in full, and how many tokens there are (-1: unknown).
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

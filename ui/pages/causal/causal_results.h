#pragma once

#include "ui/workers/analysis/causal_worker.h"

#include <QByteArray>
#include <QJsonObject>

#include <optional>

namespace headscope::ui {

/// The last results, each with its key: they are valid while the key is unchanged.
struct CausalResults
{
    struct Sweep
    {
        QByteArray key;
        AblationSweep sweep;
    };

    struct Grid
    {
        QByteArray key;
        PatchGrid grid;
    };

    struct Path
    {
        QByteArray key;
        FactPath path;
    };

    std::optional<Sweep> sweep;
    std::optional<Grid> grid;
    std::optional<Path> path;

    static CausalResults fromJson(const QJsonObject& json); ///< Skips malformed entries.
    QJsonObject toJson() const;
};

} // namespace headscope::ui

#pragma once

#include "ui/pages/shared/figures/figure.h"
#include "ui/session/view_snapshot.h"
#include "ui/widgets/attention/qk.h"

#include <QJsonObject>

#include <optional>

namespace headscope::ui {

/// What the page about query and key remembers of itself.
struct QkOptions
{
    bool largestFirst = false;  ///< dimensions by the size of their product
    std::optional<int> channel; ///< pinned

    static QkOptions fromJson(const QJsonObject& json);
    QJsonObject toJson() const;
};

/// The selected query against all keys in the shown run, or B - A. Empty when that cannot be shown.
QkContent qkContent(const ViewSnapshot& view, const QkOptions& options);

/// Why there is nothing to see, one sentence; empty when there is.
QString qkProblem(const ViewSnapshot& view);

Figure qkFigure(const ViewSnapshot& view, const QJsonObject& options);

} // namespace headscope::ui

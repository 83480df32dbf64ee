#pragma once

#include "ui/pages/shared/figures/figure.h"
#include "ui/session/view_snapshot.h"
#include "ui/widgets/attention/qk.h"

#include <QJsonObject>

#include <optional>

namespace headscope::ui {

/// Options of the query-key view, as stored in sessions.
struct QkOptions
{
    bool largestFirst = false;  ///< dimensions by the size of their product
    std::optional<int> channel; ///< pinned

    static QkOptions fromJson(const QJsonObject& json);
    QJsonObject toJson() const;
};

/// The selected query against all keys in the shown variant, or B - A; empty where qkProblem() says
/// why.
QkContent qkContent(const ViewSnapshot& view, const QkOptions& options);

/// Why there is nothing to show, in one sentence; empty otherwise.
QString qkProblem(const ViewSnapshot& view);

Figure qkFigure(const ViewSnapshot& view, const QJsonObject& options);

} // namespace headscope::ui

#pragma once

#include <QJsonObject>
#include <QString>

namespace headscope::ui {

/// Options of the Weights page: the shown matrix and the selected weight.
struct WeightsOptions
{
    QString matrix; ///< Name "blocks.0.attn.W_Q"; empty: the first matrix of the model.
    qint64 row = 0;
    qint64 column = 0;
    bool isColumn = false; ///< True when the selected column is described instead of the row.
    bool isNear = false;   ///< True when only the rows around the selected one are drawn.

    friend bool operator==(const WeightsOptions&, const WeightsOptions&) = default;
};

QJsonObject toJson(const WeightsOptions& options);
WeightsOptions weightsOptions(const QJsonObject& json); ///< Unknown keys are ignored.

} // namespace headscope::ui

#include "ui/pages/weights/weights_options.h"

#include <algorithm>

namespace headscope::ui {

namespace {

qint64 indexIn(const QJsonObject& json, const char* key)
{
    return std::max<qint64>(json.value(QLatin1String(key)).toInteger(), 0);
}

} // namespace

QJsonObject toJson(const WeightsOptions& options)
{
    return {{QStringLiteral("matrix"), options.matrix},
            {QStringLiteral("row"), options.row},
            {QStringLiteral("column"), options.column},
            {QStringLiteral("is_column"), options.isColumn},
            {QStringLiteral("near"), options.isNear}};
}

WeightsOptions weightsOptions(const QJsonObject& json)
{
    return {json.value(QLatin1String("matrix")).toString(), indexIn(json, "row"),
            indexIn(json, "column"), json.value(QLatin1String("is_column")).toBool(),
            json.value(QLatin1String("near")).toBool()};
}

} // namespace headscope::ui

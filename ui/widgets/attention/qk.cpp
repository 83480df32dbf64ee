#include "ui/widgets/attention/qk.h"

#include "ui/widgets/style/theme.h"
#include "ui/widgets/tr.h"

#include <cmath>

namespace headscope::ui {

namespace {

/// Rank of a magnitude: "largest", "2nd largest", ...
QString rankText(const QkContent& content, int column)
{
    const float own = std::abs(content.products.at({content.key, column}));
    int larger = 0;
    for (int other = 0; other < content.columns(); ++other)
        larger += std::abs(content.products.at({content.key, other})) > own ? 1 : 0;
    return tr("number %1 of %2 by size").arg(larger + 1).arg(content.columns());
}

QString signWord(double value)
{
    return value > 0.0 ? tr("positive") : value < 0.0 ? tr("negative") : tr("zero");
}

} // namespace

QString describeColumn(const QkContent& content, int column)
{
    if (content.isEmpty() || content.key < 0 || column < 0 || column >= content.columns())
        return {};
    const double q = static_cast<double>(content.queryVector.at({0, column}));
    const double k = static_cast<double>(content.keyVectors.at({content.key, column}));
    const double product = static_cast<double>(content.products.at({content.key, column}));
    const int channel = content.channels[static_cast<std::size_t>(column)];
    const QString end =
        QStringLiteral(", ") + signWord(product) + QStringLiteral(", ") + rankText(content, column);
    if (content.isDifference)
        return tr("dimension %1, B\u2212A: q %2, k %3, product %4")
                   .arg(channel)
                   .arg(signedNumber(q, 3), signedNumber(k, 3), signedNumber(product, 3)) +
               end;
    return tr("dimension %1: q %2 \u00D7 k %3 = %4")
               .arg(channel)
               .arg(signedNumber(q, 3), signedNumber(k, 3), signedNumber(product, 3)) +
           end;
}

QString stageText(const QkContent& content, int key, int stage)
{
    const auto column = static_cast<std::size_t>(stage);
    const double value = content.keys[static_cast<std::size_t>(key)].numbers[column];
    if (std::isnan(value)) // masked in A and in B
        return QStringLiteral("\u2013");
    const int decimals = content.stages[column].decimals;
    return content.isDifference ? signedNumber(value, decimals) : number(value, decimals);
}

QString describeStage(const QkContent& content, int key, int stage)
{
    const QkKey& row = content.keys[static_cast<std::size_t>(key)];
    const bool hidden = !std::isfinite(row.numbers[static_cast<std::size_t>(stage)]);
    return tr("query %1, %2; key %3, %4; %5 %6")
        .arg(content.query, QString::number(content.queryPosition), row.label,
             QString::number(row.position), content.stages[static_cast<std::size_t>(stage)].title,
             hidden ? tr("hidden by the mask") : stageText(content, key, stage));
}

QString describeKey(const QkContent& content, int key)
{
    if (key < 0 || key >= static_cast<int>(content.keys.size()))
        return {};
    const QkKey& row = content.keys[static_cast<std::size_t>(key)];
    QString text = tr("query %1, %2; key %3, %4")
                       .arg(content.query, QString::number(content.queryPosition), row.label,
                            QString::number(row.position));
    for (int stage = 0; stage < static_cast<int>(row.numbers.size()); ++stage) {
        const bool hidden = !std::isfinite(row.numbers[static_cast<std::size_t>(stage)]);
        text += QStringLiteral("; ") + content.stages[static_cast<std::size_t>(stage)].title +
                QLatin1Char(' ') +
                (hidden ? tr("hidden by the mask") : stageText(content, key, stage));
    }
    return text;
}

} // namespace headscope::ui

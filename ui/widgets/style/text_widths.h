#pragma once

#include <QFont>
#include <QFontMetricsF>
#include <QHash>
#include <QString>

namespace headscope::ui {

/// Widths of texts in one font, remembered from call to call: shaping a text takes microseconds, and
/// a long text has a thousand labels. Each thread remembers its own.
class TextWidths
{
public:
    explicit TextWidths(const QFont& font);

    double of(const QString& text) const; ///< Advance of one line, as QFontMetricsF has it.

private:
    QFontMetricsF m_metrics;
    QHash<QString, double>& m_known;
};

} // namespace headscope::ui

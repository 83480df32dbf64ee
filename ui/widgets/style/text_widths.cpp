#include "ui/widgets/style/text_widths.h"

#include <map>

namespace headscope::ui {

namespace {

constexpr qsizetype kMostTexts = 50'000;

QHash<QString, double>& widthsIn(const QFont& font)
{
    thread_local std::map<QString, QHash<QString, double>> fonts; // keeps its elements in place
    QHash<QString, double>& known = fonts[font.key()];
    if (known.size() > kMostTexts)
        known.clear();
    return known;
}

} // namespace

TextWidths::TextWidths(const QFont& font) : m_metrics(font), m_known(widthsIn(font)) {}

double TextWidths::of(const QString& text) const
{
    const auto found = m_known.constFind(text);
    if (found != m_known.constEnd())
        return *found;
    return *m_known.insert(text, m_metrics.horizontalAdvance(text));
}

} // namespace headscope::ui

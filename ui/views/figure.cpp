#include "ui/views/figure.h"

#include <QCoreApplication>

namespace headscope::ui {

Figure figureOf(const Looking& looking, const QString& title)
{
    Figure figure;
    figure.title = title;
    const TracePtr& trace = looking.trace();
    if (!trace)
        return figure;
    figure.subtitle = QString::fromStdString(trace->info().model);
    if (looking.shown != Run::A)
        figure.subtitle +=
            QCoreApplication::translate("Figure", ", %1: %2")
                .arg(looking.shown == Run::B ? QStringLiteral("B") : QStringLiteral("B\u2212A"),
                     looking.changes.describe());
    const std::string& text =
        trace->sourceTokens().tokens.empty() ? trace->tokens().text : trace->sourceTokens().text;
    figure.sentence = QString::fromStdString(displayText(text));
    return figure;
}

} // namespace headscope::ui

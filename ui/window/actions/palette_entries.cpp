#include "ui/window/actions/palette_entries.h"

#include "ui/pages/shared/maps/readings.h"
#include "ui/widgets/text/token_chips.h"
#include "ui/window/dialogs/help_dialogs.h"
#include "ui/window/frame/window_texts.h"

#include <QCoreApplication>

namespace headscope::ui {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("Palette", text);
}

} // namespace

std::vector<PaletteEntry> actionEntries(const QList<QAction*>& actions)
{
    std::vector<PaletteEntry> entries;
    for (QAction* action : actions) {
        if (!action->isEnabled())
            continue;
        const QString group = action->property("group").toString();
        const QString text = withoutMnemonic(action->text());
        entries.push_back({group.isEmpty() ? text : tr("%1: %2").arg(withoutMnemonic(group), text),
                           action->shortcut().toString(QKeySequence::NativeText),
                           [action] { action->trigger(); }});
    }
    return entries;
}

void addModelEntries(std::vector<PaletteEntry>& entries, ModelSearch& search,
                     const std::function<void(const QString& path)>& open)
{
    search.look();
    if (!search.shelf())
        return;
    for (const InstalledModel& model : search.shelf()->installed) {
        const QString path = QString::fromStdString(model.path.string());
        entries.push_back(
            {tr("open %1").arg(sourceName(path)), path, [open, path] { open(path); }});
    }
}

void addTokenEntries(std::vector<PaletteEntry>& entries, Session& session)
{
    const TracePtr& trace = session.shownTrace();
    const Tokenizer* tokenizer = session.model().tokenizer.get();
    if (!trace || !tokenizer)
        return;
    const AttentionKind part = session.selection().part;
    const QStringList labels = tokenLabels(tokenChips(trace->queryTokens(part), *tokenizer));
    for (int index = 0; index < labels.size(); ++index)
        entries.push_back({tr("token %1  %2").arg(index).arg(labels[index]), {}, [&session, index] {
                               session.view().selectPair(index, -1);
                           }});
}

void addHeadEntries(std::vector<PaletteEntry>& entries, Session& session)
{
    const TracePtr& trace = session.shownTrace();
    if (!trace)
        return;
    for (const AttentionKind part : trace->attentionKinds()) {
        const QString name = QString::fromStdString(toString(part));
        for (int layer = 0; layer < trace->layerCount(part); ++layer) {
            for (int head = 0; head < trace->headCount(part); ++head) {
                const QString text = tr("layer %1 head %2").arg(layer).arg(head);
                entries.push_back({name.isEmpty() ? text : tr("%1 %2").arg(name, text),
                                   QStringLiteral("%1.%2").arg(layer).arg(head),
                                   [&session, part, layer, head] {
                                       session.view().activatePart(part);
                                       session.view().activateHead(layer, head);
                                   }});
            }
        }
    }
}

} // namespace headscope::ui

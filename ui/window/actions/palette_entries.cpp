#include "ui/window/actions/palette_entries.h"

#include "ui/widgets/text/token_chips.h"
#include "ui/widgets/tr.h"
#include "ui/window/actions/window_actions.h"
#include "ui/window/dialogs/help_dialogs.h"
#include "ui/window/dialogs/settings_dialog.h"
#include "ui/window/frame/window_texts.h"
#include "ui/window/workspaces/workspaces.h"

#include <QRegularExpression>

namespace headscope::ui {

namespace {

/// "view.resetLayout" as "view reset layout": found whatever the language.
QString termsOf(QString id)
{
    static const QRegularExpression kCapital("([A-Z])");
    return id.replace(QLatin1Char('.'), QLatin1Char(' ')).replace(kCapital, " \\1").toLower();
}

/// What a page is found by beside its title and question, in English and the window's language.
QString termsOf(const PageDescriptor& page)
{
    return (QStringList{page.name, page.title, page.mode, page.help} + page.terms).join(' ');
}

} // namespace

std::vector<PaletteEntry> actionEntries(const QList<QAction*>& actions)
{
    std::vector<PaletteEntry> entries;
    for (QAction* action : actions) {
        if (!action->isEnabled() || action->objectName().startsWith(QLatin1String("page.")))
            continue;
        const QString group = action->property("group").toString();
        const QString text = withoutMnemonic(action->text());
        entries.push_back({group.isEmpty() ? text : tr("%1: %2").arg(withoutMnemonic(group), text),
                           action->shortcut().toString(QKeySequence::NativeText),
                           [action] { action->trigger(); },
                           action->toolTip() == text ? QString() : action->toolTip(),
                           termsOf(action->objectName())});
    }
    return entries;
}

void addPageEntries(std::vector<PaletteEntry>& entries, const WindowActions& actions,
                    Workspaces& workspaces)
{
    for (const PageDescriptor& page : workspaces.descriptors()) {
        const QKeySequence keys = actions.action("page." + page.name).shortcut();
        const auto open = [&workspaces](const QString& name) {
            return [&workspaces, name] { workspaces.show(name); };
        };
        entries.push_back({page.title, keys.toString(QKeySequence::NativeText), open(page.name),
                           page.question, termsOf(page)});
        for (const PageDescriptor& mode : page.modes) {
            if (mode.name != page.name)
                entries.push_back({tr("%1: %2").arg(page.title, mode.title),
                                   {},
                                   open(mode.name),
                                   mode.question,
                                   termsOf(mode)});
        }
    }
}

void addSettingEntries(std::vector<PaletteEntry>& entries,
                       const std::function<void(const QString& name)>& open)
{
    for (const char* name : SettingsDialog::kNames) {
        const QString title = SettingsDialog::tr(name);
        entries.push_back({tr("%1: %2").arg(tr("Settings"), title),
                           {},
                           [open, title] { open(title); },
                           {},
                           QStringLiteral("settings ") + QLatin1String(name)});
    }
}

void addModelEntries(std::vector<PaletteEntry>& entries, ModelSearch& search,
                     const std::function<void(const QString& path)>& open)
{
    search.look();
    if (!search.shelf())
        return;
    for (const InstalledModel& model : search.shelf()->installed) {
        const QString path = QString::fromStdString(model.path.string());
        entries.push_back({tr("open %1").arg(sourceName(path)),
                           path,
                           [open, path] { open(path); },
                           {},
                           "open model"});
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
        entries.push_back({tr("token %1  %2").arg(index).arg(labels[index]),
                           {},
                           [&session, index] { session.view().selectPair(index, -1); },
                           {},
                           QStringLiteral("token %1").arg(index)});
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
                                   },
                                   {},
                                   QStringLiteral("layer head")});
            }
        }
    }
}

} // namespace headscope::ui

#include "ui/window/actions/action_table.h"

#include "ui/session/view_snapshot.h"
#include "ui/widgets/style/colour_map.h"
#include "ui/widgets/tr.h"
#include "ui/window/workspaces/pages.h"

#include <optional>
#include <utility>

namespace headscope::ui {

namespace {

using Kind = ActionRow::Kind;
using Rows = std::vector<ActionRow>;

ActionRow command(const QString& id, const QString& text, const QString& shortcut = {})
{
    QList<QKeySequence> shortcuts;
    if (!shortcut.isEmpty())
        shortcuts << QKeySequence(shortcut);
    return {Kind::Command, id, text, shortcuts, {}, {}};
}

ActionRow toggle(const QString& id, const QString& text, const QString& shortcut = {})
{
    ActionRow row = command(id, text, shortcut);
    row.kind = Kind::Switch;
    return row;
}

ActionRow choice(const QString& menu, const QVariant& value, const QString& text,
                 const QString& toolTip = {})
{
    return {Kind::Choice, menu + '.' + value.toString(), text, {}, value, toolTip};
}

ActionRow withShortcuts(ActionRow row, const QStringList& shortcuts)
{
    for (const QString& shortcut : shortcuts)
        row.shortcuts << QKeySequence(shortcut);
    return row;
}

ActionRow menu(const QString& id, const QString& text)
{
    return {Kind::Menu, id, text, {}, {}, {}};
}

ActionRow end()
{
    return {Kind::End, {}, {}, {}, {}, {}};
}

ActionRow separator(const QString& id = {})
{
    return {Kind::Separator, id, {}, {}, {}, {}};
}

ActionRow again(const QString& id)
{
    return {Kind::Again, id, {}, {}, {}, {}};
}

void append(Rows& rows, Rows more)
{
    rows.insert(rows.end(), std::make_move_iterator(more.begin()),
                std::make_move_iterator(more.end()));
}

Rows fileRows()
{
    return {
        menu("file", tr("&File")),
        command("file.open", tr("&Open model, session or text\u2026"), "Ctrl+O"),
        menu("file.recent", tr("Open &recent")),
        end(),
        separator(),
        command("file.save", tr("&Save session"), "Ctrl+S"),
        command("file.saveAs", tr("Save session &as\u2026"), "Ctrl+Shift+S"),
        separator(),
        command("file.export", tr("&Export view\u2026"), "Ctrl+E"),
        command("file.exportNumbers", tr("Export &numbers\u2026"), "Ctrl+Shift+E"),
        command("file.share", tr("S&hare as a page\u2026")),
        command("file.report", tr("&Write a report\u2026")),
        separator(),
        command("file.quit", tr("&Quit"), "Ctrl+Q"),
        end(),
    };
}

Rows editRows()
{
    return {
        menu("edit", tr("&Edit")),
        command("edit.undo", tr("&Undo"), "Ctrl+Z"),
        withShortcuts(command("edit.redo", tr("&Redo")), {"Ctrl+Shift+Z", "Ctrl+Y"}),
        separator(),
        command("edit.sentence", tr("Edit the &sentence"), "Ctrl+L"),
        toggle("edit.chat", tr("C&hat in place of the sentence"), "Ctrl+Shift+L"),
        command("edit.addTurn", tr("&Add a turn to the chat"), "Ctrl+Shift+T"),
        command("edit.reply", tr("Write the reply of the m&odel"), "Ctrl+Shift+Return"),
        separator(),
        command("edit.token", tr("Edit the &token\u2026"), "F2"),
        command("edit.mask", tr("&Mask or unmask the token"), "Ctrl+Shift+M"),
        command("edit.findToken", tr("&Find in the text\u2026"), "Ctrl+F"),
        command("edit.needle", tr("&Repeat a sentence at the end")),
        separator(),
        command("edit.copyImage", tr("Copy &image"), "Ctrl+Shift+C"),
        command("edit.copyNumbers", tr("Copy &numbers"), "Ctrl+C"),
        command("edit.copyCaption", tr("Copy &caption")),
        separator(),
        command("edit.settings", tr("Se&ttings\u2026"), "Ctrl+,"),
        end(),
    };
}

/// The shortcuts of pages are those of the workspace in front; see PageActions.
Rows pageRows(Workspace workspace)
{
    Rows rows{
        menu("pages." + workspaceId(workspace), tr("%1 pages").arg(workspaceName(workspace)))};
    std::optional<PageGroup> group;
    for (const PageDescriptor& page : pageDescriptors()) {
        if (workspaceOf(page.group) != workspace)
            continue;
        if (group && group != page.group)
            rows.push_back(separator());
        group = page.group;
        rows.push_back(command("page." + page.name, page.title));
    }
    rows.push_back(end());
    return rows;
}

Rows workspaceRows()
{
    Rows rows;
    for (const Workspace workspace : kWorkspaces)
        rows.push_back(command("workspace." + workspaceId(workspace), workspaceName(workspace),
                               QStringLiteral("Ctrl+%1").arg(static_cast<int>(workspace) + 1)));
    rows.push_back(command("go.lastPlace", tr("Pre&vious page"), "Ctrl+Tab"));
    rows.push_back(separator());
    for (const Workspace workspace : kWorkspaces)
        append(rows, pageRows(workspace));
    rows.push_back(separator());
    return rows;
}

/// Arrow keys belong to the plot with the focus. The window handles those that it ignores (see
/// MainWindow::keyPressEvent), so moving along the tokens has no shortcut of its own.
Rows goRows()
{
    return {
        menu("go", tr("&Go")),
        command("go.nextLayer", tr("Next layer"), "PgDown"),
        command("go.previousLayer", tr("Previous layer"), "PgUp"),
        command("go.nextHead", tr("Next head"), "Shift+PgDown"),
        command("go.previousHead", tr("Previous head"), "Shift+PgUp"),
        separator(),
        command("go.nextQuery", tr("Next query token")),
        command("go.previousQuery", tr("Previous query token")),
        command("go.nextKey", tr("Next key token")),
        command("go.previousKey", tr("Previous key token")),
        command("go.lastToken", tr("Follow the last token"), "Ctrl+End"),
        separator(),
        command("go.origin", tr("&Trace this number to its origin"), "Ctrl+Return"),
        command("go.workHead", tr("&Step through this head"), "F4"),
        separator(),
        command("go.back", tr("&Back"), "Alt+Left"),
        command("go.forward", tr("For&ward"), "Alt+Right"),
        end(),
    };
}

Rows tokenRows()
{
    using Grouping = TokenDisplay::Grouping;
    const auto grouping = [](Grouping value, const QString& text) {
        return choice("tokens", static_cast<int>(value), text);
    };
    return {
        menu("tokens", tr("&Tokens")),
        grouping(Grouping::Pieces, tr("&Pieces, as the model reads them")),
        grouping(Grouping::WordSum, tr("&Words, weights summed")),
        grouping(Grouping::WordMean, tr("Words, weights &averaged")),
        separator(),
        toggle("tokens.hideSpecial", tr("&Hide special tokens (renormalise)")),
        toggle("tokens.hideFirst", tr("Hide &first token (renormalise)")),
        toggle("tokens.foldTemplate", tr("F&old template tokens")),
        toggle("tokens.showIds", tr("Show &ids and bytes")),
        end(),
    };
}

Rows colourRows()
{
    Rows rows{
        menu("theme", tr("T&heme")),
        choice("theme", "system", tr("Follow system")),
        choice("theme", "light", tr("Light")),
        choice("theme", "dark", tr("Dark")),
        end(),
        menu("colours", tr("Attention &colours")),
    };
    for (const MapName map :
         {MapName::Depth, MapName::Viridis, MapName::Cividis, MapName::Magma, MapName::Grey})
        rows.push_back(choice("colours", displayName(map), displayName(map)));
    rows.push_back(end());
    return rows;
}

Rows viewRows()
{
    Rows rows{menu("view", tr("&View"))};
    append(rows, workspaceRows());
    append(rows, goRows());
    append(rows, tokenRows());
    rows.push_back(separator());
    append(rows, colourRows());
    append(rows, {
                     separator(),
                     withShortcuts(toggle("view.inspector", tr("&Inspector")), {"Ctrl+I", "F6"}),
                     toggle("view.presenter", tr("P&resenter mode"), "Shift+F11"),
                     toggle("view.fullScreen", tr("F&ull screen"), "F11"),
                     command("view.resetLayout", tr("Reset la&yout")),
                     end(),
                 });
    return rows;
}

/// The chooser beside the sentence shows the inner menu on its own, so that menu is complete.
Rows modelChoiceRows(const QStringList& builtinModels)
{
    Rows rows{menu("model.choose", tr("&Choose a model"))};
    for (const QString& name : builtinModels)
        rows.push_back(command("model." + name, name));
    append(rows, {
                     separator(),
                     separator("model.installedEnd"),
                     command("model.openFile", tr("Open a model &file\u2026")),
                     command("model.openFolder", tr("Open a model fo&lder\u2026")),
                     command("model.get", tr("&Get a model\u2026")),
                     separator(),
                     command("model.about", tr("&About this model\u2026")),
                     end(),
                     again("model.openFile"),
                     again("model.openFolder"),
                     again("model.get"),
                     again("model.about"),
                     separator(),
                 });
    return rows;
}

Rows deviceRows(const BackendRegistry& devices)
{
    Rows rows{menu("device", tr("&Device")),
              choice("device", "auto", tr("Automatic (faster device)"),
                     tr("Measured once on this machine"))};
    for (const BackendEntry& entry : devices.entries()) {
        const DeviceFacts& facts = entry.facts;
        const QString name = QString::fromStdString(facts.name);
        const QString text = facts.platform.empty()
                                 ? name
                                 : tr("%1 (%2)").arg(name, QString::fromStdString(facts.platform));
        rows.push_back(choice("device", QString::fromStdString(facts.id), text,
                              QString::fromStdString(facts.version)));
    }
    rows.push_back(end());
    return rows;
}

Rows precisionRows()
{
    return {menu("precision", tr("&Precision of weights")),
            choice("precision", "f32", tr("As the model has them"), {}),
            choice("precision", "f16", tr("Rounded to float16"),
                   tr("Half the memory to read; About this model says what it changes")),
            choice("precision", "bf16", tr("Rounded to bfloat16"),
                   tr("As float16, with fewer digits and any magnitude")),
            end()};
}

Rows modelRows(const QStringList& builtinModels, const BackendRegistry& devices)
{
    Rows rows{menu("model", tr("&Model"))};
    append(rows, modelChoiceRows(builtinModels));
    append(rows, deviceRows(devices));
    append(rows, precisionRows());
    append(rows, {
                     separator(),
                     toggle("model.noMask", tr("Remove causal &mask in B"), "Ctrl+M"),
                     // Text set by ModelActions, which names the head.
                     command("model.headOff", {}, "Del"),
                     command("model.asTrained", tr("&Reset all changes in B")),
                     end(),
                 });
    return rows;
}

Rows trainingRows()
{
    return {
        menu("training", tr("T&raining")),
        command("training.newRun", tr("&New run\u2026"), "Ctrl+R"),
        command("training.allSettings", tr("New run with &all settings\u2026"), "Ctrl+Shift+R"),
        separator(),
        command("training.start", {}, "F5"), // Text set by TrainingDesk: start or pause.
        command("training.step", tr("Run &one step"), "F10"),
        command("training.stop", tr("Sto&p and close training run"), "Shift+F5"),
        separator(),
        command("training.save", tr("&Save a checkpoint")),
        command("training.follow", tr("&Follow latest weights")),
        end(),
    };
}

Rows learnRows()
{
    return {
        menu("learn", tr("&Learn")),
        again("page.lessons"),
        again("page.example"),
        again("page.lab"),
        again("page.your-lesson"),
        separator(),
        command("learn.next", tr("&Next step"), "Alt+PgDown"),
        command("learn.back", tr("P&revious step"), "Alt+PgUp"),
        again("view.presenter"),
        command("learn.thisPage", tr("Lesson about this &page"), "Ctrl+F1"),
        separator(),
        command("learn.addStep", tr("&Add current view as a step"), "Ctrl+Shift+D"),
        command("learn.open", tr("&Open a lesson\u2026")),
        command("learn.save", tr("&Save your lesson\u2026")),
        end(),
    };
}

Rows helpRows()
{
    return {
        menu("help", tr("&Help")),
        command("help.anything", tr("&Go to anything"), "Ctrl+Shift+P"),
        command("help.page", tr("Manual of this &page"), "F1"),
        command("help.manual", tr("&Manual")),
        separator(),
        command("help.tour", tr("Guided &tour")),
        command("help.things", tr("Things to t&ry")),
        command("help.whatsThis", tr("&What\u2019s this?"), "Shift+F1"),
        command("help.shortcuts", tr("&Keyboard shortcuts"), "Ctrl+?"),
        separator(),
        command("help.about", tr("&About Headscope")),
        command("help.aboutQt", tr("About &Qt")),
        end(),
    };
}

} // namespace

std::vector<ActionRow> actionRows(const QStringList& builtinModels, const BackendRegistry& devices)
{
    Rows rows = fileRows();
    append(rows, editRows());
    append(rows, viewRows());
    append(rows, modelRows(builtinModels, devices));
    append(rows, trainingRows());
    append(rows, learnRows());
    append(rows, helpRows());
    return rows;
}

} // namespace headscope::ui

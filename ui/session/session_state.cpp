#include "ui/session/session_state.h"

#include "ui/session/runs/training.h"
#include "ui/session/session.h"

#include <filesystem>

namespace headscope::ui {

namespace {

namespace fs = std::filesystem;

/// Absolute path of a model, so that it is found from other folders.
QString absoluteModel(const std::string& name)
{
    std::error_code error;
    if (name.starts_with("builtin:") || !fs::exists(name, error))
        return QString::fromStdString(name);
    return QString::fromStdString(fs::absolute(name, error).string());
}

} // namespace

SessionState stateOf(const Session& session)
{
    SessionState state;
    state.model = absoluteModel(session.model().name);
    if (const Training& training = session.training(); training.isSeries() && training.isFollowed())
        state.series = absoluteModel(training.record().folder.string());
    state.text = session.document().sentence();
    state.target = session.document().target();
    state.chat = session.document().chat();
    state.changes = session.changes();
    if (!state.changes.model.isEmpty())
        state.changes.model = absoluteModel(state.changes.model.toStdString());
    state.selection = session.selection();
    state.shown = session.view().shownVariant();
    state.colourMap = session.view().colourMap();
    state.display = session.view().display();
    state.device = session.computation().device();
    state.precision = QString::fromStdString(std::string(nameOf(session.models().precision())));
    return state;
}

} // namespace headscope::ui

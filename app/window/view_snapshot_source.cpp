#include "app/window/view_snapshot_source.h"

#include "app/console.h"
#include "app/model_source.h"
#include "core/base/error.h"
#include "ui/session/session.h"
#include "ui/session/session_opener.h"
#include "ui/window/frame/window_host.h"
#include "ui/workers/forward/trace_loader.h"

namespace headscope::app {

namespace {

constexpr int kTimeoutMs = 24 * 3600 * 1000; // a large model takes its time

bool isOnHost(const QString& device)
{
    return device == "auto" || device == "cpu" || device == "reference";
}

} // namespace

SettledSession settle(const ui::SessionState& wanted, const std::vector<std::string>& sites,
                      CommandContext& context)
{
    ui::Session session(context.registry(), openAudited);
    session.computation().setDevice(wanted.device);
    ui::SessionOpener opener(session);
    session.computation().askFor(&opener, sites);
    QString sentence;
    bool isOpened = false;
    bool isOnDevice = isOnHost(wanted.device);
    QObject::connect(&session, &ui::Session::errorRaised, &opener,
                     [&](const QString& text) { sentence = text; });
    QObject::connect(&session, &ui::Session::deviceChanged, &opener, [&] { isOnDevice = true; });
    QObject::connect(&opener, &ui::SessionOpener::opened, &opener, [&] { isOpened = true; });
    ui::SessionState alone = wanted;
    alone.series.clear(); // a figure needs no timeline
    opener.open(alone);
    const auto hasAnswer = [&] {
        return isOpened && isOnDevice && session.traceA() &&
               session.computation().shownTicket() == session.computation().postedTicket() &&
               (session.changes().empty() || session.traceB());
    };
    ui::processEventsUntil([&] { return hasAnswer() || !sentence.isEmpty(); }, kTimeoutMs);
    if (!hasAnswer())
        throw Error(sentence.toStdString());
    if (!sentence.isEmpty())
        note(sentence.toStdString());
    session.view().setShownVariant(wanted.shown);
    ui::SessionState state = ui::stateOf(session);
    state.series = wanted.series;
    return {session.viewSnapshot(), state};
}

ui::ViewSnapshot viewOfFile(const std::string& path)
{
    const ui::CapturedTrace captured = ui::readCapturedTrace(path);
    if (!captured.note.isEmpty())
        note(captured.note.toStdString());
    ui::ViewSnapshot view;
    view.modelA = view.modelB = captured.names;
    view.a = captured.result.a;
    view.thumbnailsA = captured.result.thumbnailsA;
    const auto parts = view.a->attentionKinds();
    if (!parts.empty())
        view.selection.part = parts.back();
    return view;
}

} // namespace headscope::app

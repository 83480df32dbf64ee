#include "ui/workers/forward/trace_loader.h"

#include "core/io/trace_file.h"
#include "ui/widgets/text/string_list.h"
#include "ui/workers/forward/thumbnails.h"

#include <QStringList>

namespace headscope::ui {

CapturedTrace readCapturedTrace(const std::string& path)
{
    const TraceFile file = openTraceFile(path);
    CapturedTrace captured;
    captured.names = {path, nullptr, file.names};
    captured.roles = file.roles;
    captured.result.a = file.trace;
    captured.result.thumbnailsA = thumbnailsOf(*file.trace);
    QStringList notes = stringList(file.notes);
    if (file.trace->attentionKinds().empty())
        notes << TraceLoader::tr("This trace contains no attention patterns, so the attention "
                                 "pages are empty.");
    captured.note = notes.join(QLatin1Char(' '));
    return captured;
}

void TraceLoader::load(const QString& path)
{
    m_task.start(
        [file = path.toStdString()](const LatestTask::Control&) { return readCapturedTrace(file); },
        [this](const CapturedTrace& captured) { emit loaded(captured); },
        [this](const QString& sentence) { emit failed(sentence); });
}

void TraceLoader::forget()
{
    m_task.cancel();
}

} // namespace headscope::ui

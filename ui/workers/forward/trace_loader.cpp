#include "ui/workers/forward/trace_loader.h"

#include "core/io/trace_file.h"
#include "ui/workers/error_sentence.h"
#include "ui/workers/forward/thumbnails.h"

#include <QStringList>

namespace headscope::ui {

CapturedTrace readCapturedTrace(const std::string& path)
{
    const TraceFile file = openTraceFile(path);
    CapturedTrace captured;
    captured.names = {path, nullptr, file.names};
    captured.result.a = file.trace;
    captured.result.thumbnailsA = thumbnailsOf(*file.trace);
    QStringList notes;
    for (const std::string& note : file.notes)
        notes << QString::fromStdString(note);
    if (file.trace->attentionKinds().empty())
        notes << TraceLoader::tr("This trace holds no attention pattern: pages of attention stay "
                                 "empty.");
    captured.note = notes.join(QLatin1Char(' '));
    return captured;
}

TraceLoader::TraceLoader(QObject* parent) : QObject(parent) {}

void TraceLoader::load(const QString& path)
{
    const quint64 wish = ++m_wish;
    m_thread.run([this, wish, file = path.toStdString()] { loadOnThread(wish, file); });
}

void TraceLoader::forget()
{
    ++m_wish;
}

void TraceLoader::loadOnThread(quint64 wish, const std::string& path)
{
    if (wish != m_wish)
        return;
    try {
        deliver(wish, [this, captured = readCapturedTrace(path)] { emit loaded(captured); });
    } catch (const std::exception& error) {
        deliver(wish, [this, sentence = errorSentence(error)] { emit failed(sentence); });
    }
}

void TraceLoader::deliver(quint64 wish, std::function<void()> answer)
{
    m_home.send([this, wish, answer = std::move(answer)] {
        if (wish == m_wish)
            answer();
    });
}

} // namespace headscope::ui

#include "ui/session/runs/run_watch.h"

namespace headscope::ui {

namespace {

constexpr int kAgainMs = 1000;

bool isBeingWritten(const std::filesystem::path& folder)
{
    return RunLibrary::summary(folder).state == RunSummary::State::Running;
}

} // namespace

RunWatch::RunWatch(FileTasks& files) : m_files(files)
{
    m_again.setInterval(kAgainMs);
    connect(&m_again, &QTimer::timeout, this, &RunWatch::due);
}

void RunWatch::open(const std::filesystem::path& folder)
{
    m_isOpening = true;
    m_files.run([this, folder]() -> FileTasks::Answer {
        const TrainingRecord record = readRecord(folder);
        return [this, record, isWritten = isBeingWritten(folder)] {
            m_isOpening = false;
            emit opened(record, isWritten);
        };
    });
}

void RunWatch::read(const TrainingRecord& known)
{
    m_files.run([this, known]() -> FileTasks::Answer {
        const TrainingRecord record = readRecord(known.folder, known);
        return [this, record, isWritten = isBeingWritten(known.folder)] {
            emit wasRead(record, isWritten);
        };
    });
}

void RunWatch::setRepeated(bool on)
{
    if (on)
        m_again.start();
    else
        m_again.stop();
}

} // namespace headscope::ui

#include "ui/pages/experiments/experiment_shelf.h"

#include "core/runs/run_library.h"
#include "ui/session/session.h"
#include "ui/workers/error_sentence.h"

#include <QDateTime>
#include <QFileInfo>
#include <QStandardPaths>

namespace headscope::ui {

namespace {

constexpr int kAgainMs = 700;

QString ownFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) +
           QStringLiteral("/experiments");
}

} // namespace

ExperimentShelf::ExperimentShelf(Session& session, QObject* parent)
    : QObject(parent)
    , m_session(session)
    , m_folder(ownFolder())
    , m_experiment(&experimentCatalogue().front())
    , m_worker(session.registry())
{
    m_again.setInterval(kAgainMs);
    connect(&m_again, &QTimer::timeout, this, &ExperimentShelf::read);
    connect(&m_worker, &ExperimentWorker::recordRead, this, &ExperimentShelf::take);
    connect(&m_worker, &ExperimentWorker::progressed, this, [this](const ExperimentState& state) {
        m_state = state;
        emit progressed();
    });
    connect(&m_worker, &ExperimentWorker::ended, this, &ExperimentShelf::end);
}

std::filesystem::path ExperimentShelf::folderOf(const Experiment& experiment) const
{
    return std::filesystem::path(m_folder.toStdString()) / experiment.name;
}

void ExperimentShelf::choose(const QString& name)
{
    for (const Experiment& experiment : experimentCatalogue()) {
        if (QString::fromStdString(experiment.name) != name || &experiment == m_experiment)
            continue;
        m_experiment = &experiment;
        m_record = {};
        m_error.clear();
        read();
        emit chosen();
        emit changed();
    }
}

void ExperimentShelf::startOrCancel()
{
    if (isThisRunning())
        m_worker.cancel();
    else if (!isRunning())
        start();
}

void ExperimentShelf::start()
{
    m_error.clear();
    m_state = {};
    if (!m_record.result || clearAway()) {
        m_worker.start(*m_experiment, folderOf(*m_experiment),
                       m_session.computation().device().toStdString());
        m_again.start();
    }
    emit changed();
}

/// Moves results to the bin of the folder, so that everything is trained anew.
bool ExperimentShelf::clearAway()
{
    try {
        RunLibrary(m_folder.toStdString()).remove(folderOf(*m_experiment));
        m_record = {};
        readDays();
        return true;
    } catch (const std::exception& error) {
        m_error = errorSentence(error);
        return false;
    }
}

void ExperimentShelf::beginReading()
{
    readDays();
    read();
    if (isRunning())
        m_again.start();
}

void ExperimentShelf::endReading()
{
    m_again.stop();
}

void ExperimentShelf::read()
{
    m_isReading = true;
    m_worker.read(*m_experiment, folderOf(*m_experiment));
}

/// Checks only whether result files changed; reads none of them.
void ExperimentShelf::readDays()
{
    m_finished.clear();
    for (const Experiment& experiment : experimentCatalogue()) {
        const QFileInfo file(
            QString::fromStdString((folderOf(experiment) / "result.json").string()));
        if (file.exists())
            m_finished[experiment.name] =
                file.lastModified().toUTC().toString(Qt::ISODate).toStdString();
    }
}

void ExperimentShelf::take(const ExperimentRecord& record)
{
    m_isReading = false;
    if (record.experiment != m_experiment->name)
        return;
    m_record = record;
    emit changed();
}

void ExperimentShelf::end(const QString& sentence)
{
    m_again.stop();
    m_error = sentence;
    m_state = {};
    readDays();
    read();
    emit changed();
}

QString ExperimentShelf::problem() const
{
    return !m_error.isEmpty() ? m_error : m_record.problem;
}

bool ExperimentShelf::isBegun() const
{
    return !m_record.variants.empty() && !m_record.variants.front().curves.lines.empty() &&
           !m_record.result;
}

QString ExperimentShelf::variantFolder(const QString& name) const
{
    for (const ExperimentVariant& variant : m_experiment->variants)
        if (QString::fromStdString(variant.name) == name)
            return QString::fromStdString(
                headscope::variantFolder(folderOf(*m_experiment), variant).string());
    return {};
}

} // namespace headscope::ui

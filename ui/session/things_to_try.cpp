#include "ui/session/things_to_try.h"

#include "core/experiments/task_catalogue.h"
#include "ui/session/runs/training.h"
#include "ui/session/samples.h"
#include "ui/session/session.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace headscope::ui {

namespace {

constexpr int kTriedEnough = 2;
constexpr const char* kFirstTask = "repeat";

int bitOf(ThingToTry thing)
{
    return 1 << static_cast<int>(thing);
}

const CatalogueTask* firstTask()
{
    const auto tasks = taskCatalogue();
    const auto found = std::find_if(tasks.begin(), tasks.end(), [](const CatalogueTask& task) {
        return task.name == kFirstTask;
    });
    return found == tasks.end() ? nullptr : &*found;
}

/// Starts a run. Undone, the run stops, is kept, and the model before is opened again.
class TrainCommand : public QUndoCommand
{
public:
    TrainCommand(Session& session, const CatalogueTask& task)
        : m_session(session)
        , m_task(task)
        , m_before(QString::fromStdString(session.model().name))
    {
    }

    void undo() override
    {
        m_session.training().stop();
        m_session.models().open(m_before);
        thingsToTryOf(m_session).selectAtFirst();
    }

    void redo() override
    {
        RunText probe;
        probe.text = m_task.probe;
        m_session.training().start(m_task.config, QString::fromStdString(m_task.name), probe);
    }

private:
    Session& m_session;
    const CatalogueTask& m_task;
    QString m_before;
};

} // namespace

ThingsToTry& thingsToTryOf(Session& session)
{
    auto* things = session.findChild<ThingsToTry*>(QString(), Qt::FindDirectChildrenOnly);
    return things ? *things : *new ThingsToTry(session);
}

ThingsToTry::ThingsToTry(Session& session) : QObject(&session), m_session(session)
{
    connect(&session, &Session::traceChanged, this, &ThingsToTry::follow);
    connect(&session, &Session::textChanged, this, &ThingsToTry::releaseOwnPair);
    connect(&session, &Session::changesChanged, this, &ThingsToTry::changed);
    follow();
}

bool ThingsToTry::isOnSample() const
{
    return m_session.text() == sampleSentence({}) || m_session.text() == changedSampleSentence();
}

bool ThingsToTry::isOffered() const
{
    return isOnSample() && std::popcount(static_cast<unsigned>(m_tried)) < kTriedEnough;
}

bool ThingsToTry::isPossible(ThingToTry thing) const
{
    if (!isOnSample() || !m_session.model().model)
        return false;
    switch (thing) {
    case ThingToTry::ChangeWord:
        return m_session.text() != changedSampleSentence();
    case ThingToTry::AblateHead:
        return !m_session.changes().isOff(m_session.view().activeHead());
    case ThingToTry::TrainModel:
        return firstTask() && !m_session.training().isOpen();
    }
    return false;
}

void ThingsToTry::take(ThingToTry thing)
{
    if (!isPossible(thing))
        return;
    m_tried |= bitOf(thing);
    switch (thing) {
    case ThingToTry::ChangeWord:
        changeWord();
        break;
    case ThingToTry::AblateHead:
        ablateHead();
        break;
    case ThingToTry::TrainModel:
        trainModel();
        break;
    }
    emit changed();
}

void ThingsToTry::changeWord()
{
    m_session.document().replaceText(changedSampleSentence());
}

void ThingsToTry::ablateHead()
{
    m_session.document().setHeadOff(m_session.view().activeHead(), true);
    m_session.view().setShownVariant(Variant::Difference);
}

/// The text to watch is part of the step, so that the run finds it in place.
void ThingsToTry::trainModel()
{
    const CatalogueTask& task = *firstTask();
    QUndoStack& undo = m_session.document().undoStack();
    undo.beginMacro(tr("train a model"));
    m_session.document().replaceText(QString::fromStdString(task.probe));
    undo.push(new TrainCommand(m_session, task));
    undo.endMacro();
    emit trainingStarted();
}

void ThingsToTry::setTried(int bits)
{
    m_tried = bits;
    emit changed();
}

void ThingsToTry::selectAtFirst()
{
    m_selectsNext = true;
    follow();
}

void ThingsToTry::offerAgain()
{
    if (!isOnSample())
        m_session.document().replaceText(sampleSentence({}));
    m_selectsNext = true;
    setTried(0);
    follow();
    emit offeredAgain();
}

void ThingsToTry::selectReference()
{
    if (!m_reference)
        return;
    m_session.view().activatePart(m_reference->head.attention);
    m_session.view().activateHead(m_reference->head.layer, m_reference->head.head);
    m_session.view().selectPair(m_reference->query, m_reference->key);
    m_selected = m_session.selection();
}

/// On a text of the user's own, the pair follows the last token again.
void ThingsToTry::releaseOwnPair()
{
    const auto selected = isOnSample() ? std::nullopt : std::exchange(m_selected, std::nullopt);
    if (selected && m_session.selection() == *selected)
        m_session.view().releasePair();
    emit changed();
}

/// Computes the reference only on the sample sentence: few tokens, and once per result.
void ThingsToTry::follow()
{
    m_reference.reset();
    const bool isCurrent =
        m_session.computation().shownTicket() == m_session.computation().postedTicket() &&
        m_session.models().loadingName().isEmpty();
    if (isOnSample() && isCurrent && m_session.traceA())
        m_reference = strongestReference(*m_session.traceA());
    if (m_reference) {
        const bool isOther =
            std::exchange(m_model, m_session.model().name) != m_session.model().name;
        if (std::exchange(m_selectsNext, false) || (isOther && m_selected))
            selectReference();
    }
    emit changed();
}

} // namespace headscope::ui

// Lessons that a person writes, opens and shares.
#include "core/base/error.h"
#include "ui/session/lessons/lesson_run.h"
#include "ui/session/session.h"
#include "ui/pages/shared/stages/example_stage.h"
#include "ui/pages/shared/stages/lab_stage.h"
#include "ui/pages/lessons/lesson_author_page.h"
#include "ui/pages/lessons/lesson_stage.h"
#include "ui/widgets/controls/message_bar.h"
#include "ui/window/lessons/lesson_desk.h"
#include "ui/window/frame/main_window.h"
#include "ui/window/workspaces/pages.h"
#include "ui/window/dialogs/window_files.h"
#include "ui/workers/error_sentence.h"

#include <QFileDialog>
#include <QFileInfo>

#include <algorithm>

namespace headscope::ui {

namespace {

const QString kOwnPage = QStringLiteral("your-lesson");
const QString kFilter = QStringLiteral(" (*.json)");

/// A page of the window with everything that it needs to look the same elsewhere.
LessonState pageState(const QString& page, SessionState session)
{
    session.page = page;
    for (const QString& other : session.pages.keys()) {
        if (other != page)
            session.pages.remove(other);
    }
    LessonState state{LessonState::Kind::Page, page.toStdString(), {}, {}, {}};
    state.session = nlohmann::json::parse(sessionJson(session).toStdString());
    return state;
}

QString titleOf(const LessonState& state)
{
    if (state.kind == LessonState::Kind::Example)
        return QString::fromStdString(exampleState(state).example.title);
    if (state.kind == LessonState::Kind::Lab)
        return QString::fromStdString(catalogueLab(state.name).title);
    for (const PageEntry& entry : pageEntries()) {
        if (entry.name.toStdString() == state.name)
            return entry.title;
    }
    return QString::fromStdString(state.name);
}

} // namespace

void LessonDesk::connectDraft()
{
    m_run.draft().bringBack(m_settings.value(Setting::OwnLesson).toByteArray());
    m_keepSoon.setSingleShot(true);
    m_keepSoon.setInterval(400);
    connect(&m_keepSoon, &QTimer::timeout, this, &LessonDesk::keepDraft);
    connect(&m_run.draft(), &LessonDraft::changed, &m_keepSoon, qOverload<>(&QTimer::start));
    auto* author = m_window.findChild<LessonAuthorPage*>();
    connect(author, &LessonAuthorPage::saveWanted, this, &LessonDesk::chooseDraftFile);
    connect(author, &LessonAuthorPage::openWanted, this, [this] { chooseLesson(true); });
    connect(author, &LessonAuthorPage::playWanted, this, [this, author] {
        attempt([&] {
            parseLesson(lessonJson(m_run.draft().lesson()), tr("your lesson").toStdString());
            m_run.start(Lesson(m_run.draft().lesson()), author->step());
        });
    });
    connect(&m_window.files(), &WindowFiles::lessonWanted, this, &LessonDesk::playFile);
    connect(&m_window.messages(), &MessageBar::buttonPressed, this, [this] {
        if (m_window.messages().property("offersStep").toBool())
            m_window.showPage(kOwnPage);
    });
}

void LessonDesk::keepDraft()
{
    m_keepSoon.stop();
    m_settings.set(Setting::OwnLesson, m_run.draft().kept());
}

/// What the page in front shows, as a step; nothing for pages that show no state.
std::optional<LessonState> LessonDesk::stateInFront() const
{
    const QString page = m_window.page();
    if (page == kOwnPage)
        return std::nullopt;
    if (const auto* stage = &m_stage; stage->isVisible())
        return stage->state();
    for (const ExampleStage* stage : m_window.findChildren<ExampleStage*>()) {
        if (stage->isVisible())
            return exampleStateOf(*stage);
    }
    for (const LabStage* stage : m_window.findChildren<LabStage*>()) {
        if (stage->isVisible() && stage->lab())
            return labStateOf(*stage);
    }
    if (page == QLatin1String("lessons"))
        return std::nullopt;
    return pageState(page, m_window.files().state());
}

void LessonDesk::addStep()
{
    attempt([this] {
        const std::optional<LessonState> state = stateInFront();
        if (!state) {
            m_window.messages().show(
                MessageKind::Note,
                tr("This page shows nothing to keep: go to a page, a worked example or a lab."));
            return;
        }
        LessonStep step;
        step.state = *state;
        step.title = titleOf(*state).toStdString();
        const int place = m_run.draft().addStep(step);
        m_window.findChild<LessonAuthorPage*>()->chooseStep(place);
        m_window.messages().show(MessageKind::Note,
                                 tr("This is step %1 of your lesson now.").arg(place + 1),
                                 tr("Write its text"));
        m_window.messages().setProperty("offersStep", true);
    });
}

void LessonDesk::chooseLesson(bool toEdit)
{
    auto* dialog = new QFileDialog(&m_window, tr("Open a lesson"));
    dialog->setObjectName("openLesson");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("Lessons") + kFilter});
    connect(dialog, &QFileDialog::fileSelected, this, [this, toEdit](const QString& path) {
        if (toEdit)
            editFile(path);
        else
            playFile(path);
    });
    dialog->open();
}

void LessonDesk::playFile(const QString& path)
{
    attempt([&] { m_run.start(loadLesson(path.toStdString())); });
}

void LessonDesk::editFile(const QString& path)
{
    attempt([&] {
        m_run.draft().open(path);
        m_window.showPage(kOwnPage);
    });
}

void LessonDesk::chooseDraftFile()
{
    const LessonDraft& draft = m_run.draft();
    auto* dialog = new QFileDialog(&m_window, tr("Save your lesson"));
    dialog->setObjectName("saveLesson");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("Lessons") + kFilter});
    dialog->setDefaultSuffix("json");
    dialog->selectFile(draft.path().isEmpty() ? QString::fromStdString(draft.lesson().id) + ".json"
                                              : draft.path());
    connect(dialog, &QFileDialog::fileSelected, this, &LessonDesk::saveDraft);
    dialog->open();
}

void LessonDesk::saveDraft(const QString& path)
{
    attempt([&] {
        m_run.draft().save(path);
        keepDraft();
        m_window.messages().show(MessageKind::Note, tr("Your lesson is in %1.").arg(path));
    });
}

void LessonDesk::attempt(const std::function<void()>& action)
{
    m_window.messages().setProperty("offersStep", false);
    try {
        action();
    } catch (const std::exception& error) {
        m_window.messages().show(MessageKind::Error, errorSentence(error));
    }
}

} // namespace headscope::ui

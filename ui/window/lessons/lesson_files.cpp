#include "ui/window/lessons/lesson_files.h"

#include "core/base/error.h"
#include "core/lessons/lesson_json.h"
#include "ui/pages/lessons/lesson_author_form.h"
#include "ui/pages/lessons/lesson_author_page.h"
#include "ui/pages/lessons/lesson_stage.h"
#include "ui/pages/shared/stages/example_stage.h"
#include "ui/pages/shared/stages/lab_stage.h"
#include "ui/session/lessons/lesson_run.h"
#include "ui/session/session_file.h"
#include "ui/widgets/controls/message_bar.h"
#include "ui/window/dialogs/window_files.h"
#include "ui/window/frame/main_window.h"
#include "ui/window/workspaces/workspaces.h"
#include "ui/workers/error_sentence.h"

#include <QFileDialog>

namespace headscope::ui {

namespace {

constexpr int kKeptAfterMs = 400;
const QString kOwnPage = QStringLiteral("your-lesson");
const QString kFilter = QStringLiteral(" (*.json)");

/// State of a page, with everything needed to restore it.
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
    const QString name = QString::fromStdString(state.name);
    const auto page = pageNamed(name);
    return page ? page->title : name;
}

} // namespace

LessonFiles::LessonFiles(MainWindow& window, LessonRun& run, Settings& settings)
    : QObject(&window)
    , m_window(window)
    , m_run(run)
    , m_settings(settings)
{
    m_keepSoon.setSingleShot(true);
    m_keepSoon.setInterval(kKeptAfterMs);
    connect(&m_keepSoon, &QTimer::timeout, this, &LessonFiles::keepDraft);
    connect(&window.files(), &WindowFiles::lessonWanted, this, &LessonFiles::play);
    connect(&window.messages(), &MessageBar::buttonPressed, this, [this] {
        if (m_offersStep)
            m_window.showPage(kOwnPage);
    });
    connectDraft();
}

LessonFiles::~LessonFiles()
{
    if (m_keepSoon.isActive())
        keepDraft();
}

void LessonFiles::connectDraft()
{
    m_run.draft().bringBack(m_settings.value(Setting::OwnLesson).toByteArray());
    connect(&m_run.draft(), &LessonDraft::changed, &m_keepSoon, qOverload<>(&QTimer::start));
    PageStack& pages = m_window.workspaces().stack();
    pages.whenMade<LessonAuthorPage>(*this, [this](LessonAuthorPage& author) {
        connect(&author, &LessonAuthorPage::newWanted, this, &LessonFiles::newLesson);
        connect(&author, &LessonAuthorPage::saveWanted, this, &LessonFiles::chooseDraftFile);
        connect(&author, &LessonAuthorPage::openWanted, this, &LessonFiles::chooseDraft);
        connect(&author, &LessonAuthorPage::playWanted, this,
                [this, &author] { playDraft(author.step()); });
    });
}

void LessonFiles::playDraft(int step)
{
    attempt([&] {
        parseLesson(lessonJson(m_run.draft().lesson()), tr("your lesson").toStdString());
        m_run.start(Lesson(m_run.draft().lesson()), step);
    });
}

void LessonFiles::keepDraft()
{
    m_keepSoon.stop();
    m_settings.set(Setting::OwnLesson, m_run.draft().kept());
}

/// State of the page in front as a step; nothing for pages without state.
std::optional<LessonState> LessonFiles::stateInFront() const
{
    const QString page = m_window.page();
    if (page == kOwnPage)
        return std::nullopt;
    const auto* lesson = m_window.findChild<LessonStage*>();
    if (lesson && lesson->isVisible())
        return lesson->state();
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

void LessonFiles::newLesson()
{
    attempt([this] {
        LessonStep step;
        step.state = pageState(QStringLiteral("overview"), m_window.files().state());
        step.title = titleOf(step.state).toStdString();
        m_run.draft().clear({step});
        auto& author = m_window.workspaces().find<LessonAuthorPage>();
        author.chooseStep(0);
        author.form().title().setFocus(Qt::OtherFocusReason);
    });
}

void LessonFiles::addStep()
{
    attempt([this] {
        const std::optional<LessonState> state = stateInFront();
        if (!state) {
            m_window.messages().show(
                MessageKind::Note,
                tr("This page has no state to add. Open another page, a worked example or a "
                   "lab."));
            return;
        }
        LessonStep step;
        step.state = *state;
        step.title = titleOf(*state).toStdString();
        const int place = m_run.draft().addStep(step);
        m_window.workspaces().find<LessonAuthorPage>().chooseStep(place);
        m_window.messages().show(MessageKind::Note,
                                 tr("Added as step %1 of your lesson.").arg(place + 1),
                                 tr("Edit text"));
        m_offersStep = true;
    });
}

void LessonFiles::chooseLesson()
{
    choose(&LessonFiles::play);
}

void LessonFiles::chooseDraft()
{
    choose(&LessonFiles::edit);
}

void LessonFiles::choose(void (LessonFiles::*then)(const QString& path))
{
    auto* dialog = new QFileDialog(&m_window, tr("Open a lesson"));
    dialog->setObjectName("openLesson");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("Lessons") + kFilter});
    connect(dialog, &QFileDialog::fileSelected, this, then);
    dialog->open();
}

void LessonFiles::play(const QString& path)
{
    attempt([&] { m_run.start(loadLesson(path.toStdString())); });
}

void LessonFiles::edit(const QString& path)
{
    attempt([&] {
        m_run.draft().open(path);
        m_window.showPage(kOwnPage);
    });
}

void LessonFiles::chooseDraftFile()
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
    connect(dialog, &QFileDialog::fileSelected, this, &LessonFiles::saveDraft);
    dialog->open();
}

void LessonFiles::saveDraft(const QString& path)
{
    attempt([&] {
        m_run.draft().save(path);
        keepDraft();
        m_window.messages().show(MessageKind::Note, tr("Lesson saved to %1.").arg(path));
    });
}

void LessonFiles::attempt(const std::function<void()>& action)
{
    m_offersStep = false;
    try {
        action();
    } catch (const std::exception& error) {
        m_window.messages().show(MessageKind::Error, errorSentence(error));
    }
}

} // namespace headscope::ui

#include "ui/window/lessons/lesson_desk.h"

#include "core/base/error.h"
#include "core/lessons/lesson_library.h"
#include "core/lessons/worked/example_inputs.h"
#include "ui/pages/lessons/lesson_column.h"
#include "ui/pages/lessons/lesson_stage.h"
#include "ui/pages/lessons/lessons_page.h"
#include "ui/pages/shared/stages/example_stage.h"
#include "ui/pages/shared/stages/lab_stage.h"
#include "ui/session/lessons/lesson_run.h"
#include "ui/session/session.h"
#include "ui/widgets/controls/message_bar.h"
#include "ui/widgets/text/string_list.h"
#include "ui/window/dialogs/window_files.h"
#include "ui/window/frame/fixed_parts.h"
#include "ui/window/frame/main_window.h"
#include "ui/window/lessons/lesson_files.h"
#include "ui/window/lessons/lesson_keys.h"
#include "ui/window/lessons/lesson_marks.h"
#include "ui/window/lessons/lesson_of_page.h"
#include "ui/window/lessons/presenter_scale.h"
#include "ui/window/workspaces/workspaces.h"
#include "ui/workers/error_sentence.h"

#include <QDockWidget>
#include <QToolBar>

#include <algorithm>
#include <utility>

namespace headscope::ui {

namespace {

constexpr int kWidth = 312;
constexpr int kTightWidth = 288; // Width of the column beside a page on a small screen.
constexpr int kTightWindow = 1440;
const QString kPage = QStringLiteral("lessons");

} // namespace

LessonDesk::LessonDesk(MainWindow& window, Session& session, Settings& settings)
    : QObject(&window)
    , m_window(window)
    , m_session(session)
    , m_settings(settings)
    , m_run(lessonsOf(session))
    , m_column(new LessonColumn(m_run))
    , m_dock(addFixedDock(window, "lesson", tr("Lesson"), Qt::RightDockWidgetArea, *m_column))
    , m_marks(new LessonMarks(window, *window.centralWidget()))
    , m_scale(new PresenterScale(window, m_run))
    , m_keys(new LessonKeys(window, m_run, *m_column))
    , m_files(new LessonFiles(window, m_run, settings))
{
    m_dock->hide();
    m_run.setProgress(LessonProgress::fromJson(settings.value(Setting::Lessons).toByteArray()));
    connectParts();
    fitWidth();
}

void LessonDesk::connectParts()
{
    connect(&m_run, &LessonRun::stepChanged, this, &LessonDesk::showStep);
    connect(&m_run, &LessonRun::progressChanged, this,
            [this] { m_settings.set(Setting::Lessons, m_run.progress().json()); });
    connect(m_column, &LessonColumn::contentsWanted, &m_run, &LessonRun::leave);
    connect(m_column, &LessonColumn::linkActivated, this, &LessonDesk::follow);
    connect(m_keys, &LessonKeys::presentingWanted, this, &LessonDesk::presentingWanted);
    m_window.workspaces().stack().whenMade<LessonsPage>(
        *this, [this](LessonsPage& page) { takeStage(page.stage()); });
}

void LessonDesk::takeStage(LessonStage& stage)
{
    m_stage = &stage;
    m_scale->setLab(stage.lab());
    stage.lab().setNumbersShown(!m_scale->isOn());
    ExampleStage& example = stage.example();
    connect(&example, &ExampleStage::changed, this, &LessonDesk::showSwitches);
    connect(m_column, &LessonColumn::switchWanted, &example,
            [&example](const QString& name, bool on) { example.setSwitch(name, on); });
    disconnect(&m_run, &LessonRun::stepChanged, this, &LessonDesk::showStep);
    connect(&m_run, &LessonRun::stepChanged, this, &LessonDesk::showStep); // after the page has it
}

bool LessonDesk::isOpen() const
{
    return m_run.isOpen();
}

void LessonDesk::fitWidth()
{
    const bool tight = isTight() && m_run.current().state.kind == LessonState::Kind::Page;
    m_column->setFixedWidth(qRound((tight ? kTightWidth : kWidth) * Theme::of(*m_column).scale()));
}

bool LessonDesk::isTight() const
{
    return m_run.isOpen() && m_window.width() < kTightWindow;
}

void LessonDesk::next()
{
    if (m_run.isOpen())
        m_column->goNext();
    else
        m_window.showPage(kPage);
}

void LessonDesk::back()
{
    m_column->goBack();
}

// -------------------------------------------------------------------------------------- the steps

void LessonDesk::showStep()
{
    if (m_run.isOpen())
        m_window.workspaces().find<LessonsPage>(); // it shows the step, and sessions save its place
    m_marks->clear();
    fitWidth();
    m_dock->setVisible(m_run.isOpen());
    showSwitches();
    placeRows();
    if (!m_run.isOpen()) {
        m_wasOpen = false;
        bringBack();
        m_window.showPage(kPage);
        return;
    }
    m_scale->beginStep();
    showStepState();
    if (!std::exchange(m_wasOpen, true))
        m_column->focusNext();
    m_scale->fitSoon();
}

void LessonDesk::showStepState()
{
    if (m_run.current().state.kind == LessonState::Kind::Page)
        return showPageState();
    bringBack(); // a lab does not use the page's temporary state
    m_window.showPage(kPage);
}

void LessonDesk::showSwitches()
{
    std::vector<ExampleInputs::Switch> shown;
    const bool isExample =
        m_run.isOpen() && m_run.current().state.kind == LessonState::Kind::Example;
    if (!isExample)
        return m_column->setSwitches({}, false);
    const auto isHidden = [this](const std::string& name) {
        return std::ranges::find(m_run.current().hide, name) != m_run.current().hide.end();
    };
    for (const ExampleInputs::Switch& entry : m_stage->example().state().inputs.switches) {
        if (!isHidden(entry.name))
            shown.push_back(entry);
    }
    m_column->setSwitches(shown, !isHidden("edit"));
}

void LessonDesk::showPageState()
{
    const LessonState& state = m_run.current().state;
    if (state.session.is_null())
        m_window.showPage(QString::fromStdString(state.name));
    else
        showSession(state);
    // Queued until the page has its layout.
    QMetaObject::invokeMethod(this, &LessonDesk::markPage, Qt::QueuedConnection);
}

/// Shows the session of a step; the user's own session is stored before the first of them.
void LessonDesk::showSession(const LessonState& state)
{
    const QString page = QString::fromStdString(state.name);
    try {
        remember();
        SessionState wanted =
            parseSession(QByteArray::fromStdString(state.session.dump()), "lesson");
        wanted.page = page;
        wanted.pages.remove(kPage);
        wanted.device = m_session.computation().device();
        m_window.files().show(wanted);
        m_window.showPage(page);
    } catch (const std::exception& error) {
        m_window.messages().show(MessageKind::Error, errorSentence(error));
        m_window.showPage(kPage);
    }
}

void LessonDesk::markPage()
{
    if (!m_run.isOpen() || m_run.current().state.kind != LessonState::Kind::Page)
        return;
    m_marks->clear();
    m_marks->putAway(stringList(m_run.current().hide));
    m_marks->point(stringList(m_run.current().highlight));
}

void LessonDesk::remember()
{
    if (m_own)
        return;
    m_own = m_window.files().state();
    m_ownUndo = m_session.document().undoStack().index();
}

void LessonDesk::bringBack()
{
    if (!m_own)
        return;
    SessionState own = *std::exchange(m_own, std::nullopt);
    own.page = kPage;
    own.pages.remove(kPage);
    QUndoStack& undo = m_session.document().undoStack();
    if (m_ownUndo <= undo.count())
        undo.setIndex(m_ownUndo); // the lesson's steps must not appear in the user's undo history
    m_window.files().show(own);
}

void LessonDesk::setPresenting(bool on)
{
    m_scale->setOn(on);
    m_keys->setPresenting(on);
    m_column->setPresenting(on);
    if (m_stage)
        m_stage->lab().setNumbersShown(!on); // the text states the numbers that matter
    placeRows();
    if (!on || !m_run.isOpen())
        return;
    m_column->focusNext();
    m_scale->fitSoon();
}

void LessonDesk::resume(const std::optional<SessionState>& own, int ownUndo)
{
    m_own = own;
    m_ownUndo = ownUndo;
    if (m_run.isOpen())
        m_run.start(Lesson(m_run.lesson()), m_run.step());
}

/// Hides sentence and tokens where a worked example or lab does not use them, to leave more room.
void LessonDesk::placeRows()
{
    bool wanted = true;
    if (m_scale->isOn() && m_run.isOpen())
        wanted = m_run.current().state.kind == LessonState::Kind::Page;
    for (const char* name : {"sentence", "tokens"}) {
        if (auto* bar = m_window.findChild<QToolBar*>(QLatin1String(name)))
            bar->setVisible(wanted);
    }
}

// -------------------------------------------------------------------------------------- links

void LessonDesk::follow(const QString& target)
{
    const QString kind = target.section(QLatin1Char(':'), 0, 0);
    const QString name = target.section(QLatin1Char(':'), 1);
    if (kind == QLatin1String("page"))
        return m_window.showPage(name);
    const LessonLibrary& library = m_run.library();
    const Lesson* lesson = kind == QLatin1String("term") ? library.lessonOfTerm(name.toStdString())
                                                         : library.find(name.toStdString());
    if (lesson)
        m_run.start(lesson->id);
    else
        m_window.messages().show(MessageKind::Note, tr("No lesson explains %1.").arg(name));
}

void LessonDesk::explainPage()
{
    const PageDescriptor& page = m_window.workspaces().currentDescriptor();
    if (const Lesson* lesson = lessonAbout(m_run.library(), page.name, page.terms))
        return m_run.start(lesson->id);
    m_window.showPage(kPage);
}

void LessonDesk::addEntries(std::vector<PaletteEntry>& entries)
{
    for (const Lesson& lesson : m_run.library().lessons()) {
        const QString title = QString::fromStdString(lesson.title);
        const auto open = [this, id = lesson.id] { m_run.start(id); };
        entries.push_back({tr("lesson: %1").arg(title), {}, open});
        for (const std::string& term : lesson.terms)
            entries.push_back(
                {tr("%1 \u2014 lesson %2").arg(QString::fromStdString(term), title), {}, open});
    }
}

} // namespace headscope::ui

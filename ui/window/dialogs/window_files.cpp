#include "ui/window/dialogs/window_files.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/io/trace_file.h"
#include "ui/pages/shared/figures/figure_file.h"
#include "ui/pages/shared/figures/replace_files.h"
#include "ui/session/runs/training.h"
#include "ui/session/session.h"
#include "ui/window/dialogs/export_dialog.h"
#include "ui/window/dialogs/figures.h"
#include "ui/window/dialogs/proposed_file.h"
#include "ui/window/dialogs/report_dialog.h"
#include "ui/window/models/model_files.h"
#include "ui/window/workspaces/page_stack.h"
#include "ui/workers/error_sentence.h"

#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>

namespace headscope::ui {

namespace {

constexpr qint64 kLongestTextFile = 1 << 20;

/// True for a run of ours and for a series of checkpoints.
bool isRun(const QString& path)
{
    const QFileInfo config(path, "config.json");
    return (config.exists() && QFileInfo(path, "checkpoints").isDir()) ||
           RunLibrary::isForeignSeries(path.toStdString());
}

/// True for a lesson file, whether or not it is valid.
bool holdsLesson(const QString& path)
{
    constexpr qint64 kEnough = 1 << 24;
    QFile file(path);
    return QFileInfo(path).suffix().toLower() == QLatin1String("json") &&
           file.open(QIODevice::ReadOnly) && file.read(kEnough).contains("headscope-lesson");
}

} // namespace

WindowFiles::WindowFiles(Session& session, Settings& settings, PageStack& pages, QWidget& window)
    : QObject(&window)
    , m_session(session)
    , m_settings(settings)
    , m_pages(pages)
    , m_window(window)
    , m_opener(session)
{
    connect(&m_opener, &SessionOpener::opened, this, &WindowFiles::showPages);
}

// ---------------------------------------------------------------------------------------- into it

void WindowFiles::open(const QString& path)
{
    emit aboutToOpen();
    const QString model = modelAt(path);
    const bool opensRun = isRun(path);
    if (QFileInfo(path).isDir() && !opensRun && model.isEmpty()) {
        emit messageWanted(MessageKind::Error, noModelSentence(path));
        return;
    }
    m_settings.addRecentFile(path);
    if (opensRun) {
        emit pageWanted("train");
        m_session.training().openRun(path.toStdString());
        return;
    }
    if (isTraceFile(path.toStdString())) {
        m_session.models().openTrace(path);
        return;
    }
    if (!model.isEmpty()) {
        m_session.models().open(model);
        return;
    }
    attempt([&] {
        if (mayHoldSession(path.toStdString())) {
            openState(path);
            return;
        }
        if (holdsLesson(path)) {
            emit lessonWanted(path);
            return;
        }
        const std::string content = readFile(path.toStdString(), kLongestTextFile);
        m_session.document().replaceText(
            QString::fromUtf8(content.data(), static_cast<int>(content.size())));
    });
}

void WindowFiles::openState(const QString& path)
{
    const SessionState state = openSession(path.toStdString());
    const bool isImage = QFileInfo(path).suffix().toLower() != QLatin1String("hscope");
    m_sessionPath = isImage ? QString() : path;
    m_opener.open(state, SessionOpener::History::Restart);
}

void WindowFiles::show(const SessionState& state)
{
    m_opener.open(state);
}

void WindowFiles::showPages(const SessionState& state)
{
    m_pages.setOptions(state.pages);
    if (!state.page.isEmpty())
        emit pageWanted(state.page);
}

void WindowFiles::chooseFile()
{
    auto* dialog = new QFileDialog(&m_window, tr("Open a model, a session or a text"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("Models, sessions, figures and texts (*.gguf *.safetensors *.hscope "
                               "*.png *.svg *.pdf *.html *.txt *.json)"),
                            tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, &WindowFiles::open);
    dialog->open();
}

void WindowFiles::chooseModelFile()
{
    QFileDialog* dialog = modelFileDialog(&m_window);
    connect(dialog, &QFileDialog::fileSelected, this, &WindowFiles::open);
    dialog->open();
}

void WindowFiles::chooseModelFolder()
{
    QFileDialog* dialog = modelFolderDialog(&m_window);
    connect(dialog, &QFileDialog::fileSelected, this, &WindowFiles::open);
    dialog->open();
}

// ---------------------------------------------------------------------------------------- out of
// it

SessionState WindowFiles::state() const
{
    SessionState state = stateOf(m_session);
    if (const Page* current = currentPage())
        state.page = current->place();
    state.pages = m_pages.options();
    return state;
}

void WindowFiles::saveSession()
{
    if (m_sessionPath.isEmpty())
        saveSessionAs();
    else
        saveSessionTo(m_sessionPath);
}

void WindowFiles::saveSessionAs()
{
    auto* dialog = new QFileDialog(&m_window, tr("Save the session"));
    dialog->setObjectName("saveSession");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("Sessions (*.hscope)")});
    dialog->setDefaultSuffix("hscope");
    propose(*dialog, QStringLiteral("session"), QStringLiteral(".hscope"));
    connect(dialog, &QFileDialog::fileSelected, this, &WindowFiles::saveSessionTo);
    dialog->open();
}

void WindowFiles::saveSessionTo(const QString& path)
{
    attempt([&] {
        ui::saveSession(state(), path.toStdString());
        m_sessionPath = path;
        m_settings.addRecentFile(path);
        keepExportFolder(m_settings, path);
        say(tr("Session saved to %1.").arg(path));
    });
}

Page* WindowFiles::currentPage() const
{
    return qobject_cast<Page*>(m_pages.currentWidget());
}

Figure WindowFiles::drawnFigure() const
{
    const Page* page = currentPage();
    if (!page)
        return {};
    Figure figure = page->figure();
    if (!figure.paint) // a page that draws nothing by itself
        figure = figureNamed(page->place(), m_session.viewSnapshot(), page->options());
    return figure;
}

Figure WindowFiles::figure() const
{
    const Page* page = currentPage();
    Figure figure = drawnFigure();
    if (page && !figure.paint)
        throw Error("nothing to export on this page", page->objectName().toStdString(),
                    "Choose another page, or type a text");
    return figure;
}

void WindowFiles::exportView()
{
    attempt([this] {
        auto* dialog =
            new ExportDialog(figure(), sessionJson(state()),
                             exportFolder(m_settings, QStandardPaths::PicturesLocation), &m_window);
        connect(dialog, &ExportDialog::saved, this, [this](const QString& path) {
            keepExportFolder(m_settings, path);
            say(tr("Figure saved to %1.").arg(path));
        });
        dialog->show();
    });
}

void WindowFiles::exportNumbers()
{
    auto* dialog = new QFileDialog(&m_window, tr("Export the numbers of this view"));
    dialog->setObjectName("exportNumbers");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters(
        {tr("Comma-separated values (*.csv)"), tr("NumPy array (*.npy)"), tr("JSON (*.json)")});
    dialog->setDefaultSuffix("csv");
    dialog->setOption(QFileDialog::DontConfirmOverwrite); // asked for each file of a table
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
        dialog->setDefaultSuffix(filter.section("*.", 1).chopped(1));
    });
    attempt([&] { propose(*dialog, fileNameFor(figure().title), QStringLiteral(".csv")); });
    connect(dialog, &QFileDialog::fileSelected, this, &WindowFiles::exportNumbersTo);
    dialog->open();
}

void WindowFiles::exportNumbersTo(const QString& path)
{
    attempt([&] {
        const Figure shown = figure();
        replaceFiles(m_window, numberFiles(shown, path.toStdString()),
                     [this, shown, path] { attempt([&] { writeNumbers(shown, path); }); });
    });
}

void WindowFiles::writeNumbers(const Figure& shown, const QString& path)
{
    QStringList names;
    for (const auto& file : saveNumbers(shown, path.toStdString()))
        names << QString::fromStdString(file.string());
    keepExportFolder(m_settings, path);
    say(tr("Numbers saved to %1.").arg(names.join(tr(", "))));
}

void WindowFiles::sharePage()
{
    auto* dialog = new QFileDialog(&m_window, tr("Share as a page"));
    dialog->setObjectName("sharePage");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("Web pages (*.html)")});
    dialog->setDefaultSuffix("html");
    dialog->selectFile(state().page + QStringLiteral(".html"));
    connect(dialog, &QFileDialog::fileSelected, this, &WindowFiles::sharePageTo);
    dialog->open();
}

void WindowFiles::sharePageTo(const QString& path)
{
    attempt([&] {
        const SessionState shown = state();
        saveSharedPage(sharedPageNamed(shown.page, drawnFigure(), m_session.viewSnapshot(),
                                       sessionJson(shown)),
                       path.toStdString());
        say(tr("The page is in %1.").arg(path));
    });
}

void WindowFiles::writeReport()
{
    attempt([this] {
        const auto backends = [registry = m_session.registry(),
                               device = m_session.computation().device().toStdString()] {
            return registry.create(device);
        };
        auto* dialog = new ReportDialog(reportRequest(m_session), backends,
                                        exportFolder(m_settings, QStandardPaths::DocumentsLocation),
                                        &m_window);
        connect(dialog, &ReportDialog::saved, this, [this](const QString& path) {
            keepExportFolder(m_settings, path);
            say(tr("Report saved to %1.").arg(path));
        });
        dialog->show();
    });
}

void WindowFiles::copyImage()
{
    constexpr double kScale = 2.0;
    attempt([this] {
        const bool dark = Theme::of(m_window).dark;
        QApplication::clipboard()->setImage(figureImage(figure(), {dark, kScale}));
    });
}

void WindowFiles::copyNumbers()
{
    attempt([this] { QApplication::clipboard()->setText(numbersText(figure())); });
}

void WindowFiles::copyCaption()
{
    attempt([this] { QApplication::clipboard()->setText(figure().caption); });
}

/// Proposes a new file in the folder of the last export.
void WindowFiles::propose(QFileDialog& dialog, const QString& name, const QString& ending) const
{
    const QString folder = exportFolder(m_settings, QStandardPaths::DocumentsLocation);
    dialog.setDirectory(folder);
    dialog.selectFile(freshPath(folder, name, ending));
}

void WindowFiles::attempt(const std::function<void()>& action)
{
    try {
        action();
    } catch (const std::exception& error) {
        emit messageWanted(MessageKind::Error, errorSentence(error));
    }
}

void WindowFiles::say(const QString& sentence)
{
    emit messageWanted(MessageKind::Note, sentence);
}

} // namespace headscope::ui

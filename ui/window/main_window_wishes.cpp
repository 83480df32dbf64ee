// What the menu asks of the window: files, pictures, going to anything.
#include "core/base/file.h"
#include "ui/views/map_content.h"
#include "ui/views/positions_view.h"
#include "ui/window/main_window.h"
#include "ui/window/palette_entries.h"
#include "ui/window/settings_dialog.h"
#include "ui/window/window_actions.h"
#include "ui/workers/error_sentence.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QStackedWidget>

namespace headscope::ui {

namespace {

constexpr qint64 kLongestTextFile = 1 << 20;

bool isCheckpoint(const QString& path)
{
    const QFileInfo file(path);
    return file.isDir() || file.suffix() == QLatin1String("safetensors");
}

} // namespace

void MainWindow::openPath(const QString& path)
{
    m_settings.addRecentFile(path);
    if (isCheckpoint(path)) {
        m_session.openModel(path);
        return;
    }
    attempt([&] {
        const std::string content = readFile(path.toStdString(), kLongestTextFile);
        m_session.replaceText(QString::fromUtf8(content.data(), static_cast<int>(content.size())));
    });
}

void MainWindow::chooseFile()
{
    auto* dialog = new QFileDialog(this, tr("Open a model or a text"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters(
        {tr("Checkpoints and texts (*.safetensors *.txt)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, &MainWindow::openPath);
    dialog->open();
}

FigureRequest MainWindow::figure(FigureView view) const
{
    FigureRequest request;
    request.view = view;
    request.trace = m_session.shownTrace();
    request.tokenizer = m_session.model().tokenizer;
    request.layer = m_session.selection().layer;
    request.head = m_session.selection().head;
    const TokenPair pair = m_session.pair();
    request.query = pair.query;
    request.key = pair.key;
    request.colourMap = m_session.colourMap();
    request.positions = m_positions->content();
    return request;
}

void MainWindow::copyImage()
{
    constexpr double kScale = 2.0;
    attempt([this] {
        const bool positions = m_pages->currentWidget() == m_positions;
        FigureRequest request = figure(positions ? FigureView::Positions : FigureView::Head);
        request.scale = kScale;
        QApplication::clipboard()->setImage(figureImage(request));
    });
}

void MainWindow::exportView(FigureView view)
{
    const bool positions = m_pages->currentWidget() == m_positions && view == FigureView::Head;
    const FigureRequest request = figure(positions ? FigureView::Positions : view);
    auto* dialog = new QFileDialog(this, tr("Export as PNG, SVG or PDF"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("Pictures (*.png *.svg *.pdf)")});
    dialog->setDefaultSuffix("png");
    connect(dialog, &QFileDialog::fileSelected, this, [this, request](const QString& path) {
        attempt([&] { renderFigure(request, path.toStdString()); });
    });
    dialog->open();
}

/// What fails is said in the message bar.
void MainWindow::attempt(const std::function<void()>& action)
{
    try {
        action();
    } catch (const std::exception& error) {
        showError(errorSentence(error));
    }
}

void MainWindow::showSettings()
{
    if (auto* open = findChild<SettingsDialog*>()) {
        open->raise();
        open->activateWindow();
        return;
    }
    (new SettingsDialog(m_session, m_settings, this))->show();
}

void MainWindow::showPalette()
{
    std::vector<PaletteEntry> entries = actionEntries(m_actions->all());
    for (const QString& path : m_settings.value(Setting::RecentFiles).toStringList())
        entries.push_back({tr("open %1").arg(QFileInfo(path).fileName()), path,
                           [this, path] { openPath(path); }});
    addTokenEntries(entries, m_session);
    addHeadEntries(entries, m_session);
    m_palette->open(std::move(entries));
}

void MainWindow::showTokenSearch()
{
    std::vector<PaletteEntry> entries;
    addTokenEntries(entries, m_session);
    m_palette->open(std::move(entries));
}

} // namespace headscope::ui

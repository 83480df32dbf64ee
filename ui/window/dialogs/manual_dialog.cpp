#include "ui/window/dialogs/manual_dialog.h"

#include "core/lessons/manual/markdown_text.h"
#include "ui/pages/shared/boxes.h"
#include "ui/widgets/labels.h"

#include <QDesktopServices>
#include <QDialogButtonBox>
#include <QEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QTextBrowser>
#include <QTextFrame>
#include <QTextTable>
#include <QUrl>

#include <utility>

namespace headscope::ui {

namespace {

constexpr QSize kFirstSize{960, 680};
constexpr int kContentsWidth = 232;
constexpr int kMargin = 24;
constexpr int kCellPadding = 4;
constexpr int kNameRole = Qt::UserRole;

const ManualPage* pageOf(const Manual& manual, const QString& topic)
{
    const ManualPage* page = manual.find(topic.toStdString());
    return page || manual.pages().empty() ? page : &manual.pages().front();
}

/// Markdown's tables have neither room nor quiet lines.
void styleTables(QTextDocument& document, const QColor& line)
{
    for (QTextFrame* frame : document.rootFrame()->childFrames()) {
        auto* table = qobject_cast<QTextTable*>(frame);
        if (!table)
            continue;
        QTextTableFormat format = table->format();
        format.setCellPadding(kCellPadding);
        format.setCellSpacing(0);
        format.setBorderCollapse(true);
        format.setBorder(1);
        format.setBorderBrush(line);
        table->setFormat(format);
    }
}

} // namespace

ManualDialog::ManualDialog(std::shared_ptr<const Manual> manual, QWidget* parent)
    : QDialog(parent)
    , m_manual(std::move(manual))
    , m_search(new QLineEdit)
    , m_contents(new QListWidget)
    , m_text(new QTextBrowser)
    , m_back(new QPushButton(tr("Back")))
{
    setObjectName("manual");
    setWindowTitle(tr("Manual"));
    setAttribute(Qt::WA_DeleteOnClose);
    setSizeGripEnabled(true);
    auto* row = new QHBoxLayout;
    row->setSpacing(kMargin);
    makeContents(*row);
    makeText(*row);
    auto* buttons = new QDialogButtonBox;
    buttons->addButton(tr("Close"), QDialogButtonBox::RejectRole);
    buttons->addButton(m_back, QDialogButtonBox::ResetRole);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    for (QAbstractButton* button : buttons->buttons())
        qobject_cast<QPushButton*>(button)->setAutoDefault(false); // Enter is the search field's
    columnOf(kStyleSpacing, {{row, 1}, buttons}, this)
        ->setContentsMargins(kMargin, kMargin, kMargin, kMargin);
    resize(kFirstSize);
    list();
    m_search->setFocus();
}

void ManualDialog::makeContents(QHBoxLayout& row)
{
    m_search->setPlaceholderText(tr("Search the manual"));
    m_search->setAccessibleName(tr("Search the manual"));
    m_search->setClearButtonEnabled(true);
    m_contents->setAccessibleName(tr("Pages of the manual"));
    for (QWidget* part : std::initializer_list<QWidget*>{m_search, m_contents})
        part->setFixedWidth(kContentsWidth);
    connect(m_search, &QLineEdit::textChanged, this, &ManualDialog::list);
    connect(m_search, &QLineEdit::returnPressed, this, [this] {
        const auto found = m_manual->search(m_search->text().toStdString());
        if (!found.empty())
            showPage(QString::fromStdString(found.front()->name));
    });
    connect(m_contents, &QListWidget::currentItemChanged, this, [this](QListWidgetItem* item) {
        if (item)
            showPage(item->data(kNameRole).toString());
    });
    row.addLayout(columnOf(kStyleSpacing, {m_search, {m_contents, 1}}));
}

void ManualDialog::makeText(QHBoxLayout& row)
{
    m_text->setOpenLinks(false);
    m_text->setAccessibleName(tr("Page of the manual"));
    connect(m_text, &QTextBrowser::anchorClicked, this, &ManualDialog::follow);
    m_back->setShortcut(QKeySequence(Qt::ALT | Qt::Key_Left));
    m_back->setEnabled(false);
    connect(m_back, &QPushButton::clicked, this, &ManualDialog::goBack);
    row.addWidget(m_text, 1);
}

void ManualDialog::list()
{
    const QSignalBlocker quiet(m_contents);
    m_contents->clear();
    const std::string query = m_search->text().toStdString();
    const bool isSearch = !m_search->text().trimmed().isEmpty();
    std::string chapter;
    for (const ManualPage* page : m_manual->search(query)) {
        if (!isSearch && page->chapter != std::exchange(chapter, page->chapter)) {
            auto* heading = new QListWidgetItem(QString::fromStdString(chapter), m_contents);
            heading->setFlags(Qt::NoItemFlags);
        }
        auto* item = new QListWidgetItem(QString::fromStdString(page->title), m_contents);
        item->setData(kNameRole, QString::fromStdString(page->name));
    }
    if (m_contents->count() == 0)
        (new QListWidgetItem(tr("No page contains these words"), m_contents))
            ->setFlags(Qt::NoItemFlags);
    markCurrent();
}

/// Selects the page in the contents, where it is listed.
void ManualDialog::markCurrent()
{
    const QSignalBlocker quiet(m_contents);
    for (int row = 0; row < m_contents->count(); ++row) {
        if (m_contents->item(row)->data(kNameRole) == m_page)
            m_contents->setCurrentRow(row);
    }
}

void ManualDialog::showPage(const QString& topic)
{
    const ManualPage* page = pageOf(*m_manual, topic);
    if (!page)
        return;
    const QString name = QString::fromStdString(page->name);
    if (name == m_page || name.isEmpty())
        return;
    if (!m_page.isEmpty())
        m_visited << m_page;
    m_page = name;
    m_back->setEnabled(!m_visited.isEmpty());
    markCurrent();
    render();
    emit pageShown(name);
}

void ManualDialog::render()
{
    const ManualPage* page = m_manual->find(m_page.toStdString());
    if (!page)
        return;
    m_text->setMarkdown(QString::fromStdString(withoutImages(page->text)));
    m_text->document()->setDocumentMargin(kMargin);
    styleTables(*m_text->document(), Theme::of(*this).line2);
}

void ManualDialog::follow(const QUrl& link)
{
    const QString target = link.toString();
    if (target.endsWith(QLatin1String(".md")))
        showPage(target.chopped(3));
    else if (link.scheme().startsWith(QLatin1String("http")))
        QDesktopServices::openUrl(link);
    else
        emit linkActivated(target);
}

void ManualDialog::goBack()
{
    if (m_visited.isEmpty())
        return;
    const QString page = m_visited.takeLast();
    m_page.clear();
    showPage(page);
}

void ManualDialog::changeEvent(QEvent* event)
{
    QDialog::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        render();
}

} // namespace headscope::ui

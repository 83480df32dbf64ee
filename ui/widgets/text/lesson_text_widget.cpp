#include "ui/widgets/text/lesson_text_widget.h"

#include "ui/widgets/readable.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>
#include <QMimeData>
#include <QScrollBar>
#include <QTextCursor>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr int kLongestLine = 46; // maximum characters per line

} // namespace

LessonText::LessonText(TextRole role) : m_role(role), m_document(new LessonDocument(this))
{
    setDocument(m_document);
    setFrameStyle(QFrame::NoFrame);
    setOpenLinks(false);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::LinksAccessibleByMouse |
                            Qt::LinksAccessibleByKeyboard);
    viewport()->setAutoFillBackground(false);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    makeReadable(*this, QAccessible::StaticText);
    connect(this, &QTextBrowser::anchorClicked, this,
            [this](const QUrl& url) { emit linkActivated(url.toString()); });
    rebuild();
}

bool LessonText::focusNextPrevChild(bool next)
{
    const bool stays = QTextBrowser::focusNextPrevChild(next);
    sayLink();
    return stays;
}

/// Announces the link with the keyboard focus.
void LessonText::sayLink()
{
    const QTextCursor cursor = textCursor();
    const bool isLink = cursor.hasSelection() && cursor.charFormat().isAnchor();
    const QString words = isLink ? tr("Link: %1").arg(cursor.selectedText()) : QString();
    if (words != accessibleDescription())
        setAccessibleDescription(words);
}

void LessonText::setMarkdownText(const QString& markdown)
{
    setBlocks(lessonBlocks(markdown));
}

void LessonText::setBlocks(std::vector<TextBlock> blocks)
{
    if (blocks == m_blocks)
        return;
    m_blocks = std::move(blocks);
    setAccessibleName(spokenText(m_blocks));
    setAccessibleDescription({});
    setFocusPolicy(hasLinks() ? Qt::StrongFocus : Qt::ClickFocus);
    rebuild();
}

bool LessonText::hasLinks() const
{
    return std::ranges::any_of(m_blocks, [](const TextBlock& block) {
        return std::ranges::any_of(
            block.spans, [](const TextSpan& span) { return span.kind == TextSpan::Kind::Link; });
    });
}

/// Width of a column with a comfortable line length.
double LessonText::columnWidth() const
{
    const QFontMetricsF metrics(Theme::of(*this).font(m_role));
    const QString sample = QStringLiteral("a quick brown fox jumps over the lazy dogs and");
    const double longest =
        metrics.horizontalAdvance(sample) * kLongestLine / static_cast<double>(sample.size());
    return std::min(longest, static_cast<double>(width()));
}

void LessonText::rebuild()
{
    m_builtWidth = width();
    m_document->build(m_blocks, Theme::of(*this), m_role, columnWidth());
    fit();
}

void LessonText::fit()
{
    const double wide = columnWidth();
    setLineWrapMode(QTextEdit::FixedPixelWidth);
    setLineWrapColumnOrWidth(std::max(1, static_cast<int>(wide)));
    m_document->setTextWidth(wide);
    const int height = static_cast<int>(std::ceil(m_document->size().height()));
    if (height != maximumHeight() || height != minimumHeight())
        setFixedHeight(std::max(1, height));
    verticalScrollBar()->setValue(0);
}

QSize LessonText::sizeHint() const
{
    return {240, std::max(1, minimumHeight())};
}

QSize LessonText::minimumSizeHint() const
{
    return {80, std::max(1, minimumHeight())};
}

void LessonText::changeEvent(QEvent* event)
{
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange)
        rebuild();
}

void LessonText::resizeEvent(QResizeEvent* event)
{
    QTextBrowser::resizeEvent(event);
    if (width() != m_builtWidth)
        rebuild();
}

/// Leaves scrolling to the parent.
void LessonText::wheelEvent(QWheelEvent* event)
{
    event->ignore();
}

QString LessonText::copiedText() const
{
    const QTextCursor cursor = textCursor();
    return cursor.hasSelection()
               ? m_document->plainText(cursor.selectionStart(), cursor.selectionEnd())
               : m_document->plainText(0, m_document->characterCount());
}

QMimeData* LessonText::createMimeDataFromSelection() const
{
    auto* copied = new QMimeData;
    copied->setText(copiedText());
    return copied;
}

void LessonText::contextMenuEvent(QContextMenuEvent* event)
{
    QMenu menu(this);
    const QString text = copiedText();
    menu.addAction(textCursor().hasSelection() ? tr("Copy") : tr("Copy text"), this,
                   [text] { QApplication::clipboard()->setText(text); });
    QTextCursor place = cursorForPosition(event->pos());
    if (!place.atEnd())
        place.movePosition(QTextCursor::NextCharacter);
    const QString latex = LessonDocument::latexOf(place.charFormat());
    if (!latex.isEmpty())
        menu.addAction(tr("Copy formula as LaTeX"), this,
                       [latex] { QApplication::clipboard()->setText(latex); });
    menu.exec(event->globalPos());
}

} // namespace headscope::ui

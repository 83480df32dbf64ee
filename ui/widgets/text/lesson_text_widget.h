#pragma once

#include "ui/widgets/text/lesson_document.h"

#include <QTextBrowser>

namespace headscope::ui {

/// Text of a lesson, as tall as needed, at most 46 characters per line. Can be selected and copied
/// (formulas as LaTeX); Tab moves between links, Enter follows one.
class LessonText : public QTextBrowser
{
    Q_OBJECT

public:
    explicit LessonText(TextRole role = TextRole::Lesson);

    void setBlocks(std::vector<TextBlock> blocks);
    /// Sets the text; invalid input is shown as it is.
    void setMarkdownText(const QString& markdown);

    const std::vector<TextBlock>& blocks() const { return m_blocks; }

    QString copiedText() const; ///< Selected text, or all of it.

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void linkActivated(const QString& target); ///< Emitted with a target such as "lesson:softmax".

protected:
    QMimeData* createMimeDataFromSelection() const override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool focusNextPrevChild(bool next) override;

private:
    void rebuild();
    void sayLink();
    void fit();
    double columnWidth() const;
    bool hasLinks() const;

    TextRole m_role;
    std::vector<TextBlock> m_blocks;
    LessonDocument* m_document;
    int m_builtWidth = -1;
};

} // namespace headscope::ui

#pragma once

#include "ui/widgets/text/lesson_document.h"

#include <QTextBrowser>

namespace headscope::ui {

/// Running text of a lesson: as tall as it needs to be, at most 46 characters a line. It can be
/// selected and copied (formulas as LaTeX); Tab goes from link to link, Enter follows one.
class LessonText : public QTextBrowser
{
    Q_OBJECT

public:
    explicit LessonText(TextRole role = TextRole::Lesson, QWidget* parent = nullptr);

    void setBlocks(std::vector<TextBlock> blocks);
    void setMarkdownText(const QString& markdown); ///< what cannot be parsed stands as it is

    const std::vector<TextBlock>& blocks() const { return m_blocks; }

    QString copiedText() const; ///< of the selection, or all

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void linkActivated(const QString& target); ///< "lesson:softmax"

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

#pragma once

#include "ui/widgets/text/lesson_document.h"

#include <QAbstractButton>

namespace headscope::ui {

/// One of several answers, which may contain formulas. Shows whether it was correct once selected.
class LessonChoice : public QAbstractButton
{
    Q_OBJECT

public:
    enum class Mark { None, Right, Wrong };

    explicit LessonChoice(const QString& text, QWidget* parent = nullptr);

    void setMark(Mark mark);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void rebuild();

    std::vector<TextBlock> m_blocks;
    LessonDocument m_document;
    Mark m_mark = Mark::None;
};

} // namespace headscope::ui

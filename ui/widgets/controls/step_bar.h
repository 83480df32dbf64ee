#pragma once

#include "ui/widgets/readable.h"
#include "ui/widgets/style/theme.h"

#include <QRectF>
#include <QStringList>
#include <QWidget>

#include <optional>

class QPainter;

namespace headscope::ui {

/// The stages of a way, the present one among them: done before it, ahead after it.
struct StepBarContent
{
    QStringList titles;
    int now = 0;
    int complete = 0;           ///< so many from the first are done; the present one may be
    std::vector<bool> pointed;  ///< as titles, or empty
    std::optional<int> hovered; ///< under the pointer
    std::optional<int> focused; ///< where the keyboard is
};

/// Circles of 28 px joined by lines. Where titles do not fit, only the present one is written out.
class StepBarLayout
{
public:
    StepBarLayout(QRectF area, const StepBarContent& content, const Theme& theme);

    QRectF circle(int step) const;
    QRectF title(int step) const; ///< empty where there is no room
    QRectF target(int step) const;
    std::optional<int> stepAt(QPointF position) const;

private:
    std::vector<QRectF> m_circles, m_titles;
    QRectF m_area;
};

double stepBarHeight(const Theme& theme);
void paintStepBar(QPainter& painter, QRectF area, const StepBarContent& content,
                  const Theme& theme);

/// One tab stop; Left and Right walk along the stages, Enter or a click jumps.
class StepBar : public QWidget
{
    Q_OBJECT

public:
    explicit StepBar(QWidget* parent = nullptr);

    void setContent(StepBarContent content);

    const StepBarContent& content() const { return m_content; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void stepChosen(int step);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    StepBarLayout layoutNow() const;
    QString words(int step) const;
    void moveTo(int step);
    void describe();
    ReadableTable readable() const;

    StepBarContent m_content;
    int m_cursor = 0;
};

} // namespace headscope::ui

#pragma once

#include "ui/widgets/drawn_widget.h"
#include "ui/widgets/style/theme.h"

#include <QRectF>
#include <QStringList>

#include <optional>
#include <vector>

class QPainter;

namespace headscope::ui {

/// Stages of a process with the current one among them.
struct StepBarContent
{
    QStringList titles;
    int now = 0;
    int complete = 0;           ///< Number of completed stages, which may include the current one.
    std::vector<bool> pointed;  ///< Highlighted stages, one per title; or empty.
    std::optional<int> hovered; ///< Stage under the pointer.
    std::optional<int> focused; ///< Stage with the keyboard focus.
};

/// Layout of circles of 28 px joined by lines. Where titles do not fit, only the current one is
/// shown.
class StepBarLayout
{
public:
    StepBarLayout(QRectF area, const StepBarContent& content, const Theme& theme);

    QRectF circle(int step) const;
    QRectF title(int step) const; ///< Area of a title; empty if it does not fit.
    QRectF target(int step) const;
    std::optional<int> stepAt(QPointF position) const;

private:
    std::vector<QRectF> m_circles, m_titles;
    QRectF m_area;
};

double stepBarHeight(const Theme& theme);
void paintStepBar(QPainter& painter, QRectF area, const StepBarContent& content,
                  const Theme& theme);

/// Step bar with one tab stop; Left and Right move along the stages, Enter or a click jumps.
class StepBar : public DrawnWidget
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
    int itemCount() const override { return static_cast<int>(m_content.titles.size()); }

    QRectF itemRect(int step) const override { return layoutNow().target(step); }

    QString itemText(int step) const override;

    std::optional<int> itemAt(QPointF position) const override
    {
        return layoutNow().stepAt(position);
    }

    void clickItem(int step) override { emit stepChosen(step); }

    bool openItem(int step) override;
    void hoverChanged() override;
    void paintEvent(QPaintEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    StepBarLayout layoutNow() const;

    StepBarContent m_content;
};

} // namespace headscope::ui

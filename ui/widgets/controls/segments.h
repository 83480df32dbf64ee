#pragma once

#include <QWidget>

#include <vector>

class QButtonGroup;

namespace headscope::ui {

struct Segment
{
    QString text;
    QString toolTip;
    bool enabled = true; ///< Disabled segments stay visible; the tooltip gives the reason.
};

/// Segmented control for up to six exclusive choices.
class SegmentBar : public QWidget
{
    Q_OBJECT

public:
    explicit SegmentBar(QWidget* parent = nullptr);

    void setSegments(const std::vector<Segment>& segments);
    void setSegmentEnabled(int index, bool enabled, const QString& toolTip = {});
    void setCurrent(int index); ///< Selects a segment without emitting a signal.
    int current() const;

signals:
    void currentChanged(int index); ///< Emitted when the user selects a segment.

private:
    QButtonGroup* m_buttons;
};

} // namespace headscope::ui

#pragma once

#include <QWidget>

#include <vector>

class QButtonGroup;

namespace headscope::ui {

struct Segment
{
    QString text;
    QString toolTip;
    bool enabled = true; ///< a disabled segment stays; its tooltip says why
};

/// Joined buttons for exclusive choices, up to six.
class SegmentBar : public QWidget
{
    Q_OBJECT

public:
    explicit SegmentBar(QWidget* parent = nullptr);

    void setSegments(const std::vector<Segment>& segments);
    void setSegmentEnabled(int index, bool enabled, const QString& toolTip = {});
    void setCurrent(int index); ///< emits nothing
    int current() const;

signals:
    void currentChanged(int index); ///< by the person

private:
    QButtonGroup* m_buttons;
};

} // namespace headscope::ui

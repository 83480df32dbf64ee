#pragma once

#include <QFrame>

#include <vector>

class QLineEdit;
class QToolButton;

namespace headscope::ui {

class SegmentBar;
class Session;
class TextLabel;

/// Search in the text above the page, 40 px: Enter moves the selected query, the row of a map, to
/// the next match, Shift+Enter to the previous one; with Ctrl they move the key, its column. Esc
/// closes it.
class FindBar : public QFrame
{
    Q_OBJECT

public:
    explicit FindBar(Session& session, QWidget* parent = nullptr);

    void open(); ///< Shows the bar with the last search selected.

signals:
    void left(); ///< Emitted when the focus goes back to the page.

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override; ///< Keys of its buttons.

private:
    enum class Axis { Query, Key };

    void close();
    bool pressKey(int key, Qt::KeyboardModifiers modifiers);
    void go(Axis axis, bool backwards);
    std::vector<int> matchesIn(Axis axis) const;
    void refresh();

    Session& m_session;
    QLineEdit* m_field;
    TextLabel* m_state; ///< "2 of 5", "5 matches", "No match"; empty without a search.
    SegmentBar* m_axis;
    QToolButton* m_previous;
    QToolButton* m_next;
    QToolButton* m_close;
};

} // namespace headscope::ui

#pragma once

#include <QObject>

class QAction;
class QDockWidget;
class QMainWindow;
class QWidget;

namespace headscope::ui {

/// Where the inspector stands: a dock beside the page or, in a narrow window, a panel over its
/// right edge. It is shown while a person wishes it and what is in front leaves room for it.
class InspectorFrame : public QObject
{
    Q_OBJECT

public:
    /// `wish` is the switch of the menu, which a narrow window turns off until it is wide again.
    InspectorFrame(QMainWindow& window, QWidget& body, QWidget& inspector, QAction& wish);

    void setAllowed(bool allowed);
    void setNarrow(bool narrow);
    void reset();    ///< wished for, as at first
    bool dismiss();  ///< takes the panel from the page; false when there is none
    void fitWidth(); ///< to the type size
    bool isShown() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();
    void placeOverlay();

    QWidget& m_body;
    QWidget& m_inspector;
    QAction& m_wish;
    QWidget* m_overlay;
    QDockWidget* m_dock = nullptr;
    bool m_allowed = false;
    bool m_narrow = false;
    bool m_wishedWide = true; ///< before the window became narrow
};

} // namespace headscope::ui

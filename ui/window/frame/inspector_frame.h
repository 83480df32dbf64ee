#pragma once

#include <QObject>

class QAction;
class QDockWidget;
class QMainWindow;
class QWidget;

namespace headscope::ui {

/// Places the inspector: a dock beside the page or, in a narrow window, an overlay on its right
/// edge. Shown while the user wants it and the page in front has room for it.
class InspectorFrame : public QObject
{
    Q_OBJECT

public:
    /// Takes the menu's switch as `wish`; a narrow window turns it off until it is wide again.
    InspectorFrame(QMainWindow& window, QWidget& body, QWidget& inspector, QAction& request);

    void setAllowed(bool allowed);
    void setNarrow(bool narrow);
    void reset();    ///< Restores the initial state: shown.
    bool dismiss();  ///< Hides the overlay; false when there is none.
    void fitWidth(); ///< Fits the width to the type size.

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool isShown() const;
    void place();
    void placeOverlay();

    QWidget& m_body;
    QWidget& m_inspector;
    QAction& m_requestId;
    QWidget* m_overlay;
    QDockWidget* m_dock = nullptr;
    bool m_allowed = false;
    bool m_narrow = false;
    bool m_preferredWide = true; ///< State of the switch before the window became narrow.
};

} // namespace headscope::ui

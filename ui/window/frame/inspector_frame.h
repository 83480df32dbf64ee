#pragma once

#include <QObject>

class QDockWidget;
class QGridLayout;
class QMainWindow;
class QWidget;

namespace headscope::ui {

/// Where the inspector stands: a dock beside the page or, in a narrow window, a panel over its
/// right edge.
class InspectorFrame : public QObject
{
    Q_OBJECT

public:
    InspectorFrame(QMainWindow& window, QWidget& body, QWidget& inspector, QDockWidget& dock);

    void place(bool shown, bool narrow);

    bool isOverlay() const { return m_narrow; }

    bool isShown() const;
    void fitWidth(); ///< to the type size

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void placeOverlay();

    QWidget& m_body;
    QWidget& m_inspector;
    QDockWidget& m_dock;
    QWidget* m_overlay;
    QGridLayout* m_docked = nullptr;
    bool m_narrow = false;
};

} // namespace headscope::ui

#pragma once

#include <QKeySequence>
#include <QStringList>
#include <QToolButton>

namespace headscope::ui {

/// Button that opens the command palette and shows its shortcut, one key per cap.
class CommandPaletteButton : public QToolButton
{
    Q_OBJECT

public:
    CommandPaletteButton(const QString& text, const QKeySequence& keys, QWidget* parent = nullptr);

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QStringList m_keys; ///< Key names as the desktop writes them.
};

} // namespace headscope::ui

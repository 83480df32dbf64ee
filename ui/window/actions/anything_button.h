#pragma once

#include <QKeySequence>
#include <QStringList>
#include <QToolButton>

namespace headscope::ui {

/// "Go to anything" and the keys that do it, each on a cap.
class AnythingButton : public QToolButton
{
    Q_OBJECT

public:
    AnythingButton(const QString& text, const QKeySequence& keys, QWidget* parent = nullptr);

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QStringList m_keys; ///< as the desktop names them
};

} // namespace headscope::ui

#pragma once

#include <QObject>

class QWidget;

namespace headscope::ui {

/// Accepts one local file dropped onto a window.
class FileDrop : public QObject
{
    Q_OBJECT

public:
    explicit FileDrop(QWidget& window);

signals:
    void dropped(const QString& path);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace headscope::ui

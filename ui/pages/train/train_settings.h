#pragma once

#include "core/runs/live_settings.h"

#include <QWidget>

class QLineEdit;

namespace headscope::ui {

/// Settings that can be changed during training. Applied on Enter or when a field loses focus.
class TrainSettings : public QWidget
{
    Q_OBJECT

public:
    explicit TrainSettings(QWidget* parent = nullptr);

    void setSettings(const LiveSettings& settings, bool canChange);

signals:
    void changeWanted(const headscope::LiveSettings& settings);
    void messageWanted(const QString& sentence);

private:
    QLineEdit* addField(const QString& name, const QString& toolTip);
    void showSettings();
    void apply();

    LiveSettings m_settings;
    QLineEdit* m_rate;
    QLineEdit* m_batch;
    QLineEdit* m_dropout;
    QLineEdit* m_log;
};

} // namespace headscope::ui

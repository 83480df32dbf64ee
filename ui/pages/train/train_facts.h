#pragma once

#include "ui/pages/train/train_content.h"

#include <QWidget>

namespace headscope::ui {

class TextLabel;
class TrainSettings;

/// Task of a run, what to watch, its facts, and the settings that can be changed.
class TrainFacts : public QWidget
{
    Q_OBJECT

public:
    explicit TrainFacts(QWidget* parent = nullptr);

    void refresh(const TrainContent& trainContent);

    TrainSettings& settings() { return *m_settings; }

private:
    TextLabel* m_task;
    TextLabel* m_lookFor;
    TextLabel* m_facts;
    TrainSettings* m_settings;
};

} // namespace headscope::ui

#pragma once

#include "ui/pages/train/train_texts.h"

#include <QWidget>

namespace headscope::ui {

/// Names above values, right-aligned; the first is the page's main one. Trailing ones that do not
/// fit are omitted.
class TrainReadings : public QWidget
{
    Q_OBJECT

public:
    explicit TrainReadings(QWidget* parent = nullptr);

    void setReadings(const std::vector<TrainReading>& readings);

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<TrainReading> m_readings;
};

} // namespace headscope::ui

#pragma once

#include "ui/pages/train/train_texts.h"

#include <QWidget>

namespace headscope::ui {

/// Names over values, at the right; the first is the page's subject. What there is no room for is
/// left out from the end.
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

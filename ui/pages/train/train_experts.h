#pragma once

#include "ui/pages/train/train_content.h"

#include <QWidget>

namespace headscope::ui {

class LabPanels;

/// Experts that the typed text's tokens go to at the shown step: the load of each layer's experts,
/// and every token's experts in the active layer.
class TrainExperts : public QWidget
{
    Q_OBJECT

public:
    explicit TrainExperts(QWidget* parent = nullptr);

    /// Whether the shown trace belongs to a model with experts.
    static bool canShow(const TrainContent& trainContent);

    void refresh(const TrainContent& trainContent);

private:
    LabPanels* m_panels;
};

} // namespace headscope::ui

#include "ui/pages/train/train_experts.h"

#include "core/lessons/labs/blocks/expert_use.h"
#include "core/lessons/labs/lab_translation.h"
#include "ui/pages/shared/boxes.h"
#include "ui/pages/shared/column_scroll.h"
#include "ui/pages/shared/stages/lab_panels.h"

namespace headscope::ui {

TrainExperts::TrainExperts(QWidget* parent) : QWidget(parent), m_panels(new LabPanels(this))
{
    // The page does not grow with them.
    columnOf(0, {{transparentScroll(m_panels, this), 1}}, this);
}

bool TrainExperts::canShow(const TrainContent& trainContent)
{
    return trainContent.view.trace() && trainContent.view.model().model &&
           trainContent.view.model().model->config().experts.count > 0;
}

void TrainExperts::refresh(const TrainContent& trainContent)
{
    const ViewSnapshot& view = trainContent.view;
    const ExpertUse use(view.trace(), view.model().tokenizer);
    if (use.layers() == 0)
        return m_panels->setPanels({});
    const std::size_t layer = use.at(stackOf(view.selection.part), view.selection.layer);
    LabResult shown;
    shown.panels = {use.loadPanel(), use.tokenPanel(layer)};
    m_panels->setPanels(translated(std::move(shown)).panels);
}

} // namespace headscope::ui

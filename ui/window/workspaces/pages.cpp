#include "ui/window/workspaces/pages.h"

#include "ui/pages/architecture/architecture_page.h"
#include "ui/pages/arcs/arcs_page.h"
#include "ui/pages/attribution/attribution_page.h"
#include "ui/pages/causal/causal_page.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/example/example_page.h"
#include "ui/pages/experiments/experiments_page.h"
#include "ui/pages/flow/flow_page.h"
#include "ui/pages/head/distance_page.h"
#include "ui/pages/head/head_page.h"
#include "ui/pages/heads/heads_page.h"
#include "ui/pages/labs/lab_page.h"
#include "ui/pages/lens/lens_page.h"
#include "ui/pages/lessons/lesson_author_page.h"
#include "ui/pages/lessons/lessons_page.h"
#include "ui/pages/mask/mask_page.h"
#include "ui/pages/next_token/next_token_page.h"
#include "ui/pages/overview/cross_page.h"
#include "ui/pages/overview/overview_page.h"
#include "ui/pages/positions/positions_page.h"
#include "ui/pages/qk/origin_page.h"
#include "ui/pages/qk/qk_page.h"
#include "ui/pages/runs/run_form_page.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/train/train_page.h"
#include "ui/pages/what_if/what_if_page.h"

#include <QCoreApplication>

namespace headscope::ui {

std::vector<PageDescriptor> pageDescriptors()
{
    // clang-format off
    return {
        OverviewPage::descriptor(),
        HeadPage::descriptor(),
        HeadsPage::descriptor(),
        ArcsPage::descriptor(),
        QkPage::descriptor(),
        DistancePage::descriptor(),
        CrossPage::descriptor(),
        FlowPage::descriptor(),
        WhatIfPage::descriptor(),
        ComparePage::descriptor(),
        OriginPage::descriptor(),
        LensPage::descriptor(),
        AttributionPage::descriptor(),
        CausalPage::descriptor(),
        NextTokenPage::descriptor(),
        PositionsPage::descriptor(),
        MaskPage::descriptor(),
        ArchitecturePage::descriptor(),
        TrainPage::descriptor(),
        RunFormPage::descriptor(),
        RunsPage::descriptor(),
        ExperimentsPage::descriptor(),
        LessonsPage::descriptor(),
        ExamplePage::descriptor(),
        LabPage::descriptor(),
        LessonAuthorPage::descriptor(),
    };
    // clang-format on
}

QString groupName(PageGroup group)
{
    switch (group) {
    case PageGroup::Explore:
        return QCoreApplication::translate("Pages", "Explore");
    case PageGroup::Model:
        return QCoreApplication::translate("Pages", "Model");
    case PageGroup::Train:
        return QCoreApplication::translate("Pages", "Train");
    case PageGroup::Learn:
        return QCoreApplication::translate("Pages", "Learn");
    }
    return {};
}

QString pageShortcut(int number)
{
    constexpr int kReached = 10;
    return number < kReached ? QStringLiteral("Ctrl+%1").arg((number + 1) % kReached) : QString();
}

} // namespace headscope::ui

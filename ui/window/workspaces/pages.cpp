#include "ui/window/workspaces/pages.h"

#include "ui/pages/architecture/architecture_page.h"
#include "ui/pages/arcs/arcs_page.h"
#include "ui/pages/attribution/attribution_page.h"
#include "ui/pages/causal/causal_page.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/example/example_page.h"
#include "ui/pages/experiments/experiments_page.h"
#include "ui/pages/flow/flow_page.h"
#include "ui/pages/head/head_modes.h"
#include "ui/pages/heads/heads_page.h"
#include "ui/pages/labs/lab_page.h"
#include "ui/pages/lens/lens_page.h"
#include "ui/pages/lessons/lesson_author_page.h"
#include "ui/pages/lessons/lessons_page.h"
#include "ui/pages/mask/mask_page.h"
#include "ui/pages/next_token/next_token_page.h"
#include "ui/pages/overview/overview_modes.h"
#include "ui/pages/positions/positions_page.h"
#include "ui/pages/qk/origin_page.h"
#include "ui/pages/qk/qk_page.h"
#include "ui/pages/runs/run_form_page.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/shared/mode_page.h"
#include "ui/pages/train/train_page.h"
#include "ui/pages/weights/weights_page.h"
#include "ui/pages/what_if/what_if_page.h"

#include <QCoreApplication>

namespace headscope::ui {

std::vector<PageDescriptor> pageDescriptors()
{
    // clang-format off
    return {
        OverviewModes::descriptor(),
        HeadModes::descriptor(),
        ArcsPage::descriptor(),
        FlowPage::descriptor(),
        HeadsPage::descriptor(),
        LensPage::descriptor(),
        AttributionPage::descriptor(),
        CausalPage::descriptor(),
        WhatIfPage::descriptor(),
        WeightsPage::descriptor(),
        ComparePage::descriptor(),
        pageOfModes({QkPage::descriptor(), OriginPage::descriptor()}),
        PositionsPage::descriptor(),
        MaskPage::descriptor(),
        NextTokenPage::descriptor(),
        ArchitecturePage::descriptor(),
        LessonsPage::descriptor(),
        ExamplePage::descriptor(),
        LabPage::descriptor(),
        LessonAuthorPage::descriptor(),
        TrainPage::descriptor(),
        RunFormPage::descriptor(),
        RunsPage::descriptor(),
        ExperimentsPage::descriptor(),
    };
    // clang-format on
}

std::optional<PageDescriptor> pageNamed(const QString& name)
{
    for (const PageDescriptor& page : pageDescriptors()) {
        if (page.name == name)
            return page;
        for (const PageDescriptor& mode : page.modes) {
            if (mode.name == name)
                return mode;
        }
    }
    return std::nullopt;
}

QStringList placeNames()
{
    QStringList names;
    for (const PageDescriptor& page : pageDescriptors()) {
        names << page.name;
        for (const PageDescriptor& mode : page.modes)
            names << mode.name;
    }
    names.removeDuplicates(); // the first mode has the name of its page
    return names;
}

bool optionsReachBeyond(const QString& page)
{
    return page == QLatin1String("lessons");
}

Workspace workspaceOf(PageGroup group)
{
    switch (group) {
    case PageGroup::Course:
        return Workspace::Learn;
    case PageGroup::Runs:
        return Workspace::Train;
    default:
        return Workspace::Explore;
    }
}

QString workspaceId(Workspace workspace)
{
    constexpr const char* kIds[] = {"explore", "learn", "train"};
    return QLatin1String(kIds[static_cast<int>(workspace)]);
}

QString workspaceName(Workspace workspace)
{
    switch (workspace) {
    case Workspace::Explore:
        return QCoreApplication::translate("Pages", "Explore");
    case Workspace::Learn:
        return QCoreApplication::translate("Pages", "Learn");
    case Workspace::Train:
        return QCoreApplication::translate("Pages", "Train");
    }
    return {};
}

QString groupName(PageGroup group)
{
    switch (group) {
    case PageGroup::Look:
        return QCoreApplication::translate("Pages", "Look");
    case PageGroup::Find:
        return QCoreApplication::translate("Pages", "Find");
    case PageGroup::Change:
        return QCoreApplication::translate("Pages", "Change");
    case PageGroup::Inside:
        return QCoreApplication::translate("Pages", "Inside");
    case PageGroup::Course:
        return QCoreApplication::translate("Pages", "Course");
    case PageGroup::Runs:
        return QCoreApplication::translate("Pages", "Runs");
    }
    return {};
}

QString pageShortcut(int number)
{
    constexpr int kReached = 9;
    return number < kReached ? QStringLiteral("Alt+%1").arg(number + 1) : QString();
}

} // namespace headscope::ui

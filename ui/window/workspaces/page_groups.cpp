#include "ui/window/workspaces/page_groups.h"

#include <QCoreApplication>
#include <QSet>

namespace headscope::ui {

namespace {

/// Pages about what a model is; those that are of no other kind are about what it does with the
/// text.
bool isAboutTheModel(const QString& page)
{
    static const QSet<QString> kNames{"architecture", "mask", "positions", "next-token"};
    return kNames.contains(page);
}

/// Pages about models that are being made.
bool isAboutTraining(const QString& page)
{
    static const QSet<QString> kNames{"train", "new-run", "runs", "experiments"};
    return kNames.contains(page);
}

/// Pages that teach.
bool isAboutLearning(const QString& page)
{
    static const QSet<QString> kNames{"lessons", "example", "lab", "your-lesson"};
    return kNames.contains(page);
}

} // namespace

std::vector<PageGroup> pageGroups()
{
    PageGroup explore{QCoreApplication::translate("Pages", "Explore"), {}};
    PageGroup model{QCoreApplication::translate("Pages", "Model"), {}};
    PageGroup train{QCoreApplication::translate("Pages", "Train"), {}};
    PageGroup learn{QCoreApplication::translate("Pages", "Learn"), {}};
    for (PageEntry& entry : pageEntries()) {
        PageGroup& group = isAboutLearning(entry.name)   ? learn
                           : isAboutTraining(entry.name) ? train
                           : isAboutTheModel(entry.name) ? model
                                                         : explore;
        group.pages.push_back(std::move(entry));
    }
    return {std::move(explore), std::move(model), std::move(train), std::move(learn)};
}

QString pageShortcut(int number)
{
    constexpr int kReached = 10;
    return number < kReached ? QStringLiteral("Ctrl+%1").arg((number + 1) % kReached) : QString();
}

} // namespace headscope::ui

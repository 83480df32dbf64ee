#include "ui/window/dialogs/figures.h"

#include "ui/window/workspaces/pages.h"

namespace headscope::ui {

std::vector<FigureEntry> figureEntries()
{
    std::vector<FigureEntry> entries;
    for (const QString& name : placeNames()) {
        const PageDescriptor page = *pageNamed(name);
        if (!page.figure)
            continue;
        entries.push_back({name, page.figure});
        if (name == QLatin1String("overview"))
            entries.push_back({QStringLiteral("grid"), page.figure});
    }
    return entries;
}

Figure figureNamed(const QString& name, const ViewSnapshot& view, const QJsonObject& options)
{
    for (const FigureEntry& entry : figureEntries())
        if (entry.name == name)
            return entry.figure(view, options);
    return {};
}

SharedPage sharedPageNamed(const QString& name, Figure figure, ViewSnapshot viewed,
                           QByteArray session)
{
    SharedPage page{{}, {}, std::move(figure), std::move(viewed), std::move(session)};
    for (const PageDescriptor& descriptor : pageDescriptors()) {
        if (descriptor.name != name)
            continue;
        page.title = descriptor.title;
        page.question = descriptor.question;
    }
    return page;
}

} // namespace headscope::ui

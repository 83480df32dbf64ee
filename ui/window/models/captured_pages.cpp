#include "ui/window/models/captured_pages.h"

#include "ui/pages/shared/empty_state.h"
#include "ui/session/session.h"

#include <QCoreApplication>
#include <QStackedWidget>

namespace headscope::ui {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("Window", text);
}

void cover(Session& session, QStackedWidget& pages, const char* name, const QString& why)
{
    auto* page = pages.findChild<QWidget*>(QLatin1String(name), Qt::FindDirectChildrenOnly);
    if (!page)
        return;
    auto* sheet = new EmptyState(page);
    sheet->setObjectName("needsModel");
    sheet->setAutoFillBackground(true);
    sheet->setTexts(tr("This page needs a model"), why, {});
    const auto follow = [&session, sheet] {
        sheet->setVisible(session.isCaptured());
        sheet->raise();
    };
    QObject::connect(&session, &Session::modelChanged, sheet, follow);
    follow();
}

} // namespace

void coverPagesOfModels(Session& session, QStackedWidget& pages)
{
    cover(session, pages, "what-if",
          tr("A captured trace holds what was computed, not what would be: open a model to change "
             "something."));
    cover(session, pages, "causal",
          tr("A captured trace holds one run, and causal tests need others: open a model."));
    cover(session, pages, "compare",
          tr("A captured trace has no second run: open a model to compare with."));
    cover(session, pages, "architecture",
          tr("A captured trace does not say how its model is built: open a model to see that."));
}

} // namespace headscope::ui

// Pages use the room of a large window: maps, lists and charts grow.
#include "tests/support/test_program.h"
#include "tests/support/tiny_model.h"
#include "tests/ui/child.h"
#include "ui/pages/next_token/next_token_page.h"
#include "ui/pages/overview/next_token_bars.h"
#include "ui/pages/overview/overview_page.h"
#include "ui/widgets/charts/bars/bars.h"
#include "ui/widgets/heads/head_grid_widget.h"

#include <QTest>

using namespace headscope;
using namespace headscope::ui;
using headscope::ui::test::childOf;

namespace {

LoadedModel openTiny(const std::string& name)
{
    LoadedModel model = headscope::test::tinyModel();
    model.name = name;
    return model;
}

} // namespace

class TstLargeWindow : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void overviewListsNextTokensBelowTheHeads();
    void nextTokenListsMoreCandidates();

private:
    std::unique_ptr<Session> m_session;
};

void TstLargeWindow::init()
{
    m_session = std::make_unique<Session>(BackendRegistry(), openTiny);
    m_session->computation().setDevice("cpu");
    m_session->document().replaceText("the cat sat");
    m_session->models().open("tiny");
    QTRY_VERIFY(m_session->traceA() != nullptr);
}

void TstLargeWindow::overviewListsNextTokensBelowTheHeads()
{
    OverviewPage page(*m_session);
    page.show();
    const auto* next = page.findChild<NextTokenBars*>();
    page.resize(1000, 420); // no room for them
    QTRY_VERIFY(!next->isVisible());
    page.resize(2000, 1200);
    QTRY_VERIFY(next->isVisible());
    QTRY_VERIFY(childOf<BarsWidget>(*next).bars().size() > 5);
    const auto& grid = childOf<HeadGridWidget>(page);
    const int top = grid.mapTo(&page, QPoint()).y();
    QVERIFY2(top < 260, qPrintable(QString::number(top)));
    const int bottom = top + grid.height();
    QVERIFY(next->mapTo(&page, QPoint()).y() <= bottom + 40);
}

void TstLargeWindow::nextTokenListsMoreCandidates()
{
    NextTokenPage page(*m_session);
    page.show();
    page.resize(1240, 600);
    QTRY_COMPARE(page.content().rows.size(), std::size_t{12});
    page.resize(1240, 1200);
    QTRY_VERIFY(page.content().rows.size() > 20);
}

HEADSCOPE_WINDOW_TEST(TstLargeWindow)
#include "tst_large_window.moc"

#include "tests/support/test_program.h"
#include "tests/support/tiny_model.h"
#include "ui/pages/qk/origin_model.h"
#include "ui/pages/qk/origin_page.h"
#include "ui/pages/qk/origin_path.h"

#include <QHeaderView>
#include <QPushButton>
#include <QTableView>
#include <QTest>

#include <memory>

using namespace headscope;
using namespace headscope::ui;

namespace {

LoadedModel openTiny(const std::string& name)
{
    LoadedModel model = headscope::test::tinyModel();
    model.name = name;
    return model;
}

} // namespace

class TstOrigin : public QObject
{
    Q_OBJECT

private slots:

    void init()
    {
        m_session = std::make_unique<Session>(BackendRegistry(), openTiny);
        m_session->computation().setDevice("cpu");
        m_session->document().setText("the cat sat");
        m_view = std::make_unique<OriginPage>(*m_session);
        m_view->resize(900, 700);
        m_view->show();
        m_session->models().open("tiny");
        QTRY_VERIFY(m_session->traceA());
        m_session->view().selectPair(2, 1);
        QTRY_VERIFY(isReady());
    }

    void cleanup()
    {
        m_view.reset();
        m_session.reset();
    }

    void itBeginsAtTheSelectedPair()
    {
        const auto pattern = m_session->traceA()->find({Site::Pattern, 0});
        const double expected = double{pattern->view()(0, 2, 1)};
        QCOMPARE(m_view->derivation().recorded, expected);
        QVERIFY(m_view->derivation().agrees());
        QCOMPARE(m_view->derivation().terms.size(), 3u); // one for each key it may see
        m_session->view().activateHead(1, 1);
        QTRY_COMPARE(m_view->derivation().of.key.layer, 1);
    }

    void enterGoesBehindAnOperandAndEscapeBack()
    {
        table()->setFocus();
        table()->setCurrentIndex(table()->model()->index(0, 0));
        QTest::keyClick(table(), Qt::Key_Return);
        const OriginPath path = originPathFrom(m_view->options());
        QCOMPARE(path.numbers.size(), 2u);
        QCOMPARE(path.numbers.back().key.site, Site::AttnScores);
        QCOMPARE(m_view->derivation().of.key.site, Site::AttnScores);
        QVERIFY(m_view->derivation().agrees());
        QVERIFY(m_view->escape());
        QVERIFY(m_view->options().isEmpty()); // the selected pair alone
        QCOMPARE(m_view->derivation().of.key.site, Site::Pattern);
        QVERIFY(!m_view->escape());
    }

    void theWayLeadsToWeights()
    {
        NumberRef query{NumberRef::Kind::Activation, {Site::Query, 0}, {}, {2, 0, 1}};
        m_view->trace(query);
        const Factor weight = m_view->derivation().terms.at(0).factors.at(1);
        QCOMPARE(weight.of.name, std::string("h.0.attn.q.weight"));
        m_view->goDown(weight.of);
        const TensorView w = m_session->model().model->parameters().view("h.0.attn.q.weight");
        QCOMPARE(m_view->derivation().recorded, double{w(1, weight.of.index[1])});
        QVERIFY(!m_view->derivation().end.empty());
    }

    void largestTermsComeFirst()
    {
        m_view->trace({NumberRef::Kind::Activation, {Site::AttnOut, 0}, {}, {2, 3}});
        const int rows = table()->model()->rowCount();
        QVERIFY(rows > 4);
        for (int row = 1; row < rows; ++row)
            QVERIFY(std::abs(product(row - 1)) >= std::abs(product(row)));
        double sum = 0.0;
        for (int row = 0; row < rows; ++row)
            sum += product(row);
        QVERIFY(std::abs(sum - m_view->derivation().recorded) < 1e-4);
    }

    void anInterventionIsSaid()
    {
        m_session->document().setHeadOff(0, 0, true);
        m_session->view().setShownVariant(headscope::ui::Variant::B);
        QTRY_VERIFY(m_session->traceB() && m_session->traceB()->find({Site::Z, 0}));
        m_view->trace({NumberRef::Kind::Activation, {Site::Z, 0}, {}, {2, 0, 0}});
        QCOMPARE(m_view->derivation().recorded, 0.0);
        QVERIFY(!m_view->derivation().agrees());
    }

    void aShorterTextLeadsBackToTheSelection()
    {
        m_view->trace({NumberRef::Kind::Activation, {Site::AttnOut, 0}, {}, {2, 3}});
        m_session->document().setText("the");
        QTRY_COMPARE(m_view->derivation().of.key.site, Site::Pattern);
    }

    void optionsBringTheWayBack()
    {
        m_view->trace({NumberRef::Kind::Activation, {Site::AttnOut, 0}, {}, {2, 3}});
        const QJsonObject options = m_view->options();
        OriginPage other(*m_session);
        other.setOptions(options);
        QCOMPARE(other.options(), options);
        QCOMPARE(originPathFrom(options).numbers.back().key.site, Site::AttnOut);
        const Figure figure = originFigure(m_session->viewSnapshot(), options);
        QCOMPARE(figure.numbers.at(0).rows.size(),
                 static_cast<int>(m_view->derivation().terms.size()));
    }

private:
    QTableView* table() const { return m_view->findChild<QTableView*>(); }

    /// The last column of a row as it is written.
    double product(int row) const
    {
        const QModelIndex cell = table()->model()->index(row, OriginModel::kProduct);
        return cell.data().toString().replace(QChar(0x2212), '-').toDouble();
    }

    bool isReady() const
    {
        return m_session->traceA() && m_session->traceA()->find({Site::AttnScores, 0}) &&
               m_view->derivation().of.index == std::vector<std::int64_t>{0, 2, 1};
    }

    std::unique_ptr<Session> m_session;
    std::unique_ptr<OriginPage> m_view;
};

HEADSCOPE_WINDOW_TEST(TstOrigin)
#include "tst_origin.moc"

#include "core/attention/cpu_attention.h"
#include "tests/support/test_program.h"
#include "tests/support/tiny_model.h"
#include "ui/session/session.h"

#include <QTest>

#include <cstring>
#include <random>

using namespace headscope;
using namespace headscope::ui;

namespace {

LoadedModel openTiny(const std::string& name)
{
    LoadedModel model = headscope::test::tinyModel(name == "other" ? 2 : 1);
    model.name = name;
    return model;
}

/// A session whose traces hold every site.
struct Fixture
{
    Fixture() : session({}, openTiny)
    {
        session.computation().setDevice("cpu");
        session.computation().askFor(&request, {"*"});
        session.document().replaceText("the cat sat on a mat");
        session.models().open("tiny");
        wait();
    }

    bool isDone() const
    {
        const bool answered = session.traceA() && session.computation().shownTicket() ==
                                                      session.computation().postedTicket();
        const bool wantsB = !session.changes().empty();
        return answered && wantsB == (session.traceB() != nullptr);
    }

    void wait()
    {
        if (!QTest::qWaitFor([this] { return isDone(); }, 20000))
            qFatal("no trace");
    }

    QObject request;
    Session session;
};

/// "" when both hold the same bits.
QString bitDifference(const Trace& a, const Trace& b)
{
    if (a.tokens() != b.tokens())
        return "other tokens";
    if (a.activations().size() != b.activations().size())
        return "other sites";
    for (const auto& [key, tensor] : a.activations()) {
        const auto other = b.find(key);
        if (!other || other->shape() != tensor->shape())
            return QString::fromStdString(toString(key)) + " has another shape";
        if (std::memcmp(tensor->data(), other->data(), tensor->size() * sizeof(float)) != 0)
            return QString::fromStdString(toString(key)) + " has other values";
    }
    return {};
}

/// One random step on the undo stack: an intervention of any kind, a removal, a switch, a text.
class RandomSteps
{
public:
    RandomSteps(Session& session, unsigned seed) : m_session(session), m_random(seed) {}

    static constexpr int kKinds = 16;

    void step() { step(below(kKinds)); }

    void step(int kind)
    {
        Changes changes = m_session.changes();
        const int n = static_cast<int>(m_session.traceA()->tokens().size());
        switch (kind) {
        case 0:
            return m_session.document().setMask({MaskChange::Kind::None, 4, {}, 0});
        case 1:
            return m_session.document().setMask({MaskChange::Kind::Window, 1 + below(3), {}, 0});
        case 2:
            return m_session.document().setMask(painted(n));
        case 3:
            return m_session.document().setHeadOff({below(2), below(2)}, true,
                                                   below(2) == 0 ? HeadOff::Method::Zero
                                                                 : HeadOff::Method::Mean);
        case 4:
            return m_session.document().setHeadOff({below(2), below(2)}, false);
        case 5:
            changes.positions =
                PositionsChoice{below(2) == 0 ? Positions::Sinusoidal : Positions::Rope, 10000.0};
            break;
        case 6:
            changes.edits.push_back(
                {{Site::Pattern, below(2)}, below(2), below(n), below(n), {0.25F}, below(2) == 0});
            break;
        case 7:
            changes.edits.push_back(
                {{Site::Pattern, below(2)},
                 below(2),
                 below(n),
                 std::nullopt,
                 std::vector<float>(static_cast<std::size_t>(n), 1.0F / static_cast<float>(n)),
                 false});
            break;
        case 8:
            changes.swaps.push_back({below(n), below(200)});
            break;
        case 9:
            changes.patches.push_back({{Site::ResidPost, below(2)}, below(n), below(n)});
            break;
        case 10:
            changes.freezes.push_back(
                {{"a dog ran on the mat", std::nullopt, {}, {}}, std::nullopt});
            break;
        case 11:
            changes.text = below(2) == 0 ? "a dog ran" : "the cat sat on";
            break;
        case 12:
            changes.model = changes.model.isEmpty() ? "other" : QString();
            break;
        case 13:
            return m_session.document().removeChange(
                below(1 + static_cast<int>(changes.texts().size())));
        case 14:
            return m_session.document().toggleChange(
                below(1 + static_cast<int>(changes.texts().size())));
        default:
            return m_session.document().replaceText(below(2) == 0 ? "the cat sat on the mat"
                                                                  : "an old dog slept");
        }
        m_session.document().setChanges(changes, "random");
    }

private:
    int below(int end) { return static_cast<int>(m_random() % static_cast<unsigned>(end)); }

    MaskChange painted(int side)
    {
        MaskChange mask{MaskChange::Kind::Painted, 4, {}, side};
        for (int query = 0; query < side; ++query)
            for (int key = 0; key < side; ++key)
                mask.cells.push_back(key == query || (key < query && below(3) > 0) ? 1 : 0);
        return mask;
    }

    Session& m_session;
    std::mt19937 m_random;
};

} // namespace

class TstUndo : public QObject
{
    Q_OBJECT

private slots:

    void undoingEverythingRestoresEveryBit_data()
    {
        QTest::addColumn<unsigned>("seed");
        for (unsigned seed = 1; seed <= 12; ++seed)
            QTest::newRow(qPrintable(QString("seed %1").arg(seed))) << seed;
    }

    void undoingEverythingRestoresEveryBit()
    {
        QFETCH(unsigned, seed);
        Fixture fixture;
        Session& session = fixture.session;
        const TracePtr before = session.traceA();
        QUndoStack& stack = session.document().undoStack();
        const int start = stack.index();
        RandomSteps steps(session, seed);
        for (int count = 0; count < 14; ++count) {
            steps.step();
            if (count % 3 == 0)
                fixture.wait(); // others come while one is being computed
        }
        fixture.wait();
        const TracePtr changedA = session.traceA();
        const TracePtr changedB = session.traceB();
        const Changes changes = session.changes();
        const int end = stack.index();
        QVERIFY(end > start);
        while (stack.index() > start)
            stack.undo();
        fixture.wait();
        QVERIFY(session.changes().empty());
        QVERIFY(!session.traceB());
        QCOMPARE(bitDifference(*session.traceA(), *before), QString());
        while (stack.index() < end) // and forwards again
            stack.redo();
        fixture.wait();
        QCOMPARE(session.changes(), changes);
        QCOMPARE(bitDifference(*session.traceA(), *changedA), QString());
        QCOMPARE(session.traceB() != nullptr, changedB != nullptr);
        if (changedB)
            QCOMPARE(bitDifference(*session.traceB(), *changedB), QString());
    }

    void everyKindChangesSomethingAndIsUndone_data()
    {
        QTest::addColumn<int>("kind");
        for (const int kind : {0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12})
            QTest::newRow(qPrintable(QString("kind %1").arg(kind))) << kind;
    }

    void everyKindChangesSomethingAndIsUndone()
    {
        QFETCH(int, kind);
        Fixture fixture;
        Session& session = fixture.session;
        const TracePtr before = session.traceA();
        RandomSteps steps(session, 5);
        steps.step(kind);
        fixture.wait();
        QVERIFY(session.traceB());
        QVERIFY(!bitDifference(*session.traceB(), *before).isEmpty());
        QCOMPARE(bitDifference(*session.traceA(), *before), QString());
        session.document().undoStack().undo();
        fixture.wait();
        QVERIFY(!session.traceB());
        QCOMPARE(bitDifference(*session.traceA(), *before), QString());
    }

    void aChangeSwitchedOffLeavesBAsIfItWereGone()
    {
        Fixture fixture;
        Session& session = fixture.session;
        session.document().setHeadOff(0, 1, true);
        session.document().setMask({MaskChange::Kind::None, 4, {}, 0});
        fixture.wait();
        const TracePtr both = session.traceB();
        QCOMPARE(session.changes().texts().size(), std::size_t(2));
        session.document().toggleChange(0); // the mask comes first
        fixture.wait();
        QCOMPARE(session.changes().texts().size(), std::size_t(2));
        QVERIFY(session.changes().texts()[0].aside);
        Interventions headOnly;
        headOnly.ablatedHeads = {{0, 1}};
        Tracer tracer(session.model(), std::make_unique<CpuAttention>());
        const TracePtr own =
            tracer.trace(session.traceA()->tokens(), TraceRequest::everything(), headOnly);
        QCOMPARE(bitDifference(*session.traceB(), *own), QString());
        session.document().toggleChange(0);
        fixture.wait();
        QCOMPARE(bitDifference(*session.traceB(), *both), QString());
        session.document().undoStack().undo();
        fixture.wait();
        QVERIFY(session.changes().texts()[0].aside);
        session.document().removeChange(0);
        QCOMPARE(session.changes().texts().size(), std::size_t(1));
    }

    void anotherMaskGoesAsideWhenOneComesBack()
    {
        Fixture fixture;
        Session& session = fixture.session;
        session.document().setMask({MaskChange::Kind::None, 4, {}, 0});
        session.document().toggleChange(0);
        session.document().setMask({MaskChange::Kind::Window, 2, {}, 0});
        QCOMPARE(session.changes().texts().size(), std::size_t(2));
        session.document().toggleChange(1);
        QVERIFY(session.changes().mask.kind == MaskChange::Kind::None);
        QCOMPARE(session.changes().aside.size(), std::size_t(1));
        QVERIFY(session.changes().aside[0].mask.kind == MaskChange::Kind::Window);
    }
};

HEADSCOPE_WINDOW_TEST(TstUndo)
#include "tst_undo.moc"

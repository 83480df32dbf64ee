// labels: threads
#include "tests/support/qt_under_tsan.h"
#include "tests/support/test_program.h"
#include "ui/workers/forward/freed_elsewhere.h"

#include <QTest>

#include <atomic>
#include <thread>

using namespace headscope;
using namespace headscope::ui;

namespace {

/// Part of a trace that notes which thread destroys it.
class Witness : public OmittedActivations
{
public:
    explicit Witness(std::atomic<std::thread::id>& destroyer) : m_destroyer(destroyer) {}

    ~Witness() override { m_destroyer = std::this_thread::get_id(); }

    const std::vector<TraceKey>& keys() const override { return m_keys; }

    std::optional<Shape> shapeOf(TraceKey) const override { return std::nullopt; }

    Tensor rows(TraceKey, std::int64_t, std::int64_t) const override { return {}; }

private:
    std::vector<TraceKey> m_keys;
    std::atomic<std::thread::id>& m_destroyer;
};

TracePtr traceOf(std::int64_t values, std::atomic<std::thread::id>& destroyer)
{
    Trace::Activations activations;
    activations[{Site::Embed, 0}] = std::make_shared<const Tensor>(Shape{1, values});
    return std::make_shared<const Trace>(TokenSequence(), std::move(activations), TraceInfo(),
                                         TokenSequence(), Trace::RetainedPatterns(),
                                         std::make_shared<const Witness>(destroyer));
}

constexpr std::int64_t kLarge = 8 << 20;

} // namespace

class TstFreedElsewhere : public QObject
{
    Q_OBJECT

private slots:

    void theLastHolderOfALargeTraceDoesNotDestroyIt()
    {
        std::atomic<std::thread::id> destroyer;
        TracePtr trace = freedElsewhere(traceOf(kLarge, destroyer));
        TracePtr other = trace;
        trace.reset();
        QTest::qWait(20);
        QVERIFY(destroyer.load() == std::thread::id());
        QVERIFY(other->has({Site::Embed, 0}));
        other.reset();
        QTRY_VERIFY(destroyer.load() != std::thread::id());
        QVERIFY(destroyer.load() != std::this_thread::get_id());
    }

    void aSmallOneIsDestroyedAtOnce()
    {
        std::atomic<std::thread::id> destroyer;
        TracePtr trace = freedElsewhere(traceOf(8, destroyer));
        trace.reset();
        QVERIFY(destroyer.load() == std::this_thread::get_id());
        QVERIFY(freedElsewhere(nullptr) == nullptr);
    }
};

HEADSCOPE_TEST(TstFreedElsewhere)
#include "tst_freed_elsewhere.moc"

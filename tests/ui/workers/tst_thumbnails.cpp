#include "ui/workers/forward/thumbnails.h"

#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "core/model/pass/tracer.h"
#include "tests/support/small_models.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;
using namespace headscope::test;
using namespace headscope::ui;

namespace {

constexpr std::size_t kAllPatterns = std::numeric_limits<std::size_t>::max();

ModelConfig longConfig()
{
    ModelConfig config = smallConfig();
    config.maxLen = 300;
    return config;
}

TokenSequence firstOf(const std::vector<TokenId>& ids, std::size_t count)
{
    return tokensOf({ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(count)});
}

bool areSame(const PartThumbnails& got, const PartThumbnails& expected)
{
    if (got.size() != expected.size())
        return false;
    for (const auto& [part, heads] : expected) {
        const std::vector<ThumbnailPtr>& others = got.at(part);
        if (others.size() != heads.size())
            return false;
        for (std::size_t head = 0; head < heads.size(); ++head) {
            const HeadThumbnail& one = *others[head];
            const HeadThumbnail& two = *heads[head];
            if (one.rows != two.rows || one.columns != two.columns || one.levels != two.levels)
                return false;
        }
    }
    return true;
}

} // namespace

class TstThumbnails : public QObject
{
    Q_OBJECT

private slots:

    void followATextThatGrowsAndShrinks_data()
    {
        QTest::addColumn<quint64>("budget");
        QTest::newRow("patterns kept") << quint64{kAllPatterns};
        QTest::newRow("patterns computed on demand") << quint64{0};
    }

    void followATextThatGrowsAndShrinks()
    {
        QFETCH(quint64, budget);
        const LoadedModel loaded = smallModel(1, longConfig());
        const std::vector<TokenId> ids = randomIds(2, 300, 37);
        Tracer tracer(loaded, std::make_unique<CpuAttention>());
        TraceRequest request{{"*hook_pattern"}};
        request.patternBudget = budget;
        Thumbnails thumbnails;
        for (const std::size_t count :
             {10u, 11u, 64u, 65u, 66u, 128u, 129u, 200u, 201u, 195u, 300u, 299u, 40u}) {
            const TracePtr trace = tracer.trace(firstOf(ids, count), request);
            QVERIFY2(areSame(thumbnails.of(*trace, {}, {}), thumbnailsOf(*trace)),
                     qPrintable(QString::number(count)));
        }
    }

    void aChangeInTheMiddleIsSeen()
    {
        const LoadedModel loaded = smallModel(1, longConfig());
        std::vector<TokenId> ids = randomIds(3, 200, 37);
        Tracer tracer(loaded, std::make_unique<CpuAttention>());
        TraceRequest request{{"*hook_pattern"}};
        request.patternBudget = 0;
        Thumbnails thumbnails;
        thumbnails.of(*tracer.trace(tokensOf(ids), request), {}, {});
        ids[77] = (ids[77] + 1) % 37;
        const TracePtr changed = tracer.trace(tokensOf(ids), request);
        QVERIFY(areSame(thumbnails.of(*changed, {}, {}), thumbnailsOf(*changed)));
    }

    void aStopLeavesNothingToTakeOver()
    {
        const LoadedModel loaded = smallModel(1, longConfig());
        const std::vector<TokenId> ids = randomIds(4, 120, 37);
        Tracer tracer(loaded, std::make_unique<CpuAttention>());
        const TraceRequest request{{"*hook_pattern"}};
        Thumbnails thumbnails;
        thumbnails.of(*tracer.trace(firstOf(ids, 100), request), {}, {});
        std::stop_source stop;
        stop.request_stop();
        QVERIFY_EXCEPTION_THROWN(
            thumbnails.of(*tracer.trace(firstOf(ids, 110), request), stop.get_token(), {}),
            Cancelled);
        const TracePtr last = tracer.trace(firstOf(ids, 111), request);
        QVERIFY(areSame(thumbnails.of(*last, {}, {}), thumbnailsOf(*last)));
    }

    void blocksKeepTheBrightestCell()
    {
        constexpr int kSide = 200;
        std::vector<float> cells(kSide * kSide, 0.0F);
        cells[150 * kSide + 33] = 1.0F;
        const HeadThumbnail thumbnail = makeThumbnail(
            HeatmapMatrix::copyOf(std::move(cells), kSide, kSide), HeatmapMask::causal());
        QCOMPARE(thumbnail.rows, 50); // blocks of four
        int bright = 0;
        for (const std::uint8_t level : thumbnail.levels)
            bright += level == 254 ? 1 : 0;
        QCOMPARE(bright, 1);
        QCOMPARE(int(thumbnail.levels[150 / 4 * 50 + 33 / 4]), 254);
        QCOMPARE(int(thumbnail.levels[49]), int(HeadThumbnail::kMasked));
    }
};

HEADSCOPE_TEST(TstThumbnails)
#include "tst_thumbnails.moc"

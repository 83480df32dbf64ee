#include "core/model/pass/kv_cache.h"

#include "core/base/error.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;

namespace {

/// Positions that the cache has room for.
std::int64_t capacityOf(KvCache& cache)
{
    return cache.keys(0).shape[1];
}

} // namespace

class TstKvCache : public QObject
{
    Q_OBJECT

private slots:
    void cacheForgetsFromTheEnd();
    void groupedHeadsAndLatentsTakeLess();
    void roomGrowsWithTheText();
};

void TstKvCache::cacheForgetsFromTheEnd()
{
    ModelConfig config;
    config.vocabularySize = 7;
    KvCache cache(config);
    cache.grow(5);
    cache.truncate(3);
    QCOMPARE(cache.size(), std::int64_t{3});
    QVERIFY_EXCEPTION_THROWN(cache.truncate(4), ShapeError);
    QVERIFY_EXCEPTION_THROWN(cache.truncate(-1), ShapeError);
    QVERIFY(cache.keys(5).shape == (Shape{8, capacityOf(cache), 32}));
    ModelConfig other = config;
    other.maxLen = 511;
    QVERIFY(cache.fits(config) && !cache.fits(other));
}

void TstKvCache::groupedHeadsAndLatentsTakeLess()
{
    ModelConfig config;
    config.vocabularySize = 7;
    config.keyHeads = 2;
    KvCache grouped(config);
    QVERIFY(grouped.keys(0).shape == (Shape{2, capacityOf(grouped), 32}));
    QVERIFY(grouped.values(0).shape == (Shape{2, capacityOf(grouped), 32}));
    config.keyHeads = 0;
    config.latent = {64, 0, 16, 32, 24};
    KvCache latent(config);
    QVERIFY(latent.keys(0).shape == (Shape{1, capacityOf(latent), 64}));
    QVERIFY(latent.values(0).shape == (Shape{1, capacityOf(latent), 16}));
    QVERIFY(!latent.fits(ModelConfig{}));
}

/// A model of 100,000 positions takes no memory for them before a text does.
void TstKvCache::roomGrowsWithTheText()
{
    ModelConfig config;
    config.vocabularySize = 7;
    config.maxLen = 100'000;
    KvCache cache(config);
    const std::int64_t first = capacityOf(cache);
    QVERIFY(first >= 16 && first < 1000);
    const auto value = [&](std::int64_t head, std::int64_t position) -> float& {
        return cache.keys(3)(head, position, 31);
    };
    cache.grow(first);
    for (std::int64_t position = 0; position < first; ++position)
        value(5, position) = static_cast<float>(position);
    cache.reserve(first);
    QCOMPARE(capacityOf(cache), first);
    cache.reserve(first + 1);
    QVERIFY(capacityOf(cache) > first + 1 && capacityOf(cache) < 4 * first);
    QVERIFY(cache.values(0).shape == (Shape{8, capacityOf(cache), 32}));
    QCOMPARE(cache.size(), first);
    for (std::int64_t position = 0; position < first; ++position)
        QCOMPARE(value(5, position), static_cast<float>(position));
    QVERIFY(cache.fits(config));
    QVERIFY_EXCEPTION_THROWN(cache.reserve(100'001), ShapeError);
}

HEADSCOPE_TEST(TstKvCache)
#include "tst_kv_cache.moc"

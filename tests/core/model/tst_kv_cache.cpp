#include "core/model/kv_cache.h"

#include "core/base/error.h"

#include <QTest>

using namespace headscope;

class TstKvCache : public QObject
{
    Q_OBJECT

private slots:
    void cacheForgetsFromTheEnd();
    void groupedHeadsAndLatentsTakeLess();
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
    QVERIFY(cache.keys(5).shape == (Shape{8, 512, 32}));
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
    QVERIFY(grouped.keys(0).shape == (Shape{2, 512, 32}));
    QVERIFY(grouped.values(0).shape == (Shape{2, 512, 32}));
    config.keyHeads = 0;
    config.latent = {64, 0, 16, 32, 24};
    KvCache latent(config);
    QVERIFY(latent.keys(0).shape == (Shape{1, 512, 64}));
    QVERIFY(latent.values(0).shape == (Shape{1, 512, 16}));
    QVERIFY(!latent.fits(ModelConfig{}));
}

QTEST_GUILESS_MAIN(TstKvCache)
#include "tst_kv_cache.moc"

#include "core/train/measures/bleu.h"
#include "core/train/phrases/phrase_book.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <cmath>

using namespace headscope;

namespace {

Bleu bleuOf(const QStringList& candidates, const QStringList& references)
{
    Bleu bleu;
    for (qsizetype i = 0; i < candidates.size(); ++i)
        bleu.add(charactersOf(candidates[i].toStdString()),
                 charactersOf(references[i].toStdString()));
    return bleu;
}

QList<int> countsOf(const Bleu& bleu, bool matches)
{
    QList<int> counts;
    for (std::size_t order = 1; order <= Bleu::kOrders; ++order)
        counts << static_cast<int>(matches ? bleu.matches(order) : bleu.total(order));
    return counts;
}

} // namespace

class TstBleu : public QObject
{
    Q_OBJECT

private slots:

    /// Computed with sacrebleu 2.6.0, BLEU(tokenize="char", smooth_method="none"), and with
    /// nltk 3.10.4, corpus_bleu of lists of characters; both agree to 1e-12.
    void agreesWithSacrebleu_data()
    {
        QTest::addColumn<QStringList>("candidates");
        QTest::addColumn<QStringList>("references");
        QTest::addColumn<QList<int>>("matches");
        QTest::addColumn<QList<int>>("totals");
        QTest::addColumn<double>("penalty");
        QTest::addColumn<double>("score");
        QTest::newRow("equal") << QStringList{"汤姆星期一在图书馆读一本书"}
                               << QStringList{"汤姆星期一在图书馆读一本书"}
                               << QList<int>{13, 12, 11, 10} << QList<int>{13, 12, 11, 10} << 1.0
                               << 1.0;
        QTest::newRow("another order")
            << QStringList{"汤姆在图书馆星期一读一本书"}
            << QStringList{"汤姆星期一在图书馆读一本书"} << QList<int>{13, 9, 5, 2}
            << QList<int>{13, 12, 11, 10} << 1.0 << 0.51099558112917826;
        QTest::newRow("two short ones")
            << QStringList{"我们喝两杯茶", "她在家下棋吗"}
            << QStringList{"我们每天晚上喝两杯茶", "她在家里下棋吗"} << QList<int>{12, 8, 4, 1}
            << QList<int>{12, 10, 8, 6} << 0.6592406302004437 << 0.3349817531189316;
        QTest::newRow("clipped") << QStringList{"他他他他他他他"}
                                 << QStringList{"他们在公园里等他母亲"} << QList<int>{2, 0, 0, 0}
                                 << QList<int>{7, 6, 5, 4} << 0.6514390575310556 << 0.0;
        QTest::newRow("too long") << QStringList{"玛丽星期五晚上在厨房里吃三个鸡蛋吃三个鸡蛋",
                                                 "他们不学中文"}
                                  << QStringList{"玛丽星期五晚上在厨房里吃三个鸡蛋",
                                                 "他们星期二不学中文"}
                                  << QList<int>{22, 19, 16, 14} << QList<int>{27, 25, 23, 21} << 1.0
                                  << 0.7320543896092015;
    }

    void agreesWithSacrebleu()
    {
        QFETCH(QStringList, candidates);
        QFETCH(QStringList, references);
        const Bleu bleu = bleuOf(candidates, references);
        QTEST(countsOf(bleu, true), "matches");
        QTEST(countsOf(bleu, false), "totals");
        QFETCH(double, penalty);
        QFETCH(double, score);
        QVERIFY(std::abs(bleu.brevityPenalty() - penalty) < 1e-12);
        QVERIFY(std::abs(bleu.score() - score) < 1e-12);
    }

    /// By hand: precisions 4/5, 3/4, 2/3 and 1/2, five characters against six.
    void isTheGeometricMeanTimesThePenalty()
    {
        const Bleu bleu = bleuOf({"一二三四六"}, {"一二三四五五"});
        const double mean = std::pow(4.0 / 5 * 3 / 4 * 2 / 3 * 1 / 2, 0.25);
        QVERIFY(std::abs(bleu.score() - std::exp(1.0 - 6.0 / 5.0) * mean) < 1e-12);
        QVERIFY(std::abs(bleu.precision(3) - 2.0 / 3.0) < 1e-12);
    }

    void nothingWrittenScoresNothing()
    {
        QCOMPARE(Bleu().score(), 0.0);
        const Bleu bleu = bleuOf({""}, {"茶"});
        QCOMPARE(bleu.score(), 0.0);
        QCOMPARE(bleu.brevityPenalty(), 0.0);
        QCOMPARE(bleuOf({"茶"}, {"茶"}).score(), 0.0); // no n-gram of two characters
    }
};

HEADSCOPE_TEST_WITHOUT_APPLICATION(TstBleu)
#include "tst_bleu.moc"

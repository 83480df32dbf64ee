#include "core/base/random.h"
#include "core/tensor/largest.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <limits>
#include <vector>

using namespace headscope;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNoNumber = std::numeric_limits<float>::quiet_NaN();

std::vector<float> randomValues(std::size_t count, std::uint64_t seed)
{
    Random random(seed);
    std::vector<float> values(count);
    for (float& value : values)
        value = static_cast<float>(random.normal());
    return values;
}

} // namespace

class TstLargest : public QObject
{
    Q_OBJECT

private slots:
    void findsWhatComparingOneByOneFinds();
    void takesTheFirstOfEquals();
    void passesOverWhatIsNoNumber();
};

void TstLargest::findsWhatComparingOneByOneFinds()
{
    for (const std::size_t count : {1, 2, 15, 16, 17, 4095, 4096, 4097, 8192, 50257}) {
        const std::vector<float> values = randomValues(count, count);
        QCOMPARE(largestIndex(values), std::ranges::max_element(values) - values.begin());
    }
    for (const std::size_t at :
         {0, 16, 31, 4096, 8999, 9000}) { // each lane, the rest, other chunks
        std::vector<float> values(9001, -1.0F);
        values[at] = -0.5F;
        QCOMPARE(largestIndex(values), static_cast<std::int64_t>(at));
    }
}

void TstLargest::takesTheFirstOfEquals()
{
    std::vector<float> values(10000, 1.0F);
    QCOMPARE(largestIndex(values), std::int64_t{0});
    for (const std::size_t at : {5003, 5010, 9500})
        values[at] = 2.0F;
    QCOMPARE(largestIndex(values), std::int64_t{5003});
    QCOMPARE(largestIndex(std::vector<float>(20, -kInfinity)), std::int64_t{0});
}

void TstLargest::passesOverWhatIsNoNumber()
{
    std::vector<float> values(5000, kNoNumber);
    QCOMPARE(largestIndex(values), std::int64_t{0});
    values[4500] = -3.0F;
    QCOMPARE(largestIndex(values), std::int64_t{4500});
    values[4999] = kInfinity;
    QCOMPARE(largestIndex(values), std::int64_t{4999});
    QCOMPARE(largestIndex({}), std::int64_t{0});
}

HEADSCOPE_TEST(TstLargest)

#include "tst_largest.moc"

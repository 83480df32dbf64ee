#include "core/lessons/worked/exact_number.h"
#include "tests/support/test_program.h"

#include <QTest>
#include <cmath>
#include <random>

using namespace headscope;

namespace {

ExactNumber fraction(std::int64_t upper, std::int64_t lower)
{
    return *(ExactNumber(upper) / ExactNumber(lower));
}

ExactNumber root(std::int64_t number)
{
    return *squareRoot(ExactNumber(number));
}

QString text(const std::optional<ExactNumber>& number)
{
    return number ? QString::fromStdString(number->text()) : QString("none");
}

} // namespace

class TstExactNumber : public QObject
{
    Q_OBJECT

private slots:
    void decimalsBecomeFractions_data();
    void decimalsBecomeFractions();
    void rootsLeaveTheLowerNumber();
    void rootsAreTakenOfRationalNumbersOnly();
    void aSoftmaxRowIsWrittenWithPowersOfE();
    void equalLowerSumsAreAddedOverOneOfThem();
    void powersOfEMultiplyByAddingTheirExponents();
    void whatHasNoShortFormIsNothing();
    void arithmeticOfRandomNumbersHasTheValueOfDoubles();
};

void TstExactNumber::decimalsBecomeFractions_data()
{
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("expected");
    QTest::newRow("quarter") << 0.25 << "1/4";
    QTest::newRow("whole") << 5.0 << "5";
    QTest::newRow("zero") << 0.0 << "0";
    QTest::newRow("negative") << -0.6 << "−3/5";
    QTest::newRow("six decimals") << 123456.123457 << "123456123457/1000000";
    QTest::newRow("a million") << 1e6 << "1000000";
    QTest::newRow("seven decimals") << 0.1234567 << "none";
    QTest::newRow("beyond a million") << 1000001.0 << "none";
    QTest::newRow("third") << 1.0 / 3.0 << "none";
    QTest::newRow("infinity") << HUGE_VAL << "none";
    QTest::newRow("nan") << std::nan("") << "none";
}

void TstExactNumber::decimalsBecomeFractions()
{
    QFETCH(double, value);
    QFETCH(QString, expected);
    QCOMPARE(text(ExactNumber::fromDecimal(value)), expected);
}

void TstExactNumber::rootsLeaveTheLowerNumber()
{
    const ExactNumber half = *(ExactNumber(1) / root(2));
    QCOMPARE(text(half), "√2/2");
    QCOMPARE(half.latex(), "\\frac{\\sqrt{2}}{2}");
    QCOMPARE(text(ExactNumber(2) / root(2)), "√2");
    QCOMPARE(text(ExactNumber(1) / *(ExactNumber(1) + root(2))), "−1 + √2");
    QCOMPARE(text(ExactNumber(1) / *(root(3) - root(2))), "√2 + √3");
    QCOMPARE(text(root(2) * root(6)), "2√3");
    QCOMPARE(text(root(8) - *(root(2) * ExactNumber(2))), "0");
    QCOMPARE(text(ExactNumber(-1) / root(2)), "−√2/2");
    QCOMPARE((ExactNumber(-1) / root(2))->latex(), "-\\frac{\\sqrt{2}}{2}");
}

void TstExactNumber::rootsAreTakenOfRationalNumbersOnly()
{
    QCOMPARE(text(squareRoot(fraction(5, 4))), "√5/2");
    QCOMPARE(text(squareRoot(fraction(9, 16))), "3/4");
    QCOMPARE(text(squareRoot(fraction(1, 2))), "√2/2");
    QCOMPARE(text(squareRoot(ExactNumber(0))), "0");
    QVERIFY(!squareRoot(ExactNumber(-1)));
    QVERIFY(!squareRoot(root(2)));
    QVERIFY(!squareRoot(*exponential(ExactNumber(1))));
}

void TstExactNumber::aSoftmaxRowIsWrittenWithPowersOfE()
{
    const ExactNumber power = *exponential(*(ExactNumber(-1) / root(2)));
    QCOMPARE(text(power), "e^(−√2/2)");
    const ExactNumber sum = *(*(ExactNumber(1) + power) + power);
    QCOMPARE(text(sum), "1 + 2e^(−√2/2)");
    const ExactNumber weight = *(ExactNumber(1) / sum);
    QCOMPARE(text(weight), "1/(1 + 2e^(−√2/2))");
    QCOMPARE(weight.latex(), "\\frac{1}{1 + 2 e^{-\\frac{\\sqrt{2}}{2}}}");
    QVERIFY(std::abs(weight.value() - 0.503490) < 5e-7);
}

void TstExactNumber::equalLowerSumsAreAddedOverOneOfThem()
{
    const ExactNumber power = *exponential(ExactNumber(-1));
    const ExactNumber sum = *(ExactNumber(1) + power);
    const ExactNumber first = *(ExactNumber(1) / sum);
    const ExactNumber second = *(power / sum);
    QCOMPARE(text(first + second), "1");
    const ExactNumber half = *(second * fraction(1, 2));
    QCOMPARE(text(half), "e^(−1)/(2 + 2e^(−1))");
    QCOMPARE(text(first + half), "(2 + e^(−1))/(2 + 2e^(−1))");
    QCOMPARE(text(first - first), "0");
    const ExactNumber twice = *(sum + sum);
    QCOMPARE(text(ExactNumber(6) / twice), "3/(1 + e^(−1))"); // no common divisor
    QCOMPARE(text(ExactNumber(-1) / *(ExactNumber(0) - sum)), "1/(1 + e^(−1))");
}

void TstExactNumber::powersOfEMultiplyByAddingTheirExponents()
{
    const ExactNumber e = *exponential(ExactNumber(1));
    QCOMPARE(text(e), "e");
    QCOMPARE(text(e * e), "e^2");
    QCOMPARE(text(ExactNumber(1) / e), "e^(−1)");
    QCOMPARE(text(*(e * e) / e), "e");
    QCOMPARE(text(exponential(ExactNumber(0))), "1");
    QCOMPARE(text(root(2) * e), "√2·e");
}

void TstExactNumber::whatHasNoShortFormIsNothing()
{
    QVERIFY(!(ExactNumber(1) / ExactNumber(0)));
    QVERIFY(!exponential(ExactNumber(1000)));
    QVERIFY(!exponential(*exponential(ExactNumber(1))));
    const ExactNumber large(1'000'000'000'000);
    QVERIFY(!(large * large));
    QVERIFY(!(large + large));
    std::optional<ExactNumber> sum = ExactNumber(0);
    for (int i = 1; i < 40 && sum; ++i)
        sum = *sum + *exponential(fraction(i, 97));
    QVERIFY(!sum);
}

void TstExactNumber::arithmeticOfRandomNumbersHasTheValueOfDoubles()
{
    std::mt19937 random(7);
    const auto integer = [&](int low, int high) {
        return std::uniform_int_distribution<int>(low, high)(random);
    };
    const auto number = [&] {
        ExactNumber result = fraction(integer(-20, 20), integer(1, 12));
        if (integer(0, 1))
            result = *(result * root(integer(1, 12)));
        if (integer(0, 2) == 0)
            result = exponential(result).value_or(result);
        return result;
    };
    int known = 0;
    for (int i = 0; i < 3000; ++i) {
        const ExactNumber a = number();
        const ExactNumber b = number();
        const std::optional<ExactNumber> results[] = {a + b, a - b, a * b, a / b};
        const double values[] = {a.value() + b.value(), a.value() - b.value(),
                                 a.value() * b.value(), a.value() / b.value()};
        for (int k = 0; k < 4; ++k) {
            if (!results[k])
                continue;
            ++known;
            const double scale =
                std::max({1.0, std::abs(a.value()), std::abs(b.value()), std::abs(values[k])});
            QVERIFY2(std::abs(results[k]->value() - values[k]) <= 1e-9 * scale,
                     qPrintable(text(a) + " and " + text(b) + ": " + text(results[k])));
        }
    }
    QVERIFY(known > 9000);
}

HEADSCOPE_TEST(TstExactNumber)

#include "tst_exact_number.moc"

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/ops/row_selection.h"
#include "tests/support/numeric_gradient.h"
#include "tests/support/test_program.h"
#include "tests/support/tolerances.h"

#include <QtTest>

#include <numeric>

using namespace headscope;
using namespace headscope::test;

namespace {

Tensor randomTensor(const Shape& shape, std::uint64_t seed)
{
    Tensor tensor(shape);
    Random random(seed);
    for (float& value : tensor.values())
        value = static_cast<float>(random.normal());
    return tensor;
}

double dot(std::span<const float> a, std::span<const float> b)
{
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

std::span<const float> row(const Tensor& tensor, std::int64_t index)
{
    const auto d = static_cast<std::size_t>(tensor.shape()[1]);
    return tensor.values().subspan(static_cast<std::size_t>(index) * d, d);
}

/// 5 selected of 7 rows, row 2 twice and some never.
struct Selection
{
    explicit Selection(std::int64_t d)
        : rows(randomTensor({7, d}, 1))
        , selected(randomTensor({5, d}, 2))
        , scales(randomTensor({5}, 3))
    {
    }

    std::vector<std::int32_t> indices{2, 6, 0, 2, 5};
    Tensor rows;
    Tensor selected;
    Tensor scales;
};

constexpr std::int64_t kWidths[] = {1, 3, 4, 15, 16, 17, 31, 64, 70};

} // namespace

class TstRowSelection : public QObject
{
    Q_OBJECT

private slots:

    void gatheredRowsAreCopies()
    {
        for (const std::int64_t d : kWidths) {
            Selection s(d);
            gatherRows(s.rows.view(), s.indices, s.selected.view());
            for (std::int64_t i = 0; i < 5; ++i)
                QVERIFY(std::ranges::equal(row(s.selected, i),
                                           row(s.rows, s.indices[static_cast<std::size_t>(i)])));
        }
    }

    void gatheredRowsAreScaled()
    {
        for (const std::int64_t d : kWidths) {
            Selection s(d);
            gatherRows(s.rows.view(), s.indices, s.selected.view(), s.scales.values());
            std::vector<double> expected;
            for (std::size_t i = 0; i < 5; ++i) {
                for (const float value : row(s.rows, s.indices[i]))
                    expected.push_back(static_cast<double>(value) *
                                       static_cast<double>(s.scales.data()[i]));
            }
            HS_COMPARE(std::as_const(s.selected).values(), expected, kOps);
        }
    }

    void scatteredRowsAreAdded()
    {
        for (const std::int64_t d : kWidths) {
            for (const bool scaled : {false, true}) {
                Selection s(d);
                std::vector<double> expected(s.rows.values().begin(), s.rows.values().end());
                for (std::int64_t i = 0; i < 5 * d; ++i) {
                    const auto from = static_cast<std::size_t>(i / d);
                    const double scale = scaled ? static_cast<double>(s.scales.data()[from]) : 1.0;
                    expected[static_cast<std::size_t>(s.indices[from] * d + i % d)] +=
                        scale * static_cast<double>(s.selected.data()[i]);
                }
                const std::span<const float> scales = s.scales.values();
                scatterAddRows(s.selected.view(), s.indices, s.rows.view(),
                               scaled ? scales : std::span<const float>{});
                HS_COMPARE(std::as_const(s.rows).values(), expected, kOps);
            }
        }
    }

    void dotsAreThoseOfTheSelectedRows()
    {
        for (const std::int64_t d : kWidths) {
            Selection s(d);
            std::vector<float> dots(5);
            selectedRowDots(s.selected.view(), s.rows.view(), s.indices, dots);
            for (std::int64_t i = 0; i < 5; ++i) {
                const auto at = static_cast<std::size_t>(i);
                const double expected = dot(row(s.selected, i), row(s.rows, s.indices[at]));
                QVERIFY(std::abs(static_cast<double>(dots[at]) - expected) < 1e-5);
            }
        }
    }

    void gradientsOfGatherAgreeWithDifferences()
    {
        Selection s(6);
        const Tensor upstream = randomTensor({5, 6}, 4);
        Tensor gradient(s.rows.shape());
        scatterAddRows(upstream.view(), s.indices, gradient.view());
        const auto loss = [&] {
            gatherRows(s.rows.view(), s.indices, s.selected.view());
            return dot(s.selected.values(), upstream.values());
        };
        HS_COMPARE_GRADIENT(loss, s.rows.values(), std::as_const(gradient).values());
    }

    void gradientsOfScatterAgreeWithDifferences()
    {
        Selection s(6);
        const Tensor upstream = randomTensor({7, 6}, 4);
        Tensor dSelected(s.selected.shape());
        Tensor dScales(s.scales.shape());
        gatherRows(upstream.view(), s.indices, dSelected.view(), s.scales.values());
        selectedRowDots(s.selected.view(), upstream.view(), s.indices, dScales.values());
        const auto loss = [&] {
            Tensor y(s.rows.shape());
            scatterAddRows(s.selected.view(), s.indices, y.view(), s.scales.values());
            return dot(y.values(), upstream.values());
        };
        HS_COMPARE_GRADIENT(loss, s.selected.values(), std::as_const(dSelected).values());
        HS_COMPARE_GRADIENT(loss, s.scales.values(), std::as_const(dScales).values());
    }

    void noneSelectedIsNothingToDo()
    {
        Selection s(4);
        const Tensor before = s.rows;
        Tensor none(Shape{0, 4});
        gatherRows(s.rows.view(), {}, none.view());
        scatterAddRows(none.view(), {}, s.rows.view());
        selectedRowDots(none.view(), s.rows.view(), {}, {});
        QVERIFY(std::ranges::equal(s.rows.values(), before.values()));
    }

    void indicesOutsideAreRefused()
    {
        for (const std::int32_t outside : {-1, 7}) {
            Selection s(4);
            const Tensor before = s.rows;
            std::vector<float> dots(5);
            s.indices[4] = outside;
            QVERIFY_EXCEPTION_THROWN(gatherRows(s.rows.view(), s.indices, s.selected.view()),
                                     ShapeError);
            QVERIFY_EXCEPTION_THROWN(scatterAddRows(s.selected.view(), s.indices, s.rows.view()),
                                     ShapeError);
            QVERIFY_EXCEPTION_THROWN(
                selectedRowDots(s.selected.view(), s.rows.view(), s.indices, dots), ShapeError);
            QVERIFY(std::ranges::equal(s.rows.values(), before.values()));
        }
    }

    void sizesThatDoNotFitAreRefused()
    {
        Selection s(4);
        std::vector<float> four(4);
        Tensor narrow(Shape{5, 3});
        Tensor fewer(Shape{4, 4});
        for (Tensor* wrong : {&narrow, &fewer}) {
            QVERIFY_EXCEPTION_THROWN(gatherRows(s.rows.view(), s.indices, wrong->view()),
                                     ShapeError);
            QVERIFY_EXCEPTION_THROWN(scatterAddRows(wrong->view(), s.indices, s.rows.view()),
                                     ShapeError);
        }
        QVERIFY_EXCEPTION_THROWN(gatherRows(s.rows.view(), s.indices, s.selected.view(), four),
                                 ShapeError);
        QVERIFY_EXCEPTION_THROWN(scatterAddRows(s.selected.view(), s.indices, s.rows.view(), four),
                                 ShapeError);
        QVERIFY_EXCEPTION_THROWN(selectedRowDots(s.selected.view(), s.rows.view(), s.indices, four),
                                 ShapeError);
    }
};

HEADSCOPE_TEST(TstRowSelection)
#include "tst_row_selection.moc"

#include "core/analysis/weights/nearest_rows.h"
#include "core/analysis/weights/singular_values.h"
#include "core/analysis/weights/weight_map.h"
#include "core/base/error.h"
#include "core/model/edits/edited_model.h"
#include "tests/support/small_models.h"
#include "tests/support/stored_weights.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>

using namespace headscope;
using namespace headscope::test;

namespace {

using ModelPtr = std::shared_ptr<const Model>;

ModelConfig untied()
{
    ModelConfig config = smallConfig(); // 32 channels, 37 tokens
    config.tieEmbeddings = false;
    return config;
}

WeightReader readerOf(const ModelPtr& model, const std::string& name, ModelPtr minus = {})
{
    return {model, findMatrix(weightMatrices(model->config()), name), std::move(minus)};
}

/// A model whose matrix `name` has `value(row, column)`.
template<class Value>
ModelPtr filled(const ModelPtr& base, const std::string& name, Value value)
{
    const auto matrices = weightMatrices(base->config());
    const WeightMatrix& matrix = findMatrix(matrices, name);
    WeightEdit edit;
    edit.matrix = name;
    for (std::int64_t row = 0; row < matrix.rows; ++row)
        for (std::int64_t column = 0; column < matrix.columns; ++column)
            edit.values.push_back(static_cast<float>(value(row, column)));
    return editedModel(base, {edit}, {});
}

} // namespace

class TstWeightMaps : public QObject
{
    Q_OBJECT

private slots:

    void rowsAndColumnsAreThoseOfXTimesW()
    {
        const ModelPtr base = smallModel(3, untied()).model;
        for (const char* name : {"W_E", "W_U", "blocks.1.attn.W_Q"}) {
            const ModelPtr model =
                filled(base, name, [](auto row, auto column) { return row * 100 + column; });
            const WeightReader reader = readerOf(model, name);
            QCOMPARE(std::ssize(reader.row(3)), reader.matrix().columns);
            QCOMPARE(std::ssize(reader.column(3)), reader.matrix().rows);
            QCOMPARE(reader.row(3)[5], 305.0F);
            QCOMPARE(reader.column(5)[3], 305.0F);
        }
    }

    void aStoredMatrixReadsAsItsFloats()
    {
        ModelConfig config = smallConfig();
        config.dModel = 256;
        config.layers = 1;
        const auto stored = randomStored(config, BlockFormat::Q8_0, 5);
        const auto model = std::make_shared<const Model>(config, ParameterSet(config, stored));
        const WeightReader reader = readerOf(model, "W_E");
        const TensorView view = model->parameters().view("tok_emb.weight");
        const std::vector<float> row = reader.row(36);
        QVERIFY(std::equal(row.begin(), row.end(), view[36].data));
        QCOMPARE(readerOf(model, "ln_final.w").row(0).size(), std::size_t{256});
    }

    void aMapThatFitsIsExact()
    {
        const ModelPtr model = smallModel(3, untied()).model;
        for (const char* name : {"W_E", "W_U"}) {
            const WeightReader reader = readerOf(model, name);
            const WeightMap map = weightMap(reader, {});
            QVERIFY(map.isExact());
            QCOMPARE(map.rows, static_cast<int>(reader.matrix().rows));
            for (int row = 0; row < map.rows; ++row)
                for (int column = 0; column < map.columns; ++column)
                    QCOMPARE(map.cells[static_cast<std::size_t>(row * map.columns + column)],
                             reader.row(row)[static_cast<std::size_t>(column)]);
        }
    }

    void aLargerOneShowsTheLargestOfEachBlock()
    {
        const ModelPtr base = smallModel(3, untied()).model;
        for (const char* name : {"W_E", "W_U"}) {
            const ModelPtr model = filled(base, name, [](auto row, auto column) {
                return row == 9 && column == 13 ? -50.0 : 0.001 * static_cast<double>(row + column);
            });
            const WeightMap map = weightMap(readerOf(model, name), {0, 0, 10, 8});
            QVERIFY(map.rows <= 10 && map.columns <= 8);
            const std::int64_t row = 9 / map.rowsPerCell;
            const std::int64_t column = 13 / map.columnsPerCell;
            QCOMPARE(map.cells[static_cast<std::size_t>(row * map.columns + column)], -50.0F);
            QCOMPARE(map.largest, 50.0F);
            QVERIFY(map.cells[0] > 0.0F && map.cells[0] < 0.1F);
        }
    }

    void aWindowHoldsItsRows()
    {
        const ModelPtr base = smallModel(3, untied()).model;
        for (const char* name : {"W_E", "W_U"}) {
            const ModelPtr model =
                filled(base, name, [](auto row, auto column) { return row * 100 + column; });
            const WeightMap map = weightMap(readerOf(model, name), {28, 8, 1024, 1024});
            QCOMPARE(map.firstRow, 28);
            QCOMPARE(map.cells[0], 2800.0F);
            QCOMPARE(map.rows, name == std::string("W_E") ? 8 : 4); // W_U has 32 rows
        }
    }

    void aDifferenceIsZeroButForTheEdit()
    {
        const ModelPtr a = smallModel(3, untied()).model;
        const ModelPtr b = editedModel(a, {parseWeightEdit("W_E[4,7]=3")}, {});
        const WeightMap map = weightMap(readerOf(b, "W_E", a), {});
        const float expected = 3.0F - readerOf(a, "W_E").row(4)[7];
        for (int row = 0; row < map.rows; ++row)
            for (int column = 0; column < map.columns; ++column)
                QCOMPARE(map.cells[static_cast<std::size_t>(row * map.columns + column)],
                         row == 4 && column == 7 ? expected : 0.0F);
    }

    /// W = sum over k of (k + 1) u_k v_k^T with u, v the vectors of a discrete cosine transform.
    void singularValuesOfAKnownMatrix()
    {
        const ModelPtr base = smallModel(3, untied()).model;
        const auto basis = [](std::int64_t k, std::int64_t i, std::int64_t n) {
            constexpr double kPi = 3.14159265358979323846;
            const double size = k == 0 ? 1.0 : 2.0;
            return std::sqrt(size / static_cast<double>(n)) *
                   std::cos(kPi / static_cast<double>(n) * (static_cast<double>(i) + 0.5) *
                            static_cast<double>(k));
        };
        for (const char* name : {"W_E", "W_U", "blocks.0.attn.W_Q", "blocks.0.mlp.W_in"}) {
            const WeightMatrix matrix = readerOf(base, name).matrix();
            const ModelPtr model = filled(base, name, [&](auto row, auto column) {
                double sum = 0.0;
                for (int k = 0; k < 5; ++k)
                    sum += (k + 1) * basis(k, row, matrix.rows) * basis(k, column, matrix.columns);
                return sum;
            });
            const std::vector<double> values = singularValues(readerOf(model, name));
            QCOMPARE(std::ssize(values), std::min(matrix.rows, matrix.columns));
            for (std::size_t k = 0; k < values.size(); ++k)
                QVERIFY(std::abs(values[k] - (k < 5 ? 5.0 - static_cast<double>(k) : 0.0)) < 1e-5);
        }
    }

    void aVectorHasItsLength()
    {
        const ModelPtr base = smallModel(3, untied()).model;
        const ModelPtr model =
            filled(base, "ln_final.w", [](auto, auto column) { return column < 2 ? 3.0 : 0.0; });
        const std::vector<double> values = singularValues(readerOf(model, "ln_final.w"));
        QCOMPARE(values.size(), std::size_t{1});
        QVERIFY(std::abs(values[0] - std::sqrt(18.0)) < 1e-6);
    }

    void tooLargeAMatrixSaysSo()
    {
        WeightMatrix matrix;
        matrix.rows = 50257;
        matrix.columns = 768;
        QVERIFY(whyNoSingularValues(matrix).empty());
        matrix.columns = 4096;
        QVERIFY(whyNoSingularValues(matrix).starts_with("Too large for singular values"));
    }

    void fewValuesMayHoldMost()
    {
        QCOMPARE(valuesHolding({3.0, 1.0, 0.0}, 0.9), std::size_t{1});
        QCOMPARE(valuesHolding({3.0, 1.0, 0.0}, 0.95), std::size_t{2});
        QCOMPARE(valuesHolding({1.0, 1.0, 1.0, 1.0}, 0.75), std::size_t{3});
        QCOMPARE(valuesHolding({0.0, 0.0}, 0.9), std::size_t{0});
    }

    void theNearestRowsComeFirst()
    {
        const ModelPtr base = smallModel(3, untied()).model;
        // Row r points at the angle r / 40; row 20 is zero.
        const ModelPtr model = filled(base, "W_E", [](auto row, auto column) {
            const double angle = static_cast<double>(row) / 40.0;
            const double size = row == 20 ? 0.0 : 1.0 + static_cast<double>(row);
            return column == 0   ? size * std::cos(angle)
                   : column == 1 ? size * std::sin(angle)
                                 : 0.0;
        });
        const auto near = nearestRows(readerOf(model, "W_E"), 10, 4);
        QCOMPARE(near.size(), std::size_t{4});
        QVERIFY((near[0].row == 9 || near[0].row == 11) && (near[1].row == 9 || near[1].row == 11));
        QVERIFY(near[2].row == 8 || near[2].row == 12);
        QVERIFY(std::abs(near[3].cosine - std::cos(0.05)) < 1e-6);
        QVERIFY(nearestRows(readerOf(model, "W_E"), 20, 4).empty());
    }

    void workIsStopped()
    {
        std::stop_source stop;
        stop.request_stop();
        const ModelPtr model = smallModel(3, untied()).model;
        const WeightReader reader = readerOf(model, "W_E");
        QVERIFY_EXCEPTION_THROWN(weightMap(reader, {}, stop.get_token()), Cancelled);
        QVERIFY_EXCEPTION_THROWN(singularValues(reader, stop.get_token()), Cancelled);
        QVERIFY_EXCEPTION_THROWN(nearestRows(reader, 0, 3, stop.get_token()), Cancelled);
    }
};

HEADSCOPE_TEST(TstWeightMaps)
#include "tst_weight_maps.moc"

#include "core/io/logits_error.h"

#include "core/model/weights/integer_linear_kernels.h"
#include "core/text/tokenizers/id_tokenizer.h"
#include "tests/support/gguf_models.h"
#include "tests/support/small_models.h"
#include "tests/support/stored_weights.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;
using namespace headscope::test;

namespace {

LoadedModel storedModel(BlockFormat format)
{
    const ModelConfig config = ggufTestConfig("qwen2");
    return {"stored",
            std::make_shared<const Model>(config,
                                          ParameterSet(config, randomStored(config, format, 3))),
            std::make_shared<IdTokenizer>(config.vocabularySize)};
}

} // namespace

class TstLogitsError : public QObject
{
    Q_OBJECT

private slots:

    void theErrorIsMeasuredWhereThereIsOne()
    {
        if (integerKernels() == nullptr)
            QSKIP("this instruction set has no integer products");
        const auto error = measureProductsError(storedModel(BlockFormat::Q8_0));
        QVERIFY(error.has_value());
        QCOMPARE(error->tokens, std::int64_t{16});
        QVERIFY2(error->relativeRms > 1e-4 && error->relativeRms < 0.1,
                 qPrintable(QString::number(error->relativeRms)));
        QVERIFY(error->agreeing >= 12 && error->agreeing <= 16);
        QVERIFY(error->text().find("16 most probable tokens are the same") != std::string::npos);
        QVERIFY(!measureProductsError(storedModel(BlockFormat::F16)).has_value());
        QVERIFY(!measureProductsError(smallModel()).has_value());
    }

    void roundingOfWeightsIsMeasured()
    {
        LoadedModel exact = smallModel();
        exact.tokenizer = std::make_shared<IdTokenizer>(exact.model->config().vocabularySize);
        QVERIFY(!measurePrecisionError(exact).has_value());
        const auto errorOf = [&exact](WeightPrecision precision) {
            LoadedModel rounded = exact;
            rounded.model = std::make_shared<const Model>(Model::rounded(exact.model, precision));
            return measurePrecisionError(rounded).value();
        };
        const LogitsError half = errorOf(WeightPrecision::Float16);
        const LogitsError bfloat = errorOf(WeightPrecision::BFloat16);
        QVERIFY2(half.relativeRms > 1e-6 && half.relativeRms < 1e-3,
                 qPrintable(QString::number(half.relativeRms)));
        // three bits fewer
        QVERIFY2(bfloat.relativeRms > 4.0 * half.relativeRms &&
                     bfloat.relativeRms < 16.0 * half.relativeRms,
                 qPrintable(QString::number(bfloat.relativeRms)));
        QVERIFY(half.tokens > 0);
        QVERIFY(half.agreeing <= half.tokens);
    }

    void modelsThatHoldHalvesLoseNothing()
    {
        LoadedModel stored = storedModel(BlockFormat::F16);
        stored.model =
            std::make_shared<const Model>(Model::rounded(stored.model, WeightPrecision::Float16));
        QCOMPARE(measurePrecisionError(stored).value().relativeRms, 0.0);
    }
};

HEADSCOPE_TEST(TstLogitsError)
#include "tst_logits_error.moc"

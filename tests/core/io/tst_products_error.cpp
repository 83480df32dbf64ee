#include "core/io/products_error.h"

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

class TstProductsError : public QObject
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
};

HEADSCOPE_TEST(TstProductsError)
#include "tst_products_error.moc"

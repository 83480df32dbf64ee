#include "core/io/products_error.h"

#include "core/attention/cpu_attention.h"
#include "core/generate/decoding_state.h"
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

    void newTokensDifferByThatMuch()
    {
        const LoadedModel model = storedModel(BlockFormat::Q8_0);
        CpuAttention backend;
        DecodingState exact(model.model, backend);
        DecodingState integer(model.model, backend, {}, {}, Products::Integer);
        const std::vector<TokenId> ids = randomIds(1, 9, model.model->config().vocabularySize);
        const std::vector<float> prompt = exact.logitsAfter(std::span(ids).first(8));
        integer.logitsAfter(std::span(ids).first(8));
        const std::vector<float> a = exact.logitsAfter(ids);
        const std::vector<float> b = integer.logitsAfter(ids);
        QCOMPARE(a == b, integerKernels() == nullptr);
        DecodingState again(model.model, backend, {}, {}, Products::Integer);
        again.logitsAfter(std::span(ids).first(8));
        QVERIFY(again.logitsAfter(ids) == b);
    }
};

HEADSCOPE_TEST(TstProductsError)
#include "tst_products_error.moc"

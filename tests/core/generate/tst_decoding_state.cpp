#include "core/generate/decoding_state.h"

#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "core/model/weights/integer_linear_kernels.h"
#include "tests/support/gguf_models.h"
#include "tests/support/small_models.h"
#include "tests/support/stored_weights.h"
#include "tests/support/test_program.h"
#include "tests/support/tolerances.h"

#include <QTest>

using namespace headscope;
using namespace headscope::test;

namespace {

/// What the whole text gives without anything remembered.
std::vector<double> wholePass(const Model& model, const std::vector<TokenId>& ids,
                              const std::vector<TokenId>& source = {})
{
    CpuAttention backend;
    KvCache cache(model.config());
    if (!source.empty())
        model.encode(source, backend, cache);
    const Tensor logits = model.forward(ids, backend, cache);
    const auto last = logits.values().last(static_cast<std::size_t>(logits.shape().back()));
    return {last.begin(), last.end()};
}

std::vector<float> logitsAfter(DecodingState& state, std::span<const TokenId> ids)
{
    const Tensor logits = state.logitsAfter(ids);
    return {logits.values().begin(), logits.values().end()};
}

std::shared_ptr<const Model> encoderDecoder()
{
    ModelConfig config = smallConfig();
    config.architecture = Architecture::EncoderDecoder;
    return smallModel(4, config).model;
}

} // namespace

class TstDecodingState : public QObject
{
    Q_OBJECT

private slots:
    void aGrowingTextMatchesWholePasses();
    void forksGoTheirOwnWays();
    void aChangedTextIsComputedFromTheChange();
    void theSameTextAgainGivesTheSameLogits();
    void answersReadTheirSource();
    void roomCountsTheTokenAfterTheLastPosition();
    void cancelledRunsLeaveAUsableState();
    void integerProductsAreTheSameTokenByToken();
    void unusableModelsAndTextsAreRefused();
};

void TstDecodingState::aGrowingTextMatchesWholePasses()
{
    const auto model = smallModel().model;
    CpuAttention backend;
    DecodingState state(model, backend);
    const std::vector<TokenId> text = randomIds(3, 24, 37);
    for (const std::size_t length :
         {std::size_t{5}, std::size_t{6}, std::size_t{9}, std::size_t{24}}) {
        const std::vector<TokenId> ids(text.begin(), text.begin() + std::ptrdiff_t(length));
        const std::vector<float> got = logitsAfter(state, ids);
        HS_COMPARE(std::span<const float>(got), wholePass(*model, ids), kModelOutputs);
    }
}

void TstDecodingState::forksGoTheirOwnWays()
{
    const auto model = smallModel().model;
    CpuAttention backend;
    DecodingState state(model, backend);
    state.logitsAfter(std::vector<TokenId>{1, 2, 3});
    DecodingState fork = state;
    for (const TokenId next : {TokenId{4}, TokenId{9}}) {
        DecodingState& used = next == 4 ? state : fork;
        const std::vector<TokenId> ids{1, 2, 3, next, 5};
        const std::vector<float> got = logitsAfter(used, ids);
        HS_COMPARE(std::span<const float>(got), wholePass(*model, ids), kModelOutputs);
    }
    const std::vector<TokenId> more{1, 2, 3, 4, 5, 6};
    const std::vector<float> got = logitsAfter(state, more); // untouched by the fork's turn
    HS_COMPARE(std::span<const float>(got), wholePass(*model, more), kModelOutputs);
}

void TstDecodingState::aChangedTextIsComputedFromTheChange()
{
    const auto model = smallModel().model;
    CpuAttention backend;
    DecodingState state(model, backend);
    state.logitsAfter(std::vector<TokenId>{1, 2, 3, 4, 5});
    for (const std::vector<TokenId>& ids : {std::vector<TokenId>{1, 2, 9, 4, 5},
                                            std::vector<TokenId>{1, 2}, std::vector<TokenId>{7}}) {
        const std::vector<float> got = logitsAfter(state, ids);
        HS_COMPARE(std::span<const float>(got), wholePass(*model, ids), kModelOutputs);
    }
}

void TstDecodingState::theSameTextAgainGivesTheSameLogits()
{
    CpuAttention backend;
    DecodingState state(smallModel().model, backend);
    const std::vector<TokenId> ids{3, 1, 4, 1, 5};
    const std::vector<float> first = logitsAfter(state, ids);
    const std::vector<float> second = logitsAfter(state, ids);
    QCOMPARE(second.size(), std::size_t{37});
    HS_COMPARE(std::span<const float>(second), std::vector<double>(first.begin(), first.end()),
               kModelOutputs);
}

void TstDecodingState::answersReadTheirSource()
{
    const auto model = encoderDecoder();
    const std::vector<TokenId> source{3, 14, 15, 9};
    CpuAttention backend;
    DecodingState state(model, backend, source);
    state.logitsAfter(std::vector<TokenId>{0, 5});
    DecodingState fork = state;
    for (DecodingState* used : {&state, &fork}) {
        const std::vector<TokenId> ids{0, 5, used == &fork ? TokenId{2} : TokenId{30}, 7};
        const std::vector<float> got = logitsAfter(*used, ids);
        HS_COMPARE(std::span<const float>(got), wholePass(*model, ids, source), kModelOutputs);
    }
    DecodingState other(model, backend, std::vector<TokenId>{3, 14, 15});
    const std::vector<TokenId> start{0};
    QVERIFY(logitsAfter(other, start) != logitsAfter(state, start));
    QVERIFY_EXCEPTION_THROWN(DecodingState(model, backend), ShapeError);
    QVERIFY_EXCEPTION_THROWN(DecodingState(smallModel().model, backend, source), ShapeError);
}

void TstDecodingState::roomCountsTheTokenAfterTheLastPosition()
{
    CpuAttention backend;
    const DecodingState state(smallModel().model, backend);
    QCOMPARE(state.room(24), std::int64_t{1});
    QCOMPARE(state.room(25), std::int64_t{0});
    QCOMPARE(state.room(99), std::int64_t{0});
    QCOMPARE(state.room(1), std::int64_t{24});
}

void TstDecodingState::cancelledRunsLeaveAUsableState()
{
    const auto model = smallModel().model;
    CpuAttention backend;
    DecodingState state(model, backend);
    state.logitsAfter(std::vector<TokenId>{1, 2, 3});
    std::stop_source source;
    source.request_stop();
    const std::vector<TokenId> ids{1, 8, 3, 4};
    QVERIFY_EXCEPTION_THROWN(state.logitsAfter(ids, source.get_token()), Cancelled);
    const std::vector<float> got = logitsAfter(state, ids);
    HS_COMPARE(std::span<const float>(got), wholePass(*model, ids), kModelOutputs);
}

/// Of stored weights; others stay as they are.
void TstDecodingState::integerProductsAreTheSameTokenByToken()
{
    const ModelConfig config = ggufTestConfig("qwen2");
    const auto model = std::make_shared<const Model>(
        config, ParameterSet(config, randomStored(config, BlockFormat::Q8_0, 3)));
    const std::vector<TokenId> ids = randomIds(1, 9, 37);
    CpuAttention backend;
    const auto logits = [&](const std::shared_ptr<const Model>& of, Products products) {
        DecodingState state(of, backend, {}, {}, products);
        state.logitsAfter(std::span(ids).first(8));
        return logitsAfter(state, ids);
    };
    const std::vector<float> integer = logits(model, Products::Integer);
    QCOMPARE(logits(model, Products::Exact) == integer, integerKernels() == nullptr);
    DecodingState atOnce(model, backend, {}, {}, Products::Integer);
    const std::vector<float> whole = logitsAfter(atOnce, ids);
    HS_COMPARE(std::span<const float>(whole), std::vector<double>(integer.begin(), integer.end()),
               kModelOutputs);
    const auto floats = smallModel().model;
    QVERIFY(logits(floats, Products::Exact) == logits(floats, Products::Integer));
}

void TstDecodingState::unusableModelsAndTextsAreRefused()
{
    CpuAttention backend;
    QVERIFY_EXCEPTION_THROWN(DecodingState(nullptr, backend), Error);
    ModelConfig encoder = smallConfig();
    encoder.architecture = Architecture::Encoder;
    QVERIFY_EXCEPTION_THROWN(DecodingState(smallModel(1, encoder).model, backend), Error);
    DecodingState state(smallModel().model, backend);
    QVERIFY_EXCEPTION_THROWN(state.logitsAfter({}), ShapeError);
    QVERIFY_EXCEPTION_THROWN(state.logitsAfter(std::vector<TokenId>{1, 37}), ShapeError);
    QVERIFY_EXCEPTION_THROWN(state.logitsAfter(randomIds(1, 25, 37)), ShapeError);
}

HEADSCOPE_TEST(TstDecodingState)
#include "tst_decoding_state.moc"

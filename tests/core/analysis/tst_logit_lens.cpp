#include "core/analysis/causal/trace_change.h"
#include "core/analysis/derivation/token_alignment.h"
#include "core/analysis/lens/logit_lens.h"
#include "tests/support/small_models.h"
#include "tests/support/test_program.h"
#include "tests/support/traced_kinds.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace headscope;
using namespace headscope::test;

Q_DECLARE_METATYPE(headscope::ModelConfig)

class TstLogitLens : public QObject
{
    Q_OBJECT

private slots:
    void theLastLayerIsTheModelItself_data();
    void theLastLayerIsTheModelItself();
    void earlierLayersPredictOtherwise();
    void equalTokensAreAligned();
    void twoTokenizersAlignWhereTokensEnd();
    void theChangeOfALogitIsTheLargest();
};

void TstLogitLens::theLastLayerIsTheModelItself_data()
{
    QTest::addColumn<ModelConfig>("config");
    for (const auto& [name, config] : tracedKinds()) {
        if (config.languageHead && config.layers > 0)
            QTest::newRow(name.c_str()) << config;
    }
}

void TstLogitLens::theLastLayerIsTheModelItself()
{
    QFETCH(ModelConfig, config);
    const LoadedModel model = kindModel(config);
    const TracePtr trace = freshTrace(model, randomTexts(config, 3, 6));
    const Stack stack = hasTwoStacks(config) ? Stack::Decoder : Stack::Blocks;
    const int last = trace->layerCount(selfAttentionOf(stack)) - 1;
    const Tensor logits =
        lensLogits(*model.model, trace->find({Site::ResidPost, last, stack})->view());
    const TensorView own = trace->find({Site::Logits, 0})->view();
    QCOMPARE(logits.shape(), own.shape);
    for (std::int64_t cell = 0; cell < own.shape.elementCount(); ++cell)
        QVERIFY(std::abs(logits.data()[cell] - own.data[cell]) <=
                1e-4F * (1.0F + std::abs(own.data[cell])));
    const LogitLens lens = logitLens(*model.model, *trace);
    QCOMPARE(lens.layers, last + 1);
    for (int token = 0; token < lens.tokens; ++token) {
        const TensorView row = own[token];
        const float* best = std::max_element(row.data, row.data + row.shape[0]);
        double sum = 0.0;
        for (std::int64_t id = 0; id < row.shape[0]; ++id)
            sum += std::exp(double{row.data[id]} - double{*best});
        QCOMPARE(lens.ids[lens.at(token, last)], static_cast<TokenId>(best - row.data));
        QVERIFY(std::abs(double{lens.probabilities[lens.at(token, last)]} - 1.0 / sum) < 1e-4);
    }
}

void TstLogitLens::earlierLayersPredictOtherwise()
{
    const LoadedModel model = smallModel();
    const TracePtr trace = freshTrace(model, randomTexts(model.model->config(), 3, 8));
    const LogitLens lens = logitLens(*model.model, *trace);
    int changed = 0;
    for (int token = 0; token < lens.tokens; ++token)
        changed += lens.ids[lens.at(token, 0)] != lens.ids[lens.at(token, 2)] ? 1 : 0;
    QVERIFY(changed > 0);
    std::stop_source stop;
    stop.request_stop();
    bool cancelled = false;
    try {
        logitLens(*model.model, *trace, stop.get_token());
    } catch (const std::exception&) {
        cancelled = true;
    }
    QVERIFY(cancelled);
}

void TstLogitLens::equalTokensAreAligned()
{
    const std::vector<TokenId> a{1, 2, 3, 4, 5};
    const std::vector<TokenId> b{1, 3, 9, 4, 5, 6};
    const std::vector<AlignedTokens> expected{{0, 0}, {1, {}}, {2, 1}, {{}, 2},
                                              {3, 3}, {4, 4},  {{}, 5}};
    QCOMPARE(alignTokens(a, b), expected);
    QVERIFY(alignTokens({}, {}).empty());
    QCOMPARE(alignTokens(a, a).size(), a.size());
    QCOMPARE(alignTokens(a, {}).size(), a.size());
}

namespace {

TokenSequence cut(const std::string& text, const std::vector<std::size_t>& ends)
{
    TokenSequence tokens;
    tokens.text = text;
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
        tokens.tokens.push_back({static_cast<TokenId>(7 * end), {begin, end}, false});
        begin = end;
    }
    return tokens;
}

} // namespace

void TstLogitLens::twoTokenizersAlignWhereTokensEnd()
{
    const TokenSequence whole = cut("the cat sat", {3, 7, 11});
    const TokenSequence pieces = cut("the cat sat", {3, 5, 7, 8, 11});
    QVERIFY(alignmentKind(whole, pieces, true) == AlignmentKind::Ids);
    QVERIFY(alignmentKind(whole, pieces, false) == AlignmentKind::Ends);
    const std::vector<AlignedTokens> expected{{0, 0}, {{}, 1}, {1, 2}, {{}, 3}, {2, 4}};
    QCOMPARE(alignTokens(whole, pieces, AlignmentKind::Ends), expected);
    const TokenSequence other = cut("a cat sat", {1, 5, 9});
    QVERIFY(alignmentKind(whole, other, false) == AlignmentKind::Texts);
    const std::vector<AlignedTokens> byText{{0, {}}, {{}, 0}, {1, 1}, {2, 2}};
    QCOMPARE(alignTokens(whole, other, AlignmentKind::Texts), byText);
    TokenSequence marked = whole;
    marked.tokens.insert(marked.tokens.begin(), Token{99, {0, 0}, true});
    TokenSequence alsoMarked = pieces;
    alsoMarked.tokens.insert(alsoMarked.tokens.begin(), Token{4, {0, 0}, true});
    QCOMPARE(alignTokens(marked, alsoMarked, AlignmentKind::Ends).front(), (AlignedTokens{0, 0}));
}

void TstLogitLens::theChangeOfALogitIsTheLargest()
{
    const LoadedModel model = smallModel();
    const SourceAndTarget texts = randomTexts(model.model->config(), 5, 7);
    Interventions off;
    off.ablatedHeads = {{0, 1}};
    const TracePtr a = freshTrace(model, texts);
    const TracePtr b = freshTrace(model, texts, off);
    const NextTokenChange change = *largestNextTokenChange(*a, 4, *b, 6);
    const TensorView logits = b->find({Site::Logits, 0})->view();
    QCOMPARE(change.logitB, double{logits(6, change.id)});
    QCOMPARE(largestNextTokenChange(*a, 3, *a, 3)->probabilityA,
             largestNextTokenChange(*a, 3, *a, 3)->probabilityB);
    QVERIFY(!meanLoss(*freshTrace(model, {{}, tokensOf({3})})));
    const TensorView pattern = a->find({Site::Pattern, 1})->view()[0];
    QCOMPARE(movedWeight(pattern, pattern), 0.0);
    Tensor here({2, 2});
    Tensor there({2, 2});
    here.data()[0] = here.data()[2] = there.data()[0] = there.data()[3] = 1.0F;
    QCOMPARE(movedWeight(here.view(), there.view()), 0.5);
}

HEADSCOPE_TEST(TstLogitLens)
#include "tst_logit_lens.moc"

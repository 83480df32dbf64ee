#include "core/model/pass/intervention_check.h"
#include "core/model/pass/interventions.h"

#include "core/base/error.h"
#include "core/model/pass/site_shape.h"
#include "tests/support/small_models.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

using namespace headscope;

namespace {

constexpr std::int64_t kTokens = 5;
constexpr std::int64_t kSource = 7;

ModelConfig twoStacks()
{
    ModelConfig config = test::smallConfig(); // 4 heads of 8 channels
    config.architecture = Architecture::EncoderDecoder;
    config.layers = 2;
    config.decoderLayers = 3;
    return config;
}

ModelConfig latent()
{
    ModelConfig config = test::smallConfig();
    config.positions = Positions::Rope;
    config.latent = {12, 0, 4, 8, 6};
    return config;
}

std::shared_ptr<const Tensor> zeros(const Shape& shape)
{
    return std::make_shared<const Tensor>(shape);
}

Interventions patched(TraceKey key, const Shape& shape, std::optional<int> head = std::nullopt,
                      const std::vector<std::int64_t>& positions = {})
{
    Interventions interventions;
    interventions.patches.push_back({key, zeros(shape), head, positions});
    return interventions;
}

Interventions edited(const PatternEdit& edit)
{
    Interventions interventions;
    interventions.patternEdits.push_back(edit);
    return interventions;
}

Interventions ablated(const HeadId& head)
{
    Interventions interventions;
    interventions.ablatedHeads = {head};
    return interventions;
}

Interventions placed(Positions kind, double base = 10000.0)
{
    Interventions interventions;
    interventions.positions = PositionsChoice{kind, base};
    return interventions;
}

const TraceKey kPattern{Site::Pattern, 1};

} // namespace

Q_DECLARE_METATYPE(headscope::Interventions)
Q_DECLARE_METATYPE(headscope::ModelConfig)

class TstInterventions : public QObject
{
    Q_OBJECT

private slots:

    void whatAModelCanDoIsAccepted_data()
    {
        QTest::addColumn<ModelConfig>("config");
        QTest::addColumn<Interventions>("interventions");
        const auto row = [](const char* name, const ModelConfig& config,
                            const Interventions& interventions) {
            QTest::newRow(name) << config << interventions;
        };
        const ModelConfig one = test::smallConfig();
        row("none", one, {});
        row("a head", one, ablated({2, 3}));
        row("an encoder's head", twoStacks(), ablated({AttentionKind::EncoderSelf, 1, 3}));
        row("a cross head", twoStacks(), ablated({AttentionKind::Cross, 2, 3}));
        row("a whole z", one, patched({Site::Z, 1}, {kTokens, 4, 8}));
        row("one row", one, patched({Site::Z, 1}, {1, 4, 8}, 3, {4}));
        row("a longer text's z", one, patched({Site::Z, 1}, {20, 4, 8}));
        row("a shorter text's pattern", one, patched(kPattern, {4, 2, 2}));
        row("a longer text's pattern without weight there", one, patched(kPattern, {4, 9, 9}));
        row("a cross pattern", twoStacks(),
            patched({Site::CrossPattern, 2, Stack::Decoder}, {4, kTokens, kSource}, 3, {4}));
        row("cross keys", twoStacks(),
            patched({Site::CrossKey, 0, Stack::Decoder}, {kSource, 4, 8}, 0, {6}));
        row("a latent", latent(), patched({Site::Latent, 0}, {kTokens, 12}));
        row("latent values", latent(), patched({Site::Value, 0}, {kTokens, 4, 6}));
        row("a cell", one, edited({kPattern, 3, 4, 4, {0.25F}, true}));
        row("a row", one, edited({kPattern, 0, 2, {}, {1, 0, 0}, false}));
        row("rope", one, placed(Positions::Rope, 2.0));
        row("own learned ones", one, placed(Positions::Learned));
        row("latent rope", latent(), placed(Positions::Rope));
    }

    void whatAModelCanDoIsAccepted()
    {
        QFETCH(ModelConfig, config);
        QFETCH(Interventions, interventions);
        checkInterventions(config, kTokens, interventions, kSource);
    }

    void whatItCannotIsRefusedWithAChoice_data()
    {
        QTest::addColumn<ModelConfig>("config");
        QTest::addColumn<Interventions>("interventions");
        QTest::addColumn<QString>("reported");
        const auto row = [](const char* name, const ModelConfig& config,
                            const Interventions& interventions, const char* reported) {
            QTest::newRow(name) << config << interventions << QString(reported);
        };
        const ModelConfig one = test::smallConfig();
        row("a layer too far", one, ablated({3, 0}), "no head L3H0");
        row("a head too far", one, ablated({0, 4}), "with heads 0 to 3");
        row("a negative head", one, ablated({0, -1}), "blocks 0 to 2");
        row("a stack that is not there", one, ablated({AttentionKind::EncoderSelf, 0, 0}),
            "no head E0H0");
        row("no stack named", twoStacks(), ablated({0, 0}), "write E0H0 or D0H0");
        row("a patched layer too far", one, patched({Site::Z, 3}, {1, 4, 8}), "blocks 0 to 2");
        row("a site of others", one, patched({Site::Latent, 0}, {1, 12}), "no activation");
        row("cross in one stack", one, patched({Site::CrossZ, 0}, {1, 4, 8}), "no activation");
        row("cross in the encoder", twoStacks(),
            patched({Site::CrossZ, 0, Stack::Encoder}, {1, 4, 8}), "encoder 0 to 1");
        row("blocks of two stacks", twoStacks(), patched({Site::Z, 0}, {1, 4, 8}),
            "decoder 0 to 2");
        row("scores", one, patched({Site::AttnScores, 1}, {4, 5, 5}), "Patch the pattern");
        ModelConfig experts = one;
        experts.experts.count = 3;
        row("router probabilities", experts, patched({Site::RouterProbs, 1}, {5, 3}),
            "Patch hook_expert_weights");
        row("another width", one, patched({Site::Z, 1}, {kTokens, 4, 9}), "Use [5, 4, 8]");
        row("another rank", one, patched({Site::Z, 1}, {kTokens, 32}), "Use [5, 4, 8]");
        row("no rows", one, patched({Site::Z, 1}, {0, 4, 8}), "Use [5, 4, 8]");
        row("other heads", one, patched(kPattern, {3, 5, 5}), "Use [4, 5, 5]");
        row("a patched head too far", one, patched({Site::Z, 1}, {1, 4, 8}, 4), "heads 0 to 3");
        row("a head where none is", one, patched({Site::ResidPre, 1}, {1, 32}, 0), "no heads");
        row("a position too far", one, patched({Site::Z, 1}, {1, 4, 8}, 0, {0, 5}),
            "positions 0 to 4");
        row("a source position too far", twoStacks(),
            patched({Site::CrossKey, 0, Stack::Decoder}, {7, 4, 8}, 0, {7}), "positions 0 to 6");
        Interventions without = patched({Site::Z, 1}, {1, 4, 8});
        without.patches[0].values = nullptr;
        row("no values", one, without, "has no values");
        Interventions cut = patched(kPattern, {4, 9, 9});
        Tensor wide({4, 9, 9});
        wide.view()(2, 4, 5) = 0.5F;
        cut.patches[0].values = std::make_shared<const Tensor>(wide);
        row("weight that would be lost", one, cut, "weight on key 5");
        row("an edited z", one, edited({{Site::Z, 1}, 0, 0, {}, {1}, false}), "Edit a pattern");
        row("an edited head", one, edited({kPattern, 4, 0, {}, {1}, false}), "head 0 to 3");
        row("an edited query", one, edited({kPattern, 0, 5, {}, {1}, false}), "query 0 to 4");
        row("an edited key", one, edited({kPattern, 0, 0, 5, {1}, false}), "key 0 to 4");
        row("no weight", one, edited({kPattern, 0, 0, {}, {}, false}), "1 to 5");
        row("two weights in a cell", one, edited({kPattern, 0, 0, 0, {1, 0}, false}),
            "Provide one");
        row("too many weights", one, edited({kPattern, 0, 0, {}, {1, 0, 0, 0, 0, 0}, false}),
            "1 to 5");
        row("NaN", one,
            edited({kPattern, 0, 0, 0, {std::numeric_limits<float>::quiet_NaN()}, false}),
            "the weight nan");
        row("infinity", one,
            edited({kPattern, 0, 0, 0, {std::numeric_limits<float>::infinity()}, false}),
            "the weight inf");
        Interventions cells;
        cells.maskCells.assign(24, 1);
        row("cells of another text", one, cells, "Use 5 by 5 cells");
        Interventions window;
        window.mask = AttentionMask{.causal = true, .window = -1};
        row("a window of -1", one, window, "Use 1 or more");
        row("relative", one, placed(Positions::RelativeBuckets), "has learned none");
        row("learned", latent(), placed(Positions::Learned), "has learned none");
        row("alibi in two stacks", twoStacks(), placed(Positions::Alibi), "none or sinusoidal");
        row("alibi and a latent", latent(), placed(Positions::Alibi), "none or sinusoidal");
        row("base 1", one, placed(Positions::Rope, 1.0), "more than 1");
        row("base NaN", one, placed(Positions::Rope, std::numeric_limits<double>::quiet_NaN()),
            "more than 1");
        ModelConfig odd = one;
        odd.headDimension = 7;
        row("odd heads", odd, placed(Positions::Rope), "in pairs");
        ModelConfig narrow = latent();
        narrow.positions = Positions::None;
        narrow.latent.ropeDim = 0;
        row("a latent without rotary channels", narrow, placed(Positions::Rope), "in pairs");
    }

    void whatItCannotIsRefusedWithAChoice()
    {
        QFETCH(ModelConfig, config);
        QFETCH(Interventions, interventions);
        QFETCH(QString, reported);
        try {
            checkInterventions(config, kTokens, interventions, kSource);
            QFAIL("accepted");
        } catch (const ShapeError& error) {
            const QString sentence = QString::fromStdString(error.what());
            QVERIFY2(sentence.contains(reported), qPrintable(sentence));
            QVERIFY(!error.advice().empty());
        }
    }

    void settingsSayEverything()
    {
        const ModelConfig config = test::smallConfig();
        QCOMPARE(QString::fromStdString(settingsJson(config, 2, {}).dump()),
                 QString(R"({"ablate":[],"mask":"causal"})"));
        Interventions all = placed(Positions::Sinusoidal, 100.0);
        all.maskCells = {1, 0, 0, 1};
        all.ablatedHeads = {{0, 1}, {AttentionKind::Cross, 2, 0}};
        all.patches = {{{Site::Z, 1}, zeros({1, 4, 8}), 2, {}},
                       {{Site::Embed, 0}, zeros({2, 32}), {}, {0, 1}}};
        all.patternEdits = {{kPattern, 3, 1, 0, {0.5F}, true}, {kPattern, 2, 0, {}, {1, 0}, false}};
        const nlohmann::json expected = nlohmann::json::parse(R"({
            "mask": "painted", "mask_cells": ["10", "01"], "positions": "sinusoidal:100",
            "ablate": ["L0H1", "C2H0"],
            "patches": [{"site": "blocks.1.attn.hook_z", "head": 2, "shape": [1, 4, 8]},
                        {"site": "hook_embed", "positions": [0, 1], "shape": [2, 32]}],
            "edits": [{"site": "blocks.1.attn.hook_pattern", "head": 3, "query": 1, "key": 0,
                       "weights": [0.5], "rescale": true},
                      {"site": "blocks.1.attn.hook_pattern", "head": 2, "query": 0,
                       "weights": [1.0, 0.0]}]})");
        const nlohmann::json got = settingsJson(config, 2, all);
        QVERIFY2(got == expected, got.dump().c_str());
    }

    void everySiteHasTheShapeThatItsModelMakes()
    {
        const SiteExtents extents{kTokens, kSource};
        const auto shape = [&](const ModelConfig& config, TraceKey key) {
            const auto found = siteShape(config, key, extents);
            return found ? found->toString() : std::string("none");
        };
        ModelConfig grouped = test::smallConfig();
        grouped.keyHeads = 2;
        grouped.activation = Activation::SwiGlu;
        grouped.positions = Positions::Rope;
        QCOMPARE(shape(grouped, {Site::Key, 0}), std::string("[5, 2, 8]"));
        QCOMPARE(shape(grouped, {Site::RotatedQuery, 0}), std::string("[5, 4, 8]"));
        QCOMPARE(shape(grouped, {Site::RotatedKey, 0}), std::string("[5, 2, 8]"));
        QCOMPARE(shape(grouped, {Site::MlpPreLinear, 0}), std::string("[5, 72]"));
        QCOMPARE(shape(grouped, {Site::PosEmbed, 0}), std::string("none"));
        QCOMPARE(shape(grouped, {Site::Logits, 0}), std::string("[5, 37]"));
        QCOMPARE(shape(latent(), {Site::RotaryKey, 0}), std::string("[5, 4]"));
        QCOMPARE(shape(latent(), {Site::Query, 0}), std::string("[5, 4, 12]"));
        QCOMPARE(shape(latent(), {Site::Z, 0}), std::string("[5, 4, 6]"));
        QCOMPARE(shape(latent(), {Site::RotatedKey, 0}), std::string("none"));
        QCOMPARE(shape(twoStacks(), {Site::Pattern, 1, Stack::Encoder}), std::string("[4, 7, 7]"));
        QCOMPARE(shape(twoStacks(), {Site::Pattern, 2, Stack::Encoder}), std::string("none"));
        QCOMPARE(shape(twoStacks(), {Site::CrossScores, 2, Stack::Decoder}),
                 std::string("[4, 5, 7]"));
        QCOMPARE(shape(twoStacks(), {Site::Embed, 0, Stack::Encoder}), std::string("[7, 32]"));
        ModelConfig bert = test::smallConfig();
        bert.architecture = Architecture::Encoder;
        bert.normPosition = NormPosition::Post;
        bert.nextSentence = true;
        QCOMPARE(shape(bert, {Site::NextSentence, 0}), std::string("[1, 2]"));
        QCOMPARE(shape(bert, {Site::LnFinal, 0}), std::string("none"));
        ModelConfig experts = test::smallConfig();
        experts.experts.count = 6;
        QCOMPARE(shape(experts, {Site::ExpertWeights, 1}), std::string("[5, 6]"));
        QCOMPARE(shape(experts, {Site::MlpPre, 1}), std::string("none"));
    }
};

HEADSCOPE_TEST(TstInterventions)
#include "tst_interventions.moc"

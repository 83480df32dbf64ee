// labels: threads
#include "core/analysis/lens/logit_attribution.h"
#include "core/base/error.h"
#include "core/text/text_pair.h"
#include "tests/support/qt_under_tsan.h"
#include "tests/support/small_models.h"
#include "tests/support/stored_weights.h"
#include "tests/support/test_program.h"
#include "tests/support/traced_kinds.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace headscope;
using namespace headscope::test;

Q_DECLARE_METATYPE(headscope::ModelConfig)

namespace {

/// Of the magnitudes that were added up.
bool isRounding(double difference, const LogitAttribution& attribution)
{
    double size = 1.0;
    for (const LogitPart& part : attribution.parts)
        size = std::max(size, std::abs(part.value));
    return std::abs(difference) <= 2e-5 * size;
}

bool addsUp(const LogitAttribution& attribution)
{
    return isRounding(attribution.sum() - attribution.logit, attribution);
}

int countOf(const LogitAttribution& attribution, LogitPartKind kind)
{
    return static_cast<int>(
        std::count_if(attribution.parts.begin(), attribution.parts.end(),
                      [kind](const LogitPart& part) { return part.kind == kind; }));
}

double valueOf(const LogitAttribution& attribution, LogitPartKind kind, int layer = -1,
               int head = -1)
{
    const auto found = std::find_if(
        attribution.parts.begin(), attribution.parts.end(), [&](const LogitPart& part) {
            return part.kind == kind && part.layer == layer && part.head == head && !part.cross;
        });
    return found == attribution.parts.end() ? std::nan("") : found->value;
}

/// One layer of one head without anything else: everything about it can be said on paper.
ModelConfig plainConfig()
{
    ModelConfig config;
    config.vocabularySize = 5;
    config.dModel = 4;
    config.heads = 1;
    config.layers = 1;
    config.dFf = 0;
    config.maxLen = 8;
    config.positions = Positions::None;
    config.norm = Norm::Rms;
    config.bias = false;
    config.tieEmbeddings = false;
    return config;
}

std::vector<std::pair<std::string, ModelConfig>> attributedKinds()
{
    std::vector<std::pair<std::string, ModelConfig>> kinds = tracedKinds();
    ModelConfig bare = plainConfig();
    bare.initStd = 0.3;
    kinds.emplace_back("one head, no MLP", bare);
    std::erase_if(kinds,
                  [](const auto& kind) { return !whyNoLogitAttribution(kind.second).empty(); });
    return kinds;
}

} // namespace

class TstLogitAttribution : public QObject
{
    Q_OBJECT

private slots:

    void partsAddUpToTheLogit_data() { kinds(); }

    void partsAddUpToTheLogit()
    {
        QFETCH(ModelConfig, config);
        const LoadedModel loaded = kindModel(config);
        const TracePtr trace = freshTrace(loaded, randomTexts(config, 5, 7));
        for (const std::int64_t position : {0, 3, -1})
            for (const LogitTarget& target :
                 {LogitTarget{position, 3, {}}, LogitTarget{position, 3, 4}}) {
                const LogitAttribution got = logitAttribution(*trace, *loaded.model, target);
                QVERIFY2(
                    addsUp(got),
                    qPrintable(QString("%1 where the logit is %2").arg(got.sum()).arg(got.logit)));
                QCOMPARE(countOf(got, LogitPartKind::Replaced), 0);
                const bool two = hasTwoStacks(config);
                const auto layers = two ? config.decoderLayerCount() : config.layers;
                QCOMPARE(countOf(got, LogitPartKind::Head),
                         static_cast<int>(layers * config.heads) * (two ? 2 : 1));
                QCOMPARE(countOf(got, LogitPartKind::Mlp),
                         config.dFf > 0 ? static_cast<int>(layers) : 0);
            }
    }

    void aHeadIsTheSumOfItsSourceTokens_data() { kinds(); }

    void aHeadIsTheSumOfItsSourceTokens()
    {
        QFETCH(ModelConfig, config);
        const LoadedModel loaded = kindModel(config);
        const TracePtr trace = freshTrace(loaded, randomTexts(config, 6, 6));
        const LogitTarget target{4, 2, 7 % static_cast<TokenId>(config.vocabularySize)};
        const LogitAttribution all = logitAttribution(*trace, *loaded.model, target);
        for (const LogitPart& part : all.parts) {
            if (part.kind != LogitPartKind::Head)
                continue;
            const std::vector<double> sources = logitAttributionBySource(
                *trace, *loaded.model, target, {part.layer, part.head, part.cross});
            QCOMPARE(sources.size(),
                     part.cross ? trace->sourceTokens().size() : trace->tokens().size());
            QVERIFY(
                isRounding(std::accumulate(sources.begin(), sources.end(), 0.0) - part.value, all));
            for (std::size_t key = 5;
                 !part.cross && config.causal && config.hasDecoder() && key < sources.size(); ++key)
                QCOMPARE(sources[key], 0.0); // not seen from position 4
        }
    }

    /// RMS norm of gain 1: the logit of t is x . W_U[t] / rms(x) with x = e + A v W_O.
    void onPaper()
    {
        ModelConfig config = plainConfig();
        Model model = Model::initialised(config, 1);
        ParameterSet weights = model.parameters();
        for (const ParameterSpec& spec : weights.specs())
            std::fill_n(weights.view(spec).data, spec.shape.elementCount(),
                        spec.shape.rank() == 1 ? 1.0F : 0.0F);
        for (const char* name : {"h.0.attn.v.weight", "h.0.attn.o.weight"})
            for (std::int64_t i = 0; i < 4; ++i)
                weights.view(name)(i, i) = 1.0F;
        for (std::int64_t i = 0; i < 4; ++i) {
            weights.view("tok_emb.weight")(i, i) = 2.0F; // token i: 2 along channel i
            weights.view("head.weight")(i, i) = 1.0F;
        }
        LoadedModel loaded;
        loaded.name = "paper";
        loaded.model = std::make_shared<const Model>(config, std::move(weights));
        const TracePtr trace = freshTrace(loaded, {{}, tokensOf({0, 1})});
        // Attention is uniform over {0, 1}; ln1 of a token is 2 along its channel (rms 1). The
        // stream of position 1 is then 2 e1 + 0.5 (2 e0 + 2 e1) = e0 + 3 e1, of rms sqrt(10 / 4).
        const double scale = 1.0 / std::sqrt(2.5 + config.normEpsilon);
        const LogitAttribution got = logitAttribution(*trace, *loaded.model, {1, 1, {}});
        QCOMPARE(got.parts.size(), std::size_t{2});
        QVERIFY(std::abs(valueOf(got, LogitPartKind::TokenEmbedding) - 2.0 * scale) < 1e-5);
        QVERIFY(std::abs(valueOf(got, LogitPartKind::Head, 0, 0) - 1.0 * scale) < 1e-5);
        const std::vector<double> sources =
            logitAttributionBySource(*trace, *loaded.model, {1, 1, 0}, {0, 0});
        QVERIFY(std::abs(sources[0] + scale) < 1e-5);
        QVERIFY(std::abs(sources[1] - scale) < 1e-5);
    }

    /// Of a RoBERTa, whose texts have a mark between them but one kind of segment.
    void aPairOfOneSegmentAddsUp()
    {
        ModelConfig config = smallConfig();
        config.architecture = Architecture::Encoder;
        config.tokenTypes = 1;
        const LoadedModel loaded = kindModel(config);
        SourceAndTarget texts = randomTexts(config, 5, 7);
        for (const std::size_t mark : {3, 6}) {
            texts.target.tokens[mark].id = 2;
            texts.target.tokens[mark].special = true;
        }
        QCOMPARE(segmentsOf(texts.target), (std::vector<std::int32_t>{0, 0, 0, 0, 1, 1, 1}));
        const TracePtr trace = freshTrace(loaded, texts);
        for (const std::int64_t position : {2, 5})
            QVERIFY(addsUp(logitAttribution(*trace, *loaded.model, {position, 3, {}})));
    }

    void whatAnInterventionPutsThereIsNamed()
    {
        const LoadedModel loaded = smallModel();
        const SourceAndTarget texts = randomTexts(loaded.model->config(), 8, 7);
        const TracePtr plain = freshTrace(loaded, texts);
        Interventions patched;
        auto stream = std::make_shared<Tensor>(*plain->find({Site::ResidMid, 1}));
        for (float& value : stream->values())
            value += 0.5F * std::sin(static_cast<float>(&value - stream->data()));
        patched.patches = {{{Site::ResidMid, 1}, stream, {}, {}}};
        const LogitAttribution moved =
            logitAttribution(*freshTrace(loaded, texts, patched), *loaded.model, {-1, 3, {}});
        QVERIFY(addsUp(moved));
        QCOMPARE(countOf(moved, LogitPartKind::Replaced), 1);
        QVERIFY(std::abs(valueOf(moved, LogitPartKind::Replaced, 1)) > 1e-3);
        Interventions output;
        output.patches = {{{Site::AttnOut, 0}, stream, {}, {}}};
        const LogitAttribution swapped =
            logitAttribution(*freshTrace(loaded, texts, output), *loaded.model, {-1, 3, {}});
        QVERIFY(addsUp(swapped));
        QCOMPARE(countOf(swapped, LogitPartKind::Replaced), 1);
    }

    void aHeadThatIsOffGivesNothing()
    {
        const LoadedModel loaded = smallModel();
        Interventions off;
        off.ablatedHeads = {{1, 2}};
        const TracePtr trace = freshTrace(loaded, randomTexts(loaded.model->config(), 8, 7), off);
        const LogitAttribution got = logitAttribution(*trace, *loaded.model, {-1, 3, {}});
        QVERIFY(addsUp(got));
        QCOMPARE(valueOf(got, LogitPartKind::Head, 1, 2), 0.0);
        QVERIFY(logitAttributionBySource(*trace, *loaded.model, {-1, 3, {}}, {1, 2}).empty());
        QVERIFY(!logitAttributionBySource(*trace, *loaded.model, {-1, 3, {}}, {1, 1}).empty());
    }

    void storedWeightsGiveTheSameParts()
    {
        ModelConfig config = smallConfig();
        config.dModel = 256;
        config.dFf = 512;
        config.layers = 2;
        const auto stored = randomStored(config, BlockFormat::Q4_1, 3);
        LoadedModel loaded;
        loaded.model = std::make_shared<const Model>(config, ParameterSet(config, stored));
        const LogitAttribution got = logitAttribution(
            *freshTrace(loaded, randomTexts(config, 4, 6)), *loaded.model, {-1, 5, 6});
        QVERIFY(addsUp(got));
    }

    void whatCannotBeSplitIsRefusedInWords()
    {
        int refused = 0;
        for (const auto& [name, config] : tracedKinds()) {
            const std::string why = whyNoLogitAttribution(config);
            if (why.empty())
                continue;
            ++refused;
            const LoadedModel loaded = kindModel(config);
            const TracePtr trace = freshTrace(loaded, randomTexts(config, 5, 5));
            try {
                logitAttribution(*trace, *loaded.model, {-1, 1, {}});
                QFAIL(name.c_str());
            } catch (const Error& error) {
                QVERIFY(std::string(error.what()).find(why) != std::string::npos);
            }
        }
        QVERIFY(refused >= 2); // no language head, a head with an activation
        const LoadedModel loaded = smallModel();
        const TracePtr trace = freshTrace(loaded, randomTexts(loaded.model->config(), 5, 5));
        QVERIFY_EXCEPTION_THROWN(logitAttribution(*trace, *loaded.model, {5, 1, {}}), ShapeError);
        QVERIFY_EXCEPTION_THROWN(logitAttribution(*trace, *loaded.model, {0, 37, {}}), ShapeError);
        QVERIFY_EXCEPTION_THROWN(logitAttribution(*trace, *loaded.model, {0, 1, -1}), ShapeError);
        const Trace empty(trace->tokens(), {}, {});
        QVERIFY_EXCEPTION_THROWN(logitAttribution(empty, *loaded.model, {0, 1, {}}), Error);
    }

private:
    static void kinds()
    {
        QTest::addColumn<ModelConfig>("config");
        for (const auto& [name, config] : attributedKinds())
            QTest::newRow(name.c_str()) << config;
    }
};

HEADSCOPE_TEST(TstLogitAttribution)
#include "tst_logit_attribution.moc"

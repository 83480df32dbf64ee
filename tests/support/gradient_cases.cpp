#include "tests/support/gradient_cases.h"

#include "tests/support/model_kinds.h"

namespace headscope::test {

namespace {

class CaseList
{
public:
    template<class Change>
    GradientCase& add(const std::string& name, Change change)
    {
        ModelConfig config = modelKinds().front().second;
        change(config);
        cases.push_back({name, config});
        return cases.back();
    }

    std::vector<GradientCase> cases;
};

void addLatent(CaseList& list)
{
    list.add("latent, learned positions beside rotary channels", [](ModelConfig& c) {
        c.latent = {10, 0, 4, 6, 5};
        c.norm = Norm::RmsUnitOffset;
    });
    list.add("latent encoder, low rank of queries", [](ModelConfig& c) {
        c.architecture = Architecture::Encoder;
        c.latent = {10, 9, 4, 6, 5};
        c.positions = Positions::Rope;
        c.normPosition = NormPosition::Post;
    });
}

void addMixtures(CaseList& list)
{
    list.add("experts after whose sum a norm follows", [](ModelConfig& c) {
        c.experts = {4, 2, 0.5};
        c.normPosition = NormPosition::Post;
        c.activation = Activation::SwiGlu;
    });
    list.add("experts with dropout", [](ModelConfig& c) {
        c.experts = {3, 2, 0.5};
        c.normPosition = NormPosition::Post;
        c.dropout = 0.2;
    });
    list.add("experts in both halves of a parallel block", [](ModelConfig& c) {
        c.experts = {3, 3, 0.5};
        c.residual = Residual::Parallel;
    });
}

void addWithoutResidual(CaseList& list)
{
    list.add("no residual connections, norms after the sublayers", [](ModelConfig& c) {
        c.residual = Residual::None;
        c.normPosition = NormPosition::Post;
    });
    list.add("no residual connections, with experts", [](ModelConfig& c) {
        c.residual = Residual::None;
        c.experts = {3, 2, 0.5};
    });
    list.add("no residual connections in both stacks, with dropout", [](ModelConfig& c) {
        c.architecture = Architecture::EncoderDecoder;
        c.residual = Residual::None;
        c.dropout = 0.2;
    });
}

void addBatchNorms(CaseList& list)
{
    list.add("batch norm after the sums of an encoder", [](ModelConfig& c) {
        c.architecture = Architecture::Encoder;
        c.norm = Norm::Batch;
        c.normPosition = NormPosition::Post;
        c.embeddingNorm = true;
        c.headTransform = true;
    });
    list.add("batch norm in both stacks", [](ModelConfig& c) {
        c.architecture = Architecture::EncoderDecoder;
        c.norm = Norm::Batch;
    });
}

void addDropout(CaseList& list)
{
    list.add("dropout behind the norm of the embeddings", [](ModelConfig& c) {
        c.dropout = 0.2;
        c.embeddingNorm = true;
        c.keyHeads = 2;
    });
    list.add("dropout in both stacks", [](ModelConfig& c) {
        c.architecture = Architecture::EncoderDecoder;
        c.dropout = 0.2;
        c.positions = Positions::RelativeBuckets;
        c.relativeBuckets = 8;
        c.relativeMaxDistance = 20;
        c.normPosition = NormPosition::Post;
        c.activation = Activation::GeGlu;
    });
}

void addCurrentModels(CaseList& list)
{
    list.add("dropout before the norms of outputs", [](ModelConfig& c) {
        c.dropout = 0.2;
        c.norm = Norm::Rms;
        c.normPosition = NormPosition::Output;
        c.residualScale = 0.7;
        c.experts = {3, 3, 0.5};
    });
    list.add("a sink beside dropout of weights", [](ModelConfig& c) {
        c.attentionDropout = 0.3;
        c.attentionSinks = true;
        c.keyHeads = 2;
    });
    list.add("long rope, beyond the original length", [](ModelConfig& c) {
        c.positions = Positions::Rope;
        c.rope.scaling = RopeSettings::Scaling::LongRope;
        c.rope.factor = 4.0;
        c.rope.originalMaxLen = 5;
        c.rope.shortFactors = {1.0, 1.5, 2.0};
        c.rope.longFactors = {2.0, 4.0, 8.0};
    });
}

void addLosses(CaseList& list)
{
    list.add("labels smoothed", [](ModelConfig& c) { c.headScale = 0.5; }).loss.labelSmoothing =
        0.1;
    list.add("labels smoothed as in the annotated transformer",
             [](ModelConfig& c) { c.architecture = Architecture::EncoderDecoder; })
        .loss = {0.1, LabelSmoothing::AnnotatedTransformer};
    list.add("two stacks without blocks", [](ModelConfig& c) {
        c.architecture = Architecture::EncoderDecoder;
        c.layers = 0;
        c.shareSourceEmbedding = false;
    });
    list.add("next sentences and no other head", [](ModelConfig& c) {
        c.architecture = Architecture::Encoder;
        c.languageHead = false;
        c.nextSentence = true;
        c.tokenTypes = 2;
    });
}

void addMasks(CaseList& list)
{
    list.add("painted mask", [](ModelConfig& c) { c.positions = Positions::Alibi; }).customMask =
        true;
    list.add("painted mask in an encoder",
             [](ModelConfig& c) {
                 c.architecture = Architecture::Encoder;
                 c.positions = Positions::RelativeBuckets;
                 c.relativeBuckets = 8;
             })
        .customMask = true;
    list.add("rope, dynamic, beyond the original length", [](ModelConfig& c) {
        c.positions = Positions::Rope;
        c.rope.scaling = RopeSettings::Scaling::Dynamic;
        c.rope.factor = 2.0;
        c.rope.originalMaxLen = 5;
    });
    list.add("soft cap and window over all positions of a rotary latent", [](ModelConfig& c) {
        c.latent = {10, 9, 4, 6, 5};
        c.positions = Positions::Rope;
        c.softCap = 2.0;
        c.window = 4;
    });
}

} // namespace

std::vector<GradientCase> gradientCases()
{
    CaseList list;
    for (auto& [name, config] : modelKinds())
        if (config.languageHead)
            list.cases.push_back({name, config});
    addLatent(list);
    addMixtures(list);
    addWithoutResidual(list);
    addBatchNorms(list);
    addDropout(list);
    addCurrentModels(list);
    addLosses(list);
    addMasks(list);
    return std::move(list.cases);
}

} // namespace headscope::test

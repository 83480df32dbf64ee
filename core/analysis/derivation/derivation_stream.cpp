#include "core/analysis/derivation/derivation_stream.h"

#include "core/analysis/derivation/derivation_terms.h"
#include "core/base/error.h"
#include "core/model/layers/feed_forward_layer.h"
#include "core/model/pass/site_shape.h"
#include "core/ops/activations.h"

#include <algorithm>
#include <fmt/format.h>

namespace headscope::derive_detail {

namespace {

TraceKey at(TraceKey place, Site site)
{
    return {site, place.layer, place.stack};
}

NumberRef cellOf(TraceKey key, std::vector<std::int64_t> index)
{
    return {NumberRef::Kind::Activation, key, {}, std::move(index)};
}

const TokenSequence& tokensOf(const Source& source, TraceKey key)
{
    return key.stack == Stack::Encoder ? source.trace.sourceTokens() : source.trace.tokens();
}

/// The decoder embeddings of an encoder-decoder lie outside its stack.
Stack embeddingStack(TraceKey key)
{
    return key.stack == Stack::Encoder ? Stack::Encoder : Stack::Blocks;
}

Derivation deriveEmbedding(const Source& source, const NumberRef& number)
{
    const std::int64_t token = number.index.at(0);
    const TokenSequence& tokens = tokensOf(source, number.key);
    if (token >= static_cast<std::int64_t>(tokens.size()))
        return ends("the token that represents an empty text");
    const bool own =
        number.key.stack == Stack::Encoder && source.hasParameter("enc.tok_emb.weight");
    const TokenId id = tokens.tokens[static_cast<std::size_t>(token)].id;
    const Factor row =
        source.weight(fmt::format("embedding of id {}", id),
                      own ? "enc.tok_emb.weight" : "tok_emb.weight", {id, number.index.at(1)});
    return sum("embedding scale",
               {product({row, Source::constant("scale", source.config.embeddingScale)})});
}

Derivation derivePosition(const Source& source, const NumberRef& number)
{
    const std::string table = number.key.stack == Stack::Encoder          ? "enc.pos_emb.weight"
                              : source.hasParameter("dec.pos_emb.weight") ? "dec.pos_emb.weight"
                                                                          : "pos_emb.weight";
    if (source.positions == Positions::Learned && source.hasParameter(table))
        return sum("learned",
                   {product({source.weight("row of the position", table, number.index)})});
    return ends("a sine or cosine of the position, not learned");
}

/// Derives the residual stream before the first block.
Derivation deriveFirstStream(const Source& source, const NumberRef& number)
{
    const Stack stack = embeddingStack(number.key);
    if (source.config.embeddingNorm) {
        const std::string norm = !source.config.isEncoderDecoder() ? "ln_emb"
                                 : stack == Stack::Encoder         ? "enc.ln_emb"
                                                                   : "dec.ln_emb";
        if (source.config.embeddingWidth > 0)
            return linear(source, {"emb_proj.weight", "emb_proj.bias"}, number.index.at(1),
                          {NumberRef::Kind::Normed, number.key, norm, {number.index.at(0), 0}});
        return deriveNorm(source, {NumberRef::Kind::Normed, number.key, norm, number.index});
    }
    if (source.config.embeddingWidth > 0)
        return ends("the projection of the sum of the embeddings");
    std::vector<Term> terms{
        product({source.at("embedding", {Site::Embed, 0, stack}, number.index)})};
    const TraceKey position{Site::PosEmbed, 0, stack};
    if (source.has(position))
        terms.push_back(product({source.at("position", position, number.index)}));
    if (source.hasParameter("type_emb.weight"))
        terms.push_back(
            product({source.weight("segment 0", "type_emb.weight", {0, number.index.at(1)})}));
    return sum("embedding + position", std::move(terms));
}

Derivation deriveAdded(const Source& source, const NumberRef& number, Site before, Site sublayer)
{
    const TraceKey added = at(number.key, sublayer);
    if (!source.has(added)) // a block without that sublayer
        return sum("unchanged", {product({source.at("x", at(number.key, before), number.index)})});
    if (!source.config.hasResidual())
        return sum("output of the sublayer",
                   {product({source.at("sublayer", added, number.index)})});
    return sum("x + output of the sublayer",
               {product({source.at("x", at(number.key, before), number.index)}),
                product({source.at("sublayer", added, number.index)})});
}

Derivation afterSublayer(const Source& source, const NumberRef& number, Site before, Site sublayer,
                         const char* norm)
{
    const bool post = source.config.normPosition == NormPosition::Post;
    if (post && source.has(at(number.key, sublayer)))
        return deriveNorm(source, {NumberRef::Kind::Normed, number.key,
                                   source.prefix(number.key) + "." + norm, number.index});
    return deriveAdded(source, number, before, sublayer);
}

/// Times the factor of what sublayers add, where the model has one.
Derivation scaled(const Source& source, Derivation added)
{
    const double scale = source.config.residualScale;
    if (scale == 1.0)
        return added;
    added.constants.push_back(Source::constant("scale", scale));
    added.recomputed *= scale;
    added.formula += ", times the factor of sublayers";
    return added;
}

/// The output projection of the concatenated z of all heads.
Derivation deriveOutput(const Source& source, const NumberRef& number, bool cross)
{
    const TraceKey context = at(number.key, cross ? Site::CrossZ : Site::Z);
    const auto shape = source.trace.shapeOf(context);
    if (!shape)
        return ends("this trace contains no z");
    const std::string name = source.prefix(number.key) + (cross ? ".cross.o" : ".attn.o");
    const std::int64_t width = (*shape)[2];
    std::vector<Term> terms;
    for (std::int64_t head = 0; head < (*shape)[1]; ++head)
        for (std::int64_t channel = 0; channel < width; ++channel)
            terms.push_back(product({source.at(fmt::format("z of head {}[{}]", head, channel),
                                               context, {number.index.at(0), head, channel}),
                                     source.weight("W_O", name + ".weight",
                                                   {number.index.at(1), head * width + channel})}));
    if (source.hasParameter(name + ".bias"))
        terms.push_back(product({source.weight("b_O", name + ".bias", {number.index.at(1)})}));
    if (source.config.normsOutput())
        return ends("the norm of the output of all heads");
    return scaled(source, sum("sum over heads and channels of z W_O", std::move(terms)));
}

Derivation deriveMlpOut(const Source& source, const NumberRef& number)
{
    if (source.config.normsOutput())
        return ends("the norm of the output of the feed-forward network");
    if (!source.has(at(number.key, Site::MlpPost)) && source.config.experts.count > 0)
        return ends("the weighted outputs of the chosen experts; their inner values are not "
                    "traced");
    const std::string name =
        source.prefix(number.key) + (source.config.isGated() ? ".down" : ".fc2");
    return scaled(source, linear(source, {name + ".weight", name + ".bias"}, number.index.at(1),
                                 cellOf(at(number.key, Site::MlpPost), {number.index.at(0), 0})));
}

Derivation deriveMlpPost(const Source& source, const NumberRef& number)
{
    if (source.config.activation == Activation::ClampedSwiGlu)
        return ends("the clamped gate of the pre-activations");
    const Factor pre = source.at("pre-activation", at(number.key, Site::MlpPre), number.index);
    Tensor cell({1, 1});
    cell.view()(0, 0) = static_cast<float>(pre.value);
    activation(activationKind(source.config.activation), cell.view(), {}, cell.view());
    Term term{{pre}, double{cell.view()(0, 0)}};
    Derivation result;
    result.formula = "activation of the pre-activation";
    if (source.config.isGated()) {
        const Factor linearPart =
            source.at("linear part", at(number.key, Site::MlpPreLinear), number.index);
        term.factors.push_back(linearPart);
        term.value *= linearPart.value;
        result.formula = "activation of the gate, times the linear part";
    }
    result.recomputed = term.value;
    result.terms.push_back(std::move(term));
    return result;
}

Derivation deriveMlpPre(const Source& source, const NumberRef& number)
{
    const bool isLinear = number.key.site == Site::MlpPreLinear;
    const std::string name = source.prefix(number.key) +
                             (source.config.isGated() ? (isLinear ? ".up" : ".gate") : ".fc1");
    const Site stream = number.key.stack == Stack::Decoder ? Site::ResidMidCross : Site::ResidMid;
    return linear(source, {name + ".weight", name + ".bias"}, number.index.at(1),
                  source.sublayerInput(number.key, "ln2", stream, number.index.at(0)));
}

Derivation deriveLogit(const Source& source, const NumberRef& number)
{
    const Stack stack = source.config.mainStack();
    const auto layers = static_cast<int>(layerCount(source.config, stack));
    const TraceKey hidden = source.config.hasFinalNorm()
                                ? TraceKey{Site::LnFinal, 0}
                                : TraceKey{Site::ResidPost, layers - 1, stack};
    return unembedding(source, number.index.at(1), cellOf(hidden, {number.index.at(0), 0}));
}

} // namespace

Derivation deriveStream(const Source& source, const NumberRef& number)
{
    const bool crosses = number.key.stack == Stack::Decoder;
    switch (number.key.site) {
    case Site::Embed:
        return deriveEmbedding(source, number);
    case Site::PosEmbed:
        return derivePosition(source, number);
    case Site::ResidPre:
        if (number.key.layer == 0)
            return deriveFirstStream(source, number);
        return sum(
            "residual stream after the previous block",
            {product({source.at("x", {Site::ResidPost, number.key.layer - 1, number.key.stack},
                                number.index)})});
    case Site::AttnOut:
        return deriveOutput(source, number, false);
    case Site::CrossOut:
        return deriveOutput(source, number, true);
    case Site::ResidMid:
        return afterSublayer(source, number, Site::ResidPre, Site::AttnOut, "ln1");
    case Site::ResidMidCross:
        return afterSublayer(source, number, Site::ResidMid, Site::CrossOut, "ln_cross");
    case Site::MlpPre:
    case Site::MlpPreLinear:
        return deriveMlpPre(source, number);
    case Site::MlpPost:
        return deriveMlpPost(source, number);
    case Site::MlpOut:
        return deriveMlpOut(source, number);
    case Site::ResidPost:
        return afterSublayer(source, number, crosses ? Site::ResidMidCross : Site::ResidMid,
                             Site::MlpOut, "ln2");
    case Site::LnFinal:
        return deriveNorm(source,
                          {NumberRef::Kind::Normed, number.key,
                           number.key.stack == Stack::Encoder ? "enc.ln_f" : "ln_f", number.index});
    case Site::Logits:
        return deriveLogit(source, number);
    default:
        return ends("no formula is available for this site");
    }
}

} // namespace headscope::derive_detail

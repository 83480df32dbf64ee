#include "ui/session/runs/run_fields_model.h"

#include "core/model/config/model_config.h"
#include "core/model/config/presets.h"
#include "core/model/positions/position_encodings.h"
#include "ui/session/runs/run_field_group.h"
#include "ui/widgets/text/string_list.h"
#include "ui/widgets/tr.h"

namespace headscope::ui {

namespace {

using Group = RunField::Group;

QStringList presets()
{
    return QStringList{QStringLiteral("none")} + stringList(presetNames());
}

void addModel(std::vector<RunField>& fields)
{
    RunFieldGroup group(fields, Group::Model);
    group.choice("model.preset", tr("Preset"), tr("starting configuration"), presets(), "none");
    group.choice("model.architecture", tr("Architecture"), tr("encoder, decoder or both"),
                 {"gpt", "encoder", "encoder-decoder"});
    group.whole("model.n_layers", tr("Layers"), tr("blocks per stack")).isSimple = true;
    group.whole("model.n_decoder_layers", tr("Decoder layers"), tr("0: as many as layers"), "0");
    group.whole("model.n_heads", tr("Heads"), tr("per layer")).isSimple = true;
    group.whole("model.d_model", tr("Width"), tr("of the residual stream")).isSimple = true;
    group.whole("model.d_ff", tr("Feed-forward width"), tr("0: no feed-forward network"));
    group.whole("model.max_len", tr("Context"), tr("maximum tokens per sequence")).isSimple = true;
    group.whole("model.vocab_size", tr("Vocabulary"), tr("empty: set by the tokenizer"));
    group.choice("model.init_from", tr("Initialisation"), tr("of the weights"),
                 {"normal", "fan_in"});
    group.number("model.init_std", tr("Initial std. deviation"), tr("for \u201Cnormal\u201D"));
}

void addPositions(std::vector<RunField>& fields)
{
    RunFieldGroup group(fields, Group::Positions);
    QStringList names;
    for (const PositionEncoding* encoding : positionEncodings())
        names << QString::fromUtf8(encoding->traits().name.data(),
                                   static_cast<qsizetype>(encoding->traits().name.size()));
    group.choice("model.positions", tr("Positions"), tr("positional encoding"), names);
    group.number("model.sinusoidal_base", tr("Sinusoidal base"), tr("longest wavelength"));
    group.whole("model.relative_buckets", tr("Relative buckets"), tr("for T5"), "32");
    group.whole("model.relative_max_distance", tr("Relative distance"), tr("for T5"), "128");
    group.number("model.rope.theta", tr("RoPE base"), tr("slowest rotation"), "10000");
    group.choice("model.rope.layout", tr("RoPE pairs"), tr("channel pairing"),
                 {"half", "interleaved"}, "half");
    group.whole("model.rope.dimensions", tr("RoPE channels"), tr("0: all channels"), "0");
    const QString scaling = QStringLiteral("model.rope.scaling.");
    group.choice(scaling + "kind", tr("RoPE scaling"), tr("extends the context"),
                 {"none", "linear", "dynamic", "yarn", "llama3"}, "none");
    const QString help = tr("for RoPE scaling");
    group.number(scaling + "factor", tr("Scaling factor"), help, "1");
    group.whole(scaling + "original_max_len", tr("Original context"), help, "0");
    group.number(scaling + "low_frequency_factor", tr("Low frequency factor"), help, "1");
    group.number(scaling + "high_frequency_factor", tr("High frequency factor"), help, "4");
    group.number(scaling + "beta_fast", tr("Beta, fast"), help, "32");
    group.number(scaling + "beta_slow", tr("Beta, slow"), help, "1");
    group.number(scaling + "attention_factor", tr("Attention factor"), help, "0");
}

void addAttention(std::vector<RunField>& fields)
{
    RunFieldGroup group(fields, Group::Attention);
    group.choice("model.attention", tr("Attention"), tr("sharing of key heads"),
                 {"mha", "gqa", "mqa", "mla"});
    group.whole("model.n_kv_heads", tr("Key heads"), tr("for grouped-query attention"));
    group.whole("model.head_dim", tr("Head width"), tr("0: width / heads"), "0");
    group.flag("model.causal", tr("Causal mask"), tr("off: every token sees all others"), "true");
    group.flag("model.scale_scores", tr("Scale scores"), tr("divide by \u221Ad\u2096"), "true");
    group.whole("model.window", tr("Window"), tr("maximum distance to a key"), "none");
    group.number("model.soft_cap", tr("Soft cap"), tr("of attention scores; 0: none"), "0");
    const QString latent = QStringLiteral("model.mla.");
    const QString help = tr("for latent attention (\u201Cmla\u201D)");
    group.whole(latent + "kv_rank", tr("Latent rank"), help, "0");
    group.whole(latent + "q_rank", tr("Query rank"), help, "0");
    group.whole(latent + "rope_dim", tr("Rotary channels"), help, "0");
    group.whole(latent + "nope_dim", tr("Plain channels"), help, "0");
    group.whole(latent + "value_dim", tr("Value channels"), help, "0");
}

void addLayers(std::vector<RunField>& fields)
{
    RunFieldGroup group(fields, Group::Layers);
    group.choice("model.norm_position", tr("Norm position"), tr("before or after"),
                 {"pre", "post"});
    group.choice("model.norm", tr("Norm"), tr("kind"),
                 {"layer", "rms", "rms_unit_offset", "std_eps", "batch"});
    group.number("model.norm_epsilon", tr("Norm epsilon"), tr("avoids division by zero"));
    group.choice("model.activation", tr("Activation"), tr("of the feed-forward network"),
                 {"gelu", "gelu_tanh", "relu", "swiglu", "geglu"});
    group.flag("model.residual", tr("Residual connections"), tr("past attention and feed-forward"),
               "true");
    group.flag("model.parallel_residual", tr("Parallel residual"),
               tr("attention parallel to feed-forward"), "false");
    group.flag("model.embedding_norm", tr("Embedding norm"), tr("right after embedding"), "false");
    group.flag("model.bias", tr("Biases"), tr("in linear layers"), "true");
    group.choice("model.qkv_bias", tr("Query, key, value bias"), tr("none: as biases"),
                 {"none", "true", "false"}, "none");
    group.flag("model.head_bias", tr("Head bias"), tr("of the language head"), "false");
    group.flag("model.tie_embeddings", tr("Tie embeddings"),
               tr("one matrix for embedding and head"));
    group.choice("model.share_source_embedding", tr("Share source embedding"), tr("none: as tied"),
                 {"none", "true", "false"}, "none");
    group.number("model.embedding_scale", tr("Embedding scale"),
                 tr("a number, or \u201Csqrt\u201D"));
    group.number("model.head_scale", tr("Head scale"), tr("a number, or \u201Cinverse_sqrt\u201D"),
                 "1");
    group.flag("model.language_head", tr("Language head"), tr("off: hidden states only"), "true");
    group.flag("model.head_transform", tr("Head transform"), tr("for BERT"), "false");
    group.whole("model.token_types", tr("Segments"), tr("for BERT: 2"), "0");
    group.flag("model.next_sentence", tr("Next sentence"), tr("for BERT"), "false");
    group.whole("model.experts.count", tr("Experts"), tr("0: dense feed-forward network"), "0");
    group.whole("model.experts.top_k", tr("Active experts"), tr("per token"), "2");
    group.number("model.experts.balance_coefficient", tr("Balance"), tr("load of the experts"),
                 "0.01");
}

void addDropout(std::vector<RunField>& fields)
{
    RunFieldGroup group(fields, Group::Dropout);
    group.number("model.dropout", tr("Dropout"), tr("fraction set to 0")).isSimple = true;
    group.number("model.attention_dropout", tr("Attention dropout"), tr("none: as dropout"),
                 "none");
    group.number("model.embedding_dropout", tr("Embedding dropout"), tr("none: as dropout"),
                 "none");
}

} // namespace

void addModelFields(std::vector<RunField>& fields)
{
    addModel(fields);
    addPositions(fields);
    addAttention(fields);
    addLayers(fields);
    addDropout(fields);
}

} // namespace headscope::ui

#include "tests/fuzz/use_model.h"

#include "core/attention/reference_attention.h"
#include "core/base/json_text.h"
#include "core/io/load_audit.h"
#include "core/model/config/model_config.h"
#include "core/model/config/model_config_json.h"
#include "core/model/pass/tracer.h"
#include "core/text/tokenizers/id_tokenizer.h"
#include "tests/fuzz/promise.h"

namespace headscope::fuzz {

namespace {

/// Beyond these a file that is right makes a target slow.
constexpr std::int64_t kMostParameters = 1 << 16;
constexpr std::int64_t kMostLayers = 8;

bool isSmall(const Model& model)
{
    const ModelConfig& config = model.config();
    return config.layers <= kMostLayers && config.decoderLayerCount() <= kMostLayers &&
           parameterCount(config) <= kMostParameters;
}

} // namespace

void useModel(std::shared_ptr<const Model> model)
{
    require(modelConfigFromJson(toJson(model->config()), "saved") == model->config(),
            "a model that is saved as another");
    if (!isSmall(*model))
        return;
    const auto size = static_cast<std::size_t>(model->config().vocabularySize);
    const auto tokenizer = std::make_shared<const IdTokenizer>(size);
    const TokenSequence tokens =
        tokenizer->encode(std::string("0 ") + std::to_string(size / 2) + " 0");
    Tracer tracer({"fuzz", model, tokenizer}, std::make_unique<ReferenceAttention>());
    const TraceRequest request = TraceRequest::everything();
    accepts({}, [&] {
        if (model->config().isEncoderDecoder())
            tracer.trace(SourceAndTarget{tokens, tokens}, request);
        else
            tracer.trace(tokens, request);
    });
}

void useStoredModel(const StoredModel& stored)
{
    Progress progress;
    const std::vector<TensorNumbers> numbers = readNumbers(stored, progress);
    requireFinite(stored, numbers);
    const LoadAudit audit = auditModel(stored, numbers, nullptr);
    dumpJson(toJson(audit, true));
    factsOf(audit);
    useModel(std::make_shared<const Model>(makeModel(stored)));
}

} // namespace headscope::fuzz

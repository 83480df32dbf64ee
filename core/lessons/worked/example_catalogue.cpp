#include "core/lessons/worked/example_catalogue.h"

#include "core/base/content_catalogue.h"
#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/lessons/worked/example_inputs.h"
#include "core/lessons/worked/example_list.h"
#include "core/lessons/worked/example_translation.h"

#include <algorithm>

namespace headscope {

namespace {

const ExampleMaker& maker(std::string_view name)
{
    std::vector<std::string> known;
    for (const ExampleMaker& each : exampleMakers()) {
        if (each.entry.name == name)
            return each;
        known.push_back(each.entry.name);
    }
    throw Error("there is no example " + inQuotes(name), {}, nearestNameAdvice(name, known));
}

} // namespace

const std::vector<ExampleMaker>& exampleMakers()
{
    static const std::vector<ExampleMaker> kMakers = {
        {{"soft-dictionary", "A soft dictionary", "A1"}, softDictionaryInputs, workSoftDictionary},
        {{"attention", "Attention, three tokens", "A2"}, attentionInputs, workAttention},
        {{"two-tokens", "Attention, two tokens", "A3"}, twoTokenInputs, workAttention},
        {{"sinusoidal", "Sinusoidal positions", "O1"}, sinusoidalInputs, workSinusoidal},
        {{"rope", "Rotary positions", "O4"}, ropeInputs, workRope},
        {{"score-variance", "Variance of a score", "A5"}, scoreVarianceInputs, workScoreVariance},
        {{"multi-head", "Multi-head attention", "A6"}, multiHeadInputs, workMultiHead},
        {{"cross-attention", "Cross-attention", "A7"}, crossAttentionInputs, workCrossAttention},
        {{"kv-cache-steps", "The KV cache, position by position", "A9"},
         kvCacheInputs,
         workKvCache},
        {{"layer-norm", "LayerNorm", "B1"}, layerNormInputs, workLayerNorm},
        {{"encoder-block", "An encoder block, two tokens", "B5"},
         encoderBlockInputs,
         workEncoderBlock},
        {{"cross-entropy", "Cross-entropy and its gradient", "R1"},
         crossEntropyInputs,
         workCrossEntropy},
        {{"adamw", "One AdamW step", "R3"}, adamwInputs, workAdamw},
    };
    return kMakers;
}

const std::vector<ExampleEntry>& exampleCatalogue()
{
    static ContentCatalogue<std::vector<ExampleEntry>> catalogue;
    return catalogue.entries([] {
        std::vector<ExampleEntry> entries;
        for (const ExampleMaker& each : exampleMakers()) {
            entries.push_back(each.entry);
            entries.back().title = message(each.entry.title);
        }
        return entries;
    });
}

ExampleInputs exampleInputs(std::string_view name)
{
    if (name == kHeadExample)
        throw Error("this example needs a head of an open model", inQuotes(name),
                    "Open a model and choose one of its heads");
    return translated(maker(name).inputs());
}

WorkedExample workExample(const ExampleInputs& inputs)
{
    return translated(inputs.example == kHeadExample ? workHead(inputs)
                                                     : maker(inputs.example).work(inputs));
}

} // namespace headscope

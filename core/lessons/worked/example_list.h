#pragma once

#include "core/lessons/worked/example_catalogue.h"
#include "core/lessons/worked/worked_example.h"

namespace headscope {

/// Example: its initial inputs and the function that computes its steps.
struct ExampleMaker
{
    ExampleEntry entry;
    ExampleInputs (*inputs)();
    WorkedExample (*work)(const ExampleInputs& inputs);
};

const std::vector<ExampleMaker>& exampleMakers(); ///< Teaching order.

ExampleInputs softDictionaryInputs();
WorkedExample workSoftDictionary(const ExampleInputs& inputs);
ExampleInputs attentionInputs();
ExampleInputs twoTokenInputs();
WorkedExample workAttention(const ExampleInputs& inputs);
ExampleInputs multiHeadInputs();
WorkedExample workMultiHead(const ExampleInputs& inputs);
ExampleInputs crossAttentionInputs();
WorkedExample workCrossAttention(const ExampleInputs& inputs);
ExampleInputs layerNormInputs();
WorkedExample workLayerNorm(const ExampleInputs& inputs);
ExampleInputs scoreVarianceInputs();
WorkedExample workScoreVariance(const ExampleInputs& inputs);
ExampleInputs kvCacheInputs();
WorkedExample workKvCache(const ExampleInputs& inputs);
ExampleInputs sinusoidalInputs();
WorkedExample workSinusoidal(const ExampleInputs& inputs);
ExampleInputs encoderBlockInputs();
WorkedExample workEncoderBlock(const ExampleInputs& inputs);
ExampleInputs ropeInputs();
WorkedExample workRope(const ExampleInputs& inputs);
ExampleInputs crossEntropyInputs();
WorkedExample workCrossEntropy(const ExampleInputs& inputs);
ExampleInputs adamwInputs();
WorkedExample workAdamw(const ExampleInputs& inputs);

WorkedExample workHead(const ExampleInputs& inputs); ///< See head_example.h.

inline constexpr const char* kHeadExample = "your-sentence";

} // namespace headscope

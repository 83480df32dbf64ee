#pragma once

#include "core/analysis/scores/score_rule.h"
#include "core/lessons/worked/example_inputs.h"
#include "core/lessons/worked/worked_example.h"

namespace headscope {

class Model;
class Trace;

struct HeadExampleChoice
{
    AttentionCell cell; ///< layer, head and the query row that is worked (see score_rule.h)
    int keys = 8; ///< at most so many tokens, the last ones before the query; the rest is said
    int dimensions = 8; ///< at most so many products are written out; the rest enters as one number
};

/// The inputs (query, key and value vectors as a trace has them, labels from its tokens) with which
/// workExample() walks a head of a loaded model; example "your-sentence". The weights equal the
/// trace's pattern to 1e-6. Throws Error when the trace lacks what is needed.
ExampleInputs headExample(const Trace& trace, const Model& model, const HeadExampleChoice& choice);

} // namespace headscope

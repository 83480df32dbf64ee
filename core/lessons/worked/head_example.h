#pragma once

#include "core/analysis/scores/score_rule.h"
#include "core/lessons/worked/example_inputs.h"
#include "core/lessons/worked/worked_example.h"

namespace headscope {

class Model;
class Trace;

struct HeadExampleChoice
{
    AttentionCell cell; ///< Layer, head and query row (see score_rule.h).
    int keys = 8; ///< Maximum number of keys, the last ones before the query; the rest is one.
    int dimensions = 8; ///< Maximum number of products shown; the rest is one number.
};

/// Inputs for workExample() that step through a head of a loaded model: a trace's query, key and
/// value vectors, labelled by its tokens; example "your-sentence". The weights equal the trace's
/// pattern to 1e-6. Throws Error if the trace lacks the vectors.
ExampleInputs headExample(const Trace& trace, const Model& model, const HeadExampleChoice& choice);

} // namespace headscope

#pragma once

#include "core/model/pass/tracer.h"

#include <stop_token>
#include <string>
#include <vector>

namespace headscope {

/// What a head may do, as it is looked for.
struct HeadBehaviour
{
    std::string name;    ///< "previous"
    std::string score;   ///< what its number says: "attention on the token before"
    bool isShare = true; ///< of all attention, 0 to 1; else tokens
};

/// previous, induction, duplicate, first, subject-verb, pronoun, far.
const std::vector<HeadBehaviour>& headBehaviours();

/// The score of every head, and who has the largest.
struct HeadMap
{
    std::vector<std::vector<double>> scores; ///< [layer][head]
    int layer = 0;
    int head = 0;
    double best = 0.0;
    double second = 0.0; ///< the next best
    double mean = 0.0;   ///< of all heads
};

HeadMap bestOf(std::vector<std::vector<double>> scores);

/// Means over texts made for this behaviour: sentences, repeated random tokens, or cases of the
/// stories' grammar. `text` is one of the sentences when not empty. Throws Error for a model of two
/// stacks.
HeadMap findHeads(const LoadedModel& model, const HeadBehaviour& behaviour, const std::string& text,
                  AttentionBackend& backend, const std::stop_token& stop);

/// A text in which that behaviour can be seen.
TokenSequence sampleText(const LoadedModel& model, const HeadBehaviour& behaviour,
                         const std::string& text);

} // namespace headscope

#pragma once

#include "core/model/pass/tracer.h"

#include <stop_token>
#include <string>
#include <vector>

namespace headscope {

/// Behaviour that heads are scored on.
struct HeadBehaviour
{
    std::string name;       ///< Id: "previous".
    std::string score;      ///< Meaning of the score: "attention on the previous token".
    bool isFraction = true; ///< Fraction of all attention, 0 to 1; else tokens.
};

/// All behaviours: previous, induction, duplicate, first, subject-verb, pronoun, far.
const std::vector<HeadBehaviour>& headBehaviours();

/// Score of every head, and the head with the largest.
struct HeadMap
{
    std::vector<std::vector<double>> scores; ///< [layer][head].
    int layer = 0;
    int head = 0;
    double best = 0.0;
    double second = 0.0; ///< Second-best score.
    double mean = 0.0;   ///< Mean of all heads.
};

HeadMap bestOf(std::vector<std::vector<double>> scores);

/// Mean scores over texts made for this behaviour: sentences, repeated random tokens, or generated
/// stories. A non-empty `text` is added to the sentences. Throws Error for a model with two stacks.
HeadMap findHeads(const LoadedModel& model, const HeadBehaviour& behaviour, const std::string& text,
                  AttentionBackend& backend, const std::stop_token& stop);

/// Sample text that shows the behaviour.
TokenSequence sampleText(const LoadedModel& model, const HeadBehaviour& behaviour,
                         const std::string& text);

} // namespace headscope

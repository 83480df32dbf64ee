#pragma once

#include "core/analysis/heads/head_samples.h"
#include "core/analysis/scores/repeats_probe.h"

namespace headscope {

/// Where a marked pair lies in the tokens of a sample: ranges of pieces.
struct PairPlace
{
    struct Pieces
    {
        int begin = 0;
        int end = 0; ///< equal: none

        int size() const { return end - begin; }
    };

    PairKind kind = PairKind::SubjectVerb;
    int sample = 0; ///< of HeadSurvey::samples
    Pieces query;
    Pieces key;
    Pieces contrast;
};

/// What one head gives the marked pairs of one kind: means over them of the weight from the query
/// word (its last piece) to the key word (all its pieces).
struct PairGaze
{
    double weight = 0.0;
    double sameDistance = 0.0; ///< of the same head as far back, from all unmarked words
    double contrast = 0.0;     ///< to the other noun; NaN without one
    int pairs = 0;
};

/// Everything that is measured on a model rather than on the typed text: random repeats, our
/// sample sentences, and the weights.
struct HeadSurvey
{
    using Gazes = std::vector<std::array<PairGaze, kPairKinds>>; ///< layer-major

    std::string model;
    RepeatsProbePtr repeats; ///< null: whyNoRepeats
    std::string whyNoRepeats;
    std::vector<TracePtr> samples; ///< with patterns; those sentences whose words the model knows
    std::string whyNoSamples;
    std::vector<PairPlace> pairs;

    /// Text scores: means over the samples, or without samples over the repeats; stripes and prefix
    /// matching of the repeats; variability over the samples; copying of the weights.
    HeadScoreTables tables;
    std::string whyNoCopying;
    std::map<AttentionKind, Gazes> gazes; ///< of square maps, while there are samples
    double elapsedMs = 0.0;

    /// "over 32 sample sentences", "of the weights".
    std::string measuredOn(HeadScore score) const;
};

using HeadSurveyPtr = std::shared_ptr<const HeadSurvey>;

/// `progress`: 0 to 1. Same model, same survey. Throws Cancelled.
HeadSurveyPtr surveyHeads(const LoadedModel& model, const std::stop_token& stop = {},
                          const std::function<void(double fraction)>& progress = {});

} // namespace headscope

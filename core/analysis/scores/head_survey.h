#pragma once

#include "core/analysis/heads/head_samples.h"
#include "core/analysis/scores/repeats_probe.h"

namespace headscope {

/// Tokens of a marked pair in a sample: ranges of pieces.
struct PairPosition
{
    struct Pieces
    {
        int begin = 0;
        int end = 0; ///< Equal ends: none.

        int size() const { return end - begin; }
    };

    PairKind kind = PairKind::SubjectVerb;
    int sample = 0; ///< Index in HeadSurvey::samples.
    Pieces query;
    Pieces key;
    Pieces contrast;
};

/// Attention of one head within the marked pairs of one kind: means over them of the weight from
/// the query word (its last piece) to the key word (all its pieces).
struct PairAttention
{
    double weight = 0.0;
    /// Weight of the same head at the same distance, from all unmarked words.
    double sameDistance = 0.0;
    double contrast = 0.0; ///< Weight on the other noun; NaN without one.
    int pairs = 0;
};

/// Measurements of a model that do not depend on the typed text: random repeats, sample sentences,
/// and the weights.
struct HeadSurvey
{
    using PairAttentions = std::vector<std::array<PairAttention, kPairKinds>>; ///< Layer-major.

    std::string model;
    RepeatsProbePtr repeats; ///< Null: see whyNoRepeats.
    std::string whyNoRepeats;
    /// Traces with patterns of those sentences whose words the model knows.
    std::vector<TracePtr> samples;
    std::string whyNoSamples;
    std::vector<PairPosition> pairs;

    /// Text scores: means over the samples, or without samples over the repeats; stripes, prefix
    /// matching and retrieval of the repeats; variability over the samples; copying of the weights.
    HeadScoreTables tables;
    std::string whyNoCopying;
    std::map<AttentionKind, PairAttentions>
        attendedPairs; ///< For square patterns, if there are samples.
    double elapsedMs = 0.0;

    /// For example "over 32 sample sentences", "of the weights".
    std::string measuredOn(HeadScore score) const;
};

using HeadSurveyPtr = std::shared_ptr<const HeadSurvey>;

/// Surveys a model; `progress` receives 0 to 1. Deterministic. Throws Cancelled.
HeadSurveyPtr surveyHeads(const LoadedModel& model, const std::stop_token& stop = {},
                          const std::function<void(double fraction)>& progress = {});

} // namespace headscope

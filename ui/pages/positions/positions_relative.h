#pragma once

#include "core/ops/relative_bias.h"
#include "core/ops/rope.h"
#include "ui/pages/positions/positions_content.h"
#include "ui/session/view_snapshot.h"

#include <QJsonObject>

namespace headscope::ui {

/// Adjustable values of the pages about rotary positions, ALiBi and T5's buckets.
struct RelativeOptions
{
    int key = 3;      ///< Position n of the key.
    int distance = 5; ///< Distance m - n.
    double theta = 10000.0;
    int dimensions = 32; ///< Number of rotated channels.
    int heads = 8;
    int head = 0;
    int buckets = 32;
    int maxDistance = 128;
    bool bidirectional = false;

    static RelativeOptions from(const QJsonObject& options);
    QJsonObject json() const;

    friend bool operator==(const RelativeOptions&, const RelativeOptions&) = default;
};

/// Rotary positions: a query at m and a key at n, and their effect on the score.
struct RopeContent
{
    RopeSettings settings;
    std::vector<double> plain;       ///< Frequencies theta^(-2i/R) in radians per token.
    std::vector<double> frequencies; ///< Frequencies with the model's scaling.
    std::vector<float> query;        ///< Query vector [R], before the rotation.
    std::vector<float> key;
    QString source;          ///< Source of the vectors.
    std::int64_t tokens = 0; ///< Number of tokens in the text: sets dynamic scaling.
    bool ofModel = false;

    /// Score of both, rotated by core's rope() with yarn's factor.
    double score(int m, int n) const;
    double shift(int distance) const;          ///< Largest difference of the score over all n.
    double part(int pair, int distance) const; ///< Contribution of one pair to the score.
    std::pair<std::size_t, std::size_t> channels(int pair) const;
};

struct AlibiContent
{
    std::vector<float> slopes;
    bool ofModel = false;
};

struct BucketsContent
{
    RelativeBuckets buckets;
    std::vector<std::vector<double>> biases; ///< Bias by head and distance 0, 1, ...; or empty.
    bool ofModel = false;
};

struct RelativeContent
{
    Positions scheme = Positions::Rope;
    RelativeOptions options; ///< Options clamped to the model and scheme.
    RopeContent rope;
    AlibiContent alibi;
    BucketsContent buckets;
};

RelativeContent relativeContent(const ViewSnapshot& view, Positions scheme,
                                RelativeOptions options);

constexpr int kDistances = 64; ///< Number of distances shown for rotary positions and ALiBi.

/// Largest distance in the chart of buckets: a little beyond the last one.
int bucketDistances(const RelativeBuckets& buckets);

/// Text with the current numbers: "q·k = 1.204 at m = 8, n = 3 ...".
QString relativeText(const RelativeContent& content);

} // namespace headscope::ui

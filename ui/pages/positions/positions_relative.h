#pragma once

#include "core/ops/relative_bias.h"
#include "core/ops/rope.h"
#include "ui/pages/positions/positions_content.h"
#include "ui/session/looking.h"

#include <QJsonObject>

namespace headscope::ui {

/// What a person can move on the pages about rotary positions, ALiBi and T5's buckets.
struct RelativeOptions
{
    int key = 3;      ///< position n of the key
    int distance = 5; ///< m - n
    double theta = 10000.0;
    int dimensions = 32; ///< channels that turn
    int heads = 8;
    int head = 0;
    int buckets = 32;
    int maxDistance = 128;
    bool bidirectional = false;

    static RelativeOptions from(const QJsonObject& options);
    QJsonObject json() const;

    friend bool operator==(const RelativeOptions&, const RelativeOptions&) = default;
};

/// Rotary positions: a query at m and a key at n, and what is left of both in the score.
struct RopeContent
{
    RopeSettings settings;
    std::vector<double> plain;       ///< theta^(-2i/R), radians a token
    std::vector<double> frequencies; ///< with the model's scaling
    std::vector<float> query;        ///< [R], before the rotation
    std::vector<float> key;
    QString source;          ///< whose vectors these are
    std::int64_t tokens = 0; ///< of the text: decides dynamic scaling
    bool ofModel = false;

    double score(int m, int n) const; ///< of both turned by core's rope(), with yarn's factor
    double shift(int distance) const; ///< largest difference of the score over all n
    double part(int pair, int distance) const; ///< of the score: what one pair adds
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
    std::vector<std::vector<double>> biases; ///< by head: of every distance 0, 1, ...; or empty
    bool ofModel = false;
};

struct RelativeContent
{
    Positions scheme = Positions::Rope;
    RelativeOptions options; ///< within what model and scheme allow
    RopeContent rope;
    AlibiContent alibi;
    BucketsContent buckets;
};

RelativeContent relativeContent(const Looking& looking, Positions scheme, RelativeOptions options);

constexpr int kDistances = 64; ///< shown of rotary positions and ALiBi

/// How far the chart of buckets goes: a little beyond the last one.
int bucketDistances(const RelativeBuckets& buckets);

/// The live numbers in words: "q·k = 1.204 at m = 8, n = 3 ...".
QString relativeWords(const RelativeContent& content);

} // namespace headscope::ui

#pragma once

#include "ui/widgets/heatmap/heatmap.h"

#include <QStringList>

#include <optional>
#include <vector>

namespace headscope::ui {

enum class ArcSide { Query, Key };

/// One token of one of the two columns.
struct ArcEnd
{
    ArcSide side = ArcSide::Query;
    int index = 0;

    friend bool operator==(const ArcEnd&, const ArcEnd&) = default;
};

/// One shown head. Slots are hues in the order of showing, not head numbers.
struct ArcHead
{
    int number = 0;
    int slot = 0;
    HeatmapMatrix matrix; ///< Weights [queries, keys].
    HeatmapMask mask;
};

/// One drawn weight. `head` is an index into ArcsContent::heads.
struct ArcLink
{
    int head = 0;
    int query = 0;
    int key = 0;
    float weight = 0.0F;

    friend bool operator==(const ArcLink&, const ArcLink&) = default;
};

/// Limits on the links drawn per row of each head.
struct ArcCover
{
    /// Fraction of a row's sum that its links must cover; as few as possible are drawn.
    double mass = 0.7;
    int mostPerRow = 0; ///< Maximum number of links per row; 0: no limit.
};

/// Numbers of drawn and hidden links.
struct ArcCounts
{
    long long shown = 0; ///< Number of drawn links.
    long long all = 0;   ///< Number of cells that the mask leaves visible, over all heads.
    /// Fraction of the weights (of their magnitudes, for a difference) that is drawn.
    double shownMass = 0.0;
    double hiddenMass = 0.0; ///< Fraction of all attention on hidden tokens.
    /// Mean weight of the rows on attention sinks, which have no arc; none without sinks.
    std::optional<double> sinkMass;
    int mostPerRow = 0;

    friend bool operator==(const ArcCounts&, const ArcCounts&) = default;
};

/// Two columns of tokens and the weights between them, as values.
struct ArcsContent
{
    QStringList queries;
    QStringList keys;
    /// Positions of the query tokens in their text; empty: 0, 1, 2 ...
    std::vector<int> queryPositions;
    std::vector<int> keyPositions;
    std::vector<ArcHead> heads; ///< Shown heads, by number.
    std::vector<ArcLink> links; ///< Drawn links, by head, then query, then descending magnitude.
    ArcCounts counts;
    bool isSigned = false; ///< True for differences, on a scale from -1 to +1.
    bool isAttribution =
        false; ///< True for signed contributions to a number, which are not differences.
    bool stale = false;
    std::optional<ArcEnd> pinned;
    std::optional<ArcEnd> hovered;    ///< Hovered token; takes precedence over the pinned one.
    std::optional<ArcEnd> pairedWith; ///< Other token of the selected pair.

    bool isDifference() const { return isSigned && !isAttribution; }

    bool isEmpty() const { return heads.empty() || queries.isEmpty() || keys.isEmpty(); }

    std::optional<ArcEnd> focus() const { return hovered ? hovered : pinned; }

    bool contains(ArcEnd end) const;
    QString label(ArcEnd end) const;
    int position(ArcEnd end) const; ///< Position in the text, which may have hidden tokens.

    /// Weight of a cell; 0 if masked.
    float weight(int head, int query, int key) const;
};

/// Number of tokens per side above which rows keep at most kLinksOfLongRows links.
constexpr int kLongColumn = 128;
constexpr int kLinksOfLongRows = 4;

/// Fills links and counts (all but hiddenMass and sinkMass) from heads. Of equal weights the earlier
/// key counts as stronger.
void keepStrongest(ArcsContent& content, double mass);

/// Drawn links of one token, weakest first, so that the strongest are on top.
std::vector<ArcLink> linksOf(const ArcsContent& content, ArcEnd end);

/// Strongest partner of one token for each head; key (or query) is -1 where a head has no weight
/// there.
std::vector<ArcLink> strongestOf(const ArcsContent& content, ArcEnd end);

/// Largest weight between a token and another, or any on the other side; none without weights.
std::optional<ArcLink> strongestLink(const ArcsContent& content, ArcEnd end,
                                     std::optional<ArcEnd> other);

/// Text such as "229 of 676 links shown · 74 % of the visible attention", with the limit that
/// applies.
QString countText(const ArcCounts& counts);

/// Text such as "query it, 10; head 1: animal, 2, 0.640; head 7: the, 1, 0.252".
QString describeEnd(const ArcsContent& content, ArcEnd end);

/// Text such as "query it, 10, key animal, 2: head 1 0.640, head 7 0.252", or that the cell is
/// masked.
QString describePair(const ArcsContent& content, int query, int key);

/// Weights of all shown heads, drawn or not: "head 1 0.640, head 7 0.252".
QString weightsOfPair(const ArcsContent& content, int query, int key);

QString percent(double fraction); ///< Percentage such as "74 %".

} // namespace headscope::ui

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

/// One head that is switched on. Slots are hues in the order of switching on, not head numbers.
struct ArcHead
{
    int number = 0;
    int slot = 0;
    HeatmapMatrix matrix; ///< [queries, keys]
    HeatmapMask mask;
};

/// One weight that is drawn. `head` is an index into ArcsContent::heads.
struct ArcLink
{
    int head = 0;
    int query = 0;
    int key = 0;
    float weight = 0.0F;

    friend bool operator==(const ArcLink&, const ArcLink&) = default;
};

/// What of each head's rows is drawn.
struct ArcCover
{
    double mass = 0.7;  ///< the fewest links of a row whose weights reach this share of its sum
    int mostPerRow = 0; ///< and no more than these; 0: any number
};

/// How much is drawn, so that what is hidden can be said.
struct ArcCounts
{
    long long shown = 0;     ///< links drawn
    long long all = 0;       ///< cells that the mask leaves open, of all heads
    double shownMass = 0.0;  ///< share of the weights (of their sizes, in a difference) drawn
    double hiddenMass = 0.0; ///< share of all attention left out with hidden tokens
    int mostPerRow = 0;

    friend bool operator==(const ArcCounts&, const ArcCounts&) = default;
};

/// Two columns of tokens and the weights between them, as values.
struct ArcsContent
{
    QStringList queries;
    QStringList keys;
    std::vector<int> queryPositions; ///< of the tokens in their text; empty: 0, 1, 2 ...
    std::vector<int> keyPositions;
    std::vector<ArcHead> heads; ///< by rising number
    std::vector<ArcLink> links; ///< by head, then query, then falling size
    ArcCounts counts;
    bool isSigned = false; ///< weights are a difference, on the scale -1 to +1
    bool isAttribution =
        false; ///< weights are parts of a number: signed without being a difference
    bool stale = false;
    std::optional<ArcEnd> pinned;
    std::optional<ArcEnd> hovered;    ///< before the pinned one, while it lasts
    std::optional<ArcEnd> pairedWith; ///< the other token of the selected pair

    bool isDifference() const { return isSigned && !isAttribution; }

    bool isEmpty() const { return heads.empty() || queries.isEmpty() || keys.isEmpty(); }

    std::optional<ArcEnd> focus() const { return hovered ? hovered : pinned; }

    bool contains(ArcEnd end) const;
    QString label(ArcEnd end) const;
    int position(ArcEnd end) const; ///< in the text, which may have hidden tokens

    /// 0 where the mask hides the cell.
    float weight(int head, int query, int key) const;
};

/// Above so many tokens on a side, rows keep at most kLinksOfLongRows links.
constexpr int kLongColumn = 128;
constexpr int kLinksOfLongRows = 4;

/// Fills links and counts (all but hiddenMass) from heads. Of equal weights the earlier key counts
/// as stronger.
void keepStrongest(ArcsContent& content, double mass);

/// The drawn links of one token, weakest first, so that the strongest lie on top.
std::vector<ArcLink> linksOf(const ArcsContent& content, ArcEnd end);

/// Each head's strongest partner of one token; key (or query) -1 where a head has no weight there.
std::vector<ArcLink> strongestOf(const ArcsContent& content, ArcEnd end);

/// The largest weight between a token and another, or any on the other side; none without weights.
std::optional<ArcLink> strongestLink(const ArcsContent& content, ArcEnd end,
                                     std::optional<ArcEnd> other);

/// "229 of 676 links shown · 74 % of the visible attention", and why not more.
QString countWords(const ArcCounts& counts);

/// "query it, 10; head 1: animal, 2, 0.640; head 7: the, 1, 0.252".
QString describeEnd(const ArcsContent& content, ArcEnd end);

/// "query it, 10, key animal, 2: head 1 0.640, head 7 0.252", or that the mask hides it.
QString describePair(const ArcsContent& content, int query, int key);

/// "head 1 0.640, head 7 0.252": all shown heads, drawn or not.
QString weightsOfPair(const ArcsContent& content, int query, int key);

QString percent(double share); ///< "74 %"

} // namespace headscope::ui

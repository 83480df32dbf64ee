#pragma once

#include "core/analysis/flow/attention_gradients.h"
#include "core/analysis/lens/logit_attribution.h"
#include "ui/pages/shared/figures/figure.h"
#include "ui/pages/shared/maps/map_content.h"
#include "ui/widgets/charts/bars.h"
#include "ui/widgets/charts/line_chart.h"

namespace headscope::ui {

/// What the Attribution page remembers: token ids -1 are the likeliest and none.
struct AttributionOptions
{
    TokenId token = -1;            ///< whose logit
    TokenId other = -1;            ///< the one that it is compared with
    bool sorted = true;            ///< largest first, else in the model's order
    std::optional<LogitHead> head; ///< whose source tokens are shown; none: the strongest

    static AttributionOptions fromJson(const QJsonObject& json); ///< unknown keys are ignored
    QJsonObject toJson() const;

    friend bool operator==(const AttributionOptions&, const AttributionOptions&) = default;
};

/// One run, taken apart.
struct AttributionParts
{
    LogitAttribution logit;
    LogitHead head;              ///< whose source tokens follow
    std::vector<double> sources; ///< [m]; empty where the head's output was replaced
    QString problem;             ///< why there are none: one sentence
};

/// What its input tokens do to it.
struct AttributionInputs
{
    InputAttribution gradient;
    InputAttribution integrated;
    QString problem;
};

/// Both runs, as far as they are shown; null where not, or not yet.
template<class Value>
struct OfRuns
{
    std::shared_ptr<const Value> a;
    std::shared_ptr<const Value> b;

    const std::shared_ptr<const Value>& of(Run run) const { return run == Run::A ? a : b; }
};

/// The logit that the page is about, in the shown run; empty without logits.
std::optional<LogitTarget> attributionTarget(const Looking& looking,
                                             const AttributionOptions& options);

/// On any thread. Problems are said, not thrown.
OfRuns<AttributionParts> attributionParts(const Looking& looking,
                                          const AttributionOptions& options);

/// On any thread; Cancelled is thrown.
OfRuns<AttributionInputs> attributionInputs(const Looking& looking,
                                            const AttributionOptions& options,
                                            const std::stop_token& stop = {},
                                            const std::function<void(double)>& progress = {});

/// A token that may be chosen.
struct AttributionChoice
{
    TokenId id = -1;
    QString label; ///< "mat, 31 %"
};

/// One bar.
struct AttributionRow
{
    LogitPart part;
    QString label; ///< "head 1.3"
    double value = 0.0;
};

struct AttributionContent
{
    QString problem;                       ///< why there is nothing: one sentence
    QString target;                        ///< "logit of “mat” after “the”, 5"
    std::vector<AttributionChoice> tokens; ///< the likeliest, and the one that really follows
    std::vector<AttributionRow> rows;
    double sum = 0.0;
    double logit = 0.0;    ///< the trace's
    bool isSigned = false; ///< B−A
    HeatmapContent map;    ///< heads and MLP down, layers across
    std::vector<std::vector<std::optional<LogitHead>>> mapHeads; ///< of its cells; none: the MLP
    LineChartContent course; ///< the sum so far, after each layer
    LogitHead head;
    std::vector<Bar> sources;
    QString sourcesProblem;
    HeatmapContent inputs; ///< gradient times input, and integrated gradients, over the tokens
    QString inputsNote;    ///< how exact, or why not
};

AttributionContent attributionContent(const Looking& looking, const AttributionOptions& options,
                                      const OfRuns<AttributionParts>& parts,
                                      const OfRuns<AttributionInputs>& inputs);

QString nameOf(const LogitPart& part); ///< "head 1.3", "MLP 2", "b_O 0", "final norm's bias"

/// Heads first by layer, so that the map's row of a head is found again.
std::optional<HeatmapCell> cellOf(const AttributionContent& content, const LogitHead& head);

Figure attributionFigure(const Looking& looking, const QJsonObject& options);

} // namespace headscope::ui

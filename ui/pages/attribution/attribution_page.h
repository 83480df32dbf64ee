#pragma once

#include "ui/pages/attribution/attribution_content.h"
#include "ui/pages/shared/page.h"
#include "ui/workers/tasks/return_path.h"
#include "ui/workers/tasks/task_thread.h"

#include <stop_token>

class QLineEdit;

namespace headscope::ui {

class ChoiceBox;
class ColourBar;
class EmptyState;
class HeatmapWidget;
class LineChart;
class SegmentBar;
class TextLabel;

/// Which parts of the model make a logit: embeddings, heads and MLPs add up to it.
class AttributionPage : public Page
{
    Q_OBJECT

public:
    explicit AttributionPage(Session& session, QWidget* parent = nullptr);
    ~AttributionPage() override;

    const AttributionContent& content() const { return m_content; }

    HeatmapWidget& map() const { return *m_map; }

    BarsWidget& bars() const { return *m_bars; }

    BarsWidget& sources() const { return *m_sources; }

    HeatmapWidget& inputs() const { return *m_inputs; }

    QString sumWords() const; ///< that the parts add up

    Figure figure() const override;
    void focusMain() override;

    bool isSettled() const override { return !m_waitsForParts && !m_waitsForInputs; }

    QJsonObject options() const override;
    void setOptions(const QJsonObject& options) override;
    QString hint() const override;
    MaybeNumber numberAt(std::optional<QPoint> place) const override;
    QString noNumberWords() const override;
    bool escape() override; ///< the contrast, then the chosen head

    bool wantsInspector() const override { return false; }

protected:
    void refresh(ChangeSet changes) override;

private:
    /// Equal keys have equal numbers.
    struct Key
    {
        TracePtr a, b;
        std::shared_ptr<const Model> modelA, modelB;
        Run shown = Run::A;
        std::optional<LogitTarget> target;
        std::optional<LogitHead> head;

        friend bool operator==(const Key&, const Key&) = default;
    };

    QLayout* makeTopRow();
    QLayout* makeColumns();
    QWidget* makeMiddle();
    void connectWidgets();
    Key keyOf(const Looking& looking) const;
    void wantParts(const Looking& looking);
    void wantInputs(const Looking& looking);
    void refreshContent();
    void refreshChoices();
    void refreshBars();
    void refreshInputs();
    void refreshEmptyState();
    void chooseHead(const LogitHead& head);
    void chooseTyped();
    std::optional<TokenId> tokenNamed(const QString& text) const;

    AttributionOptions m_options;
    Key m_partsKey;
    Key m_inputsKey;
    Looking m_computed; ///< what the parts were made from
    OfRuns<AttributionParts> m_parts;
    OfRuns<AttributionInputs> m_inputNumbers;
    AttributionContent m_content;
    bool m_waitsForParts = false;
    bool m_waitsForInputs = false;

    TextLabel* m_title;
    ChoiceBox* m_token;
    ChoiceBox* m_other;
    QLineEdit* m_typed;
    SegmentBar* m_run;
    SegmentBar* m_order;
    TextLabel* m_sum;
    BarsWidget* m_bars;
    TextLabel* m_mapTitle = nullptr;
    HeatmapWidget* m_map = nullptr;
    ColourBar* m_legend = nullptr;
    LineChart* m_course = nullptr;
    TextLabel* m_sourcesTitle;
    BarsWidget* m_sources;
    TextLabel* m_inputsTitle;
    HeatmapWidget* m_inputs;
    TextLabel* m_inputsNote;
    EmptyState* m_empty;
    std::stop_source m_stopParts;
    std::stop_source m_stopInputs;
    ReturnPath m_path;
    TaskThread m_thread; // ends first: it sends to the path
};

} // namespace headscope::ui

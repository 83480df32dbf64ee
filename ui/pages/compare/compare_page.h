#pragma once

#include "ui/pages/compare/compare_content.h"
#include "ui/pages/shared/page.h"
#include "ui/pages/shared/page_descriptor.h"

class QStackedWidget;

namespace headscope::ui {

class ComparedGrids;
class DifferencePanel;
class ModelOfB;
class MovedAttention;
class RankedTexts;
class SegmentBar;
class TextLabel;
class TextsOfB;

/// Two sentences, models or snapshots side by side: each layer's prediction, and the heads, tokens
/// and matrices by how far they moved. Dragging a cell of A's grid onto B's patches that activation
/// into B.
class ComparePage : public Page
{
    Q_OBJECT

public:
    explicit ComparePage(Session& session);
    ~ComparePage() override;

    enum class Section { Layers, Moved, Texts };

    static PageDescriptor descriptor();

    void setSection(Section section);

    Section section() const;

    void setModelNames(const QStringList& names); ///< Built-in models offered for B, besides files.

    const Comparison& comparison() const { return *m_meter.comparison(); }

    Figure figure() const override;
    void focusMain() override;

    bool isSettled() const override;
    QJsonObject options() const override;
    void setOptions(const QJsonObject& options) override;
    QString hint() const override;
    MaybeNumber numberAt(std::optional<QPoint> place) const override;
    QString whyNoNumber() const override;

    bool wantsInspector() const override { return false; }

    bool escape() override; ///< Cancels a ranking of texts, or drops a carried cell.

protected:
    void refresh(ChangeSet changes) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void patch(HeatmapCell cellOfA, HeatmapCell cellOfB);
    void connectSections();
    void showComparison();
    QWidget* makeLayers();
    QString summary() const;

    ComparisonMeter m_meter;
    TextsOfB* m_texts;
    ModelOfB* m_model;
    TextLabel* m_summary;
    SegmentBar* m_sections;
    QStackedWidget* m_stack;
    ComparedGrids* m_grids;
    MovedAttention* m_moved;
    DifferencePanel* m_differences;
    RankedTexts* m_rankedTexts;
};

} // namespace headscope::ui

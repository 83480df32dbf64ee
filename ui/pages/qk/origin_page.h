#pragma once

#include "ui/pages/qk/origin_path.h"
#include "ui/pages/shared/page.h"
#include "ui/pages/shared/page_descriptor.h"

class QHBoxLayout;
class QPushButton;
class QTableView;

namespace headscope::ui {

class EmptyState;
class OriginModel;
class SegmentBar;
class TextLabel;

/// The chain of operands behind a number. Options: those of OriginPage.
Figure originFigure(const ViewSnapshot& view, const QJsonObject& options);

/// The origin of a number: its formula with the operands, and for each operand the same again,
/// down to weights and embeddings.
class OriginPage : public Page
{
    Q_OBJECT

public:
    explicit OriginPage(Session& session);

    static PageDescriptor descriptor();

    /// Starts a new path at this number of a variant; Esc at its start returns to the place `from`.
    /// Until then the page follows the selected pair.
    void trace(const NumberRef& number, std::optional<Variant> variant = {},
               const QString& from = {});

    const Derivation& derivation() const { return m_derivation; }

    Variant run() const; ///< variant whose numbers are shown

    Figure figure() const override;
    QJsonObject options() const override;
    void setOptions(const QJsonObject& options) override;
    QString hint() const override;
    MaybeNumber numberAt(std::optional<QPoint> place) const override;
    QString whyNoNumber() const override;
    bool escape() override; ///< one level up, finally to the place it came from

public slots:
    void goDown(const headscope::NumberRef& number);
    void goUp();

protected:
    void refresh(ChangeSet changes) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void connectWidgets();
    QPushButton* stepButton(const QString& text, std::size_t step);
    void refreshWay();
    void refreshNumber();
    bool derive();
    bool isAsking() const;
    void showNumber();
    void showOtherRun();

    OriginPath m_path;     ///< Path from the requested number to the shown one
    bool m_follows = true; ///< m_path begins at the selected pair
    QString m_from;        ///< place that requested the number
    QString m_problem;     ///< why m_path's last has no derivation now
    Derivation m_derivation;
    QHBoxLayout* m_way;
    TextLabel* m_name;
    TextLabel* m_figure;
    TextLabel* m_formula;
    TextLabel* m_constants;
    TextLabel* m_check;
    SegmentBar* m_run;
    TextLabel* m_other;
    SegmentBar* m_order;
    QTableView* m_table;
    OriginModel* m_model;
    EmptyState* m_empty;
};

} // namespace headscope::ui

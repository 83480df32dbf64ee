#pragma once

#include "core/analysis/derivation.h"
#include "ui/views/page.h"

class QHBoxLayout;
class QTableView;

namespace headscope::ui {

class EmptyState;
class OriginModel;
class SegmentBar;
class TextLabel;

/// The selected weight, as the cell that its pattern holds. Empty without a picture.
std::optional<NumberRef> selectedNumber(const Looking& looking);

/// The chain of operands behind a number of the shown run. Options: {"path": [site, [index], ...]}
/// of activations, newest last.
Figure originFigure(const Looking& looking, const QJsonObject& options);

/// "Trace a number": a number, its formula with the operands, and behind each operand the same
/// again, down to weights and embeddings.
class OriginView : public Page
{
    Q_OBJECT

public:
    explicit OriginView(Session& session, QWidget* parent = nullptr);

    /// Begins a new way at this number. Until then the page follows the selected pair.
    void trace(const NumberRef& number);

    const std::vector<NumberRef>& path() const { return m_path; }

    const Derivation& derivation() const { return m_derivation; }

    Figure figure() const override;
    void focusMain() override;
    QJsonObject options() const override;
    void setOptions(const QJsonObject& options) override;
    QString hint() const override;
    bool escape() override; ///< one level up

public slots:
    void goDown(const headscope::NumberRef& number);
    void goUp();

protected:
    void refresh(ChangeSet changes) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void connectWidgets();
    void refreshWay();
    void refreshNumber();

    std::vector<NumberRef> m_path; ///< from what was asked to what is shown; never empty once shown
    bool m_follows = true;         ///< m_path begins at the selected pair
    Derivation m_derivation;
    QHBoxLayout* m_way;
    TextLabel* m_name;
    TextLabel* m_figure;
    TextLabel* m_formula;
    TextLabel* m_constants;
    TextLabel* m_check;
    SegmentBar* m_order;
    QTableView* m_table;
    OriginModel* m_model;
    EmptyState* m_empty;
};

} // namespace headscope::ui

#pragma once

#include "ui/pages/what_if/change_preview.h"
#include "ui/widgets/drawn_widget.h"
#include "ui/widgets/style/theme.h"

class QPainter;

namespace headscope::ui {

/// Rows of possible changes: the active head's map in B, the title, in tall rows the meaning, and how
/// much the change moves.
/// One tab stop: arrows move, Enter or a click chooses a row.
class ChangeList : public DrawnWidget
{
    Q_OBJECT

public:
    using Previews = std::vector<std::optional<ChangePreview>>;

    explicit ChangeList(QWidget* parent = nullptr);

    void setChanges(std::vector<PossibleChange> changes);

    /// Previews of the changes, and the view that they belong to.
    void setPreviews(const Previews& previews, const ViewSnapshot& view);

    const std::vector<PossibleChange>& changes() const { return m_changes; }

    QString effectText(int row) const; ///< Text such as "map moved 0.12 · “is” +0.420".
    QRectF rowRect(int row) const;
    QRectF thumbnailRect(int row) const;

    QSize sizeHint() const override;

    QSize minimumSizeHint() const override { return sizeHint(); }

signals:
    void chosen(int row);
    void currentMoved(int row); ///< Emitted when the keyboard goes to a row.

protected:
    int itemCount() const override { return static_cast<int>(m_changes.size()); }

    QRectF itemRect(int row) const override { return rowRect(row); }

    QString itemText(int row) const override;
    void goToItem(int row) override;
    void clickItem(int row) override;
    bool openItem(int row) override;

    bool event(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void paintRow(QPainter& painter, const Theme& theme, int row) const;
    void paintThumbnail(QPainter& painter, const Theme& theme, int row) const;
    double rowHeight() const;
    const ChangePreview* previewAt(int row) const;

    std::vector<PossibleChange> m_changes;
    Previews m_previews;
    LoadedModel m_model;
    HeadId m_head;
    MapName m_colourMap = MapName::Depth;
};

} // namespace headscope::ui

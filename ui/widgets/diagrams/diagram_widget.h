#pragma once

#include "ui/widgets/drawn_widget.h"
#include "ui/widgets/style/theme.h"

#include <QRectF>
#include <QSize>
#include <QString>

#include <optional>
#include <vector>

class QPainter;

namespace headscope::ui {

/// A part of a figure that can be hovered, and its description.
struct DiagramItem
{
    QRectF rect;
    QString words; ///< Description, such as "token un, id 403, bytes 0 to 2".
};

/// Paints the ring around the place with the keyboard focus.
void paintPlaceRing(QPainter& painter, const QRectF& place, const Theme& theme);

/// Figure made of places: arrows go to the next place in their direction, Esc leaves it.
class DiagramWidget : public DrawnWidget
{
    Q_OBJECT

public:
    explicit DiagramWidget(const QString& accessibleName, QWidget* parent = nullptr);

    const std::vector<DiagramItem>& places() const; ///< Places at the current size.

    QSize minimumSizeHint() const override { return {120, 60}; }

protected:
    virtual std::vector<DiagramItem> makePlaces(const QRectF& area, const Theme& theme) const = 0;
    virtual void paintAll(QPainter& painter, const QRectF& area, const Theme& theme) const = 0;

    /// Updates the places; `description` covers all of them in a sentence or a few.
    void contentChanged(const QString& description, std::optional<int> current);

    QRectF area() const { return QRectF(rect()).adjusted(4, 4, -4, -4); }

    int itemCount() const override { return static_cast<int>(places().size()); }

    QRectF itemRect(int place) const override;
    QString itemText(int place) const override;

    QString description() const override { return m_description; }

    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    mutable std::optional<std::vector<DiagramItem>> m_places;
    mutable QSize m_placedIn;
    QString m_description;
};

} // namespace headscope::ui

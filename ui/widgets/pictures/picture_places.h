#pragma once

#include "ui/widgets/readable.h"
#include "ui/widgets/style/theme.h"

#include <QRectF>
#include <QWidget>

#include <optional>
#include <vector>

class QPainter;

namespace headscope::ui {

/// A part of a drawing that can be pointed at, and what it says.
struct PicturePlace
{
    QRectF rect;
    QString words; ///< "token un, id 403, bytes 0 to 2"
};

/// The ring around the place where the keyboard is.
void paintPlaceRing(QPainter& painter, const QRectF& place, const Theme& theme);

/// The place after `from` in the direction of an arrow key, Home or End; `from` itself when there
/// is none.
std::optional<std::size_t> placeAfter(const std::vector<PicturePlace>& places,
                                      std::optional<std::size_t> from, int key);

/// A drawing made of places: one tab stop, arrows go to the next place in their direction, the
/// pointer and the keyboard read the place's words.
class PlacesWidget : public QWidget
{
    Q_OBJECT

public:
    explicit PlacesWidget(const QString& accessibleName, QWidget* parent = nullptr);

    const std::vector<PicturePlace>& places() const; ///< of the present size

    std::optional<std::size_t> current() const { return m_current; }

    void setCurrent(std::optional<std::size_t> place); ///< by whoever holds it; tells a reader

    QSize minimumSizeHint() const override { return {120, 60}; }

signals:
    void currentChanged();

protected:
    virtual std::vector<PicturePlace> makePlaces(const QRectF& area, const Theme& theme) const = 0;
    virtual void paintAll(QPainter& painter, const QRectF& area, const Theme& theme) const = 0;

    void contentChanged(const QString& description); ///< all in one sentence or a few

    QRectF area() const { return QRectF(rect()).adjusted(4, 4, -4, -4); }

    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    std::optional<std::size_t> placeAt(QPointF position) const;
    ReadableTable readable() const;

    mutable std::optional<std::vector<PicturePlace>> m_places;
    std::optional<std::size_t> m_current;
};

} // namespace headscope::ui

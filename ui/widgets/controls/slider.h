#pragma once

#include "ui/widgets/charts/bars/bars.h"

#include <QAbstractSlider>

class QLineEdit;

namespace headscope::ui {

/// How steps of a slider become numbers.
struct SliderScale
{
    double low = 0.0;
    double high = 1.0;
    int steps = 100;
    bool logarithmic = false; ///< low and high then are above 0
    double multiple = 0.0;    ///< values are rounded to multiples of it; 0: not rounded
    int decimals = 0;

    double valueAt(int step) const;
    int stepOf(double value) const;
    double rounded(double value) const; ///< to a multiple, within [low, high]
};

/// Name left, editable value right, 4 px track, end values below. The exact number is kept even
/// when it lies between two steps.
class NamedSlider : public QAbstractSlider
{
    Q_OBJECT

public:
    /// `name` plain ("Position"), `symbol` after it in the role's colour ("p").
    NamedSlider(const QString& name, const QString& symbol, Role role, QWidget* parent = nullptr);

    void setScale(SliderScale scale);
    void setNumber(double value);

    double number() const { return m_number; }

    void setCompact(bool compact); ///< without the end values

    /// Name, track, value and more words in one line of 32 px: "Show the strongest - 70 % of each
    /// row".
    void setInline(const QString& unit, const QString& after);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void numberChanged(double value);
    void textRefused(const QString& text); ///< typed, and no number between the ends

protected:
    bool event(QEvent* event) override;
    void sliderChange(SliderChange change) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QRectF trackRect() const;
    void paintTrack(QPainter& painter, const Theme& theme) const;
    QRectF valueRect() const;
    QString valueText() const;
    void startEditing();
    void finishEditing();
    void follow(QPointF position);

    QString m_name;
    QString m_symbol;
    Role m_role;
    SliderScale m_scale;
    double m_number = 0.0;
    QString m_unit;
    QString m_after;
    bool m_inline = false;
    bool m_compact = false;
    bool m_setting = false;
    QLineEdit* m_editor = nullptr;
};

} // namespace headscope::ui

#pragma once

#include "ui/widgets/readable.h"
#include "ui/widgets/style/theme.h"

#include <QStringList>
#include <QWidget>

#include <optional>
#include <vector>

namespace headscope::ui {

/// The end of the text, then what was generated: dashed chips. A click rewinds to before one.
class GeneratedStrip : public QWidget
{
    Q_OBJECT

public:
    explicit GeneratedStrip(QWidget* parent = nullptr);

    void setTokens(const QString& text, QStringList generated);

    const QStringList& generated() const { return m_generated; }

    QRectF chipRect(int index) const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void rewindWanted(int index); ///< to before this token

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    std::vector<QRectF> places() const; ///< the text's end first
    void describe();
    QString words(int index) const;
    ReadableTable readable() const;

    QString m_text;
    QStringList m_generated;
    int m_cursor = -1;
};

} // namespace headscope::ui

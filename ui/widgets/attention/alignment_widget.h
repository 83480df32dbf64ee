#pragma once

#include "ui/widgets/attention/alignment_layout.h"
#include "ui/widgets/readable.h"

#include <QWidget>

namespace headscope::ui {

/// Draws an alignment and reports the token below that the user selects.
class AlignmentWidget : public QWidget
{
    Q_OBJECT

public:
    explicit AlignmentWidget(QWidget* parent = nullptr);

    void setContent(AlignmentContent content);

    const AlignmentContent& content() const { return m_content; }

    AlignmentLayout layoutNow() const;
    /// Sets the description of the current token for screen readers.
    void setDescription(const QString& sentence);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void tokenActivated(int below); ///< Emitted on a click or an arrow key.
    void released();                ///< Emitted on a click on the current token.

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    ReadableTable readable() const;

    AlignmentContent m_content;
};

} // namespace headscope::ui

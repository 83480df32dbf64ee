#pragma once

#include <QObject>

class QLabel;
class QWidget;

namespace headscope::ui {

/// Keeps the wrapped labels of a widget as high as their texts. Without it a low window cuts them:
/// the least height of a layout does not include height for width.
class WholeTexts : public QObject
{
    Q_OBJECT

public:
    explicit WholeTexts(QWidget& parent); ///< Owned by `parent`, whose own labels it watches.

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fit(QLabel& label) const;
    void fitAll();

    QWidget& m_parent;
};

} // namespace headscope::ui

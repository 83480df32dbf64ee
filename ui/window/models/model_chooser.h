#pragma once

#include <QPushButton>

namespace headscope::ui {

class TextLabel;

/// Button that shows the open model and its size; its menu offers others.
class ModelChooser : public QPushButton
{
    Q_OBJECT

public:
    ModelChooser();

    void setTexts(const QString& name, const QString& facts);
    QSize sizeHint() const override;

    QSize minimumSizeHint() const override { return sizeHint(); }

    void fitSize(); ///< Fits the size to the type size.

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    TextLabel* m_name;
    TextLabel* m_facts;
    QString m_nameText;
    QString m_factsText;
};

} // namespace headscope::ui

#pragma once

#include <QWidget>

namespace headscope::ui {

struct AttributionContent;
class HeatmapWidget;
class TextLabel;

/// Attribution of the logit to each input token, and its accuracy.
class AttributionInputsPanel : public QWidget
{
    Q_OBJECT

public:
    explicit AttributionInputsPanel(QWidget* parent = nullptr);

    /// Sets the note; `isComplete`: it is about these inputs, otherwise about progress.
    void setContent(const AttributionContent& content, bool isComplete);
    void showProgress(double fraction);

private:
    void setUpMap();

    HeatmapWidget* m_map;
    TextLabel* m_note;
};

} // namespace headscope::ui

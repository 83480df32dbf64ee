#pragma once

#include <QWidget>

namespace headscope::ui {

struct AttributionContent;
class HeatmapWidget;
class TextLabel;

/// What each input token does to the logit, and how exact that is.
class AttributionInputsPanel : public QWidget
{
    Q_OBJECT

public:
    explicit AttributionInputsPanel(QWidget* parent = nullptr);

    HeatmapWidget& map() const { return *m_map; }

    /// `isComplete`: the note is about these inputs; otherwise about how far they are.
    void setContent(const AttributionContent& content, bool isComplete);
    void showProgress(double fraction);

private:
    void setUpMap();

    HeatmapWidget* m_map;
    TextLabel* m_note;
};

} // namespace headscope::ui

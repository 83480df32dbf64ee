#pragma once

#include "ui/pages/positions/positions_relative.h"
#include "ui/widgets/controls/slider.h"

#include <QWidget>

#include <functional>
#include <optional>

namespace headscope::ui {

class NamedSlider;
class RelativePlot;
class TextLabel;

/// Rotary positions, ALiBi and T5's buckets: sliders and current numbers beside the plot.
class RelativePanel : public QWidget
{
    Q_OBJECT

public:
    using Make = std::function<RelativeContent(const RelativeOptions&)>;

    explicit RelativePanel(Make make, QWidget* parent = nullptr);

    void setOptions(const RelativeOptions& options);
    void refresh(); ///< Follows the scheme, the model or the selected pair.

    const RelativeOptions& options() const { return m_options; }

    RelativePlot& plot() const { return *m_plot; }

private:
    QWidget* makeControls();
    NamedSlider* slider(const QString& name, const QString& symbol,
                        std::function<void(double)> take, std::optional<SliderScale> scale = {});
    void showSliders();

    Make m_make;
    RelativeOptions m_options;
    RelativeContent m_content;
    NamedSlider* m_distance = nullptr;
    NamedSlider* m_key = nullptr;
    NamedSlider* m_theta = nullptr;
    NamedSlider* m_channels = nullptr;
    NamedSlider* m_heads = nullptr;
    NamedSlider* m_head = nullptr;
    NamedSlider* m_buckets = nullptr;
    NamedSlider* m_longest = nullptr;
    TextLabel* m_number = nullptr;
    TextLabel* m_words = nullptr;
    RelativePlot* m_plot = nullptr;
};

} // namespace headscope::ui

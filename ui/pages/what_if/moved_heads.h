#pragma once

#include "ui/pages/shared/changes/change_effect.h"

#include <QWidget>

namespace headscope::ui {

class HeatmapWidget;
class Session;
class TextLabel;

/// Weight that B moves in every head; a click opens the head.
class MovedHeads : public QWidget
{
    Q_OBJECT

public:
    explicit MovedHeads(Session& session, QWidget* parent = nullptr);

    void measure(const ViewSnapshot& view);

    bool isMeasuring() const { return m_meter.isMeasuring(); }

    void setMapHeight(int pixels);

private:
    void refresh();

    Session& m_session;
    EffectMeter m_meter;
    TextLabel* m_scale;
    HeatmapWidget* m_map;
};

} // namespace headscope::ui

#pragma once

#include "ui/pages/compare/compare_content.h"

#include <QWidget>

namespace headscope::ui {

class HeatmapWidget;
class Session;
class TextLabel;

/// Divergence of attention between A and B, head by head; a click opens the head.
class MovedAttention : public QWidget
{
    Q_OBJECT

public:
    explicit MovedAttention(Session& session, QWidget* parent = nullptr);

    void refresh(const ViewSnapshot& view, const Comparison& comparison);

    void setMapHeight(int pixels);

private:
    Session& m_session;
    TextLabel* m_title;
    HeatmapWidget* m_map;
};

} // namespace headscope::ui

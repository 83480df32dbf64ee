#pragma once

#include "ui/pages/train/train_content.h"

#include <QWidget>

namespace headscope::ui {

class ColourBar;
class HeadTiles;
class SegmentBar;
class Session;
class TextLabel;

/// Attention of a run's heads at the shown step, on the typed text.
class TrainHeads : public QWidget
{
    Q_OBJECT

public:
    explicit TrainHeads(Session& session, QWidget* parent = nullptr);

    void refresh(const TrainContent& trainContent, bool planning);

signals:
    void headOpened(); ///< Emitted for the active head.

private:
    void makeLayout();
    void connectTiles();
    std::vector<AttentionKind> parts() const;
    void refreshParts(bool shown);
    QString whyNothing(bool planning) const;

    Session& m_session;
    TextLabel* m_title;
    TextLabel* m_note;
    SegmentBar* m_part;
    HeadTiles* m_tiles;
    TextLabel* m_nothing; ///< Shown in place of the heads.
    ColourBar* m_legend;
};

} // namespace headscope::ui

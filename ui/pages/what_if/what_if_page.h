#pragma once

#include "ui/pages/shared/page.h"
#include "ui/pages/shared/page_descriptor.h"

namespace headscope::ui {

class HeatmapWidget;
class MaskPicker;
class MovedHeads;
class OffersButton;
class PaintPicker;
class WhatIfEditor;
class WhatIfMaps;
class WhatIfOffers;
class WhatIfPrediction;

/// A as trained, B with changes, and the difference: patterns on fixed scales, and the prediction.
class WhatIfPage : public Page
{
    Q_OBJECT

public:
    explicit WhatIfPage(Session& session);

    static PageDescriptor descriptor();

    Figure figure() const override;
    bool isSettled() const override;
    QString hint() const override;
    MaybeNumber numberAt(std::optional<QPoint> place) const override;

    bool wantsInspector() const override { return false; }

    bool escape() override;

protected:
    void refresh(ChangeSet changes) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    HeatmapWidget& mapB() const;
    QLayout* makeMaskRow();
    QLayout* makeBottomRow();
    void connectParts();
    void startPainting();
    bool isLow() const;
    void fitHeight();
    void refreshPrediction(const ViewSnapshot& view);

    MaskPicker* m_mask;
    PaintPicker* m_paint;
    WhatIfOffers* m_offers;
    OffersButton* m_offersButton; ///< Replaces the row of changes in low windows.
    WhatIfMaps* m_maps;
    WhatIfPrediction* m_prediction;
    MovedHeads* m_where;
    WhatIfEditor* m_editor;
};

} // namespace headscope::ui

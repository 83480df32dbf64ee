#pragma once

#include <QToolButton>

namespace headscope::ui {

class WhatIfOffers;

/// All kinds of changes behind one button, for windows too low for their row.
class OffersButton : public QToolButton
{
    Q_OBJECT

public:
    explicit OffersButton(WhatIfOffers& offers, QWidget* parent = nullptr);
};

} // namespace headscope::ui

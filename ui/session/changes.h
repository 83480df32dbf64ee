#pragma once

#include "core/model/model.h"

#include <QString>

#include <vector>

namespace headscope::ui {

/// The mask of B, as a person says it.
struct MaskChange
{
    enum class Kind { Causal, None, Window };

    Kind kind = Kind::Causal;
    int window = 4; ///< tokens, the query's own included; used by Window only

    bool changesTheModel() const { return kind != Kind::Causal; }

    AttentionMask toMask() const;
    QString describe() const; ///< "causal mask", "no mask", "window of 4 tokens"

    friend bool operator==(const MaskChange&, const MaskChange&) = default;
};

/// Everything that makes B differ from A.
struct Changes
{
    MaskChange mask;
    std::vector<Interventions::Head> headsOff; ///< in the order in which they were switched off

    bool empty() const { return !mask.changesTheModel() && headsOff.empty(); }

    bool isOff(int layer, int head) const;
    Interventions toInterventions() const;
    QString describe() const; ///< "no mask, head 2.3 off"

    friend bool operator==(const Changes&, const Changes&) = default;
};

} // namespace headscope::ui

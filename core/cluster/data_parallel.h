#pragma once

#include "core/cluster/communicator.h"
#include "core/train/data/batch_part.h"

#include <functional>
#include <memory>

namespace headscope {

/// Rank 0's side of a training run that several processes share. It alone has data, optimizer and
/// run directory; before each pass it sends configuration, batch and parameters to the others, and
/// afterwards adds their gradients to its own. A run can therefore be paused, changed and resumed
/// as if one process computed it. The destructor tells the others to stop.
class LeadingRank final : public BatchPart
{
public:
    /// Takes `group`, which must outlive it.
    explicit LeadingRank(Communicator& group);
    ~LeadingRank() override;
    LeadingRank(const LeadingRank&) = delete;
    LeadingRank& operator=(const LeadingRank&) = delete;

    std::int64_t part() const override { return 0; }

    std::int64_t parts() const override { return m_group.size(); }

    void begin(const SharedPass& pass) override;
    void sum(std::span<float> gradients, PassLosses& losses) override;

private:
    Communicator& m_group;
};

/// Side of all other ranks: computes its rows of every batch that rank 0 sends, until rank 0 stops.
/// An error ends the whole group.
void followTraining(Communicator& group,
                    const std::function<std::unique_ptr<AttentionBackend>()>& makeBackend);

} // namespace headscope

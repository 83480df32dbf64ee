#include "core/lessons/labs/lab_groups.h"
#include "core/lessons/labs/order/lab_order.h"

namespace headscope {

std::vector<Lab> labsOfOrder()
{
    return {embeddingLab(), sinusoidLab(), rotationLab(), learnedPositionsLab(), ropeLab(),
            alibiLab(), noOrderLab(), beyondLengthLab(), extrapolationLab()};
}

} // namespace headscope

#pragma once

#include "core/attention/attention_cases.h"

namespace headscope::test {

/// Few numbers of every kind, for slopes by differences: two texts, grouped keys, more keys than
/// queries.
inline AttentionCase smallCase()
{
    AttentionCase test;
    test.batch = 2;
    test.queryHeads = 4;
    test.keyHeads = 2;
    test.queryTokens = 3;
    test.keyTokens = 5;
    test.headDim = 3;
    test.valueDim = 2;
    test.spread = 0.7F;
    return test;
}

} // namespace headscope::test

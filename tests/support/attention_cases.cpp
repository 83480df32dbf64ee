#include "tests/support/attention_cases.h"

#include "core/base/random.h"

#include <fmt/format.h>

namespace headscope::test {

namespace {

std::int64_t upTo(Random& random, std::int64_t largest)
{
    return 1 + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(largest)));
}

} // namespace

AttentionCase randomAttentionCase(std::uint64_t seed, std::int64_t largest)
{
    Random random(seed);
    AttentionCase test;
    test.batch = upTo(random, 2);
    test.keyHeads = upTo(random, 2);
    test.queryHeads = test.keyHeads * upTo(random, 2);
    test.queryTokens = upTo(random, largest);
    test.keyTokens = upTo(random, largest);
    test.headDim = upTo(random, largest);
    test.valueDim = upTo(random, largest);
    test.mask = static_cast<CaseMask>(random.below(8));
    if (test.mask == CaseMask::Window || test.mask == CaseMask::CausalWindow ||
        test.mask == CaseMask::PaddingWindow)
        test.window = upTo(random, largest);
    test.bias = random.below(4) == 0;
    test.alibi = random.below(4) == 0;
    test.softCap = random.below(4) == 0 ? 6.0F : 0.0F;
    test.dropout = random.below(4) == 0 ? 0.3F : 0.0F;
    test.memory = static_cast<CaseMemory>(random.below(3));
    test.wantMaps = random.below(2) == 0;
    test.absolute = 2e-5; // sums over up to 70 channels
    test.name =
        fmt::format("seed {}: {} x {}/{} heads, {} of {} tokens, {} and {} channels, mask {}", seed,
                    test.batch, test.queryHeads, test.keyHeads, test.queryTokens, test.keyTokens,
                    test.headDim, test.valueDim, static_cast<int>(test.mask));
    return test;
}

} // namespace headscope::test

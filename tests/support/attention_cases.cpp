#include "tests/support/attention_cases.h"

#include "core/attention/attention_operands.h"
#include "core/base/random.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

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

namespace {

/// "" or the first of the rows whose context is finite though it sees `token`, or is not though it
/// does not.
std::string wrongRow(AttentionBackend& backend, const AttentionInputs& inputs, std::int64_t token,
                     const std::vector<std::uint8_t>& allowed)
{
    const Shape& shape = inputs.values.shape;
    Tensor context(shape);
    AttentionOutputs outputs;
    outputs.context = context.view();
    backend.forward(inputs, outputs);
    for (std::int64_t head = 0; head < shape[1]; ++head)
        for (std::int64_t row = 0; row < shape[2]; ++row) {
            bool isFinite = true;
            for (std::int64_t d = 0; d < shape[3]; ++d)
                isFinite = isFinite && std::isfinite(context.view()(0, head, row, d));
            const bool sees = row >= token && allowed[static_cast<std::size_t>(token)] != 0;
            if (isFinite == sees)
                return fmt::format("{}: row {} {} token {}", backend.name(), row,
                                   sees ? "does not notice" : "was reached by", token);
        }
    return {};
}

} // namespace

std::string reachOfNotANumber(AttentionBackend& backend)
{
    constexpr std::int64_t kTokens = 75;
    for (const float poison : {std::nanf(""), std::numeric_limits<float>::infinity()})
        for (const std::int64_t token : {0, 5, 38, 74})
            for (const bool seen : {true, false}) {
                AttentionCase test;
                test.queryHeads = test.keyHeads = 2;
                test.queryTokens = test.keyTokens = kTokens;
                test.headDim = 16;
                test.valueDim = 20;
                test.mask = CaseMask::Causal;
                const AttentionOperands operands(test, 3);
                AttentionInputs inputs = operands.inputs();
                for (std::int64_t head = 0; head < 2; ++head)
                    for (std::int64_t d = 0; d < 20; ++d)
                        const_cast<float&>(inputs.values(0, head, token, d)) = poison;
                std::vector<std::uint8_t> allowed(kTokens, 1);
                allowed[static_cast<std::size_t>(token)] = seen ? 1 : 0;
                inputs.mask.allowed = allowed.data();
                std::string problem = wrongRow(backend, inputs, token, allowed);
                if (!problem.empty())
                    return problem;
            }
    return {};
}

} // namespace headscope::test

#pragma once

#include "core/attention/attention_check.h"

namespace headscope::test {

/// A case of random size up to `largest` tokens and channels, for sweeps over the tails of tiles.
AttentionCase randomAttentionCase(std::uint64_t seed, std::int64_t largest);

/// Poisons the value of one token with NaN or infinity, causal and hidden by bytes. "" when
/// exactly the rows that see the token are not finite, else the row that is wrong.
std::string reachOfNotANumber(AttentionBackend& backend);

} // namespace headscope::test

/// One data row per case of the table; the test function fetches it with HS_FETCH_ATTENTION_CASE.
#define HS_ADD_ATTENTION_CASES()                                                                   \
    do {                                                                                           \
        QTest::addColumn<int>("attentionCase");                                                    \
        int index_ = 0;                                                                            \
        for (const headscope::AttentionCase& case_ : headscope::attentionCases())                  \
            QTest::newRow(case_.name.c_str()) << index_++;                                         \
    } while (false)

#define HS_FETCH_ATTENTION_CASE(variable)                                                          \
    QFETCH(int, attentionCase);                                                                    \
    const headscope::AttentionCase& variable =                                                     \
        headscope::attentionCases()[static_cast<std::size_t>(attentionCase)]

/// Fails with the worst mismatch; skips what the backend declares unsupported.
#define HS_CHECK_ATTENTION_CASE(backend, variable)                                                 \
    do {                                                                                           \
        const headscope::AttentionComparison comparison_ =                                         \
            headscope::compareWithReference((backend), (variable));                                \
        if (!comparison_.supported)                                                                \
            QSKIP("not supported by this backend");                                                \
        QVERIFY2(comparison_.problem.empty(), comparison_.problem.c_str());                        \
    } while (false)

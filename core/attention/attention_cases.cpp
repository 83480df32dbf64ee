#include "core/attention/attention_cases.h"

#include <fmt/format.h>

namespace headscope {

namespace {

AttentionCase plain(std::int64_t batch, std::int64_t heads, std::int64_t tokens, std::int64_t dim,
                    CaseMask mask)
{
    AttentionCase test;
    test.batch = batch;
    test.queryHeads = heads;
    test.keyHeads = heads;
    test.queryTokens = tokens;
    test.keyTokens = tokens;
    test.headDim = dim;
    test.valueDim = dim;
    test.mask = mask;
    test.name = fmt::format("{} x {} heads, {} tokens of {}{}", batch, heads, tokens, dim,
                            mask == CaseMask::Causal ? ", causal" : "");
    return test;
}

template<class Change>
void add(std::vector<AttentionCase>& cases, const char* name, AttentionCase test, Change change)
{
    test.name = name;
    change(test);
    cases.push_back(std::move(test));
}

void addSizes(std::vector<AttentionCase>& cases)
{
    for (const CaseMask mask : {CaseMask::None, CaseMask::Causal}) {
        cases.push_back(plain(1, 1, 1, 1, mask));
        cases.push_back(plain(2, 3, 7, 8, mask));
        cases.push_back(plain(1, 8, 12, 16, mask));
        cases.push_back(plain(1, 8, 16, 32, mask));
        cases.push_back(plain(1, 2, 33, 20, mask));
        cases.push_back(plain(1, 12, 64, 64, mask));
        cases.push_back(plain(2, 2, 131, 40, mask));
        cases.push_back(plain(1, 2, 200, 128, mask));
        cases.push_back(plain(1, 1, 17, 300, mask));
        cases.push_back(plain(1, 1, 70, 3, mask));
    }
}

void addShapes(std::vector<AttentionCase>& cases)
{
    const AttentionCase base = plain(2, 4, 37, 24, CaseMask::Causal);
    add(cases, "grouped queries: 8 heads, 2 key heads", base, [](AttentionCase& test) {
        test.queryHeads = 8;
        test.keyHeads = 2;
    });
    add(cases, "one key head for all", base, [](AttentionCase& test) { test.keyHeads = 1; });
    add(cases, "cached decoding: 1 query, 29 keys", base, [](AttentionCase& test) {
        test.queryTokens = 1;
        test.keyTokens = 29;
    });
    add(cases, "cached decoding: 3 queries, 90 keys", base, [](AttentionCase& test) {
        test.queryTokens = 3;
        test.keyTokens = 90;
        test.keyHeads = 2;
    });
    add(cases, "causal, more queries than keys", base, [](AttentionCase& test) {
        test.queryTokens = 21;
        test.keyTokens = 9;
    });
    add(cases, "cross-attention, values of a different size", base, [](AttentionCase& test) {
        test.mask = CaseMask::None;
        test.queryTokens = 5;
        test.keyTokens = 39;
        test.valueDim = 6;
    });
    add(cases, "no keys", base, [](AttentionCase& test) {
        test.mask = CaseMask::None;
        test.keyTokens = 0;
    });
    add(cases, "tokens outside heads in memory", base, [](AttentionCase& test) {
        test.memory = CaseMemory::TokenRows;
        test.valueDim = 17;
    });
    add(cases, "queries, keys and values in one row", base, [](AttentionCase& test) {
        test.memory = CaseMemory::FusedRows;
        test.keyHeads = 2;
    });
    add(cases, "keys and values in a cache with spare room", base, [](AttentionCase& test) {
        test.memory = CaseMemory::Cache;
        test.queryTokens = 2;
        test.keyTokens = 50;
        test.keyHeads = 2;
    });
    add(cases, "latent attention: values narrower than keys", base, [](AttentionCase& test) {
        test.headDim = 48;
        test.valueDim = 32;
        test.memory = CaseMemory::TokenRows;
    });
    add(cases, "context only", base, [](AttentionCase& test) {
        test.wantMaps = false;
        test.queryTokens = 130;
        test.keyTokens = 130;
    });
    add(cases, "long rows", plain(1, 1, 400, 16, CaseMask::Causal), [](AttentionCase&) {});
}

void addMasks(std::vector<AttentionCase>& cases)
{
    const AttentionCase base = plain(3, 2, 41, 16, CaseMask::None);
    add(cases, "window of 5 both ways", base, [](AttentionCase& test) {
        test.mask = CaseMask::Window;
        test.window = 5;
    });
    add(cases, "causal window of 3", base, [](AttentionCase& test) {
        test.mask = CaseMask::CausalWindow;
        test.window = 3;
    });
    add(cases, "causal window of 30 over 230 tokens", base, [](AttentionCase& test) {
        test.mask = CaseMask::CausalWindow;
        test.window = 30;
        test.queryTokens = 230;
        test.keyTokens = 230;
        test.batch = 1;
    });
    add(cases, "key padding", base, [](AttentionCase& test) { test.mask = CaseMask::KeyPadding; });
    add(cases, "left padding: rows without any key", base,
        [](AttentionCase& test) { test.mask = CaseMask::LeftPadding; });
    add(cases, "cross-attention with key padding", base, [](AttentionCase& test) {
        test.mask = CaseMask::KeyPadding;
        test.queryTokens = 19;
        test.keyTokens = 53;
        test.queryHeads = 4;
        test.valueDim = 24;
    });
    add(cases, "key padding and a window both ways", base, [](AttentionCase& test) {
        test.mask = CaseMask::PaddingWindow;
        test.window = 9;
    });
    add(cases, "scattered mask", base, [](AttentionCase& test) {
        test.mask = CaseMask::Scattered;
        test.queryTokens = 90;
        test.keyTokens = 90;
    });
}

void addRareOperands(std::vector<AttentionCase>& cases)
{
    const AttentionCase base = plain(2, 6, 43, 12, CaseMask::Causal);
    add(cases, "bias", base, [](AttentionCase& test) { test.bias = true; });
    add(cases, "bias, shared by a padded batch", base, [](AttentionCase& test) {
        test.bias = true;
        test.batch = 3;
        test.keyHeads = 2;
        test.mask = CaseMask::KeyPadding;
        test.queryTokens = 26;
    });
    add(cases, "one query, many keys, every term", base, [](AttentionCase& test) {
        test.bias = true;
        test.alibi = true;
        test.softCap = 5.0F;
        test.dropout = 0.2F;
        test.queryTokens = 1;
        test.keyTokens = 300;
        test.keyHeads = 3;
        test.mask = CaseMask::KeyPadding;
    });
    add(cases, "one query, 7 heads of each key head, many keys", base, [](AttentionCase& test) {
        test.bias = true;
        test.softCap = 5.0F;
        test.dropout = 0.2F;
        test.queryTokens = 1;
        test.keyTokens = 300;
        test.queryHeads = 14;
        test.keyHeads = 2;
        test.mask = CaseMask::KeyPadding;
    });
    add(cases, "one query, 5 heads of each key head, window of 20", base, [](AttentionCase& test) {
        test.queryTokens = 1;
        test.keyTokens = 90;
        test.queryHeads = 10;
        test.keyHeads = 2;
        test.window = 20;
        test.mask = CaseMask::CausalWindow;
        test.memory = CaseMemory::TokenRows;
    });
    add(cases, "attention sinks", base, [](AttentionCase& test) {
        test.sinks = true;
        test.keyHeads = 2;
    });
    add(cases, "sinks beside a scattered mask and dropout", base, [](AttentionCase& test) {
        test.sinks = true;
        test.mask = CaseMask::Scattered;
        test.dropout = 0.2F;
    });
    add(cases, "one head, many queries", plain(1, 1, 700, 16, CaseMask::Causal),
        [](AttentionCase& test) {
            test.queryHeads = 2;
            test.bias = true;
            test.batch = 2;
            test.wantMaps = false;
            test.absolute = 2e-5;
        });
    add(cases, "one query, causal window of 40", base, [](AttentionCase& test) {
        test.queryTokens = 1;
        test.keyTokens = 147;
        test.window = 40;
        test.mask = CaseMask::CausalWindow;
        test.memory = CaseMemory::Cache;
        test.headDim = 72;
        test.valueDim = 21;
    });
    add(cases, "ALiBi", base, [](AttentionCase& test) {
        test.alibi = true;
        test.keyHeads = 3;
    });
    add(cases, "soft cap", base, [](AttentionCase& test) {
        test.softCap = 4.0F;
        test.spread = 2.0F;
    });
    add(cases, "dropout", base, [](AttentionCase& test) { test.dropout = 0.25F; });
    add(cases, "all terms at once", base, [](AttentionCase& test) {
        test.mask = CaseMask::Scattered;
        test.bias = true;
        test.alibi = true;
        test.softCap = 8.0F;
        test.dropout = 0.1F;
        test.keyHeads = 2;
        test.queryTokens = 77;
        test.keyTokens = 83;
        test.valueDim = 20;
        test.memory = CaseMemory::TokenRows;
        test.absolute = 2e-5; // scores near -60 are 4e-6 apart in single precision
    });
    add(cases, "scores in the hundreds", base, [](AttentionCase& test) {
        test.spread = 12.0F;
        test.absolute = 2e-3;
        test.relative = 2e-4;
    });
}

} // namespace

const std::vector<AttentionCase>& attentionCases()
{
    static const std::vector<AttentionCase> cases = [] {
        std::vector<AttentionCase> all;
        addSizes(all);
        addShapes(all);
        addMasks(all);
        addRareOperands(all);
        return all;
    }();
    return cases;
}

} // namespace headscope

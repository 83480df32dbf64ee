#pragma once

#include <functional>
#include <map>
#include <string>

namespace headscope {

/// A parameter's name, split: "h.3." + "expert.5." + "gate" + ".weight".
struct ParameterName
{
    std::string stack;  ///< Stack "h", "enc", "dec", or empty outside the blocks.
    std::string layer;  ///< Layer such as "3".
    std::string expert; ///< Expert such as "5".
    std::string part;   ///< Part such as "attn.q"; "expert.gate" of an expert.
    std::string kind;   ///< Kind "weight" or "bias".

    static ParameterName of(const std::string& parameter);

    /// Part 0, 1 or 2 of attn.q, attn.k and attn.v; -1 for others.
    int queryKeyValue() const;
};

/// Maps our part names to those of a file. "{}" stands for the layer's number, "{e}" for the
/// expert's. Fused matrices are "attn.qkv", in place of attn.q, attn.k and attn.v, and "gate_up".
using PartNames = std::map<std::string, std::string, std::less<>>;

/// Where `names` has the part, or the fused matrix that contains it; its end for other parts.
PartNames::const_iterator findPart(const PartNames& names, const ParameterName& name);

/// Name of the file's part, without its kind. Throws Error for a part that `names` does not have.
std::string storedPart(const PartNames& names, const ParameterName& name);

/// `text` with the layer's and the expert's number filled in.
std::string withNumbers(std::string text, const ParameterName& name);

} // namespace headscope

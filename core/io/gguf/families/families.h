#pragma once

#include "core/io/gguf/gguf_family.h"

namespace headscope {

extern const GgufFamily kGgufFalcon;
extern const GgufFamily kGgufGemma;
extern const GgufFamily kGgufGemma2;
extern const GgufFamily kGgufGemma3;
extern const GgufFamily kGgufGpt2;
extern const GgufFamily kGgufGptOss;
extern const GgufFamily kGgufGranite;
extern const GgufFamily kGgufLlama;
extern const GgufFamily kGgufOlmo2;
extern const GgufFamily kGgufPhi2;
extern const GgufFamily kGgufPhi3;
extern const GgufFamily kGgufQwen2;
extern const GgufFamily kGgufQwen2Moe;
extern const GgufFamily kGgufQwen3;
extern const GgufFamily kGgufQwen3Moe;
extern const GgufFamily kGgufSmolLm3;
extern const GgufFamily kGgufStableLm;

} // namespace headscope

#pragma once

#include "gpu/cl/opencl.h"

namespace headscope::gpu {

/// Offset of entry (batch, head, token, 0) of an operand in its buffer, in elements.
struct KernelView
{
    cl_long offset = 0;
    cl_long batch = 0;
    cl_long head = 0;
    cl_long token = 0;
};

/// First argument of almost every kernel. Mirrors Parameters of gpu/kernels/attention_common.cl,
/// which does not compile when the sizes differ.
struct KernelParameters
{
    KernelView query, key, value, context, contextGradient;
    KernelView queryGradient, keyGradient, valueGradient;
    KernelView bias, biasGradient, pattern, scores, rowStatistic, allowed;
    cl_long slopesOffset = 0;
    cl_long keepOffset = 0;
    cl_int batch = 0;
    cl_int queryHeads = 0;
    cl_int keyHeads = 0;
    cl_int queryTokens = 0;
    cl_int keyTokens = 0;
    cl_int headDim = 0;
    cl_int valueDim = 0;
    cl_int causal = 0;
    cl_int window = 0;
    cl_int features = 0;
    cl_int splits = 1;
    cl_float scale = 0.0F;
    cl_float softCap = 0.0F;
    cl_float keepScale = 1.0F;
};

/// Bits of KernelParameters::features.
enum KernelFeature : cl_int {
    kSoftCap = 1,
    kBias = 2,
    kAlibi = 4,
    kAllowed = 8,
    kKeep = 16,
    kWantPattern = 32,
    kWantScores = 64
};

} // namespace headscope::gpu

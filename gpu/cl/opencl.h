#pragma once

// OpenCL 1.2 is what old drivers support; requesting it also hides everything newer.
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>

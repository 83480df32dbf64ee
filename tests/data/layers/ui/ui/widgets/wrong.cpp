#include "gpu/cl/device.h"

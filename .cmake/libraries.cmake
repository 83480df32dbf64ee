# Third-party libraries, each with the reason why it is used.
find_package(Threads REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)        # reference algebra, and matrix products without oneDNN
find_package(nlohmann_json 3.11 REQUIRED)          # tokenizer.json, safetensors headers, configurations
if(NOT HEADSCOPE_WINDOW)                           # a single executable without run-time packages
    set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
    set(HEADSCOPE_ONEDNN OFF)                      # Debian ships it as a shared library only
endif()
find_package(ICU REQUIRED COMPONENTS i18n uc data) # Unicode tables and regular expressions of tokenizers
set(CMAKE_FIND_LIBRARY_SUFFIXES .so .a)
find_package(CLI11 REQUIRED)                       # command line
find_package(fmt REQUIRED)                         # gcc 12 has no std::format
set(HEADSCOPE_FMT fmt::fmt)
if(NOT HEADSCOPE_WINDOW)
    set(HEADSCOPE_FMT fmt::fmt-header-only)
endif()
if(HEADSCOPE_WINDOW)
    find_package(Qt6 6.4 REQUIRED COMPONENTS Core Gui Widgets Svg Charts PrintSupport)
endif()
if(HEADSCOPE_TESTS)
    find_package(Qt6 6.4 REQUIRED COMPONENTS Test)
endif()
if(HEADSCOPE_ONEDNN)
    find_package(dnnl QUIET)                       # fastest matrix products measured, run-time dispatch
    find_package(OpenMP QUIET COMPONENTS CXX)      # only to limit oneDNN to one thread inside our pool
    if(NOT dnnl_FOUND OR NOT OpenMP_CXX_FOUND)
        message(STATUS "oneDNN not found: matrix products use Eigen, which is slower")
        set(HEADSCOPE_ONEDNN OFF)
    endif()
endif()
if(HEADSCOPE_OPENCL)
    find_package(OpenCL REQUIRED)                  # attention on devices
endif()
if(HEADSCOPE_MPI)
    find_package(MPI REQUIRED COMPONENTS C)        # one training run on several machines
endif()

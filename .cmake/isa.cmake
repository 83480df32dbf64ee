# headscope_isa_sources(headscope_core_ops elementwise_kernels.cpp [VNNI integer_kernels.cpp])
#
# Compiles sources of a room several times, so that a portable binary still uses the widest vectors of
# the machine it runs on: as part of the room with HEADSCOPE_ISA=baseline and, on x86-64, once each with
# HEADSCOPE_ISA=avx2 and HEADSCOPE_ISA=avx512. Such a source puts its functions into
# namespace headscope::HEADSCOPE_ISA; the room picks one set with __builtin_cpu_supports, and
# HEADSCOPE_ISA_DISPATCH tells it that the other two exist. Sources after VNNI are compiled for avxvnni
# and avx512vnni as well: the same sets with products of 8-bit integers. Call it in the folder that
# defines the room.
#
# Such a source must not use inline functions or templates of the standard library: the linker keeps
# one copy of those for the whole program, which could be the one that needs AVX-512.
set(HEADSCOPE_ISA_ALL -fno-math-errno -fno-trapping-math -ffp-contract=fast -Wno-psabi)
set(HEADSCOPE_ISA_avx2 -mavx2 -mfma -mf16c)
set(HEADSCOPE_ISA_avx512 ${HEADSCOPE_ISA_avx2} -mavx512f -mavx512bw -mavx512dq -mavx512vl
                         -mprefer-vector-width=512)
set(HEADSCOPE_ISA_avxvnni ${HEADSCOPE_ISA_avx2} -mavxvnni)
set(HEADSCOPE_ISA_avx512vnni ${HEADSCOPE_ISA_avx512} -mavx512vnni)

function(headscope_isa_sources target)
    cmake_parse_arguments(PARSE_ARGV 1 also "" "" VNNI)
    string(REGEX REPLACE "^headscope_" "" folder ${target})
    string(REPLACE "_" "/" folder ${folder})
    set(integer ${also_VNNI})
    set(sources ${also_UNPARSED_ARGUMENTS} ${integer})
    list(TRANSFORM sources PREPEND ${CMAKE_SOURCE_DIR}/${folder}/)
    list(TRANSFORM integer PREPEND ${CMAKE_SOURCE_DIR}/${folder}/)
    set_property(SOURCE ${sources} APPEND PROPERTY COMPILE_OPTIONS ${HEADSCOPE_ISA_ALL})
    target_compile_definitions(${target} PRIVATE HEADSCOPE_ISA=baseline)
    if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$")
        return()
    endif()
    headscope_isa_objects(avx2 ${sources})
    headscope_isa_objects(avx512 ${sources})
    if(integer)
        headscope_isa_objects(avxvnni ${integer})
        headscope_isa_objects(avx512vnni ${integer})
    endif()
    target_compile_definitions(${target} PRIVATE HEADSCOPE_ISA_DISPATCH)
endfunction()

macro(headscope_isa_objects level)
    set(objects ${target}_${level})
    add_library(${objects} OBJECT ${ARGN})
    headscope_compile_options(${objects})
    target_compile_definitions(${objects} PRIVATE HEADSCOPE_ISA=${level})
    target_compile_options(${objects} PRIVATE ${HEADSCOPE_ISA_${level}})
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${objects}>)
endmacro()

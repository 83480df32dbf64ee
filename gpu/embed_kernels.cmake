# Writes a C++ file with the kernel files as strings, each beginning with a #line directive, so that
# build logs refer to gpu/kernels/x.cl. Run with -DFILES=a.cl;b.cl -DOUTPUT=kernel_sources.cpp
string(CONCAT text "// Written by gpu/embed_kernels.cmake.\n#include \"gpu/kernels/kernel_sources.h\"\n\n"
         "#include <array>\n\nnamespace headscope::gpu {\n\nnamespace {\n\n"
         "struct Source\n{\n    std::string_view name;\n    std::string_view text;\n};\n\n")
list(LENGTH FILES count)
string(APPEND text "constexpr std::array<Source, ${count}> kSources{{\n")
foreach(file IN LISTS FILES)
    get_filename_component(name ${file} NAME_WE)
    file(READ ${file} content)
    string(APPEND text "    {\"${name}\", R\"opencl(#line 1 \"gpu/kernels/${name}.cl\"\n${content})opencl\"},\n")
endforeach()
string(APPEND text "}};\n\n} // namespace\n\nstd::string_view kernelSource(std::string_view name)\n{\n"
                   "    for (const Source& source : kSources) {\n        if (source.name == name)\n"
                   "            return source.text;\n    }\n    return {};\n}\n\n} // namespace headscope::gpu\n")
file(WRITE ${OUTPUT} "${text}")

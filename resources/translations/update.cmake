# Brings new texts of the sources into the .ts files:
#   cmake -DSOURCE_DIR=... -DWORK_DIR=... -DLUPDATE=... -P update.cmake
# lupdate takes every hexadecimal digit after \u into the character ("\u2212A" would be one of five
# digits), so it reads copies in which such literals are parted: "\u2212""A".
file(REMOVE_RECURSE ${WORK_DIR})
file(GLOB_RECURSE sources RELATIVE ${SOURCE_DIR} ${SOURCE_DIR}/ui/*.cpp ${SOURCE_DIR}/ui/*.h
     ${SOURCE_DIR}/app/*.cpp ${SOURCE_DIR}/app/*.h ${SOURCE_DIR}/core/analysis/*.cpp)
set(digit "[0-9A-Fa-f]")
foreach(source IN LISTS sources)
    file(READ ${SOURCE_DIR}/${source} text)
    string(REGEX REPLACE "(\\\\u${digit}${digit}${digit}${digit})(${digit})" "\\1\"\"\\2" text "${text}")
    file(WRITE ${WORK_DIR}/${source} "${text}")
endforeach()
file(GLOB translations ${SOURCE_DIR}/resources/translations/*.ts)
execute_process(COMMAND ${LUPDATE} -I . -locations none -no-obsolete -tr-function-alias
                        QT_TRANSLATE_NOOP+=translatable ui app core -ts ${translations}
                WORKING_DIRECTORY ${WORK_DIR} COMMAND_ERROR_IS_FATAL ANY)

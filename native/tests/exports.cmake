# The library exports the functions of the ABI and nothing else. Arguments: NM, LIBRARY,
# and the folder HEADERS.
execute_process(COMMAND ${NM} -D --defined-only ${LIBRARY}
    OUTPUT_VARIABLE listing RESULT_VARIABLE status)
if(NOT status EQUAL 0)
    message(FATAL_ERROR "listing the symbols failed: `${NM}` exited with ${status}")
endif()
string(REGEX MATCHALL "[^ \n]+\n" exported "${listing}")
list(TRANSFORM exported STRIP)

set(declared)
file(GLOB headers ${HEADERS}/*.h)
foreach(header IN LISTS headers)
    file(READ ${header} text)
    # What follows the attribute: `type name(`; the definitions of the attribute end in `__`.
    string(REGEX MATCHALL "LONGRUN_API [^(]*[ *]longrun_[a-z0-9_]+\\(" found "${text}")
    foreach(declaration IN LISTS found)
        string(REGEX REPLACE ".*[ *](longrun_[a-z0-9_]+)\\($" "\\1" name "${declaration}")
        list(APPEND declared ${name})
    endforeach()
endforeach()

list(SORT exported)
list(SORT declared)
list(LENGTH declared count)
if(count LESS 10)
    message(FATAL_ERROR "only ${count} functions were found in the headers: ${declared}")
endif()
if(NOT exported STREQUAL declared)
    message(FATAL_ERROR "exported: ${exported}\ndeclared: ${declared}")
endif()

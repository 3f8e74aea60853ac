#include <vterm.h>

/* A title comes whole as a C string up to version 0.1 and in pieces from 0.2 on. Gives the piece and its length; tells
   whether it is the first and whether the last. */
static inline const char *cvterm_title(const VTermValue *value, size_t *length, bool *is_first, bool *is_last) {
#if VTERM_VERSION_MAJOR > 0 || VTERM_VERSION_MINOR > 1
    *length = value->string.len;
    *is_first = value->string.initial;
    *is_last = value->string.final;
    return value->string.str;
#else
    const char *text = value->string;
    *length = 0;
    while (text && *length < 4096 && text[*length]) ++*length;
    *is_first = *is_last = true;
    return text;
#endif
}

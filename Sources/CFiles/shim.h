// A renaming that replaces nothing, which every system spells its own way.
#include <errno.h>
#include <stdio.h>

#if defined(__APPLE__)
static inline int files_rename_new(int folder, const char *name, int other, const char *target) {
    return renameatx_np(folder, name, other, target, RENAME_EXCL);
}
#elif defined(__GLIBC__)
extern int renameat2(int, const char *, int, const char *, unsigned int);
static inline int files_rename_new(int folder, const char *name, int other, const char *target) {
    return renameat2(folder, name, other, target, 1);
}
#else
static inline int files_rename_new(int folder, const char *name, int other, const char *target) {
    errno = ENOSYS;
    return -1;
}
#endif

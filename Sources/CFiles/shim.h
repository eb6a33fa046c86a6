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

// Waiting for what anybody does to the files of a folder, where the system tells.
#include <poll.h>

#if defined(__linux__)
#include <sys/inotify.h>
#include <unistd.h>

// A descriptor that becomes readable with what is done, and the place of the folder in it; -1 where the system gives none.
static inline int files_watch(const char *folder, int *place) {
    int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (watch < 0) return -1;
    *place = inotify_add_watch(watch, folder, IN_MODIFY | IN_MOVED_TO | IN_ONLYDIR);
    if (*place >= 0) return watch;
    close(watch);
    return -1;
}

// 1 once something was done, 0 where nothing was within so many milliseconds (-1 for ever), -1 where nothing will be told any more.
static inline int files_watch_wait(int watch, int milliseconds) {
    struct pollfd request = {watch, POLLIN, 0};
    if (poll(&request, 1, milliseconds) == 0) return 0;
    int result = 1;
    union { struct inotify_event first; char bytes[4096]; } told;
    ssize_t length;
    while ((length = read(watch, told.bytes, sizeof told.bytes)) > 0) {
        for (char *at = told.bytes; at < told.bytes + length;) {
            struct inotify_event *event = (struct inotify_event *)at;
            if (event->mask & IN_IGNORED) result = -1;
            at += sizeof *event + event->len;
        }
    }
    return result;
}

// Wakes who waits, for the last time.
static inline void files_watch_end(int watch, int place) { inotify_rm_watch(watch, place); }
#else
static inline int files_watch(const char *folder, int *place) { return -1; }
static inline int files_watch_wait(int watch, int milliseconds) { return -1; }
static inline void files_watch_end(int watch, int place) {}
#endif

static inline void files_pause(int milliseconds) { poll(NULL, 0, milliseconds); }

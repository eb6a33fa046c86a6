/* Stands between a program and its storage, for tests: preloaded, it counts the calls that touch files under one folder,
 * lets chosen ones fail, and records what is written to a data file.
 *
 *   FAULTS_FOLDER  absolute path; calls about files elsewhere are passed on untouched
 *   FAULTS_KIND    eio, enospc, eintr or short: what happens to the calls that are chosen; only calls to which that can
 *                  happen are counted
 *   FAULTS_FIRST   number of the first call that fails, from 1 up; without it none does
 *   FAULTS_TIMES   how many fail from there on; 0 for all
 *   FAULTS_NOTES   file: gets "count N" at the end, and "failed CALL PATH" for the first call that was made to fail
 *   FAULTS_RECORD  file: gets each write to, sync of and new length of data.mdb, in the order in which they happened
 *
 * A record is, little-endian: one byte 'W' (written), 'D' (written to a descriptor that syncs what it writes), 'S' (synced)
 * 'T' (set to a length) or 'G' (engram.lock was written), eight bytes offset or length, eight bytes count, and as many
 * bytes.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { NONE, EIO_KIND, ENOSPC_KIND, EINTR_KIND, SHORT_KIND };

/* What a call does decides what can happen to it. */
enum call { OPENS, MAKES, READS, WRITES, SYNCS, MAPS, CHANGES_NAMES, ASKS, LOCKS };

enum { TABLE = 65536, IS_TRACKED = 1, IS_DATA = 2, IS_SYNCING = 4, IS_GUARD = 8 };
static _Atomic unsigned char table[TABLE];
static char folder[PATH_MAX];
static size_t folder_length;
static enum kind kind;
static long first, times;
static atomic_long counted;
static const char *notes_path;
static int record_descriptor = -1;
static pthread_mutex_t record_lock = PTHREAD_MUTEX_INITIALIZER;
static int is_ready;

#define REAL(name) ((__typeof__(&name))real(#name))

static void *real(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) abort();
    return found;
}

__attribute__((constructor)) static void begin(void) {
    const char *value = getenv("FAULTS_FOLDER");
    if (!value) return;
    snprintf(folder, sizeof folder, "%s", value);
    folder_length = strlen(folder);
    value = getenv("FAULTS_KIND");
    kind = !value                        ? NONE
           : strcmp(value, "eio") == 0    ? EIO_KIND
           : strcmp(value, "enospc") == 0 ? ENOSPC_KIND
           : strcmp(value, "eintr") == 0  ? EINTR_KIND
           : strcmp(value, "short") == 0  ? SHORT_KIND
                                          : NONE;
    value = getenv("FAULTS_FIRST");
    first = value ? atol(value) : LONG_MAX;
    value = getenv("FAULTS_TIMES");
    times = value ? atol(value) : 1;
    if (times == 0) times = LONG_MAX / 2;
    notes_path = getenv("FAULTS_NOTES");
    value = getenv("FAULTS_RECORD");
    if (value) record_descriptor = (int)syscall(SYS_openat, AT_FDCWD, value, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    is_ready = 1;
}

static void note(const char *text) {
    if (!notes_path) return;
    int descriptor = (int)syscall(SYS_openat, AT_FDCWD, notes_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (descriptor < 0) return;
    syscall(SYS_write, descriptor, text, strlen(text));
    syscall(SYS_close, descriptor);
}

__attribute__((destructor)) static void end(void) {
    if (!is_ready) return;
    char text[64];
    snprintf(text, sizeof text, "count %ld\n", atomic_load(&counted));
    note(text);
}

static int is_ours(const char *path) {
    return is_ready && path && strncmp(path, folder, folder_length) == 0 && (path[folder_length] == '/' || path[folder_length] == 0);
}

static unsigned char marks(int descriptor) {
    return is_ready && descriptor >= 0 && descriptor < TABLE ? atomic_load(&table[descriptor]) : 0;
}

static int can_happen(enum call call) {
    switch (kind) {
    case EIO_KIND: return call != LOCKS;
    case ENOSPC_KIND: return call == MAKES || call == WRITES || call == SYNCS || call == MAPS || call == CHANGES_NAMES;
    case EINTR_KIND: return call == OPENS || call == MAKES || call == READS || call == WRITES || call == SYNCS || call == LOCKS;
    case SHORT_KIND: return call == WRITES;
    default: return 0;
    }
}

/* Counts a call; true if it is one that fails, and errno is set then. */
static int fails(enum call call, const char *name, const char *path, int descriptor) {
    if (!is_ready || !can_happen(call)) return 0;
    long number = atomic_fetch_add(&counted, 1) + 1;
    if (number < first || number - first >= times) return 0;
    if (number == first) {
        char target[PATH_MAX] = "", link[64], text[PATH_MAX + 64];
        if (!path) {
            snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
            long length = syscall(SYS_readlinkat, AT_FDCWD, link, target, sizeof target - 1);
            target[length > 0 ? length : 0] = 0;
            path = target;
        }
        snprintf(text, sizeof text, "failed %s %s\n", name, path);
        note(text);
    }
    errno = kind == EINTR_KIND                  ? EINTR
            : call == MAPS                      ? ENOMEM
            : kind == ENOSPC_KIND               ? ENOSPC
                                                : EIO;
    return 1;
}

static void record(char type, uint64_t offset, const struct iovec *parts, int count, size_t length) {
    if (record_descriptor < 0) return;
    unsigned char head[17] = {(unsigned char)type};
    uint64_t bytes = length;
    memcpy(head + 1, &offset, 8);
    memcpy(head + 9, &bytes, 8);
    pthread_mutex_lock(&record_lock);
    syscall(SYS_write, record_descriptor, head, sizeof head);
    for (int i = 0; i < count && length > 0; i++) {
        size_t piece = parts[i].iov_len < length ? parts[i].iov_len : length;
        syscall(SYS_write, record_descriptor, parts[i].iov_base, piece);
        length -= piece;
    }
    pthread_mutex_unlock(&record_lock);
}

static void record_write(int descriptor, off_t offset, const struct iovec *parts, int count, ssize_t written) {
    unsigned char mark = marks(descriptor);
    if (written > 0 && mark & IS_GUARD) record('G', 0, NULL, 0, 0);
    if (written > 0 && mark & IS_DATA) record(mark & IS_SYNCING ? 'D' : 'W', (uint64_t)offset, parts, count, (size_t)written);
}

static int opened(int descriptor, const char *path, int flags) {
    if (descriptor < 0 || descriptor >= TABLE) return descriptor;
    unsigned char mark = IS_TRACKED;
    size_t length = strlen(path);
    if (length >= 9 && strcmp(path + length - 9, "/data.mdb") == 0) mark |= IS_DATA;
    if (length >= 12 && strcmp(path + length - 12, "/engram.lock") == 0) mark |= IS_GUARD;
    if (flags & O_DSYNC) mark |= IS_SYNCING;
    atomic_store(&table[descriptor], mark);
    return descriptor;
}

/* ---- names ---- */

#define MODE_OF(flags)                                       \
    mode_t mode = 0;                                         \
    if ((flags) & (O_CREAT | __O_TMPFILE)) {                 \
        va_list list;                                        \
        va_start(list, flags);                               \
        mode = va_arg(list, mode_t);                         \
        va_end(list);                                        \
    }

#define OPEN(name)                                                                          \
    int name(const char *path, int flags, ...) {                                            \
        MODE_OF(flags)                                                                      \
        if (!is_ours(path)) return REAL(name)(path, flags, mode);                           \
        if (fails(flags & O_CREAT ? MAKES : OPENS, "open", path, -1)) return -1;            \
        return opened(REAL(name)(path, flags, mode), path, flags);                          \
    }
OPEN(open)
OPEN(open64)

/* The path of a name in an open folder that is tracked; the name itself where it is a path, or the folder isn't. */
static const char *full(int at, const char *path, char *buffer) {
    if (!is_ready || !path || *path == '/' || !marks(at)) return path;
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", at);
    long length = syscall(SYS_readlinkat, AT_FDCWD, link, buffer, PATH_MAX - 1);
    if (length <= 0) return path;
    snprintf(buffer + length, PATH_MAX - (size_t)length, "/%s", path);
    return buffer;
}

#define OPENAT(name)                                                                        \
    int name(int at, const char *path, int flags, ...) {                                    \
        MODE_OF(flags)                                                                      \
        char buffer[2 * PATH_MAX];                                                          \
        const char *whole = full(at, path, buffer);                                         \
        if (!is_ours(whole)) return REAL(name)(at, path, flags, mode);                      \
        if (fails(flags & O_CREAT ? MAKES : OPENS, "openat", whole, -1)) return -1;         \
        return opened(REAL(name)(at, path, flags, mode), whole, flags);                     \
    }
OPENAT(openat)
OPENAT(openat64)

int close(int descriptor) {
    if (is_ready && descriptor >= 0 && descriptor < TABLE) atomic_store(&table[descriptor], 0);
    return REAL(close)(descriptor);
}

int mkdir(const char *path, mode_t mode) {
    if (is_ours(path) && fails(MAKES, "mkdir", path, -1)) return -1;
    return REAL(mkdir)(path, mode);
}

int mkdirat(int at, const char *path, mode_t mode) {
    char buffer[2 * PATH_MAX];
    const char *whole = full(at, path, buffer);
    if (is_ours(whole) && fails(MAKES, "mkdirat", whole, -1)) return -1;
    return REAL(mkdirat)(at, path, mode);
}

int rename(const char *from, const char *to) {
    if ((is_ours(from) || is_ours(to)) && fails(CHANGES_NAMES, "rename", from, -1)) return -1;
    return REAL(rename)(from, to);
}

int renameat2(int from_at, const char *from, int to_at, const char *to, unsigned int flags) {
    char buffer[2 * PATH_MAX], other[2 * PATH_MAX];
    const char *whole = full(from_at, from, buffer), *target = full(to_at, to, other);
    if ((is_ours(whole) || is_ours(target)) && fails(CHANGES_NAMES, "renameat2", whole, -1)) return -1;
    return REAL(renameat2)(from_at, from, to_at, to, flags);
}

int renameat(int from_at, const char *from, int to_at, const char *to) {
    char buffer[2 * PATH_MAX], other[2 * PATH_MAX];
    const char *whole = full(from_at, from, buffer), *target = full(to_at, to, other);
    if ((is_ours(whole) || is_ours(target)) && fails(CHANGES_NAMES, "renameat", whole, -1)) return -1;
    return REAL(renameat)(from_at, from, to_at, to);
}

int link(const char *from, const char *to) {
    if (is_ours(to) && fails(CHANGES_NAMES, "link", to, -1)) return -1;
    return REAL(link)(from, to);
}

int linkat(int from_at, const char *from, int to_at, const char *to, int flags) {
    char buffer[2 * PATH_MAX];
    const char *target = full(to_at, to, buffer);
    if (is_ours(target) && fails(CHANGES_NAMES, "linkat", target, -1)) return -1;
    return REAL(linkat)(from_at, from, to_at, to, flags);
}

int unlink(const char *path) {
    if (is_ours(path) && fails(CHANGES_NAMES, "unlink", path, -1)) return -1;
    return REAL(unlink)(path);
}

int unlinkat(int at, const char *path, int flags) {
    char buffer[2 * PATH_MAX];
    const char *whole = full(at, path, buffer);
    if (is_ours(whole) && fails(CHANGES_NAMES, "unlinkat", whole, -1)) return -1;
    return REAL(unlinkat)(at, path, flags);
}

int rmdir(const char *path) {
    if (is_ours(path) && fails(CHANGES_NAMES, "rmdir", path, -1)) return -1;
    return REAL(rmdir)(path);
}

/* ---- reading, writing, syncing ---- */

#define PREAD(name, offset_type)                                                            \
    ssize_t name(int descriptor, void *bytes, size_t count, offset_type offset) {           \
        if (marks(descriptor) && fails(READS, "pread", NULL, descriptor)) return -1;        \
        return REAL(name)(descriptor, bytes, count, offset);                                \
    }
PREAD(pread, off_t)
PREAD(pread64, off64_t)

ssize_t read(int descriptor, void *bytes, size_t count) {
    if (marks(descriptor) && fails(READS, "read", NULL, descriptor)) return -1;
    return REAL(read)(descriptor, bytes, count);
}

/* The C library reads its streams without asking anybody here, so streams are asked for by themselves. */
#define FOPEN(name)                                                                         \
    FILE *name(const char *path, const char *mode) {                                        \
        if (!is_ours(path)) return REAL(name)(path, mode);                                  \
        if (fails(*mode == 'r' ? OPENS : MAKES, "fopen", path, -1)) return NULL;            \
        FILE *stream = REAL(name)(path, mode);                                              \
        if (stream) opened(fileno(stream), path, 0);                                        \
        return stream;                                                                      \
    }
FOPEN(fopen)
FOPEN(fopen64)

int fclose(FILE *stream) {
    int descriptor = fileno(stream);
    if (is_ready && descriptor >= 0 && descriptor < TABLE) atomic_store(&table[descriptor], 0);
    return REAL(fclose)(stream);
}

size_t fread(void *bytes, size_t size, size_t count, FILE *stream) {
    if (marks(fileno(stream)) && fails(READS, "fread", NULL, fileno(stream))) {
        stream->_flags |= 0x20; /* what ferror() looks at */
        return 0;
    }
    return REAL(fread)(bytes, size, count, stream);
}

/* A call that was chosen for a short write writes half; anything else that was chosen writes nothing. */
#define IS_SHORT(count) (kind == SHORT_KIND && (count) > 1)

ssize_t write(int descriptor, const void *bytes, size_t count) {
    if (!marks(descriptor)) return REAL(write)(descriptor, bytes, count);
    off_t offset = lseek(descriptor, 0, SEEK_CUR);
    if (fails(WRITES, "write", NULL, descriptor)) {
        if (!IS_SHORT(count)) return kind == SHORT_KIND ? REAL(write)(descriptor, bytes, count) : -1;
        count /= 2;
    }
    ssize_t written = REAL(write)(descriptor, bytes, count);
    struct iovec part = {(void *)bytes, count};
    record_write(descriptor, offset, &part, 1, written);
    return written;
}

#define PWRITE(name, offset_type)                                                           \
    ssize_t name(int descriptor, const void *bytes, size_t count, offset_type offset) {     \
        if (!marks(descriptor)) return REAL(name)(descriptor, bytes, count, offset);        \
        if (fails(WRITES, "pwrite", NULL, descriptor)) {                                    \
            if (kind != SHORT_KIND) return -1;                                              \
            if (count > 1) count /= 2;                                                      \
        }                                                                                   \
        ssize_t written = REAL(name)(descriptor, bytes, count, offset);                     \
        struct iovec part = {(void *)bytes, count};                                         \
        record_write(descriptor, offset, &part, 1, written);                                \
        return written;                                                                     \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

/* The first half of what the parts hold, in parts of its own. */
static int halved(const struct iovec *parts, int count, struct iovec *half) {
    size_t total = 0;
    for (int i = 0; i < count; i++) total += parts[i].iov_len;
    size_t left = total > 1 ? total / 2 : total;
    int used = 0;
    for (int i = 0; i < count && left > 0; i++) {
        half[used] = parts[i];
        if (half[used].iov_len > left) half[used].iov_len = left;
        left -= half[used++].iov_len;
    }
    return used;
}

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
    struct iovec half[IOV_MAX];
    if (!marks(descriptor)) return REAL(writev)(descriptor, parts, count);
    off_t offset = lseek(descriptor, 0, SEEK_CUR);
    if (fails(WRITES, "writev", NULL, descriptor)) {
        if (kind != SHORT_KIND) return -1;
        count = halved(parts, count, half);
        parts = half;
    }
    ssize_t written = REAL(writev)(descriptor, parts, count);
    record_write(descriptor, offset, parts, count, written);
    return written;
}

#define PWRITEV(name, offset_type)                                                          \
    ssize_t name(int descriptor, const struct iovec *parts, int count, offset_type offset) { \
        struct iovec half[IOV_MAX];                                                         \
        if (!marks(descriptor)) return REAL(name)(descriptor, parts, count, offset);        \
        if (fails(WRITES, "pwritev", NULL, descriptor)) {                                   \
            if (kind != SHORT_KIND) return -1;                                              \
            count = halved(parts, count, half);                                             \
            parts = half;                                                                   \
        }                                                                                   \
        ssize_t written = REAL(name)(descriptor, parts, count, offset);                     \
        record_write(descriptor, offset, parts, count, written);                            \
        return written;                                                                     \
    }
PWRITEV(pwritev, off_t)
PWRITEV(pwritev64, off64_t)

static void record_sync(int descriptor, int result) {
    if (result == 0 && marks(descriptor) & IS_DATA) record('S', 0, NULL, 0, 0);
}

int fsync(int descriptor) {
    if (marks(descriptor) && fails(SYNCS, "fsync", NULL, descriptor)) return -1;
    int result = REAL(fsync)(descriptor);
    record_sync(descriptor, result);
    return result;
}

int fdatasync(int descriptor) {
    if (marks(descriptor) && fails(SYNCS, "fdatasync", NULL, descriptor)) return -1;
    int result = REAL(fdatasync)(descriptor);
    record_sync(descriptor, result);
    return result;
}

int msync(void *start, size_t length, int flags) {
    if (is_ready && fails(SYNCS, "msync", "(a map)", -1)) return -1;
    return REAL(msync)(start, length, flags);
}

#define FTRUNCATE(name, length_type)                                                        \
    int name(int descriptor, length_type length) {                                          \
        if (marks(descriptor) && fails(WRITES, "ftruncate", NULL, descriptor) && kind != SHORT_KIND) return -1; \
        int result = REAL(name)(descriptor, length);                                        \
        if (result == 0 && marks(descriptor) & IS_DATA) record('T', (uint64_t)length, NULL, 0, 0); \
        return result;                                                                      \
    }
FTRUNCATE(ftruncate, off_t)
FTRUNCATE(ftruncate64, off64_t)

/* ---- maps, locks, questions ---- */

#define MMAP(name, offset_type)                                                             \
    void *name(void *start, size_t length, int protection, int flags, int descriptor, offset_type offset) { \
        if (marks(descriptor) && fails(MAPS, "mmap", NULL, descriptor)) return MAP_FAILED;  \
        return REAL(name)(start, length, protection, flags, descriptor, offset);            \
    }
MMAP(mmap, off_t)
MMAP(mmap64, off64_t)

int flock(int descriptor, int operation) {
    if (marks(descriptor) && fails(LOCKS, "flock", NULL, descriptor)) return -1;
    return REAL(flock)(descriptor, operation);
}

#define ASK_PATH(name, status_type)                                                         \
    int name(const char *path, struct status_type *status) {                                \
        if (is_ours(path) && fails(ASKS, #name, path, -1)) return -1;                       \
        return REAL(name)(path, status);                                                    \
    }
ASK_PATH(stat, stat)
ASK_PATH(stat64, stat64)
ASK_PATH(lstat, stat)
ASK_PATH(lstat64, stat64)
ASK_PATH(statfs, statfs)
ASK_PATH(statfs64, statfs64)
ASK_PATH(statvfs, statvfs)
ASK_PATH(statvfs64, statvfs64)

#define ASK_NAME(name, status_type)                                                         \
    int name(int at, const char *path, struct status_type *status, int flags) {             \
        char buffer[2 * PATH_MAX];                                                          \
        const char *whole = full(at, path, buffer);                                         \
        if (is_ours(whole) && fails(ASKS, #name, whole, -1)) return -1;                     \
        return REAL(name)(at, path, status, flags);                                         \
    }
ASK_NAME(fstatat, stat)
ASK_NAME(fstatat64, stat64)

#define ASK_FILE(name, status_type)                                                         \
    int name(int descriptor, struct status_type *status) {                                  \
        if (marks(descriptor) && fails(ASKS, #name, NULL, descriptor)) return -1;           \
        return REAL(name)(descriptor, status);                                              \
    }
ASK_FILE(fstat, stat)
ASK_FILE(fstat64, stat64)
ASK_FILE(fstatfs, statfs)
ASK_FILE(fstatfs64, statfs64)
ASK_FILE(fstatvfs, statvfs)
ASK_FILE(fstatvfs64, statvfs64)

int access(const char *path, int mode) {
    if (is_ours(path) && fails(ASKS, "access", path, -1)) return -1;
    return REAL(access)(path, mode);
}

/* For scripts/deadlines: delays what a program does with files whose path contains SLOW_DISK, by
 * SLOW_DISK_MS a call, as a disk does that others keep busy. Preloaded (ld.so(8), LD_PRELOAD). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static void delay(const char *path) {
    const char *slow = getenv("SLOW_DISK"), *ms = getenv("SLOW_DISK_MS");
    if (!slow || !ms || !path || !strstr(path, slow))
        return;
    long n = atol(ms);
    struct timespec time = {n / 1000, n % 1000 * 1000000};
    while (nanosleep(&time, &time))
        ;
}

static void delay_at(int fd) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length > 0) {
        path[length] = 0;
        delay(path);
    }
}

#define REAL(type, name, ...) ((type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name))

static int open_slowly(const char *name, const char *path, int flags, mode_t mode) {
    delay(path);
    return REAL(int, name, const char *, int, mode_t)(path, flags, mode);
}

int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    return open_slowly("open", path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    return open_slowly("open64", path, flags, mode);
}

ssize_t read(int fd, void *bytes, size_t count) {
    delay_at(fd);
    return REAL(ssize_t, "read", int, void *, size_t)(fd, bytes, count);
}

ssize_t write(int fd, const void *bytes, size_t count) {
    delay_at(fd);
    return REAL(ssize_t, "write", int, const void *, size_t)(fd, bytes, count);
}

int fsync(int fd) {
    delay_at(fd);
    return REAL(int, "fsync", int)(fd);
}

int rename(const char *from, const char *to) {
    delay(to);
    return REAL(int, "rename", const char *, const char *)(from, to);
}

/* A disk that fails: reads, writes and syncs of files whose path holds the text in the file FAILING_DISK end with EIO, while that file is there. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static int fails(int fd) {
    char wanted[256], link[64], path[4096];
    const char *name = getenv("FAILING_DISK");
    if (!name) return 0;
    int flag = (int)syscall(SYS_openat, AT_FDCWD, name, O_RDONLY | O_CLOEXEC);
    if (flag < 0) return 0;
    ssize_t length = syscall(SYS_read, flag, wanted, sizeof wanted - 1); /* not ours: it would ask itself */
    syscall(SYS_close, flag);
    if (length <= 0) return 0;
    wanted[length] = 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t size = readlink(link, path, sizeof path - 1);
    if (size <= 0) return 0;
    path[size] = 0;
    return strstr(path, wanted) != NULL;
}

#define FAILING(result, name, parameters, arguments)                          \
    result name parameters {                                                  \
        static result(*real) parameters;                                      \
        int before = errno;                                                   \
        if (fails(fd)) {                                                      \
            errno = EIO;                                                      \
            return -1;                                                        \
        }                                                                     \
        errno = before;                                                       \
        if (!real) real = (result(*) parameters)dlsym(RTLD_NEXT, #name);      \
        return real arguments;                                                \
    }

FAILING(ssize_t, read, (int fd, void *to, size_t size), (fd, to, size))
FAILING(ssize_t, write, (int fd, const void *from, size_t size), (fd, from, size))
FAILING(ssize_t, pread, (int fd, void *to, size_t size, off_t at), (fd, to, size, at))
FAILING(ssize_t, pread64, (int fd, void *to, size_t size, off64_t at), (fd, to, size, at))
FAILING(ssize_t, pwrite, (int fd, const void *from, size_t size, off_t at), (fd, from, size, at))
FAILING(ssize_t, pwrite64, (int fd, const void *from, size_t size, off64_t at), (fd, from, size, at))
FAILING(int, fsync, (int fd), (fd))
FAILING(int, fdatasync, (int fd), (fd))

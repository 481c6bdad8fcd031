/* A wall clock that is off by as many seconds as the file JUMPING_CLOCK says; clocks that only count are left alone. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int clock_gettime(clockid_t clock, struct timespec *now) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(clock, now);
    if (result == 0 && clock == CLOCK_REALTIME) {
        long off = 0;
        FILE *file = fopen(getenv("JUMPING_CLOCK"), "r");
        if (file) {
            if (fscanf(file, "%ld", &off) == 1) now->tv_sec += off;
            fclose(file);
        }
    }
    return result;
}

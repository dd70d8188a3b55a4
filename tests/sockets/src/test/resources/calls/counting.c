// SPDX-License-Identifier: Apache-2.0
//
// Counts the calls of each thread to the kernel, at full speed and by name. Loaded before libc (LD_PRELOAD) it sees the
// clock that the JVM reads; -Dio.github.rdma4j.libc has rdma4j call the kernel through it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <rdma/rdma_user_ioctl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { NAMES = 96, NAME = 40, THREADS = 1024, FILES = 4096 };

struct thread {
    pid_t id;
    int names;
    char name_of[NAMES][NAME];
    long count_of[NAMES];
};

static struct thread *threads[THREADS];
static int thread_count;
static char kind_of[FILES];
static __thread struct thread *self;
static __thread int busy;

static void count(const char *name) {
    if (busy) {
        return;
    }
    busy = 1;
    if (self == NULL) {
        int mine = __atomic_fetch_add(&thread_count, 1, __ATOMIC_SEQ_CST);
        if (mine >= THREADS) {
            abort();
        }
        self = calloc(1, sizeof *self);
        self->id = gettid();
        threads[mine] = self;
    }
    int i = 0;
    while (i < self->names && strcmp(self->name_of[i], name) != 0) {
        i++;
    }
    if (i == self->names) {
        if (i == NAMES) {
            abort();
        }
        snprintf(self->name_of[i], NAME, "%s", name);
        self->names++;
    }
    self->count_of[i]++;
    busy = 0;
}

#define REAL(name) \
    static __typeof__(name) *real; \
    if (real == NULL) { \
        real = (__typeof__(name) *) dlsym(RTLD_NEXT, #name); \
    }

// ---- for the program that is counted

// Sets everything to zero.
void counting_reset(void) {
    for (int i = 0; i < thread_count && i < THREADS; i++) {
        if (threads[i] != NULL) {
            memset(threads[i]->count_of, 0, sizeof threads[i]->count_of);
        }
    }
}

// Writes a line for each call of each thread that is there: the name of the thread, the call, how often.
void counting_write(const char *path) {
    FILE *file = fopen(path, "w");
    for (int i = 0; i < thread_count && i < THREADS; i++) {
        struct thread *thread = threads[i];
        char comm[64];
        char name[32] = "";
        snprintf(comm, sizeof comm, "/proc/self/task/%d/comm", thread != NULL ? thread->id : 0);
        FILE *named = fopen(comm, "r");
        if (named == NULL) {
            continue;
        }
        if (fgets(name, sizeof name, named) != NULL) {
            name[strcspn(name, "\n")] = 0;
        }
        fclose(named);
        for (int j = 0; j < thread->names; j++) {
            if (thread->count_of[j] > 0) {
                fprintf(file, "%s\t%s\t%ld\n", name, thread->name_of[j], thread->count_of[j]);
            }
        }
    }
    fclose(file);
}

// For a program in C, which calls none of these.
__attribute__((destructor)) static void end(void) {
    const char *path = getenv("COUNTING_FILE");
    if (path != NULL) {
        counting_write(path);
    }
}

// ---- the names of commands

static const char *const CM[] = {"CREATE_ID", "DESTROY_ID", "BIND_IP", "RESOLVE_IP", "RESOLVE_ROUTE", "QUERY_ROUTE",
        "CONNECT", "LISTEN", "ACCEPT", "REJECT", "DISCONNECT", "INIT_QP_ATTR", "GET_EVENT", "GET_OPTION", "SET_OPTION",
        "NOTIFY", "JOIN_IP_MCAST", "LEAVE_MCAST", "MIGRATE_ID", "QUERY", "BIND", "RESOLVE_ADDR", "JOIN_MCAST"};
static const char *const QUERIES[] = {"QUERY_ADDR", "QUERY_PATH", "QUERY_GID"};
static const char *const VERBS[] = {"GET_CONTEXT", "QUERY_DEVICE", "QUERY_PORT", "ALLOC_PD", "DEALLOC_PD", "CREATE_AH",
        "MODIFY_AH", "QUERY_AH", "DESTROY_AH", "REG_MR", "REG_SMR", "REREG_MR", "QUERY_MR", "DEREG_MR", "ALLOC_MW",
        "BIND_MW", "DEALLOC_MW", "CREATE_COMP_CHANNEL", "CREATE_CQ", "RESIZE_CQ", "DESTROY_CQ", "POLL_CQ", "PEEK_CQ",
        "REQ_NOTIFY_CQ", "CREATE_QP", "QUERY_QP", "MODIFY_QP", "DESTROY_QP", "POST_SEND", "POST_RECV", "ATTACH_MCAST",
        "DETACH_MCAST", "CREATE_SRQ", "MODIFY_SRQ", "QUERY_SRQ", "DESTROY_SRQ"};
static const char *const OBJECTS[] = {"DEVICE", "PD", "COMP_CHANNEL", "CQ", "QP", "SRQ", "AH", "MR", "MW"};

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

static void count_number(const char *kind, unsigned number) {
    char name[NAME];
    snprintf(name, sizeof name, "%s %u", kind, number);
    count(name);
}

static void count_cm(const uint32_t *command, size_t length) {
    unsigned number = command[0];
    if (number == 19 && length >= 24 && command[5] < LENGTH(QUERIES)) {
        count(QUERIES[command[5]]);
    } else if (number < LENGTH(CM)) {
        count(CM[number]);
    } else {
        count_number("rdma_cm", number);
    }
}

static void count_verb(unsigned number) {
    if (number < LENGTH(VERBS)) {
        count(VERBS[number]);
    } else {
        count_number("verb", number);
    }
}

static void count_method(const struct ib_uverbs_ioctl_hdr *header) {
    if (header->object_id == 0 && header->method_id == 0) {
        for (int i = 0; i < header->num_attrs; i++) {
            if (header->attrs[i].attr_id == 2) {
                count_verb((unsigned) header->attrs[i].data & 0xff);
                return;
            }
        }
    }
    char name[NAME];
    if (header->object_id < LENGTH(OBJECTS) && header->method_id < 2) {
        snprintf(name, sizeof name, "%s_%s", header->method_id == 0 ? "CREATE" : "DESTROY", OBJECTS[header->object_id]);
    } else {
        snprintf(name, sizeof name, "method %u.%u", header->object_id, header->method_id);
    }
    count(name);
}

// ---- the calls

static void opened(const char *path, int fd) {
    if (fd >= 0 && fd < FILES) {
        kind_of[fd] = strstr(path, "/rdma_cm") != NULL ? 'c' : strstr(path, "/uverbs") != NULL ? 'v' : 0;
    }
}

int open(const char *path, int flags, ...) {
    REAL(open);
    va_list more;
    va_start(more, flags);
    int mode = va_arg(more, int);
    va_end(more);
    count("open");
    int fd = real(path, flags, mode);
    opened(path, fd);
    return fd;
}

int close(int fd) {
    REAL(close);
    count("close");
    if (fd >= 0 && fd < FILES) {
        kind_of[fd] = 0;
    }
    return real(fd);
}

ssize_t write(int fd, const void *bytes, size_t length) {
    REAL(write);
    char kind = fd >= 0 && fd < FILES ? kind_of[fd] : 0;
    if (kind == 'c') {
        ssize_t result = real(fd, bytes, length);
        int number = errno;
        if (result < 0 && number == EAGAIN) {
            count("GET_EVENT in vain");
        } else {
            count_cm(bytes, length);
        }
        errno = number;
        return result;
    }
    if (kind == 'v') {
        count_verb(*(const uint32_t *) bytes & 0xff);
    } else {
        count("write");
    }
    return real(fd, bytes, length);
}

int ioctl(int fd, unsigned long request, ...) {
    REAL(ioctl);
    va_list more;
    va_start(more, request);
    void *argument = va_arg(more, void *);
    va_end(more);
    if (request == RDMA_VERBS_IOCTL) {
        count_method(argument);
    } else {
        count("ioctl");
    }
    return real(fd, request, argument);
}

#define COUNTED(result, name, parameters, arguments) \
    result name parameters { \
        REAL(name); \
        count(#name); \
        return real arguments; \
    }

COUNTED(ssize_t, read, (int fd, void *bytes, size_t length), (fd, bytes, length))
COUNTED(int, poll, (struct pollfd *files, nfds_t number, int millis), (files, number, millis))
COUNTED(int, epoll_ctl, (int epoll, int what, int fd, struct epoll_event *event), (epoll, what, fd, event))
COUNTED(int, epoll_wait, (int epoll, struct epoll_event *events, int most, int millis), (epoll, events, most, millis))
COUNTED(int, eventfd_write, (int fd, eventfd_t value), (fd, value))
COUNTED(int, eventfd_read, (int fd, eventfd_t *value), (fd, value))
COUNTED(void *, mmap, (void *at, size_t length, int protection, int flags, int fd, off_t offset),
        (at, length, protection, flags, fd, offset))
COUNTED(int, munmap, (void *at, size_t length), (at, length))
COUNTED(int, clock_gettime, (clockid_t clock, struct timespec *time), (clock, time))
COUNTED(int, gettimeofday, (struct timeval *restrict time, void *restrict zone), (time, zone))
COUNTED(int, sched_yield, (void), ())

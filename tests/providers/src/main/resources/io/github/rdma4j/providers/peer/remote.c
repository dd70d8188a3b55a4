// SPDX-License-Identifier: Apache-2.0
//
// The functions of libc that libibverbs and a driver's library reach the kernel and memory with. The program defines them, so that the
// libraries find these before those of libc.
#define _GNU_SOURCE
#include "node.h"
#include "remote.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum {
    DONE,
    OPEN,
    CLOSE,
    IOCTL,
    MAP,
    UNMAP,
    READ,
};

enum {
    FIRST_DESCRIPTOR = 500,
    SHARED_BYTES = 32 << 20,
    EARLY_BYTES = 1 << 20,
    STACK_BYTES = 1 << 20,
    PAGE = 4096,
    UNIT = 16,
    NAP = 1000000,
};

static void (*run)(void);

static void die(const char *what) {
    perror(what);
    _exit(1);
}

// ---- memory: nothing is given back -----------------------------------------------------------------------------------

// What is allocated before the shared memory is there: the kernel never gets to see it.
static uint8_t early[EARLY_BYTES] __attribute__((aligned(PAGE)));
static uint8_t *from = early, *next = early, *end = early + EARLY_BYTES;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *memalign(size_t alignment, size_t bytes) {
    pthread_mutex_lock(&lock);
    if (alignment < UNIT) {
        alignment = UNIT;
    }
    // The size stands before the memory.
    uintptr_t at = ((uintptr_t)next + UNIT + alignment - 1) & -alignment;
    if (bytes > (uintptr_t)end - at || at > (uintptr_t)end) {
        pthread_mutex_unlock(&lock);
        errno = ENOMEM;
        return NULL;
    }
    next = (uint8_t *)at + bytes;
    pthread_mutex_unlock(&lock);
    ((size_t *)at)[-1] = bytes;
    return (void *)at;
}

void *malloc(size_t bytes) {
    return memalign(UNIT, bytes);
}

void *calloc(size_t count, size_t bytes) {
    return memalign(UNIT, count * bytes); // nothing was used before
}

void *aligned_alloc(size_t alignment, size_t bytes) {
    return memalign(alignment, bytes);
}

int posix_memalign(void **made, size_t alignment, size_t bytes) {
    *made = memalign(alignment, bytes);
    return *made ? 0 : ENOMEM;
}

void free(void *memory) {
    (void)memory;
}

void *realloc(void *memory, size_t bytes) {
    void *made = malloc(bytes);
    if (made && memory) {
        size_t before = ((size_t *)memory)[-1];
        memcpy(made, memory, before < bytes ? before : bytes);
    }
    return made;
}

// ---- the other process -----------------------------------------------------------------------------------------------

static void send_whole(struct message *message) {
    if (write(STDOUT_FILENO, message, sizeof *message) != sizeof *message) {
        die("write");
    }
}

static struct message receive(void) {
    struct message message;
    size_t got = 0;
    while (got < sizeof message) {
        ssize_t more = LIBC(read)(STDIN_FILENO, (uint8_t *)&message + got, sizeof message - got);
        if (more <= 0) {
            _exit(3); // the other process has gone
        }
        got += more;
    }
    return message;
}

struct message remote_next(struct message answer) {
    answer.word[0] = DONE;
    send_whole(&answer);
    return receive();
}

int remote_gone(void) {
    struct pollfd other = {.fd = STDIN_FILENO};
    return poll(&other, 1, 0) > 0 && other.revents & POLLHUP;
}

// A call to the kernel: as the system call, the result or minus the error number.
static int64_t call(int which, int64_t a, int64_t b, int64_t c) {
    struct message message = {{which, a, b, c}};
    send_whole(&message);
    return receive().word[0];
}

static int64_t outcome(int64_t result) {
    if (result < 0) {
        errno = -result;
        return -1;
    }
    return result;
}

// ---- files -----------------------------------------------------------------------------------------------------------

// The number must not become another file's, and the file must look like a device.
static int reserve(int fd) {
    int null = LIBC(open)("/dev/null", O_RDWR | O_CLOEXEC);
    if (fd >= 0 && (null < 0 || dup3(null, fd, O_CLOEXEC) < 0)) {
        die("dup");
    }
    LIBC(close)(null);
    return fd;
}

int open_node(void) {
    return reserve(outcome(call(OPEN, 0, 0, 0)));
}

int close(int fd) {
    if (fd >= FIRST_DESCRIPTOR) {
        call(CLOSE, fd, 0, 0);
    }
    return LIBC(close)(fd);
}

// Waits for an event, as a descriptor does that is not non-blocking.
ssize_t read(int fd, void *into, size_t bytes) {
    if (fd < FIRST_DESCRIPTOR) {
        return LIBC(read)(fd, into, bytes);
    }
    int64_t result;
    while ((result = call(READ, fd, (intptr_t)into, bytes)) == -EAGAIN) {
        nanosleep(&(struct timespec){.tv_nsec = NAP}, NULL);
    }
    return outcome(result);
}

int ioctl(int fd, unsigned long request, ...) {
    va_list rest;
    va_start(rest, request);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    return fd < FIRST_DESCRIPTOR ? LIBC(ioctl)(fd, request, argument)
                                 : outcome(call(IOCTL, fd, request, (intptr_t)argument));
}

__attribute__((weak)) void remote_mapped(void *memory, int protection) {}

// A library may map the memory of its rings instead of allocating it.
static int is_ring(void *at, int flags, int fd) {
    return !at && fd < 0 && from != early && (flags & (MAP_PRIVATE | MAP_ANONYMOUS)) == (MAP_PRIVATE | MAP_ANONYMOUS);
}

void *mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset) {
    if (is_ring(at, flags, fd)) {
        void *memory = memalign(PAGE, length);
        return memory ? memory : MAP_FAILED;
    }
    if (fd < FIRST_DESCRIPTOR) {
        return LIBC(mmap)(at, length, protection, flags, fd, offset);
    }
    void *memory = (void *)(intptr_t)outcome(call(MAP, fd, length, offset));
    if (memory != MAP_FAILED) {
        remote_mapped(memory, protection);
    }
    return memory;
}

int munmap(void *at, size_t length) {
    uint8_t *memory = at;
    if (memory < from || memory >= from + 2 * SHARED_BYTES) {
        return LIBC(munmap)(at, length);
    }
    return memory < from + SHARED_BYTES ? 0 : outcome(call(UNMAP, (intptr_t)at, length, 0));
}

// ---- the program -----------------------------------------------------------------------------------------------------

static void *thread(void *unused) {
    run();
    return unused;
}

void remote_run(const char *file, uint64_t address, void (*program)(void)) {
    int fd = LIBC(open)(file, O_RDWR | O_CLOEXEC);
    uint8_t *wanted = (uint8_t *)address;
    int flags = MAP_SHARED | MAP_FIXED_NOREPLACE;
    // The first half is this program's, the second the kernel's.
    if (fd < 0 || LIBC(mmap)(wanted, 2 * SHARED_BYTES, PROT_READ | PROT_WRITE, flags, fd, 0) != wanted) {
        die("shared memory");
    }
    LIBC(close)(fd);
    from = next = wanted;
    end = wanted + SHARED_BYTES;
    run = program;
    pthread_attr_t attributes;
    pthread_t made;
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, memalign(PAGE, STACK_BYTES), STACK_BYTES);
    if (pthread_create(&made, &attributes, thread, NULL) || pthread_join(made, NULL)) {
        die("thread");
    }
}

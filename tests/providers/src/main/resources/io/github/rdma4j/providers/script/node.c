// SPDX-License-Identifier: Apache-2.0
//
// The functions of libc that lead libibverbs to a device node. The program defines them, so that the libraries find these before
// those of libc.
#define _GNU_SOURCE
#include "node.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

enum {
    NETLINK_RDMA_PROTOCOL = 20,
};

static int is_node(const char *path) {
    static const char NODE[] = "/dev/infiniband/uverbs";
    return path && !strncmp(path, NODE, sizeof NODE - 1);
}

int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t rights = va_arg(rest, int);
    va_end(rest);
    return is_node(path) ? open_node() : LIBC(open)(path, flags, rights);
}

int open64(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t rights = va_arg(rest, int);
    va_end(rest);
    return is_node(path) ? open_node() : LIBC(open64)(path, flags, rights);
}

int stat(const char *path, struct stat *found) {
    return LIBC(stat)(is_node(path) ? "/dev/null" : path, found);
}

// Without netlink libibverbs looks for devices in sysfs, which can be anywhere.
int socket(int domain, int type, int protocol) {
    if (domain == AF_NETLINK && protocol == NETLINK_RDMA_PROTOCOL) {
        errno = EPROTONOSUPPORT;
        return -1;
    }
    return LIBC(socket)(domain, type, protocol);
}

void *mmap64(void *at, size_t length, int protection, int flags, int fd, off64_t offset) {
    return mmap(at, length, protection, flags, fd, offset);
}

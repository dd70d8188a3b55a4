/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A program of sockets that knows nothing of RDMA.
 * sockets client ADDRESS PORT BYTES: sends a pattern while it compares what comes back.
 * sockets server ADDRESS PORT BYTES: sends back what one client sends; BYTES are ignored.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define PIECE 10000

static char buffer[PIECE];

static char pattern(long position) {
    return (char)(position * 7 + position / 251);
}

static int fail(const char *what) {
    perror(what);
    return 1;
}

static int client(int fd, long bytes) {
    long sent = 0;
    long compared = 0;
    while (compared < bytes) {
        struct pollfd ready = {fd, POLLIN | (sent < bytes ? POLLOUT : 0), 0};
        if (poll(&ready, 1, 60000) != 1)
            return fail("poll");
        if ((ready.revents & POLLOUT) && sent < bytes) {
            long count = bytes - sent < PIECE ? bytes - sent : PIECE;
            for (long i = 0; i < count; i++)
                buffer[i] = pattern(sent + i);
            ssize_t done = send(fd, buffer, count, MSG_DONTWAIT);
            sent += done > 0 ? done : 0;
            if (sent == bytes)
                shutdown(fd, SHUT_WR);
        }
        if (ready.revents & POLLIN) {
            ssize_t done = recv(fd, buffer, PIECE, MSG_DONTWAIT);
            if (done == 0)
                return fail("the end comes early");
            for (ssize_t i = 0; i < done; i++, compared++)
                if (buffer[i] != pattern(compared))
                    return fail("another byte");
        }
    }
    if (recv(fd, buffer, 1, 0) != 0)
        return fail("recv at the end");
    printf("compared %ld\n", compared);
    return close(fd);
}

static int server(int listener) {
    if (listen(listener, 1))
        return fail("listen");
    int fd = accept(listener, NULL, NULL);
    if (fd < 0)
        return fail("accept");
    ssize_t count;
    while ((count = recv(fd, buffer, PIECE, 0)) > 0)
        for (ssize_t sent = 0, done; sent < count; sent += done)
            if ((done = send(fd, buffer + sent, count - sent, 0)) <= 0)
                return fail("send");
    if (count < 0)
        return fail("recv");
    printf("served\n");
    return close(fd) || close(listener);
}

int main(int count, char **words) {
    struct sockaddr_in address = {.sin_family = AF_INET};
    if (count != 5 || inet_pton(AF_INET, words[2], &address.sin_addr) != 1)
        return 2;
    address.sin_port = htons(atoi(words[3]));
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0)
        return fail("socket");
    if (strcmp(words[1], "client") == 0)
        return connect(fd, (struct sockaddr *)&address, sizeof(address)) ? fail("connect") : client(fd, atol(words[4]));
    return bind(fd, (struct sockaddr *)&address, sizeof(address)) ? fail("bind") : server(fd);
}

// SPDX-License-Identifier: Apache-2.0
//
// A kernel inside the process that answers at once: soft-RoCE and the connection manager. A program in C is linked with it,
// and a JVM loads it in the place of libc, so that both call the same functions.
#ifndef KERNEL_H
#define KERNEL_H

// The device: it has sent so many work requests of the newest queue pair, which complete in the newest completion queue.
// Returns how many it found.
int device_complete(int count);

// Whether each command makes a system call of the least kind besides, as a real one would.
void kernel_make_calls(int on);

// Whether there is an ioctl for verbs.
void kernel_has_ioctl(int on);

// How many commands of the connection manager, and how many doorbells, there have been.
long kernel_cm_commands(void);
long kernel_doorbells(void);

#endif

// SPDX-License-Identifier: Apache-2.0
//
// The kernel and the device of this program are in another process, which holds the other ends of standard input and output.
// All that the program allocates, and the stack of the thread that remote_run starts, lies in memory that both processes have
// at the same addresses.
#ifndef REMOTE_H
#define REMOTE_H

#include <stdint.h>

enum { WORDS = 8 };

// What goes over the pipes. From this program: which call, and its arguments; a call of 0 ends a command. To this program: the
// result of a call, or a command and its arguments.
struct message {
    int64_t word[WORDS];
};

// Maps the shared memory of `file` at `address` and runs `program` on it.
void remote_run(const char *file, uint64_t address, void (*program)(void));

// Ends a command with `answer`, and waits for the next one.
struct message remote_next(struct message answer);

// A page of the device is mapped; a program may leave this out.
void remote_mapped(void *memory, int protection);

// True when the other process has gone.
int remote_gone(void);

#endif

// SPDX-License-Identifier: Apache-2.0
//
// The objects of a script, the words of a line, and the text of what a device sees.
#ifndef TEXT_H
#define TEXT_H

#include "kernel.h"

#include <infiniband/verbs.h>

enum { MOST_OBJECTS = 64, MOST_WORDS = 64 };

// An object by its name, with what a driver keeps of a queue.
struct object {
    char name[16];
    void *verbs;
    struct queue kernel;
    enum ibv_qp_type type;
    struct object *srq;
    uint32_t blocks, receives, shift, position;
    uint32_t entries, entry_shift, device_entry, next_entry, posted, producer;
};

extern struct object objects[MOST_OBJECTS];
extern char *word[MOST_WORDS];

void fail(const char *what);
struct object *find(const char *name);
struct object *find_cq(uint32_t handle);
struct object *add(const char *name, void *verbs);

unsigned long long decimal(int index);
unsigned long long hexadecimal(int index);

// Prints bytes in groups of four, and ends the line.
void bytes(const uint8_t *from, int count);

// 32 bits of the driver's request.
uint32_t field(struct queue *of, int at);

void to_state(struct ibv_qp *qp, enum ibv_qp_state state, int also);

#endif

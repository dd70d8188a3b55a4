// SPDX-License-Identifier: Apache-2.0
//
// The objects of a script, the words of a line, and the text of what a device sees.
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct object objects[MOST_OBJECTS];
char *word[MOST_WORDS];

void fail(const char *what) {
    fprintf(stderr, "player: %s: ", what);
    perror(word[0]);
    exit(1);
}

struct object *find(const char *name) {
    for (int i = 0; i < MOST_OBJECTS; i++) {
        if (objects[i].verbs && !strcmp(objects[i].name, name)) {
            return &objects[i];
        }
    }
    return NULL;
}

struct object *find_cq(uint32_t handle) {
    for (int i = 0; i < MOST_OBJECTS; i++) {
        if (objects[i].verbs && objects[i].kernel.kind == CQ && objects[i].kernel.handle == handle) {
            return &objects[i];
        }
    }
    return NULL;
}

struct object *add(const char *name, void *verbs) {
    if (!verbs) {
        fail("not made");
    }
    for (int i = 0; i < MOST_OBJECTS; i++) {
        if (!objects[i].verbs) {
            objects[i] = (struct object){.verbs = verbs};
            strncpy(objects[i].name, name, sizeof objects[i].name - 1);
            return &objects[i];
        }
    }
    fail("too many objects");
    return NULL;
}

unsigned long long decimal(int index) {
    return strtoull(word[index], NULL, 10);
}

unsigned long long hexadecimal(int index) {
    return strtoull(word[index], NULL, 16);
}

void bytes(const uint8_t *from, int count) {
    for (int i = 0; i < count; i++) {
        printf("%s%02x", i && i % 4 == 0 ? " " : "", from[i]);
    }
    printf("\n");
}

uint32_t field(struct queue *of, int at) {
    uint32_t value;
    memcpy(&value, of->request + at, sizeof value);
    return value;
}

void to_state(struct ibv_qp *qp, enum ibv_qp_state state, int also) {
    struct ibv_qp_attr attributes = {.qp_state = state, .port_num = 1};
    if (ibv_modify_qp(qp, &attributes, IBV_QP_STATE | also)) {
        fail("not modified");
    }
}

// SPDX-License-Identifier: Apache-2.0
//
// Keeps the doorbells of a peer in their page, one behind the other, where the device in the other process reads them: BnxtPage.java.
#include "remote.h"
#include "watch.h"

#include <string.h>
#include <sys/mman.h>

enum { COUNT = 8, LIST = 16, ROOM = 508 };

static uint8_t *doorbells;

static void keep(int at) {
    uint64_t count;
    memcpy(&count, doorbells + COUNT, sizeof count);
    memcpy(doorbells + LIST + count % ROOM * sizeof count, doorbells + at, sizeof count);
    __atomic_store_n((uint64_t *)(doorbells + COUNT), count + 1, __ATOMIC_RELEASE);
}

// No other page is mapped for writing only.
void remote_mapped(void *memory, int protection) {
    if (protection == PROT_WRITE) {
        doorbells = memory;
        watch(doorbells, keep);
    }
}

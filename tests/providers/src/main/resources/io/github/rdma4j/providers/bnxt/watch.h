// SPDX-License-Identifier: Apache-2.0
//
// Catches the stores to a page of doorbells, each as it happens: all queues ring in one place, where a later doorbell would hide an
// earlier one.
#ifndef WATCH_H
#define WATCH_H

#include <stdint.h>

// Calls `then` after each store, with the place that was stored to; meanwhile the page can be read and written.
void watch(uint8_t *page, void (*then)(int at));

#endif

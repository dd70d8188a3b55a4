// SPDX-License-Identifier: Apache-2.0
//
// The page cannot be written. A store is let through alone: the page can be written until the processor stops behind it.
#define _GNU_SOURCE
#include "watch.h"

#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { PAGE = 4096, TRAP_FLAG = 0x100 };

static uint8_t *watched;
static void (*after)(int at);
static int stored_at;

static void on_store(int number, siginfo_t *info, void *context) {
    ptrdiff_t at = (uint8_t *)info->si_addr - watched;
    if (at < 0 || at >= PAGE) {
        signal(number, SIG_DFL); // and it happens again
        return;
    }
    stored_at = at;
    mprotect(watched, PAGE, PROT_READ | PROT_WRITE);
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
}

static void after_store(int number, siginfo_t *info, void *context) {
    after(stored_at);
    mprotect(watched, PAGE, PROT_NONE);
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
}

void watch(uint8_t *page, void (*then)(int at)) {
    struct sigaction stored = {.sa_sigaction = on_store, .sa_flags = SA_SIGINFO};
    struct sigaction stepped = {.sa_sigaction = after_store, .sa_flags = SA_SIGINFO};
    watched = page;
    after = then;
    sigaction(SIGSEGV, &stored, NULL);
    sigaction(SIGTRAP, &stepped, NULL);
    mprotect(watched, PAGE, PROT_NONE);
}

// SPDX-License-Identifier: Apache-2.0
//
// Replaces the first instruction of a function again and again while another thread calls it, as HotSpot does with the
// entry of a method that is compiled anew: with one aligned store of eight bytes, of which the instruction is five.
// A processor executes the old instruction or the new one. An emulator that reads them byte by byte executes a mixture.
//
// usage: replaced-instruction SECONDS; the status is 0 if nothing but the two instructions was executed.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { OLD_RESULT = 1, NEW_RESULT = 2, PAGE = 4096, NEIGHBOUR = 512, TARGET = PAGE + 64, JUMP = 5, BATCH = 100, PAUSE = 200 };

// mov %eax,-8(%rsp) with a prefix, five bytes; then xor %eax,%eax; inc %eax; ret
static const uint8_t OLD_ENTRY[] = {0x3e, 0x89, 0x44, 0x24, 0xf8, 0x31, 0xc0, 0xff, 0xc0, 0xc3};
// mov $2,%eax; ret
static const uint8_t NEW_FUNCTION[] = {0xb8, NEW_RESULT, 0, 0, 0, 0xc3};

typedef int (*function)(void);

static uint8_t *code;
static volatile int over;
static volatile uint64_t replaced, called, wrong;

static void *call(void *unused) {
    while (!over) {
        int result = ((function)code)();
        wrong += result != OLD_RESULT && result != NEW_RESULT;
        // Keeps the page one that the emulator knows to hold code.
        ((function)(code + NEIGHBOUR))();
        called++;
    }
    return unused;
}

static void crash(int number) {
    char text[128];
    int length = snprintf(text, sizeof text, "signal %d after %lu replacements and %lu calls\n", number, replaced, called);
    _exit(write(STDOUT_FILENO, text, length) == length ? 1 : 2);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

int main(int count, char **arguments) {
    double end = now() + (count > 1 ? atof(arguments[1]) : 2);
    code = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(code, 0xcc, 2 * PAGE); // int3
    memcpy(code, OLD_ENTRY, sizeof OLD_ENTRY);
    memcpy(code + NEIGHBOUR, NEW_FUNCTION, sizeof NEW_FUNCTION);
    memcpy(code + TARGET, NEW_FUNCTION, sizeof NEW_FUNCTION);
    uint8_t jump[8];
    int32_t distance = TARGET - JUMP;
    memcpy(jump, OLD_ENTRY, sizeof jump);
    jump[0] = 0xe9;
    memcpy(jump + 1, &distance, sizeof distance);
    uint64_t entries[2];
    memcpy(&entries[0], OLD_ENTRY, sizeof entries[0]);
    memcpy(&entries[1], jump, sizeof entries[1]);

    for (int number = 1; number < 16; number++) {
        if (number == SIGSEGV || number == SIGILL || number == SIGTRAP || number == SIGBUS) {
            signal(number, crash);
        }
    }
    pthread_t caller;
    pthread_create(&caller, NULL, call, NULL);
    while (now() < end) {
        for (int i = 0; i < BATCH; i++) {
            __atomic_store_n((uint64_t *)code, entries[++replaced & 1], __ATOMIC_SEQ_CST);
            for (volatile int pause = 0; pause < PAUSE; pause++) {
            }
        }
    }
    over = 1;
    pthread_join(caller, NULL);
    printf("%lu replacements, %lu calls, %lu wrong\n", replaced, called, wrong);
    return wrong != 0;
}

// SPDX-License-Identifier: Apache-2.0
//
// The device node, which exists only here: what a program finds under its path.
#ifndef NODE_H
#define NODE_H

#include <dlfcn.h>

// The function of libc that one of this program hides.
#define LIBC(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))

// Opens the node; the program provides it.
int open_node(void);

#endif

// SPDX-License-Identifier: Apache-2.0
/**
 * The harness that proves providers against the libraries of rdma-core: a script of random verbs on both, and a device in software
 * that both use. A driver is a table of facts, the text of its rings, a writer of completions, a reader of work queue elements, a
 * decoder of doorbells, and one file in C.
 */
@NullMarked
package io.github.rdma4j.providers;

import org.jspecify.annotations.NullMarked;

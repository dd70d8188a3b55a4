// SPDX-License-Identifier: Apache-2.0
/** Tests of verbs: queues, memory and completions, against a running kernel or a card in software. */
@NullMarked
package io.github.rdma4j.it.verbs;

import org.jspecify.annotations.NullMarked;

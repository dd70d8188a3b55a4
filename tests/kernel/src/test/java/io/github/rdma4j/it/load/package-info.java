// SPDX-License-Identifier: Apache-2.0
/**
 * Tests of the library at full rate, on a disturbed wire, and with peers that are killed, against a running
 * kernel or a card in software.
 */
@NullMarked
package io.github.rdma4j.it.load;

import org.jspecify.annotations.NullMarked;

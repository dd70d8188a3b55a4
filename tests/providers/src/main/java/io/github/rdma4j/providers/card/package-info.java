// SPDX-License-Identifier: Apache-2.0
/**
 * Network cards in software: they take work by the doorbell, read and write the queues in this process's memory as the
 * hardware does by DMA, and check what they find there. The formats are those of the cards' C libraries.
 */
@NullMarked
package io.github.rdma4j.providers.card;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

/**
 * Creates a shared receive queue.
 *
 * @param userHandle echoed in the events of this queue
 * @param pdHandle the protection domain
 * @param maxWr work requests wanted
 * @param maxSge scatter-gather entries of one work request
 * @param srqLimit fewer work requests than that give an event, once; 0 for none
 */
public record CreateSrqCommand(long userHandle, int pdHandle, int maxWr, int maxSge, int srqLimit) {}

// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.verbs.attr.AsyncEventType;

/**
 * The attributes of a shared receive queue ({@code struct ibv_srq_attr}).
 *
 * @param maxWr number of receive requests that the queue holds
 * @param maxSge scatter-gather entries of one receive request
 * @param srqLimit the event {@link AsyncEventType#SRQ_LIMIT_REACHED} is raised once when the queue holds fewer receive
 *     requests than this; 0 for no event
 */
public record SrqAttr(int maxWr, int maxSge, int srqLimit) {}

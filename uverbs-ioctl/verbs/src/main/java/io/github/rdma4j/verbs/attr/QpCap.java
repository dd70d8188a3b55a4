// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

/**
 * The capacity of a queue pair ({@code struct ibv_qp_cap}), with the names of {@code QueuePairOptions}.
 *
 * @param maxSendWr maximum number of work requests in the send queue
 * @param maxReceiveWr maximum number of work requests in the receive queue ({@code max_recv_wr})
 * @param maxSendSge maximum number of scatter-gather entries in one send
 * @param maxReceiveSge maximum number of scatter-gather entries in one receive ({@code max_recv_sge})
 * @param maxInline maximum number of bytes that a send can carry inline, copied into the send queue when posted
 *     ({@code max_inline_data})
 */
public record QpCap(int maxSendWr, int maxReceiveWr, int maxSendSge, int maxReceiveSge, int maxInline) {}

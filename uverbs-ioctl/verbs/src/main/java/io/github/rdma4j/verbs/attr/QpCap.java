// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

/**
 * The capacity of a queue pair ({@code struct ibv_qp_cap}), with the names of {@code QueuePairOptions}.
 *
 * @param maxSendWr work requests of the send queue
 * @param maxReceiveWr work requests of the receive queue ({@code max_recv_wr})
 * @param maxSendSge scatter-gather entries of one send
 * @param maxReceiveSge scatter-gather entries of one receive ({@code max_recv_sge})
 * @param maxInline bytes that a send request can carry inline, copied into the send queue when posted ({@code
 *     max_inline_data})
 */
public record QpCap(int maxSendWr, int maxReceiveWr, int maxSendSge, int maxReceiveSge, int maxInline) {}

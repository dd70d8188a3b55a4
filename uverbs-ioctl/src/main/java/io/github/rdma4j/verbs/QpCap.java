// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

/**
 * The capacity of a queue pair ({@code struct ibv_qp_cap}).
 *
 * @param maxSendWr work requests of the send queue
 * @param maxRecvWr work requests of the receive queue
 * @param maxSendSge scatter-gather entries of one send
 * @param maxRecvSge scatter-gather entries of one receive
 * @param maxInlineData bytes that a send request can carry inline, copied into the send queue when it is posted
 */
public record QpCap(int maxSendWr, int maxRecvWr, int maxSendSge, int maxRecvSge, int maxInlineData) {}

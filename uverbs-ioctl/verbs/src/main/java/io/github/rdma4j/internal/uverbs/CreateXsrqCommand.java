// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

/**
 * Creates a shared receive queue of an XRC domain.
 *
 * @param core what a shared receive queue of any type has
 * @param xrcdHandle the XRC domain
 * @param cqHandle the completion queue of its receives
 */
public record CreateXsrqCommand(CreateSrqCommand core, int xrcdHandle, int cqHandle) {}

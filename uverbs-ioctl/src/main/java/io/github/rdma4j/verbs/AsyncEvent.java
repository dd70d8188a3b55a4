// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

/**
 * Something that happened to a device, a port or a queue ({@code struct ibv_async_event}).
 *
 * @param type {@code IBV_EVENT_*} of {@link io.github.rdma4j.internal.uverbs.AsyncEventTypes}
 * @param element the port for port events; a number of no further meaning for the others
 */
public record AsyncEvent(int type, long element) {}

// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

/**
 * An asynchronous event of a device, a port or a queue ({@code struct ibv_async_event}).
 *
 * @param rawType the kernel's number of {@link #type()}, {@code IBV_EVENT_*}
 * @param element the port of a port event, from 1; for other events a number without further meaning
 */
public record AsyncEvent(int rawType, long element) {
    /** What has happened. */
    public AsyncEventType type() {
        return AsyncEventType.of(rawType);
    }
}

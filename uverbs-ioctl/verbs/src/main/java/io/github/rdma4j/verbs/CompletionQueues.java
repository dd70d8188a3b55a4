// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.ioctl.ControlPath;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.kernel.RdmaException;
import org.jspecify.annotations.Nullable;

/**
 * The completion queues of a queue pair.
 *
 * @param send the queue for sends; null for an XRC target, which sends nothing
 * @param receive the queue for receives; null for XRC, whose receives complete in the completion queue of the shared
 *     receive queue
 */
record CompletionQueues(
        @Nullable CompletionQueue send, @Nullable CompletionQueue receive) {
    static final CompletionQueues NONE = new CompletionQueues(null, null);

    /** Returns true if all requests complete in {@code cq}. */
    boolean areOnly(CompletionQueue cq) {
        return send == cq && (receive == cq || receive == null);
    }

    /** Wakes waiting threads after the provider itself has completed sends. */
    void sendCompletedByProvider() {
        if (send != null) {
            send.lookAgain();
        }
    }

    /** Wakes waiting threads after the provider itself has completed receives. */
    void receiveCompletedByProvider() {
        if (receive != null) {
            receive.lookAgain();
        }
    }

    /** Forgets the queue pair of {@code rings}, which was destroyed or moved to RESET. */
    void forget(QueueRings rings) {
        if (send != null) {
            send.forget(rings);
        }
        if (receive != null && receive != send) {
            receive.forget(rings);
        }
    }

    /**
     * A completion queue that the kernel has just created, with its ring.
     *
     * @param context the device
     * @param channel the channel for its events; null for a queue that is only polled
     * @param created the kernel's reply
     * @param cookie the number by which the kernel identifies the queue in events
     * @param ring the ring
     */
    record Made(
            DeviceContext context,
            @Nullable CompletionChannel channel,
            Created.Cq created,
            long cookie,
            CompletionRing ring) {
        /** Creates the Java object of a new completion queue. */
        interface Use {
            CompletionQueue use(Made made);
        }

        /** Makes the kernel and the provider create a completion queue for at least {@code wanted} completions. */
        static CompletionQueue make(
                DeviceContext context, int wanted, int vector, @Nullable CompletionChannel channel, Use use)
                throws RdmaException {
            ControlPath control = context.control();
            KernelFd events = channel == null ? null : KernelFd.of(channel);
            long cookie = context.newCookie();
            int entries = context.driver().entriesToRequest(wanted);
            return Creating.make(
                    () -> context.driver().completionQueue(entries),
                    new Creating.Steps<>(
                            LockedMemory.explained(
                                    context.kernel(),
                                    DeviceLimits.named(
                                            context.control(),
                                            wanted,
                                            vector,
                                            context.completionVectors(),
                                            driver -> control.createCq(entries, vector, cookie, events, driver))),
                            created -> control.destroyCq(created.handle()),
                            CompletionRing::retire),
                    (created, ring) -> {
                        CompletionQueue cq = use.use(new Made(context, channel, created, cookie, ring));
                        context.remember(cookie, cq);
                        return cq;
                    });
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.ioctl.ControlPath;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.syscall.KernelFd;
import io.github.rdma4j.kernel.RdmaException;
import org.jspecify.annotations.Nullable;

/**
 * Where the requests of a queue pair complete.
 *
 * @param send the queue for sends; null for a target of XRC, which sends nothing
 * @param receive the queue for receives; null for either end of XRC, whose receives complete in the queue of the shared
 *     receive queue
 */
record CompletionQueues(
        @Nullable CompletionQueue send, @Nullable CompletionQueue receive) {
    static final CompletionQueues NONE = new CompletionQueues(null, null);

    /** True when everything completes in {@code cq}. */
    boolean areOnly(CompletionQueue cq) {
        return send == cq && (receive == cq || receive == null);
    }

    /** The provider has completed sends by itself. */
    void sendCompletedByProvider() {
        if (send != null) {
            send.lookAgain();
        }
    }

    /** The provider has completed receives by itself. */
    void receiveCompletedByProvider() {
        if (receive != null) {
            receive.lookAgain();
        }
    }

    /** The queue pair of {@code rings} is gone, or in RESET. */
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
     * @param channel where its events come; null for a queue that is polled only
     * @param created what the kernel granted
     * @param cookie the number by which the kernel names the queue in events
     * @param ring the ring
     */
    record Made(
            DeviceContext context,
            @Nullable CompletionChannel channel,
            Created.Cq created,
            long cookie,
            CompletionRing ring) {
        /** What becomes of a new completion queue. */
        interface Use {
            CompletionQueue use(Made made);
        }

        /** Has the kernel and the provider make a completion queue for {@code wanted} completions or more. */
        static CompletionQueue make(
                DeviceContext context, int wanted, int vector, @Nullable CompletionChannel channel, Use use)
                throws RdmaException {
            ControlPath control = context.control();
            KernelFd events = channel == null ? null : KernelFd.of(channel);
            long cookie = context.newCookie();
            int entries = context.driver().entriesToRequest(wanted);
            Creation<Created.Cq, CompletionRing> creation = context.driver().completionQueue(entries);
            return Creating.make(
                    creation,
                    new Creating.Steps<>(
                            LockedMemory.explained(
                                    context.kernel(),
                                    creation,
                                    () -> control.createCq(entries, vector, cookie, events, creation)),
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

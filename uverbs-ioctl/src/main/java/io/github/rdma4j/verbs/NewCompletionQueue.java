// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.ioctl.ControlPath;
import io.github.rdma4j.kernel.KernelFd;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.provider.CompletionRing;
import io.github.rdma4j.verbs.provider.Created;
import io.github.rdma4j.verbs.provider.Creation;
import org.jspecify.annotations.Nullable;

/**
 * A completion queue that the kernel has just created, with its ring.
 *
 * @param context the device
 * @param created what the kernel granted
 * @param cookie the number by which the kernel names the queue in events
 * @param ring the ring
 */
record NewCompletionQueue(DeviceContext context, Created.Cq created, long cookie, CompletionRing ring) {
    /** What becomes of a new completion queue. */
    interface Use {
        CompletionQueue use(NewCompletionQueue made);
    }

    /** Has the kernel and the provider make a completion queue of at least {@code wanted} entries. */
    static CompletionQueue make(
            DeviceContext context, int wanted, int vector, @Nullable CompletionChannel channel, Use use)
            throws RdmaException {
        ControlPath control = context.control();
        KernelFd events = channel == null ? null : channel.descriptor();
        long cookie = context.newCookie();
        int entries = context.driver().entriesToRequest(wanted);
        Creation<Created.Cq, CompletionRing> creation = context.driver().completionQueue(entries);
        return Creating.make(
                creation,
                new Creating.Steps<>(
                        LockedMemory.explained(
                                context, creation, () -> control.createCq(entries, vector, cookie, events, creation)),
                        created -> control.destroyCq(created.handle()),
                        CompletionRing::retire),
                (created, ring) -> {
                    CompletionQueue cq = use.use(new NewCompletionQueue(context, created, cookie, ring));
                    context.remember(cookie, cq);
                    return cq;
                });
    }
}

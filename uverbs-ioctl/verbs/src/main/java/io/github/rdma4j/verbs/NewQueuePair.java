// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.ioctl.ControlPath;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.DriverContext;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.provider.ReceiveRing;
import io.github.rdma4j.internal.uverbs.QpCommands.CreateQp;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.QpCap;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair that the kernel has just created, with its rings.
 *
 * @param context the device
 * @param pd the protection domain; null for an XRC target, which has no protection domain
 * @param type the transport type
 * @param completions the completion queues
 * @param created the kernel's reply
 * @param rings the send and receive rings
 * @param asked the capacities that the program requested
 * @param maxMessage the maximum message length in bytes
 * @param cookie the number by which the kernel identifies the queue pair in events
 */
record NewQueuePair(
        DeviceContext context,
        @Nullable ProtectionDomain pd,
        QueuePairType type,
        CompletionQueues completions,
        Created.Qp created,
        QueueRings rings,
        QpCap asked,
        long maxMessage,
        long cookie) {
    static final String NO_XRC = "The device or its provider does not support XRC (for the device, see"
            + " DeviceContext.queryDeviceEx().has(DeviceAttr.Capability.XRC)): use a shared receive queue of"
            + " ProtectionDomain.createSrq and one queue pair for each peer";

    /** Makes the kernel and the provider create a queue pair with queues, of which {@code use} makes the object. */
    static QueuePair make(ProtectionDomain pd, QueuePairOptions options, Function<NewQueuePair, QueuePair> use)
            throws RdmaException {
        DeviceContext context = pd.context();
        if (options.type().isXrc() && !context.driver().hasXrc()) {
            String device = context.device().name();
            throw new ErrnoException("CREATE_QP of type " + options.type() + " on " + device, Errno.EOPNOTSUPP, NO_XRC);
        }
        long maxMessage = options.type().isDatagram() ? context.packetLength() : context.maxMessageLength();
        QpCap cap = context.driver().capacitiesToRequest(options.cap());
        long cookie = context.newCookie();
        CreateQp command = options.command(cookie, pd.handle(), cap);
        DriverContext.QueuePairRequest request = options.request(cap);
        Creating.Steps<Created.Qp, QueueRings> steps = new Creating.Steps<>(
                LockedMemory.explained(
                        context.kernel(),
                        DeviceLimits.named(
                                context.control(),
                                options.cap(),
                                driver -> context.control().createQp(command, driver))),
                created -> context.control().destroy(ControlPath.Kind.QP, created.handle()),
                QueueRings::retire);
        return Creating.alone(
                context.driver(),
                () -> Creating.make(() -> context.driver().queuePair(request), steps, (created, rings) -> {
                    QueuePair qp = use.apply(new NewQueuePair(
                            context,
                            pd,
                            options.type(),
                            options.completions(),
                            created,
                            rings,
                            options.cap(),
                            maxMessage,
                            cookie));
                    context.remember(cookie, qp);
                    return qp;
                }));
    }

    /**
     * Returns the usable capacities from the provider, which are more accurate than the kernel's reply. The numbers of
     * requests are limited to the requested numbers, so that a completion queue of their sum is large enough on every
     * device.
     */
    QpCap capacities() {
        ReceiveRing receive = rings.receive();
        return new QpCap(
                Math.min(asked.maxSendWr(), rings.send().capacity()),
                receive != null ? Math.min(asked.maxReceiveWr(), receive.capacity()) : 0,
                rings.send().maxSge(),
                receive != null ? receive.maxSge() : 0,
                rings.send().maxInline());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.ioctl.ControlPath;
import io.github.rdma4j.internal.uverbs.CreateQpCommand;
import io.github.rdma4j.kernel.FirstFailure;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.provider.Provider;
import io.github.rdma4j.verbs.provider.ReceiveRing;
import io.github.rdma4j.verbs.provider.SendRing;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair that the kernel has just created, with its rings.
 *
 * @param created what the kernel granted
 * @param send the send ring
 * @param receive the receive ring, null when receives come from a shared receive queue
 */
record NewQueuePair(
        ControlPath.NewQp created, SendRing send, @Nullable ReceiveRing receive) {
    static NewQueuePair create(DeviceContext context, CreateQpCommand command) throws RdmaException {
        Provider provider = context.provider();
        ControlPath.NewQp created = context.control().createQp(command, provider.qpReplyBytes());
        return Undo.onFailure(
                () -> map(context, created, !command.isSrq()),
                () -> context.control().destroyQp(created.handle()));
    }

    private static NewQueuePair map(DeviceContext context, ControlPath.NewQp created, boolean ownReceives)
            throws RdmaException {
        Provider provider = context.provider();
        Provider.Device device = context.providerDevice();
        SendRing send = provider.mapSendRing(device, created.driverReply(), created.handle());
        return Undo.onFailure(
                () -> new NewQueuePair(
                        created, send, ownReceives ? provider.mapReceiveRing(device, created.driverReply()) : null),
                send::retire);
    }

    /** Takes all of it back. */
    void destroy(DeviceContext context) throws RdmaException {
        FirstFailure failure = new FirstFailure();
        failure.attempt(() -> context.control().destroyQp(created.handle()));
        if (receive != null) {
            failure.attempt(receive::retire);
        }
        failure.attempt(send::retire);
        failure.throwIfAny();
    }

    /** What can be posted: the kernel may have rounded up the depths without saying so. */
    QpCap capacities() {
        return new QpCap(
                send.capacity(),
                receive != null ? receive.capacity() : 0,
                created.cap().maxSendSge(),
                receive != null ? created.cap().maxRecvSge() : 0,
                created.cap().maxInlineData());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.ioctl.ControlPath;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.provider.Provider;
import io.github.rdma4j.verbs.provider.ReceiveRing;
import io.github.rdma4j.verbs.provider.SendRing;
import org.jspecify.annotations.Nullable;

/**
 * The rings of a new queue pair.
 *
 * @param send the send ring
 * @param receive the receive ring, null when receives come from a shared one
 */
record QueuePairRings(SendRing send, @Nullable ReceiveRing receive) {
    static QueuePairRings map(DeviceContext context, ControlPath.NewQp made, boolean ownReceives) throws RdmaException {
        Provider provider = context.provider();
        Provider.Device device = context.providerDevice();
        SendRing send = provider.mapSendRing(device, made.driverReply(), made.handle());
        return Undo.onFailure(
                () -> new QueuePairRings(
                        send, ownReceives ? provider.mapReceiveRing(device, made.driverReply()) : null),
                send::retire);
    }

    /** Gives the memory of the rings back. */
    void retire() {
        if (receive != null) {
            receive.retire();
        }
        send.retire();
    }

    /** What can be posted: the kernel may have rounded up the depths without saying so. */
    QpCap capacities(QpCap granted) {
        return new QpCap(
                send.capacity(),
                receive != null ? receive.capacity() : 0,
                granted.maxSendSge(),
                receive != null ? granted.maxRecvSge() : 0,
                granted.maxInlineData());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import static java.util.Objects.requireNonNull;

import io.github.rdma4j.it.support.PvrdmaEnd;
import io.github.rdma4j.it.support.RequiresPvrdma;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.verbs.AddressHandle;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.Grh;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** {@code ibv_ud_pingpong}, whose Q_Key is that of {@code Datagrams}. */
@RequiresPvrdma
@Nightly // its guest is emulated: DataPathPvrdmaIT remains
class DatagramPingPongInteropPvrdmaIT extends PingPongPvrdmaScenarios {
    private @Nullable AddressHandle way;
    private int peer;

    @Override
    String program() {
        return "ibv_ud_pingpong";
    }

    @Override
    PvrdmaEnd newEnd(DeviceContext context) throws RdmaException {
        return PvrdmaEnd.datagrams(context);
    }

    @Override
    int header() {
        return Grh.BYTES;
    }

    @Override
    void connect(PvrdmaEnd end, PingPongPeer us, PingPongPeer them) throws RdmaException {
        way = end.pd().createAh(AhAttr.to(them.gid(), us.gidIndex(), 1));
        peer = them.qpn();
    }

    @Override
    void send(PvrdmaEnd end, long wrId, int length) throws RdmaException {
        end.sendTo(requireNonNull(way), peer, wrId, 0, length);
    }

    @AfterEach
    void forget() throws RdmaException {
        if (way != null) {
            way.close();
        }
    }
}

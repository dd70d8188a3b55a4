// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import io.github.rdma4j.it.support.PvrdmaEnd;
import io.github.rdma4j.it.support.RequiresPvrdma;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.verbs.DeviceContext;

/** {@code ibv_rc_pingpong}. */
@RequiresPvrdma
@Nightly
class PingPongInteropPvrdmaIT extends PingPongPvrdmaScenarios {
    @Override
    String program() {
        return "ibv_rc_pingpong";
    }

    @Override
    PvrdmaEnd newEnd(DeviceContext context) throws RdmaException {
        PvrdmaEnd end = PvrdmaEnd.reliable(context);
        PingPongPeer.prepare(end.qp());
        return end;
    }

    @Override
    int header() {
        return 0;
    }

    @Override
    void connect(PvrdmaEnd end, PingPongPeer us, PingPongPeer them) throws RdmaException {
        us.connect(end.qp(), them);
    }

    @Override
    void send(PvrdmaEnd end, long wrId, int length) throws RdmaException {
        end.send(wrId, 0, length);
    }
}

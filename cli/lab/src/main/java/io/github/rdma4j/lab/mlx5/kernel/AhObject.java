// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.kernel;

import io.github.rdma4j.internal.uverbs.AhAttrBytes;
import io.github.rdma4j.internal.uverbs.CreateAh;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.lab.mlx5.card.Card;
import java.nio.ByteBuffer;
import java.util.List;

/** An address handle, of which the device knows nothing. */
final class AhObject extends KernelObject {
    private static final int LEAST_REPLY = 10;
    private static final int GID_BYTES = 16;

    private AhObject(PdObject pd) {
        super("ah", List.of(pd));
    }

    /** Resolves the hardware address for the driver in user space. */
    static AhObject make(Hca hca, Handles handles, Request request) throws Refusal {
        ByteBuffer core = request.core();
        PdObject pd = handles.get(PdObject.class, core.getInt(CreateAh.Command.PD_HANDLE));
        int attr = CreateAh.Command.ATTR;
        Refusal.unless(core.get(attr + AhAttrBytes.IS_GLOBAL) != 0, Errno.EINVAL);
        Refusal.unless(core.get(attr + AhAttrBytes.PORT_NUM) == Hca.PORT, Errno.EINVAL);
        int sgid = core.get(attr + AhAttrBytes.SGID_INDEX) & 0xff;
        Refusal.unless(sgid < hca.gids().size(), Errno.EINVAL);
        byte[] gid = new byte[GID_BYTES];
        core.get(attr + AhAttrBytes.DGID, gid);
        Refusal.unless(Card.isMulticast(gid) || hca.isOwn(gid), Errno.ETIMEDOUT);
        if (hca.settings().tellsDestinationMac()) {
            Refusal.unless(request.driverReply().capacity() >= LEAST_REPLY, Errno.EINVAL);
            request.driverReply().putInt(0, LEAST_REPLY).put(Integer.BYTES, Card.mac(gid));
        }
        return new AhObject(pd);
    }
}

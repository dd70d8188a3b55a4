// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.mlx4;

import io.github.rdma4j.internal.mlx4.Cqe.CqeBytes;
import io.github.rdma4j.internal.mlx4.Mlx4Abi;
import io.github.rdma4j.internal.mlx4.Mlx4Abi.AllocUcontextResp;
import io.github.rdma4j.providers.script.ConnectxDevice;
import io.github.rdma4j.verbs.attr.AhAttr;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A ConnectX-3 that answers as the kernel of the program in C does. */
final class Mlx4ScriptDevice extends ConnectxDevice {
    private static final int VLAN_GID = 3;
    private static final int VLAN = 0x123;
    private static final int NUMBERS = 1 << 24;

    private final Mlx4Mode mode;

    Mlx4ScriptDevice(Mlx4Mode mode) {
        super(mode.link());
        this.mode = mode;
    }

    /** What the driver adds to the reply that makes a context. */
    ByteBuffer contextReply() {
        ByteBuffer reply = ByteBuffer.allocate(AllocUcontextResp.BYTES).order(ByteOrder.nativeOrder());
        boolean large = mode.entryBytes() != CqeBytes.BYTES;
        reply.putInt(AllocUcontextResp.DEV_CAPS, large ? Mlx4Abi.MLX4_USER_DEV_CAP_LARGE_CQE : 0);
        reply.putInt(AllocUcontextResp.QP_TAB_SIZE, NUMBERS);
        reply.putInt(AllocUcontextResp.CQE_SIZE, mode.entryBytes());
        return reply;
    }

    @Override
    protected String storeText(long page, int at, int value) {
        return String.format("  doorbell %x %08x", at, bigEndian(value));
    }

    @Override
    public byte[] hardwareAddress(AhAttr to) {
        return peerMac();
    }

    @Override
    public int vlan(AhAttr to) {
        return to.sgidIndex() == VLAN_GID ? VLAN : -1;
    }
}

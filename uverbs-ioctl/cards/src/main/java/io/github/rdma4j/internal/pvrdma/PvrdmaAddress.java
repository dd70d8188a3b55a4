// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.pvrdma;

import io.github.rdma4j.internal.provider.SendView.AddressVector;
import io.github.rdma4j.internal.pvrdma.Wqe.AddressBytes;
import io.github.rdma4j.internal.uverbs.GidBytes;
import io.github.rdma4j.verbs.attr.AhAttr;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The destination of a datagram, as the {@link AddressBytes} of the work request. */
final class PvrdmaAddress implements AddressVector {
    private static final int PORT_SHIFT = 24;
    private static final int TRAFFIC_CLASS_SHIFT = 20;
    private static final int FLOW_LABEL = 0xf_ffff;
    private static final int HAS_GRH = 0x80;
    private static final int PATH_BITS = 0x7f;

    private final byte[] bytes;

    private PvrdmaAddress(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * The address of {@code to}.
     *
     * @param pdn the device's number of the protection domain
     * @param mac the MAC address, 6 bytes
     */
    static PvrdmaAddress of(int pdn, AhAttr to, byte... mac) {
        byte[] bytes = new byte[AddressBytes.BYTES];
        ByteBuffer av = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
        av.putInt(AddressBytes.PORT_PD, pdn | to.portNum() << PORT_SHIFT);
        av.putInt(
                AddressBytes.SL_TCLASS_FLOWLABEL,
                to.trafficClass() << TRAFFIC_CLASS_SHIFT | (to.flowLabel() & FLOW_LABEL));
        GidBytes.encode(to.dgid(), av, AddressBytes.DGID);
        av.put(AddressBytes.SRC_PATH_BITS, (byte) (HAS_GRH | (to.srcPathBits() & PATH_BITS)));
        av.put(AddressBytes.GID_INDEX, (byte) to.sgidIndex());
        av.put(AddressBytes.HOP_LIMIT, (byte) to.hopLimit());
        av.put(AddressBytes.DMAC, mac);
        return new PvrdmaAddress(bytes);
    }

    void put(ByteBuffer ring, int at) {
        ring.put(at, bytes);
    }
}

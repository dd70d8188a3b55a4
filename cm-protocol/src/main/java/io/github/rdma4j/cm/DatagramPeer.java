// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.AddressHandle;
import io.github.rdma4j.verbs.attr.AhAttr;
import java.util.HexFormat;
import java.util.Objects;

/**
 * A destination for datagrams ({@code struct rdma_ud_param}): a peer that has accepted, or a multicast group.
 *
 * @param ahAttr the attributes for creating an address handle
 * @param qpn the destination queue pair number, 24 bits; 0xffffff for a multicast group
 * @param qkey the queue key of the destination
 */
public record DatagramPeer(AhAttr ahAttr, int qpn, int qkey) {
    /** Checks that no component is null. */
    public DatagramPeer {
        Objects.requireNonNull(ahAttr, "ahAttr");
    }

    /** Returns the numbers as they are usually written: {@code qpn=0xffffff}. */
    @Override
    public String toString() {
        return "DatagramPeer[" + ahAttr + ", qpn=0x" + Integer.toHexString(qpn) + ", qkey=0x"
                + HexFormat.of().toHexDigits(qkey) + "]";
    }

    /**
     * A destination with its address handle; see {@link CmQueues#handle} and {@link CmQueues#postDatagram}. Closing it
     * closes the address handle.
     *
     * @param ah the address handle, created in the protection domain of the sending queue pair
     * @param qpn the destination queue pair number, 24 bits; 0xffffff for a multicast group
     * @param qkey the queue key of the destination
     */
    public record Handle(AddressHandle ah, int qpn, int qkey) implements AutoCloseable {
        /** Checks that no component is null. */
        public Handle {
            Objects.requireNonNull(ah, "ah");
        }

        @Override
        public void close() throws RdmaException {
            ah.close();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.AddressHandle;
import io.github.rdma4j.verbs.attr.AhAttr;
import java.util.Objects;

/**
 * Where to send datagrams ({@code struct rdma_ud_param}): a peer that has accepted, or a multicast group.
 *
 * @param ahAttr what to make an address handle of
 * @param qpn queue pair number to send to, 24 bits; 0xffffff for a group
 * @param qkey queue key to send with
 */
public record DatagramPeer(AhAttr ahAttr, int qpn, int qkey) {
    /** No component is null. */
    public DatagramPeer {
        Objects.requireNonNull(ahAttr, "ahAttr");
    }

    /**
     * A peer with its address handle; see {@link CmQueues#handle} and {@link CmQueues#postDatagram}. Closing closes the address
     * handle.
     *
     * @param ah the way to the peer, made in the protection domain of the queue pair that sends
     * @param qpn queue pair number to send to, 24 bits; 0xffffff for a multicast group
     * @param qkey queue key to send with
     */
    public record Handle(AddressHandle ah, int qpn, int qkey) implements AutoCloseable {
        /** No component is null. */
        public Handle {
            Objects.requireNonNull(ah, "ah");
        }

        @Override
        public void close() throws RdmaException {
            ah.close();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.umad;

import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.LinkLayer;
import io.github.rdma4j.verbs.attr.PortAttr;
import java.util.List;

/**
 * A snapshot of a port of this host. The subnet manager assigns LIDs, GID prefix and partition keys: they are 0 before,
 * and may change later.
 *
 * @param device the device, for example {@code mlx5_0}
 * @param port the number of the port, from 1
 * @param rawState the kernel's number of {@link #state()}, {@code IBV_PORT_*}
 * @param linkLayer the link layer
 * @param lid the local identifier, the first of 2^lmc
 * @param lmc the number of low LID bits that the port ignores, 0 to 7
 * @param smLid the LID of the subnet manager and of subnet administration; 0 for none
 * @param smSl the service level to the subnet manager
 * @param gid the port's first GID: the subnet's prefix and the port's GUID
 * @param pkeys the partition key table; 0 for an empty entry
 */
public record LocalPort(
        String device,
        int port,
        int rawState,
        LinkLayer linkLayer,
        int lid,
        int lmc,
        int smLid,
        int smSl,
        Gid gid,
        List<Integer> pkeys) {
    public LocalPort {
        pkeys = List.copyOf(pkeys);
    }

    /** The logical state. */
    public PortAttr.State state() {
        return PortAttr.State.of(rawState);
    }

    /** True when the link works and the subnet manager has configured the port. */
    public boolean isActive() {
        return state() == PortAttr.State.ACTIVE;
    }

    /** The prefix of the subnet, the first eight bytes of every GID on it. */
    public long gidPrefix() {
        return gid.prefix();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.umad;

import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.LinkLayer;
import io.github.rdma4j.verbs.attr.PortAttr;
import java.util.List;

/**
 * A port of this host at one moment. What the subnet manager assigns (LIDs, GID prefix, partition keys) is 0 until it has
 * done so, and changes with it.
 *
 * @param device the device, for example {@code mlx5_0}
 * @param port the number of the port, from 1
 * @param rawState the kernel's number of {@link #state()}, {@code IBV_PORT_*}
 * @param linkLayer what carries its packets
 * @param lid its local identifier; with an LMC the first of 2^lmc
 * @param lmc how many low bits of the LID the port does not look at
 * @param smLid where the subnet manager is, and with it subnet administration
 * @param smSl the service level to reach it with
 * @param gid the port's first GID: the subnet's prefix and the port's GUID
 * @param pkeys the partition keys of the table, in the order of their index; 0 for an empty entry
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

    /** Whether the subnet manager has set the port up and the link works. */
    public boolean isActive() {
        return state() == PortAttr.State.ACTIVE;
    }

    /** The prefix of the subnet, the first eight bytes of every GID on it. */
    public long gidPrefix() {
        return gid.prefix();
    }
}

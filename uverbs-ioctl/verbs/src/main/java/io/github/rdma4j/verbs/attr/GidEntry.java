// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

import java.util.Objects;

/**
 * An entry of the GID table of a port ({@code struct ibv_gid_entry}).
 *
 * @param gid the GID
 * @param gidIndex index in the table of the port
 * @param portNum the port, from 1
 * @param rawGidType the kernel's number of {@link #gidType()}, {@code IB_UVERBS_GID_TYPE_*}
 * @param netdevIfindex index of the network interface, 0 for none
 */
public record GidEntry(Gid gid, int gidIndex, int portNum, int rawGidType, int netdevIfindex) {
    /** No component is null. */
    public GidEntry {
        Objects.requireNonNull(gid, "gid");
    }

    /** The kind of packets. */
    public GidType gidType() {
        return GidType.of(rawGidType);
    }
}

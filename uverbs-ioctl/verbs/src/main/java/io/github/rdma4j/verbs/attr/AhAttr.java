// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

import java.util.Objects;

/**
 * The address of a destination ({@code struct ibv_ah_attr}).
 *
 * @param dgid GID of the destination
 * @param flowLabel flow label, 20 bits
 * @param sgidIndex index of the source GID in the table of the port
 * @param hopLimit hop limit
 * @param trafficClass traffic class
 * @param dlid local identifier of the destination, 0 on Ethernet
 * @param sl service level
 * @param srcPathBits low bits of the source local identifier
 * @param staticRate code of the rate limit, 0 for none
 * @param isGlobal the packet has a global route header; always so on Ethernet
 * @param portNum the port, from 1
 */
public record AhAttr(
        Gid dgid,
        int flowLabel,
        int sgidIndex,
        int hopLimit,
        int trafficClass,
        int dlid,
        int sl,
        int srcPathBits,
        int staticRate,
        boolean isGlobal,
        int portNum) {
    /** No address: all zero. */
    public static final AhAttr NONE = new AhAttr(new Gid(0, 0), 0, 0, 0, 0, 0, 0, 0, 0, false, 0);

    private static final int HOP_LIMIT = 64;

    /** No component is null. */
    public AhAttr {
        Objects.requireNonNull(dgid, "dgid");
    }

    /**
     * The address of a port or group by its GID, as RoCE needs it.
     *
     * @param sgidIndex index of the GID to send from
     */
    public static AhAttr to(Gid dgid, int sgidIndex, int portNum) {
        return new AhAttr(dgid, 0, sgidIndex, HOP_LIMIT, 0, 0, 0, 0, 0, true, portNum);
    }
}

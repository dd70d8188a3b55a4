// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

import java.util.Objects;

/**
 * The address of a destination ({@code struct ibv_ah_attr}).
 *
 * @param dgid GID of the destination
 * @param flowLabel flow label, 0 to 0xfffff
 * @param sgidIndex index of the source GID in the port's GID table, 0 to 255
 * @param hopLimit hop limit, 0 to 255
 * @param trafficClass traffic class, 0 to 255
 * @param dlid local identifier of the destination, 0 to 0xffff; 0 on Ethernet
 * @param sl service level, 0 to 15
 * @param srcPathBits low bits of the source local identifier, as many as the port's {@code lmc}: 0 to 127
 * @param staticRate rate limit, {@code IBV_RATE_*}; 0 for none
 * @param isGlobal whether packets carry a global route header; required on Ethernet
 * @param portNum the local port, from 1 to the number of ports of the device
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
    /** No address: all components are zero or false. */
    public static final AhAttr NONE = new AhAttr(new Gid(0, 0), 0, 0, 0, 0, 0, 0, 0, 0, false, 0);

    private static final int HOP_LIMIT = 64;

    /** Throws {@link NullPointerException} if a component is null. */
    public AhAttr {
        Objects.requireNonNull(dgid, "dgid");
    }

    /** Returns the destination GID, and of the other components those that are not 0. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("AhAttr[dgid=").append(dgid.toText());
        add(text, "flowLabel", flowLabel);
        add(text, "sgidIndex", sgidIndex);
        add(text, "hopLimit", hopLimit);
        add(text, "trafficClass", trafficClass);
        add(text, "dlid", dlid);
        add(text, "sl", sl);
        add(text, "srcPathBits", srcPathBits);
        add(text, "staticRate", staticRate);
        add(text, "portNum", portNum);
        return text.append(isGlobal ? ", global]" : "]").toString();
    }

    private static void add(StringBuilder text, String name, int value) {
        if (value != 0) {
            text.append(", ").append(name).append('=').append(value);
        }
    }

    /**
     * Returns the RoCE address of the port or multicast group with the GID {@code dgid}, with a hop limit of 64.
     *
     * @param sgidIndex index of the GID to send from
     * @param portNum the local port, from 1
     */
    public static AhAttr to(Gid dgid, int sgidIndex, int portNum) {
        return new AhAttr(dgid, 0, sgidIndex, HOP_LIMIT, 0, 0, 0, 0, 0, true, portNum);
    }
}

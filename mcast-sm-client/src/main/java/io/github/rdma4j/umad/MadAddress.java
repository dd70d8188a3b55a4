// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.umad;

import io.github.rdma4j.verbs.attr.Gid;
import java.util.Optional;

/**
 * The address of a management queue pair, as destination or source of a MAD.
 *
 * @param lid the local identifier, 0 to 0xffff
 * @param sl the service level, 0 to 15
 * @param qpn the queue pair number, 24 bits: 0 for subnet management, 1 for all other classes
 * @param qkey the Q_Key of the queue pair
 * @param pkeyIndex the index of the partition key in the table of the local port
 * @param grh the global route; empty within the subnet
 */
public record MadAddress(int lid, int sl, int qpn, int qkey, int pkeyIndex, Optional<Grh> grh) {
    /** The number of the general services queue pair, and its well-known key. */
    public static final int GSI_QPN = 1;

    public static final int GSI_QKEY = 0x8001_0000;

    private static final int U16_MAX = 0xffff;
    private static final int QPN_MAX = 0xff_ffff;
    private static final int SL_MAX = 0xf;

    /**
     * The content of a global route header.
     *
     * @param gid the other port's GID
     * @param gidIndex the index of the local GID in the table of the local port
     * @param hopLimit the number of routers that the MAD may pass
     * @param trafficClass the traffic class, 8 bits
     * @param flowLabel the flow label, 20 bits
     */
    public record Grh(Gid gid, int gidIndex, int hopLimit, int trafficClass, int flowLabel) {}

    /** Throws {@link IllegalArgumentException} for values out of range. */
    public MadAddress {
        check("lid", lid, U16_MAX);
        check("sl", sl, SL_MAX);
        check("qpn", qpn, QPN_MAX);
        check("pkeyIndex", pkeyIndex, U16_MAX);
    }

    /** The general services queue pair of a port, with partition key index 0. */
    public static MadAddress generalServices(int lid, int sl) {
        return new MadAddress(lid, sl, GSI_QPN, GSI_QKEY, 0, Optional.empty());
    }

    static int check(String name, int value, int max) {
        if (value < 0 || value > max) {
            throw new IllegalArgumentException(name + " is " + value + "; it must be from 0 to " + max);
        }
        return value;
    }
}

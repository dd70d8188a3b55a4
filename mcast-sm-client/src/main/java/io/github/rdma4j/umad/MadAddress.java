// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.umad;

import io.github.rdma4j.verbs.attr.Gid;
import java.util.Optional;

/**
 * Where a MAD goes to or comes from: the address of a management queue pair.
 *
 * @param lid local identifier, 16 bits
 * @param sl service level, 4 bits
 * @param qpn queue pair number, 24 bits: 1 for all classes but that of the subnet manager
 * @param qkey the queue pair's key
 * @param pkeyIndex index of the partition key in the table of the local port
 * @param grh the global route of a MAD that has one; empty within the subnet
 */
public record MadAddress(int lid, int sl, int qpn, int qkey, int pkeyIndex, Optional<Grh> grh) {
    /** The number of the general services queue pair, and its well-known key. */
    public static final int GSI_QPN = 1;

    public static final int GSI_QKEY = 0x8001_0000;

    private static final int U16_MAX = 0xffff;
    private static final int QPN_MAX = 0xff_ffff;
    private static final int SL_MAX = 0xf;

    /**
     * What a global route header adds.
     *
     * @param gid the other port's GID
     * @param gidIndex index of the own GID in the table of the local port
     * @param hopLimit how many routers the MAD may pass
     * @param trafficClass traffic class
     * @param flowLabel flow label, 20 bits
     */
    public record Grh(Gid gid, int gidIndex, int hopLimit, int trafficClass, int flowLabel) {}

    /** Throws {@link IllegalArgumentException} for what does not fit. */
    public MadAddress {
        check("lid", lid, U16_MAX);
        check("sl", sl, SL_MAX);
        check("qpn", qpn, QPN_MAX);
        check("pkeyIndex", pkeyIndex, U16_MAX);
    }

    /** The general services of the port {@code lid}, reached with service level {@code sl} and partition key 0. */
    public static MadAddress generalServices(int lid, int sl) {
        return new MadAddress(lid, sl, GSI_QPN, GSI_QKEY, 0, Optional.empty());
    }

    private static void check(String name, int value, int max) {
        if (value < 0 || value > max) {
            throw new IllegalArgumentException(name + " " + value + " is not in 0.." + max);
        }
    }
}

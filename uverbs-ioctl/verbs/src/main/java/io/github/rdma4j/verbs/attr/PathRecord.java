// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

import java.util.Objects;

/**
 * A path between two ports ({@code struct ibv_path_record}, {@code infiniband/sa.h}; PathRecord of subnet administration).
 * The connection manager shows the paths of an id and takes paths for an id; subnet administration finds paths.
 *
 * @param serviceId service id, 0 for any
 * @param dgid GID of the destination
 * @param sgid GID of the source
 * @param dlid local identifier of the destination, 0 to 0xffff; 0 on Ethernet
 * @param slid local identifier of the source, 0 to 0xffff; 0 on Ethernet
 * @param rawTraffic whether raw packets may take the path
 * @param flowLabel flow label, 0 to 0xfffff
 * @param hopLimit hop limit, 0 to 255
 * @param trafficClass traffic class, 0 to 255
 * @param reversible whether the path back is the same
 * @param numbPath number of paths, 0 to 127
 * @param pkey the partition key, 0 to 0xffff
 * @param qosClass class of service, 0 to 0xfff
 * @param sl service level, 0 to 15
 * @param mtu {@code IBV_MTU_*} and its selector
 * @param rate {@code IBV_RATE_*} and its selector
 * @param packetLifeTime exponent of the life time, 4.096 us times a power of two, and its selector
 * @param preference preference among paths, 0 to 255; 0 is best
 */
public record PathRecord(
        long serviceId,
        Gid dgid,
        Gid sgid,
        int dlid,
        int slid,
        boolean rawTraffic,
        int flowLabel,
        int hopLimit,
        int trafficClass,
        boolean reversible,
        int numbPath,
        int pkey,
        int qosClass,
        int sl,
        Selected mtu,
        Selected rate,
        Selected packetLifeTime,
        int preference) {
    private static final int FOUR_BITS = 0xf;
    private static final int SEVEN_BITS = 0x7f;
    private static final int EIGHT_BITS = 0xff;
    private static final int TWELVE_BITS = 0xfff;
    private static final int SIXTEEN_BITS = 0xffff;
    private static final int TWENTY_BITS = 0xfffff;

    /** Throws {@link IllegalArgumentException} for values that do not fit into the bits of the record. */
    public PathRecord {
        Objects.requireNonNull(dgid, "dgid");
        Objects.requireNonNull(sgid, "sgid");
        check("dlid", dlid, SIXTEEN_BITS);
        check("slid", slid, SIXTEEN_BITS);
        check("flowLabel", flowLabel, TWENTY_BITS);
        check("hopLimit", hopLimit, EIGHT_BITS);
        check("trafficClass", trafficClass, EIGHT_BITS);
        check("numbPath", numbPath, SEVEN_BITS);
        check("pkey", pkey, SIXTEEN_BITS);
        check("qosClass", qosClass, TWELVE_BITS);
        check("sl", sl, FOUR_BITS);
        Objects.requireNonNull(mtu, "mtu");
        Objects.requireNonNull(rate, "rate");
        Objects.requireNonNull(packetLifeTime, "packetLifeTime");
        check("preference", preference, EIGHT_BITS);
    }

    static void check(String name, int value, int max) {
        if (value < 0 || value > max) {
            throw new IllegalArgumentException(name + " is " + value + "; it must be from 0 to " + max);
        }
    }

    /** Which values of an MTU, a rate or a life time a query asks for: two bits. */
    public enum Selector {
        GREATER(0),
        LESS(1),
        EXACTLY(2),
        /** The largest MTU or rate, the smallest life time. */
        BEST(3);

        private final int code;

        Selector(int code) {
            this.code = code;
        }

        /** The number of the selector in a record, 0 to 3. */
        public int code() {
            return code;
        }

        /** The selector with a number; throws {@link IllegalArgumentException} for a number that is not from 0 to 3. */
        public static Selector of(int code) {
            check("selector", code, BEST.code);
            return values()[code];
        }
    }

    /**
     * The code of an MTU, a rate or a life time with its selector.
     *
     * @param code the code, 0 to 63: {@code IBV_MTU_*}, {@code IBV_RATE_*} or the exponent of a life time
     */
    public record Selected(Selector selector, int code) {
        private static final int CODE_MAX = 0x3f;

        /** Throws {@link IllegalArgumentException} for a code that does not fit. */
        public Selected {
            Objects.requireNonNull(selector, "selector");
            check("code", code, CODE_MAX);
        }

        public static Selected greaterThan(int code) {
            return new Selected(Selector.GREATER, code);
        }

        public static Selected lessThan(int code) {
            return new Selected(Selector.LESS, code);
        }

        public static Selected exactly(int code) {
            return new Selected(Selector.EXACTLY, code);
        }

        /** The largest MTU or rate, the smallest life time. */
        public static Selected best() {
            return new Selected(Selector.BEST, 0);
        }
    }
}

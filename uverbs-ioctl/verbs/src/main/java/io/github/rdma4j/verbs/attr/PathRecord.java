// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

import java.util.Objects;

/**
 * A path between two ports ({@code struct ibv_path_record} of {@code infiniband/sa.h}; PathRecord of subnet
 * administration). The connection manager returns and accepts the paths of an id; subnet administration finds paths.
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
 * @param reversible whether packets can take the same path in the opposite direction
 * @param numbPath number of paths, 0 to 127
 * @param pkey partition key, 0 to 0xffff
 * @param qosClass class of service, 0 to 0xfff
 * @param sl service level, 0 to 15
 * @param mtu {@code IBV_MTU_*} with its selector
 * @param rate {@code IBV_RATE_*} with its selector
 * @param packetLifeTime exponent n of the packet lifetime, 4.096 us * 2^n, with its selector
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

    /** Throws {@link IllegalArgumentException} if a component is out of its range. */
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

    /** The comparison (two bits) that a query applies to an MTU, a rate or a lifetime. */
    public enum Selector {
        /** A value greater than the given code. */
        GREATER(0),
        /** A value less than the given code. */
        LESS(1),
        /** Exactly the given code. */
        EXACTLY(2),
        /** The largest MTU or rate, or the smallest lifetime. */
        BEST(3);

        private final int code;

        Selector(int code) {
            this.code = code;
        }

        /** Returns the number of the selector in a record, 0 to 3. */
        public int code() {
            return code;
        }

        /**
         * Returns the selector with the number {@code code}; throws {@link IllegalArgumentException} if it is not from
         * 0 to 3.
         */
        public static Selector of(int code) {
            check("selector", code, BEST.code);
            return values()[code];
        }
    }

    /**
     * An MTU, a rate or a lifetime with its selector.
     *
     * @param code the code, 0 to 63: {@code IBV_MTU_*}, {@code IBV_RATE_*} or the exponent of a lifetime
     */
    public record Selected(Selector selector, int code) {
        private static final int CODE_MAX = 0x3f;

        /** Throws {@link IllegalArgumentException} if {@code code} is not from 0 to 63. */
        public Selected {
            Objects.requireNonNull(selector, "selector");
            check("code", code, CODE_MAX);
        }

        /** Returns the selection of values greater than {@code code}, from 0 to 63. */
        public static Selected greaterThan(int code) {
            return new Selected(Selector.GREATER, code);
        }

        /** Returns the selection of values less than {@code code}, from 0 to 63. */
        public static Selected lessThan(int code) {
            return new Selected(Selector.LESS, code);
        }

        /** Returns the selection of exactly the value {@code code}, from 0 to 63. */
        public static Selected exactly(int code) {
            return new Selected(Selector.EXACTLY, code);
        }

        /** Returns the selection of the largest MTU or rate, or of the smallest lifetime. */
        public static Selected best() {
            return new Selected(Selector.BEST, 0);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.sm.mad.McMemberRecord;
import io.github.rdma4j.sm.mad.McMemberTemplate;
import io.github.rdma4j.verbs.attr.PathRecord;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a multicast group that a join creates. If the group exists already and has other values, the join is
 * refused. Where a parameter is empty the subnet manager chooses the value, or keeps the value of the existing group.
 * Immutable.
 *
 * <pre>{@code
 * GroupParameters.builder(0x0b1b, 0xffff).mtu(PathRecord.Selected.exactly(4)).rate(PathRecord.Selected.exactly(3)).build()
 * }</pre>
 */
public final class GroupParameters {
    /** The key of the connection manager's groups ({@code RDMA_UDP_QKEY}). */
    public static final int RDMA_UDP_QKEY = 0x0123_4567;

    private final Builder values;

    private GroupParameters(Builder values) {
        this.values = values;
    }

    /**
     * A builder with the minimum that creates a group; all other values are zero, or chosen by the subnet manager.
     *
     * @param qkey the key of the datagrams to the group
     * @param pkey the partition key, 0 to 0xffff; the port must be a member of the partition
     */
    public static Builder builder(int qkey, int pkey) {
        return new Builder().qkey(qkey).pkey(pkey);
    }

    /** The parameters of an existing group, such as the broadcast group of an IP interface. */
    public static GroupParameters like(McMemberRecord group) {
        return builder(group.qkey(), group.pkey())
                .sl(group.sl())
                .trafficClass(group.trafficClass())
                .flowLabel(group.flowLabel())
                .hopLimit(group.hopLimit())
                .mtu(PathRecord.Selected.exactly(group.mtu().code()))
                .rate(PathRecord.Selected.exactly(group.rate().code()))
                .packetLifeTime(
                        PathRecord.Selected.exactly(group.packetLifeTime().code()))
                .build();
    }

    /** A builder that starts with these parameters. */
    public Builder toBuilder() {
        return new Builder(values);
    }

    /** The key of the datagrams to the group. */
    public int qkey() {
        return values.qkey;
    }

    /** The partition key. */
    public int pkey() {
        return values.pkey;
    }

    /** The service level. */
    public int sl() {
        return values.sl;
    }

    public int trafficClass() {
        return values.trafficClass;
    }

    public int flowLabel() {
        return values.flowLabel;
    }

    public Optional<Integer> hopLimit() {
        return Optional.ofNullable(values.hopLimit);
    }

    /** {@code IBV_MTU_*} and its selector. */
    public Optional<PathRecord.Selected> mtu() {
        return Optional.ofNullable(values.mtu);
    }

    /** {@code IBV_RATE_*} and its selector. */
    public Optional<PathRecord.Selected> rate() {
        return Optional.ofNullable(values.rate);
    }

    /** The exponent of the life time, 4.096 us times a power of two, and its selector. */
    public Optional<PathRecord.Selected> packetLifeTime() {
        return Optional.ofNullable(values.packetLifeTime);
    }

    void addTo(McMemberTemplate template) {
        template.qkey(values.qkey)
                .pkey(values.pkey)
                .sl(values.sl)
                .trafficClass(values.trafficClass)
                .flowLabel(values.flowLabel);
        hopLimit().ifPresent(template::hopLimit);
        mtu().ifPresent(template::mtu);
        rate().ifPresent(template::rate);
        packetLifeTime().ifPresent(template::packetLifeTime);
    }

    @Override
    public String toString() {
        return "GroupParameters[" + values + "]";
    }

    /** Collects parameters. Mutable; for one thread. */
    public static final class Builder {
        private static final int FOUR_BITS = 0xf;
        private static final int EIGHT_BITS = 0xff;
        private static final int SIXTEEN_BITS = 0xffff;
        private static final int TWENTY_BITS = 0xfffff;

        private int qkey;
        private int pkey;
        private int sl;
        private int trafficClass;
        private int flowLabel;
        private @Nullable Integer hopLimit;
        private PathRecord.@Nullable Selected mtu;
        private PathRecord.@Nullable Selected rate;
        private PathRecord.@Nullable Selected packetLifeTime;

        private Builder() {}

        private Builder(Builder other) {
            qkey = other.qkey;
            pkey = other.pkey;
            sl = other.sl;
            trafficClass = other.trafficClass;
            flowLabel = other.flowLabel;
            hopLimit = other.hopLimit;
            mtu = other.mtu;
            rate = other.rate;
            packetLifeTime = other.packetLifeTime;
        }

        /** The key of the datagrams to the group, 32 bits. */
        public Builder qkey(int value) {
            qkey = value;
            return this;
        }

        /** The partition key, 0 to 0xffff; the port must be a member of the partition. */
        public Builder pkey(int value) {
            pkey = inRange(value, SIXTEEN_BITS, "pkey");
            return this;
        }

        /** The service level, 0 to 15; 0 unless set. */
        public Builder sl(int value) {
            sl = inRange(value, FOUR_BITS, "sl");
            return this;
        }

        /** The traffic class, 0 to 255; 0 unless set. */
        public Builder trafficClass(int value) {
            trafficClass = inRange(value, EIGHT_BITS, "trafficClass");
            return this;
        }

        /** The flow label, 0 to 0xfffff; 0 unless set. */
        public Builder flowLabel(int value) {
            flowLabel = inRange(value, TWENTY_BITS, "flowLabel");
            return this;
        }

        /** The hop limit, 0 to 255; chosen by the subnet manager unless set. */
        public Builder hopLimit(int value) {
            hopLimit = inRange(value, EIGHT_BITS, "hopLimit");
            return this;
        }

        /** {@code IBV_MTU_*} and its selector; chosen by the subnet manager unless set. */
        public Builder mtu(PathRecord.Selected value) {
            mtu = Objects.requireNonNull(value, "mtu");
            return this;
        }

        /** {@code IBV_RATE_*} and its selector, not above the rate of the port; chosen by the subnet manager unless set. */
        public Builder rate(PathRecord.Selected value) {
            rate = Objects.requireNonNull(value, "rate");
            return this;
        }

        /**
         * The exponent of the life time, 4.096 us times a power of two, and its selector; chosen by the subnet manager unless
         * set.
         */
        public Builder packetLifeTime(PathRecord.Selected value) {
            packetLifeTime = Objects.requireNonNull(value, "packetLifeTime");
            return this;
        }

        public GroupParameters build() {
            return new GroupParameters(new Builder(this));
        }

        @Override
        public String toString() {
            return "Q_Key 0x" + Integer.toHexString(qkey) + ", P_Key 0x" + Integer.toHexString(pkey) + ", SL " + sl
                    + ", traffic class " + trafficClass + ", flow label " + flowLabel
                    + (hopLimit != null ? ", hop limit " + hopLimit : "")
                    + (mtu != null ? ", MTU " + mtu : "")
                    + (rate != null ? ", rate " + rate : "")
                    + (packetLifeTime != null ? ", life time " + packetLifeTime : "");
        }

        private static int inRange(int value, int max, String name) {
            if (value < 0 || value > max) {
                throw new IllegalArgumentException(name + " is " + value + "; it must be from 0 to " + max);
            }
            return value;
        }
    }
}

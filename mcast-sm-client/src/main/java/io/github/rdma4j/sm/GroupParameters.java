// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.sm.mad.McMemberRecord;
import io.github.rdma4j.sm.mad.McMemberTemplate;
import io.github.rdma4j.sm.mad.Selected;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a multicast group that a join creates. If the group exists already and has other values, the join is
 * refused. For a null parameter the subnet manager chooses the value, or keeps the value of the existing group.
 *
 * <pre>{@code
 * GroupParameters.of(0x0b1b, 0xffff).withMtu(Selected.exactly(4)).withRate(Selected.exactly(3))
 * }</pre>
 *
 * @param qkey the key of the datagrams to the group
 * @param pkey the partition key; the port must be a member of the partition
 * @param sl service level, 4 bits
 * @param trafficClass traffic class
 * @param flowLabel flow label, 20 bits
 * @param hopLimit hop limit
 * @param mtu {@code IBV_MTU_*} and its selector
 * @param rate {@code IBV_RATE_*} and its selector; not above that of the port
 * @param packetLifeTime 4.096 us times a power of two: its exponent, and its selector
 */
public record GroupParameters(
        int qkey,
        int pkey,
        int sl,
        int trafficClass,
        int flowLabel,
        @Nullable Integer hopLimit,
        @Nullable Selected mtu,
        @Nullable Selected rate,
        @Nullable Selected packetLifeTime) {
    /** The key of the connection manager's groups ({@code RDMA_UDP_QKEY}). */
    public static final int RDMA_UDP_QKEY = 0x0123_4567;

    /** The minimum that creates a group; all other values are zero, or chosen by the subnet manager. */
    public static GroupParameters of(int qkey, int pkey) {
        return new GroupParameters(qkey, pkey, 0, 0, 0, null, null, null, null);
    }

    /** The parameters of an existing group, such as the broadcast group of an IP interface. */
    public static GroupParameters like(McMemberRecord group) {
        return new GroupParameters(
                group.qkey(),
                group.pkey(),
                group.sl(),
                group.trafficClass(),
                group.flowLabel(),
                group.hopLimit(),
                Selected.exactly(group.mtu().code()),
                Selected.exactly(group.rate().code()),
                Selected.exactly(group.packetLifeTime().code()));
    }

    public GroupParameters withQkey(int value) {
        return new GroupParameters(value, pkey, sl, trafficClass, flowLabel, hopLimit, mtu, rate, packetLifeTime);
    }

    public GroupParameters withSl(int value) {
        return new GroupParameters(qkey, pkey, value, trafficClass, flowLabel, hopLimit, mtu, rate, packetLifeTime);
    }

    public GroupParameters withTrafficClass(int value) {
        return new GroupParameters(qkey, pkey, sl, value, flowLabel, hopLimit, mtu, rate, packetLifeTime);
    }

    public GroupParameters withFlowLabel(int value) {
        return new GroupParameters(qkey, pkey, sl, trafficClass, value, hopLimit, mtu, rate, packetLifeTime);
    }

    public GroupParameters withHopLimit(int value) {
        return new GroupParameters(qkey, pkey, sl, trafficClass, flowLabel, value, mtu, rate, packetLifeTime);
    }

    public GroupParameters withMtu(Selected value) {
        return new GroupParameters(qkey, pkey, sl, trafficClass, flowLabel, hopLimit, value, rate, packetLifeTime);
    }

    public GroupParameters withRate(Selected value) {
        return new GroupParameters(qkey, pkey, sl, trafficClass, flowLabel, hopLimit, mtu, value, packetLifeTime);
    }

    public GroupParameters withPacketLifeTime(Selected value) {
        return new GroupParameters(qkey, pkey, sl, trafficClass, flowLabel, hopLimit, mtu, rate, value);
    }

    void addTo(McMemberTemplate template) {
        template.qkey(qkey).pkey(pkey).sl(sl).trafficClass(trafficClass).flowLabel(flowLabel);
        if (hopLimit != null) {
            template.hopLimit(hopLimit);
        }
        if (mtu != null) {
            template.mtu(mtu);
        }
        if (rate != null) {
            template.rate(rate);
        }
        if (packetLifeTime != null) {
            template.packetLifeTime(packetLifeTime);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A message on the wire that concerns the connection manager.
 *
 * @param time nanoseconds since the epoch, by the clock of the machine that captured
 * @param source the sender's IP address, {@link #MANAGER} or {@link #SWITCH}
 * @param destination the receiver's IP address, {@link #MANAGER} or {@link #SWITCH}
 * @param name what it is: a message of {@code CmMessageType}, {@link #JOIN}, {@link #LEAVE} or {@link #CLOCK}, or of
 *     subnet administration (SA) or management (SMP)
 * @param subject the group of a join or leave, the node's time of a clock message, the attribute of a message of the
 *     subnet; empty for a message of the connection manager
 * @param mad the message of the connection manager, if it is one
 */
public record WireMessage(
        long time, String source, String destination, String name, String subject, Optional<CmMad> mad) {
    private static final Pattern GROUP_OF_SUBNET = Pattern.compile("MCMemberRecord ff1.:4001:.*:(\\w+):(\\w+)");

    /** A report of the Internet Group Management Protocol that the sender is a member of a group. */
    public static final String JOIN = "IGMP join";

    /** A report that the sender has left a group. */
    public static final String LEAVE = "IGMP leave";

    /** A datagram of the recorder with the sender's time. */
    public static final String CLOCK = "clock";

    /** The subnet manager of InfiniBand. */
    public static final String MANAGER = "manager";

    /** The switch of InfiniBand. */
    public static final String SWITCH = "switch";

    /**
     * The IP group that the sender joins or leaves, by a report or at subnet administration, which knows a group of the
     * connection manager by the low bits of its address; empty for all other messages.
     */
    public String group() {
        Matcher groupOfSubnet = GROUP_OF_SUBNET.matcher(subject);
        if (!groupOfSubnet.matches()) {
            return isOfSubnet() ? "" : subject;
        }
        long low = Long.parseLong(groupOfSubnet.group(1), 16) << 16 | Long.parseLong(groupOfSubnet.group(2), 16);
        return CmMad.address(ByteBuffer.allocate(Integer.BYTES).putInt((int) low | 0xe000_0000), 0, Integer.BYTES);
    }

    /** The same on every network: a join or a leave, or otherwise the name. */
    public String kind() {
        boolean isGroup = GROUP_OF_SUBNET.matcher(subject).matches();
        if (isGroup && name.equals("SA Set")) {
            return JOIN;
        }
        return isGroup && name.equals("SA Delete") ? LEAVE : name;
    }

    /** Whether this is a message of subnet administration or subnet management. */
    public boolean isOfSubnet() {
        return name.startsWith("SA ") || name.startsWith("SMP ");
    }

    /** The fields by name. */
    public Map<String, String> fields() {
        return mad.map(CmMad::fields).orElseGet(() -> Map.of(isOfSubnet() ? "Attribute" : "Group", subject));
    }
}

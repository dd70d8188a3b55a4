// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace.wire;

import java.util.Map;
import java.util.Optional;

/**
 * A message on the wire that concerns the connection manager.
 *
 * @param time nanoseconds since the epoch, by the clock of the machine that captured
 * @param source the sender's IP address
 * @param destination the receiver's IP address
 * @param name what it is: a message of {@code CmMessageType}, {@link #JOIN}, {@link #LEAVE} or {@link #CLOCK}
 * @param subject the group of a join or leave, the node's time of a clock message; empty for a MAD
 * @param mad the message of the connection manager, if it is one
 */
public record WireMessage(
        long time, String source, String destination, String name, String subject, Optional<CmMad> mad) {
    /** A report of the Internet Group Management Protocol that the sender is a member of a group. */
    public static final String JOIN = "IGMP join";

    /** A report that the sender has left a group. */
    public static final String LEAVE = "IGMP leave";

    /** A datagram of the recorder with the sender's time. */
    public static final String CLOCK = "clock";

    /** The fields by name. */
    public Map<String, String> fields() {
        return mad.map(CmMad::fields).orElseGet(() -> Map.of("Group", subject));
    }
}

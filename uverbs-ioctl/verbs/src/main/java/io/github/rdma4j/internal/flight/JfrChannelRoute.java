// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.flight;

import io.github.rdma4j.internal.flight.Flight.RouteFacts;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** The route of a connection of a {@code java.nio.channels} channel, recorded when it is chosen. */
@Name("io.github.rdma4j.ChannelRoute")
@Label("Channel Route")
@Description("Whether a connection or a listener of java.nio.channels uses RDMA or TCP")
@Category({"RDMA", "Channels"})
@Enabled(false)
@StackTrace(false)
final class JfrChannelRoute extends Event {
    @Label("Side")
    @Description("connect, accept or listen")
    String side = "";

    @Label("Peer")
    @Description("The peer's address; of a listener, its own")
    String peer = "";

    @Label("Transport")
    @Description("RDMA or TCP")
    String transport = "";

    @Label("Reason")
    @Description("Why this transport was chosen")
    String reason = "";

    static boolean isRecorded() {
        return new JfrChannelRoute().isEnabled();
    }

    static void record(RouteFacts facts) {
        JfrChannelRoute event = new JfrChannelRoute();
        event.side = facts.side();
        event.peer = facts.peer();
        event.transport = facts.transport();
        event.reason = facts.reason();
        event.commit();
    }
}

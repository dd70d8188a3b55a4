// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.flight;

import io.github.rdma4j.internal.flight.Flight.CmEventFacts;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** An event of the connection manager, recorded when the library reads it from the kernel. */
@Name("io.github.rdma4j.CmEvent")
@Label("CM Event")
@Description("An event that was read from /dev/infiniband/rdma_cm")
@Category({"RDMA", "Connection Manager"})
@Enabled(false)
@StackTrace(false)
final class JfrCmEvent extends Event {
    @Label("Type")
    @Description("The name without the prefix RDMA_CM_EVENT_")
    String type = "";

    @Label("Id")
    @Description("The kernel's handle of the id; of the new id for a CONNECT_REQUEST")
    int id;

    @Label("Uid")
    @Description("The number by which the library knows the id; of the listener for a CONNECT_REQUEST")
    long uid;

    @Label("Status")
    @Description("0, a negative errno, or a positive code of the transport")
    int status;

    @Label("Queue Pair")
    @Description("The number of the peer's queue pair; 0 without one")
    int queuePair;

    @Label("Private Data Length")
    @Description("Bytes of private data as the kernel reports them: as many as the message has room for")
    int privateDataLength;

    static boolean isRecorded() {
        return new JfrCmEvent().isEnabled();
    }

    static void record(CmEventFacts facts) {
        JfrCmEvent event = new JfrCmEvent();
        event.type = facts.type();
        event.id = facts.id();
        event.uid = facts.uid();
        event.status = facts.status();
        event.queuePair = facts.queuePair();
        event.privateDataLength = facts.privateDataLength();
        event.commit();
    }
}

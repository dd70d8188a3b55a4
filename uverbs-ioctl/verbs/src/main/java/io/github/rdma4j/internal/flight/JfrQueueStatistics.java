// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.flight;

import io.github.rdma4j.internal.flight.QueueStatistics.QueueCounters;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** The life of a queue, and the counts of its operations. */
@Name("io.github.rdma4j.QueueStatistics")
@Label("Queue Statistics")
@Description("The life of a queue pair, shared receive queue or completion queue, recorded when the queue is closed")
@Category({"RDMA", "Verbs"})
@Enabled(false)
@StackTrace(false)
final class JfrQueueStatistics extends Event implements Flight.Queue {
    @Label("Kind")
    @Description("QueuePair, SharedReceiveQueue or CompletionQueue")
    String kind = "";

    @Label("Device")
    String device = "";

    @Label("Number")
    @Description("The number of a queue pair or shared receive queue; the kernel's handle of a completion queue")
    int number;

    @Label("Sends")
    @Description("Work requests posted to the send queue")
    long sends;

    @Label("Send Calls")
    @Description("Calls that posted sends: each rings the doorbell once")
    long sendCalls;

    @Label("Receives")
    @Description("Work requests posted to the receive queue")
    long receives;

    @Label("Polls")
    long polls;

    @Label("Empty Polls")
    @Description("Polls that found no completion")
    long emptyPolls;

    @Label("Completions")
    long completions;

    static Flight.@Nullable Queue start() {
        return JfrEvents.begin(JfrQueueStatistics::new);
    }

    @Override
    public void end(String queueKind, String deviceName, int queueNumber, QueueCounters counters) {
        end();
        if (shouldCommit()) {
            kind = queueKind;
            device = deviceName;
            number = queueNumber;
            sends = counters.sends;
            sendCalls = counters.sendCalls;
            receives = counters.receives;
            polls = counters.polls;
            emptyPolls = counters.emptyPolls;
            completions = counters.completions;
            commit();
        }
    }
}

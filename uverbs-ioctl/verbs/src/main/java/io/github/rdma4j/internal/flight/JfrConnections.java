// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.flight;

import java.util.TreeMap;
import java.util.function.Supplier;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

/** The counts of connections, recorded again and again. */
@Name("io.github.rdma4j.Connections")
@Label("Connections")
@Description("How many streams and channels there were since the start of the process, and what they have carried")
@Category({"RDMA", "Channels"})
@Enabled(false)
@Period("10 s")
@StackTrace(false)
final class JfrConnections extends Event {
    @Label("Opened over RDMA")
    long openedOverRdma;

    @Label("Opened over TCP")
    long openedOverTcp;

    @Label("Closed over RDMA")
    long closedOverRdma;

    @Label("Closed over TCP")
    long closedOverTcp;

    @Label("Bytes Read")
    @DataAmount
    long bytesRead;

    @Label("Bytes Written")
    @DataAmount
    long bytesWritten;

    @Label("Stalls for Credit")
    @Description("Writes over RDMA that could not take all bytes, because the peer had granted no room")
    long creditStalls;

    @Label("Reasons for TCP")
    @Description("Connections over TCP by their reason, such as {a rule=2}")
    String tcpReasons = "";

    /** Waits for the Flight Recorder, whose initialization takes time. */
    static void count(Supplier<ConnectionCounts> counts) {
        FlightRecorder.addListener(new FlightRecorderListener() {
            @Override
            public void recorderInitialized(FlightRecorder recorder) {
                FlightRecorder.addPeriodicEvent(JfrConnections.class, () -> record(counts.get()));
            }
        });
    }

    private static void record(ConnectionCounts counts) {
        JfrConnections event = new JfrConnections();
        event.openedOverRdma = counts.openedOverRdma();
        event.openedOverTcp = counts.openedOverTcp();
        event.closedOverRdma = counts.closedOverRdma();
        event.closedOverTcp = counts.closedOverTcp();
        event.bytesRead = counts.bytesRead();
        event.bytesWritten = counts.bytesWritten();
        event.creditStalls = counts.creditStalls();
        event.tcpReasons = new TreeMap<>(counts.tcpReasons()).toString();
        event.commit();
    }
}

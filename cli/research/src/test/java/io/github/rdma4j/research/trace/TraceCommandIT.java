// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cli.run.GuestRun;
import io.github.rdma4j.cli.run.PeerProcess;
import io.github.rdma4j.support.Nightly;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole command, in guests: programs in Java by the Flight Recorder, programs in C by their system calls. */
class TraceCommandIT {
    private static final Duration LIMIT = Duration.ofMinutes(9);

    @TempDir
    private Path parent;

    @Test
    @Nightly
    @Timeout(600)
    void showsBothProgramsAndTheWire() throws Exception {
        // None of these characters ends the name of a file, be it in an option of the JVM or in a line for a shell.
        Path directory = parent.resolve("blank comma, quote\" and apostrophe'");
        List<String> arguments =
                new ArrayList<>(List.of("--server", "rping -s -C 1 -a 10.77.0.2", "--out", directory.toString(), "--"));
        arguments.addAll(
                GuestRun.commandLine(GuestRun.SHORT_LIVED, List.of("ping", "-C", "1", "-p", "7174", "10.77.0.2")));
        // A process of its own: the testbed hands standard input on, which is how Surefire talks to this JVM.
        List<String> trace = GuestRun.commandLine(TraceMain.class.getName(), GuestRun.SHORT_LIVED, arguments);
        try (PeerProcess process = PeerProcess.start(trace)) {
            assertThat(process.await(LIMIT)).as(process.output()).isZero();
        }
        List<Entry> entries = Timeline.of(Trace.read(directory));
        assertThat(entries)
                .extracting(Entry::name)
                .containsSubsequence("CONNECT", "REQ", "CONNECT_REQUEST", "ACCEPT", "REP", "CONNECT_RESPONSE")
                .containsSubsequence("RTU", "ESTABLISHED", "DREQ");
        Entry request = entries.stream()
                .filter(entry -> entry.name().equals("REQ"))
                .findFirst()
                .orElseThrow();
        assertThat(request.causes()).hasSize(1);
        assertThat(directory.resolve("trace.txt")).isNotEmptyFile();
        assertThat(directory.resolve("trace.json")).isNotEmptyFile();
        assertThat(directory.resolve("trace.html")).content().contains("<svg");
    }

    /** Another node has the subnet manager, so that what it is asked passes the switch. */
    @Test
    @Tag("ib")
    @Timeout(600)
    void showsTheSubnetManagerOfInfiniBand() throws Exception {
        Path directory = parent.resolve("ib");
        List<String> arguments = new ArrayList<>(List.of("--device", "ib", "--out", directory.toString(), "--"));
        arguments.addAll(List.of("mckey", "-m", "239.1.2.3", "-b", "10.77.0.1", "-C", "1", "-s", "-o"));
        List<String> trace = GuestRun.commandLine(TraceMain.class.getName(), GuestRun.SHORT_LIVED, arguments);
        try (PeerProcess process = PeerProcess.start(trace)) {
            assertThat(process.await(LIMIT)).as(process.output()).isZero();
        }
        List<Entry> entries = Timeline.of(Trace.read(directory));
        // The kernel tells the manager of the leave later, when the program and its trace may have ended.
        assertThat(entries)
                .extracting(Entry::name)
                .containsSubsequence("JOIN_MCAST", "SA Set", "MULTICAST_JOIN", "LEAVE_MCAST");
        assertThat(entries).anySatisfy(entry -> {
            assertThat(entry.name()).isEqualTo("SMP GetResp");
            assertThat(entry.summary()).isEqualTo("switch to manager: MulticastForwardingTable");
        });
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.rsocket.connections.Connections;
import io.github.rdma4j.internal.rsocket.connections.Listening;
import io.github.rdma4j.internal.rsocket.connections.Member;
import io.github.rdma4j.internal.rsocket.connections.Traffic;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.support.NotEmulated;
import io.github.rdma4j.support.Program;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The doctor asks other JVMs, and says why it cannot. */
class ConnectionsReportTest {
    private static final ConnectionsReport.Processes RUNNING = new ConnectionsReport.Processes(Path.of("/proc"));
    private static final String READY = "ready";

    /** A connection without a device. */
    private record Fake(String reason, Traffic traffic) implements Member {
        @Override
        public Member.Facts facts() {
            boolean rdma = reason.isEmpty();
            return new Member.Facts(
                    rdma ? "rsocket" : "",
                    rdma ? "fake0" : "",
                    new InetSocketAddress("10.0.0.1", 4242),
                    new InetSocketAddress("10.0.0.2", rdma ? 7000 : 7001),
                    "open",
                    rdma ? "credits 7" : "");
        }
    }

    /** A program with connections and listeners, if it has an argument. */
    static final class Target {
        private Target() {}

        public static void main(String[] arguments) throws Exception {
            if (arguments.length > 0) {
                Traffic carried = new Traffic();
                carried.read(12);
                carried.wrote(34, true);
                Connections.OF_PROCESS.opened(new Fake("", carried));
                Connections.OF_PROCESS.opened(new Fake("no answer over RDMA within 5 s", new Traffic()));
                Listening overRdma = new Listening(new InetSocketAddress("10.0.0.1", 4242), 128, "");
                Connections.OF_PROCESS.listens(overRdma);
                overRdma.accepted();
                Connections.OF_PROCESS.listens(new Listening(new InetSocketAddress("0.0.0.0", 4343), 50, "a rule"));
                ObjectName name = new ObjectName("io.github.rdma4j:type=Connections");
                while (!ManagementFactory.getPlatformMBeanServer().isRegistered(name)) {
                    Thread.onSpinWait();
                }
            }
            System.out.println(READY);
            LockSupport.park();
        }
    }

    @Test
    @NotEmulated
    void theConnectionsOfAJvmAreATable() throws Exception {
        try (Program target = Program.start(Program.java(Target.class, "connected"))) {
            target.awaitOutput(READY);
            List<JvmConnections> answers = ConnectionsReport.of(target.pid(), RUNNING);
            StringWriter text = new StringWriter();
            ConnectionsReport.print(answers.get(0), new PrintWriter(text, true));
            assertThat(text.toString().replaceAll("age_ms +", "age_ms  ").replaceAll("  [0-9]+ +12", "  ...  12"))
                    .contains("JVM " + target.pid() + " " + Target.class.getName())
                    .contains("transport  wire     device  local          peer           age_ms")
                    .contains("RDMA       rsocket  fake0   10.0.0.1:4242  10.0.0.2:7000  ...  12")
                    .contains("34             1              open", "  credits 7")
                    .contains("TCP        -        -       10.0.0.1:4242  10.0.0.2:7001  ")
                    .contains("  over TCP: no answer over RDMA within 5 s")
                    .contains("total opened_over_rdma: 1", "total bytes_written: 34", "total credit_stalls: 1")
                    .contains("total tcp_reasons: {no answer over RDMA=1}")
                    .contains("""
                            listeners:
                              transport  local          backlog  accepted  reason
                              RDMA       10.0.0.1:4242  128      1         -
                              TCP        0.0.0.0:4343   50       0         a rule
                            """);
            JvmConnections onlyListens = answers.get(0).through(4343);
            assertThat(onlyListens.connections()).isEmpty();
            assertThat(onlyListens.isEmpty()).isFalse();
            assertThat(answers.get(0).through(9999).isEmpty()).isTrue();
            JvmConnections some = answers.get(0).through(7001);
            assertThat(some.connections()).hasSize(1);
            StringWriter json = new StringWriter();
            ConnectionsReport.printJson(List.of(some), new PrintWriter(json, true));
            assertThat(json.toString())
                    .contains("\"listeners\":[]")
                    .contains("\"tcp_reasons\":{\"no answer over RDMA\":1}", "\"transport\":\"TCP\"")
                    .doesNotContain("fake0");
        }
    }

    @Test
    @NotEmulated
    void aJvmWithoutConnectionsIsTold() throws Exception {
        try (Program target = Program.start(Program.java(Target.class))) {
            target.awaitOutput(READY);
            assertThatThrownBy(() -> ConnectionsReport.of(target.pid(), RUNNING))
                    .hasMessageStartingWith(
                            "the JVM " + target.pid() + " has made no connection and no listener with rdma4j-rsocket");
        }
    }

    @Nightly
    @Test
    @NotEmulated
    void aJvmThatRefusesIsTold() throws Exception {
        List<String> command = Program.java(Target.class);
        command.add(1, "-XX:+DisableAttachMechanism");
        try (Program target = Program.start(command)) {
            target.awaitOutput(READY);
            assertThatThrownBy(() -> ConnectionsReport.of(target.pid(), RUNNING))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("cannot attach to the JVM " + target.pid() + ": ")
                    .hasMessageContaining("-XX:+DisableAttachMechanism");
        }
    }

    /** The signal for a JVM would end it. */
    @Test
    @NotEmulated
    void whatIsNoJvmLivesOn() throws Exception {
        try (Program sleeper = Program.start("sh", "-c", "echo " + READY + "; read line; echo alive")) {
            sleeper.awaitOutput(READY);
            assertThatThrownBy(() -> ConnectionsReport.of(sleeper.pid(), RUNNING))
                    .hasMessage("the process " + sleeper.pid() + " is no JVM");
            assertThat(ProcessHandle.of(sleeper.pid())).isPresent();
        }
    }

    @Test
    void processesThatAreNotThereOrOfOthersAreTold(@TempDir Path proc) throws Exception {
        ConnectionsReport.Processes none = new ConnectionsReport.Processes(proc);
        assertThatThrownBy(() -> ConnectionsReport.of(70_000, none)).hasMessage("there is no process 70000");
        assertThatThrownBy(() -> ConnectionsReport.of(7000, none))
                .hasMessage("there is no process 7000, and no JVM of this user has a connection or a listener of"
                        + " rdma4j with port 7000");
        Files.createDirectory(proc.resolve("7000")); // whose maps cannot be read
        assertThatThrownBy(() -> ConnectionsReport.of(7000, none))
                .hasMessageContaining("belongs to another user: run the doctor as that user, or as root");
        Files.createDirectories(proc.resolve("8000"));
        Files.writeString(proc.resolve("8000/maps"), "7f00-7f01 r-xp 0 08:01 1 /usr/lib/libjvm.so");
        Files.createDirectories(proc.resolve("9000"));
        Files.writeString(proc.resolve("9000/maps"), "/usr/lib/server/libjvm.so\n/tmp/jffi123.so (deleted)");
        assertThat(none.candidates()).containsExactly(9000L);
    }
}

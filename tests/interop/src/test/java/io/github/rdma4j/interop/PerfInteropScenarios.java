// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cli.perf.PerfCommand;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.program.Listeners;
import io.github.rdma4j.program.RunningCommand;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.support.Program;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Our perf and the programs of C perftest, each as the client of the other. */
abstract class PerfInteropScenarios {
    /** Each takes a time slice where a guest has one processor. */
    private static final int ITERATIONS = 20;

    private static final String ADVICE = "both sides must run the same program";

    /** The name of the device. */
    abstract String device();

    static RunningCommand java(String program, int port, String more) throws InterruptedException {
        return RunningCommand.run(new PerfCommand(), program + " -p " + port + " " + more);
    }

    private static RunningCommand javaServer(String program, int port, String more) {
        return RunningCommand.server(new PerfCommand(), program + " -p " + port + " " + more, port);
    }

    /** Line by line, so that a test sees how far it is. */
    private static String c(String program, int port, String more) {
        return "stdbuf -oL ib_" + program + " -R -F -p " + port + " " + more;
    }

    private static Program cClient(String program, int port, String more) {
        return Program.start(c(program, port, more + " " + Rxe.IPV4).split(" "));
    }

    static Program cServer(String program, int port, String more) {
        return Listeners.server(c(program, port, more), port);
    }

    static String options(int size) {
        return "-n " + ITERATIONS + " -s " + size;
    }

    /** The table of either side has a line that begins with the size and the number of messages. */
    private static String line(int size) {
        return "(?s).*\\n " + size + " +" + ITERATIONS + " +[0-9].*";
    }

    /** Small messages meet the C client in each run and the C server at night, large messages the other way round. */
    private static final String SMALL = """
            send_lat, 64
            send_bw, 64
            write_lat, 64
            write_bw, 64
            read_lat, 64
            read_bw, 64
            atomic_lat, 8
            """;

    private static final String LARGE = """
            send_lat, 5000
            send_bw, 20000
            write_lat, 5000
            write_bw, 20000
            read_lat, 5000
            read_bw, 20000
            atomic_bw, 8
            """;

    @ParameterizedTest
    @CsvSource(textBlock = SMALL)
    void servesTheCClient(String program, int size) throws Exception {
        int port = Rxe.newPort();
        RunningCommand server = javaServer(program, port, options(size));
        try (Program client = cClient(program, port, options(size))) {
            assertThat(client.success()).containsPattern(" " + size + " +" + ITERATIONS + " ");
        }
        server.success();
    }

    @ParameterizedTest
    @CsvSource(textBlock = LARGE)
    @Nightly
    void servesTheCClientWithLargeMessages(String program, int size) throws Exception {
        servesTheCClient(program, size);
    }

    @ParameterizedTest
    @CsvSource(textBlock = LARGE)
    void isServedByTheCServer(String program, int size) throws Exception {
        int port = Rxe.newPort();
        try (Program server = cServer(program, port, options(size))) {
            assertThat(java(program, port, options(size) + " " + Rxe.IPV4).success())
                    .matches(line(size));
            server.success();
        }
    }

    @ParameterizedTest
    @CsvSource(textBlock = SMALL)
    @Nightly
    void isServedByTheCServerWithSmallMessages(String program, int size) throws Exception {
        isServedByTheCServer(program, size);
    }

    @ParameterizedTest
    @CsvSource(textBlock = SMALL + LARGE)
    @Nightly
    void talksToItself(String program, int size) throws Exception {
        int port = Rxe.newPort();
        RunningCommand server = javaServer(program, port, options(size));
        assertThat(java(program, port, options(size) + " " + Rxe.IPV4).success())
                .matches(line(size));
        server.success();
    }

    /**
     * Datagrams, both directions, several queue pairs, all sizes, a time: program and options, which both sides are given. Each
     * half meets the C client in one test and the C server in another, and every run has each line once.
     */
    private static final String HALF_OF_THE_OPTIONS = """
            send_lat, -c UD -n 20 -s 64
            send_lat, -D 1
            send_bw, -c UD -n 20 -s 64 -b -q 2
            send_bw, -n 20 -s 64 -q 3
            write_bw, -n 20 -s 64 -q 3
            atomic_bw, -n 20 -q 2 -b
            send_bw, -n 20 -s 64 -q 2 --use-srq -r 16
            send_bw, -n 20 -s 64 -b --report_gbits
            """;

    private static final String OTHER_HALF_OF_THE_OPTIONS = """
            send_bw, -c UD -n 20 -s 64
            send_bw, -n 20 -s 64 -b
            send_lat, -n 20 -s 64 --use-srq -m 1024
            write_lat, -D 1
            write_bw, -n 20 -s 64 -b -q 2
            read_bw, -n 20 -s 64 -q 2 -b
            """;

    /** For each size perftest finds out again, for a second or so, how fast the clock is; a time takes its time. */
    private static final String SLOW_OPTIONS = """
            send_bw, -D 1 -b
            write_bw, -D 1 -b -q 2
            send_lat, -c UD -n 5 -a
            send_bw, -n 5 -a -b
            write_bw, -n 5 -a
            """;

    @ParameterizedTest
    @CsvSource(textBlock = HALF_OF_THE_OPTIONS)
    void servesTheCClientWithOptions(String program, String options) throws Exception {
        int port = Rxe.newPort();
        RunningCommand server = javaServer(program, port, options);
        try (Program client = cClient(program, port, options + " -d " + device())) {
            client.success();
        }
        server.success();
    }

    @ParameterizedTest
    @CsvSource(textBlock = OTHER_HALF_OF_THE_OPTIONS + SLOW_OPTIONS)
    @Nightly
    void servesTheCClientWithTheOtherOptions(String program, String options) throws Exception {
        servesTheCClientWithOptions(program, options);
    }

    @ParameterizedTest
    @CsvSource(textBlock = OTHER_HALF_OF_THE_OPTIONS)
    void isServedByTheCServerWithOptions(String program, String options) throws Exception {
        int port = Rxe.newPort();
        try (Program server = cServer(program, port, options)) {
            String line = options + " -d " + device() + " " + Rxe.IPV4;
            assertThat(java(program, port, line).success()).containsPattern("\\n [0-9]+ +[1-9][0-9]* +[0-9]");
            server.success();
        }
    }

    @ParameterizedTest
    @CsvSource(textBlock = HALF_OF_THE_OPTIONS + SLOW_OPTIONS)
    @Nightly
    void isServedByTheCServerWithTheOtherOptions(String program, String options) throws Exception {
        isServedByTheCServerWithOptions(program, options);
    }

    /** With -a, a line for each size, and both sides tell the same where they measure together. */
    @Nightly
    @Test
    void measuresAllSizes() throws Exception {
        int port = Rxe.newPort();
        String all = "-a -n 5 -b";
        RunningCommand server = javaServer("write_bw", port, all);
        String output = java("write_bw", port, all + " " + Rxe.IPV4).success();
        List<String> lines =
                output.lines().filter(line -> line.matches(" [0-9]+ +5 +.*")).toList();
        assertThat(lines).hasSize(23);
        assertThat(server.success()).contains(lines);
    }

    /** With C each size takes a second more, in which perftest finds out how fast the clock is. */
    @ParameterizedTest
    @ValueSource(strings = {"write_lat", "read_lat"})
    @Nightly
    void measuresAllSizesOfALatencyProgram(String program) throws Exception {
        int port = Rxe.newPort();
        RunningCommand server = javaServer(program, port, "-a -n 5");
        assertThat(java(program, port, "-a -n 5 " + Rxe.IPV4).success()).matches("(?s).*\\n 8388608 +5 +[0-9].*");
        server.success();
    }

    @Test
    void printsAllSizesAsAnArray() throws Exception {
        int port = Rxe.newPort();
        RunningCommand server = javaServer("send_lat", port, "-c UD -a -n 5 --json");
        String output =
                java("send_lat", port, "-c UD -a -n 5 --json " + Rxe.IPV4).success();
        assertThat(output).startsWith("[").contains("\"size\":2,", "\"size\":256,");
        server.success();
    }

    @Test
    void refusesAnotherDevice() throws Exception {
        int port = Rxe.newPort();
        try (Program server = cServer("send_lat", port, options(64))) {
            RunningCommand run = java("send_lat", port, options(64) + " -d mlx5_7 " + Rxe.IPV4);
            assertThat(run.status()).isEqualTo(1);
            assertThat(run.complaint()).contains("lead to the device " + device(), "-d asks for mlx5_7");
            server.kill();
        }
    }

    @Test
    void saysHowLongADatagramMayBe() throws Exception {
        int port = Rxe.newPort();
        RunningCommand server = javaServer("send_lat", port, "-c UD -s 5000");
        RunningCommand run = java("send_lat", port, "-c UD -s 5000 " + Rxe.IPV4);
        assertThat(run.complaint()).contains("size 5000 is not from 1 to ", "the MTU");
        assertThat(server.status()).isEqualTo(1);
    }

    /** What the server prints it has from the client. */
    @ParameterizedTest
    @ValueSource(strings = {"write_bw", "read_bw", "atomic_bw"})
    void printsOnTheServerWhatTheCClientHasMeasured(String program) throws Exception {
        int port = Rxe.newPort();
        RunningCommand server = javaServer(program, port, options(8));
        try (Program client = cClient(program, port, options(8))) {
            client.success();
        }
        assertThat(server.success()).matches(line(8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"send_lat", "send_bw", "read_lat", "write_bw"})
    void sleepsWithEvents(String program) throws Exception {
        int port = Rxe.newPort();
        String options = "-e " + options(8);
        RunningCommand server = javaServer(program, port, options);
        java(program, port, options + " " + Rxe.IPV4).success();
        server.success();
    }

    @Test
    void warmsUpBeforeItMeetsThePeer() throws Exception {
        int port = Rxe.newPort();
        String warm = "-e --warm-up 50 " + options(64);
        RunningCommand server = javaServer("send_lat", port, warm);
        assertThat(java("send_lat", port, warm + " " + Rxe.IPV4).success()).matches(line(64));
        assertThat(server.success()).matches(line(64));
    }

    @ParameterizedTest
    @ValueSource(strings = {"send_lat", "send_bw", "write_lat", "write_bw", "read_lat"})
    void endsWhenTheCServerIsKilled(String program) throws Exception {
        int port = Rxe.newPort();
        try (Program server = cServer(program, port, "-n 1000000 -s 8")) {
            RunningCommand client = RunningCommand.start(
                    new PerfCommand(), program + " -p " + port + " " + "-n 1000000 -s 8 " + Rxe.IPV4);
            server.awaitOutput("remote address");
            server.kill();
            assertFailed(client);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"send_lat", "send_bw", "write_lat", "write_bw", "read_lat"})
    void endsWhenTheCClientIsKilled(String program) throws Exception {
        int port = Rxe.newPort();
        RunningCommand server = javaServer(program, port, "-n 1000000 -s 8");
        try (Program client = cClient(program, port, "-n 1000000 -s 8")) {
            client.awaitOutput("remote address");
            client.kill();
            assertFailed(server);
        }
    }

    /** Queue pairs for datagrams do not tell that the peer has gone; the connection of the handshake does. */
    @Test
    void endsWhenTheCServerOfDatagramsIsKilled() throws Exception {
        int port = Rxe.newPort();
        String options = "-c UD -n 1000000 -s 8";
        try (Program server = cServer("send_lat", port, options)) {
            RunningCommand client =
                    RunningCommand.start(new PerfCommand(), "send_lat -p " + port + " " + options + " " + Rxe.IPV4);
            server.awaitOutput("remote address");
            server.kill();
            assertFailed(client);
        }
    }

    private static void assertFailed(RunningCommand run) throws Exception {
        assertThat(run.status()).as(run.output()).isEqualTo(1);
        assertThat(run.complaint()).contains(ADVICE).hasLineCount(1);
    }

    @Test
    void saysThatTheSizesDiffer() throws Exception {
        int port = Rxe.newPort();
        RunningCommand server = javaServer("send_lat", port, options(64));
        try (Program client = cClient("send_lat", port, options(65))) {
            assertFailed(server);
            assertThat(client.status()).isNotZero();
        }
    }

    @Test
    void refusesAClientOfAnotherKind() throws Exception {
        int port = Rxe.newPort();
        RunningCommand server = javaServer("send_lat", port, options(64));
        try (Program client = Program.start("rping", "-c", "-a", Rxe.IPV4, "-p", "" + port, "-C", "1")) {
            assertThat(server.status()).isEqualTo(1);
            assertThat(server.complaint()).contains("does not speak the protocol of perftest");
            client.awaitOutput("DISCONNECT"); // not its end, for which rping may wait for ever
        }
    }

    @Test
    void givesUpOnAServerOfAnotherKind() throws Exception {
        int port = Rxe.newPort();
        try (Program server = Listeners.server("ucmatose -b " + Rxe.IPV4 + " -p " + port, port)) {
            RunningCommand client = java("send_lat", port, options(64) + " --timeout 5 " + Rxe.IPV4);
            assertThat(client.status()).isEqualTo(1);
            assertThat(client.complaint()).containsAnyOf("does not speak the protocol of perftest", ADVICE);
            server.kill();
        }
    }

    @Test
    void givesAdviceWhenThereIsNoServer() throws Exception {
        RunningCommand run = java("send_lat", Rxe.newPort(), options(64) + " " + Rxe.IPV4);
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.complaint()).contains("REJECTED", "start ib_send_lat -R or ./rdma4j perf send_lat there");
    }
}

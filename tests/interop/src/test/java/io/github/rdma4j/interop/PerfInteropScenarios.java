// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.program.Listeners;
import io.github.rdma4j.program.RunningCommand;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.support.Program;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
        return RunningCommand.run("perf " + program + " -p " + port + " " + more);
    }

    private static RunningCommand javaServer(String program, int port, String more) {
        return RunningCommand.server("perf " + program + " -p " + port + " " + more, port);
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

    /** The table of either side has a line that begins with the size and the number of messages, where the options tell them. */
    private static String line(String options) {
        return "(?s).*\\n " + value(options, "-s") + " +" + value(options, "-n") + " +[0-9].*";
    }

    private static String value(String options, String name) {
        Matcher given = Pattern.compile(name + " (\\d+)").matcher(options);
        return given.find() && !options.contains("-a") && !options.contains("-q") ? given.group(1) : "[1-9][0-9]*";
    }

    /**
     * Program and options, which both sides are given: small and large messages, datagrams, both directions, several queue pairs,
     * all sizes, a time. Each half meets the C client in each run and the C server at night, or the other way round.
     */
    private static final String HALF = """
            send_lat, -n 20 -s 64
            send_bw, -n 20 -s 64
            write_lat, -n 20 -s 64
            write_bw, -n 20 -s 64
            read_lat, -n 20 -s 64
            read_bw, -n 20 -s 64
            atomic_lat, -n 20 -s 8
            send_lat, -c UD -n 20 -s 64
            send_lat, -D 1
            send_bw, -c UD -n 20 -s 64 -b -q 2
            send_bw, -n 20 -s 64 -q 3
            write_bw, -n 20 -s 64 -q 3
            atomic_bw, -n 20 -q 2 -b
            send_bw, -n 20 -s 64 -q 2 --use-srq -r 16
            send_bw, -n 20 -s 64 -b --report_gbits
            """;

    private static final String OTHER_HALF = """
            send_lat, -n 20 -s 5000
            send_bw, -n 20 -s 20000
            write_lat, -n 20 -s 5000
            write_bw, -n 20 -s 20000
            read_lat, -n 20 -s 5000
            read_bw, -n 20 -s 20000
            atomic_bw, -n 20 -s 8
            send_bw, -c UD -n 20 -s 64
            send_bw, -n 20 -s 64 -b
            send_lat, -n 20 -s 64 --use-srq -m 1024
            write_lat, -D 1
            write_bw, -n 20 -s 64 -b -q 2
            read_bw, -n 20 -s 64 -q 2 -b
            """;

    /** For each size perftest finds out again, for a second or so, how fast the clock is; a time takes its time. */
    private static final String SLOW = """
            send_bw, -D 1 -b
            write_bw, -D 1 -b -q 2
            send_lat, -c UD -n 5 -a
            send_bw, -n 5 -a -b
            write_bw, -n 5 -a
            """;

    @ParameterizedTest
    @CsvSource(textBlock = HALF)
    void servesTheCClient(String program, String options) throws Exception {
        int port = Rxe.newPort();
        RunningCommand server = javaServer(program, port, options);
        try (Program client = cClient(program, port, options + " -d " + device())) {
            // C has figures only where it finds out how fast the clock is, which a busy host keeps from it.
            assertThat(client.success())
                    .containsPattern(" " + value(options, "-s") + " +" + value(options, "-n") + " ");
        }
        server.success();
    }

    @ParameterizedTest
    @CsvSource(textBlock = OTHER_HALF + SLOW)
    @Nightly
    void servesTheCClientAtNight(String program, String options) throws Exception {
        servesTheCClient(program, options);
    }

    @ParameterizedTest
    @CsvSource(textBlock = OTHER_HALF)
    void isServedByTheCServer(String program, String options) throws Exception {
        int port = Rxe.newPort();
        try (Program server = cServer(program, port, options)) {
            String more = options + " -d " + device() + " " + Rxe.IPV4;
            assertThat(java(program, port, more).success()).matches(line(options));
            server.success();
        }
    }

    @ParameterizedTest
    @CsvSource(textBlock = HALF + SLOW)
    @Nightly
    void isServedByTheCServerAtNight(String program, String options) throws Exception {
        isServedByTheCServer(program, options);
    }

    @ParameterizedTest
    @CsvSource(textBlock = HALF + OTHER_HALF)
    @Nightly
    void talksToItself(String program, String options) throws Exception {
        int port = Rxe.newPort();
        RunningCommand server = javaServer(program, port, options);
        assertThat(java(program, port, options + " " + Rxe.IPV4).success()).matches(line(options));
        server.success();
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
        assertThat(server.success()).matches(line(options(8)));
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
        assertThat(java("send_lat", port, warm + " " + Rxe.IPV4).success()).matches(line(options(64)));
        assertThat(server.success()).matches(line(options(64)));
    }

    /** Queue pairs for datagrams do not tell that the peer has gone; the connection of the handshake does. */
    @ParameterizedTest
    @CsvSource({"send_bw, ''", "write_lat, ''", "send_lat, -c UD"})
    void endsWhenTheCServerIsKilled(String program, String more) throws Exception {
        int port = Rxe.newPort();
        String options = "-n 1000000 -s 8 " + more;
        try (Program server = cServer(program, port, options.strip())) {
            RunningCommand client =
                    RunningCommand.start("perf " + program + " -p " + port + " " + options + " " + Rxe.IPV4);
            server.awaitOutput("remote address");
            server.kill();
            assertFailed(client);
        }
    }

    @ParameterizedTest
    @CsvSource({"send_lat, ''", "write_bw, ''", "read_lat, ''"})
    @Nightly
    void endsWhenTheCServerIsKilledAtNight(String program, String more) throws Exception {
        endsWhenTheCServerIsKilled(program, more);
    }

    @ParameterizedTest
    @ValueSource(strings = {"send_lat", "write_bw"})
    void endsWhenTheCClientIsKilled(String program) throws Exception {
        int port = Rxe.newPort();
        RunningCommand server = javaServer(program, port, "-n 1000000 -s 8");
        try (Program client = cClient(program, port, "-n 1000000 -s 8")) {
            client.awaitOutput("remote address");
            client.kill();
            assertFailed(server);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"send_bw", "write_lat", "read_lat"})
    @Nightly
    void endsWhenTheCClientIsKilledAtNight(String program) throws Exception {
        endsWhenTheCClientIsKilled(program);
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

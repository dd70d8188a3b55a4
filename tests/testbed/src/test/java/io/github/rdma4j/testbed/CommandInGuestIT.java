// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.support.Nightly;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A command in a guest is the same command: arguments, environment, streams, status, signals. */
class CommandInGuestIT {
    /** In the guests that this machine starts by default. */
    ProcessBuilder command(String... arguments) {
        ProcessBuilder builder = Launched.builder(arguments);
        builder.environment().remove(Backend.VARIABLE);
        return builder;
    }

    private Launched.Outcome outcome(String... arguments) throws Exception {
        return Launched.run(command(arguments), new byte[0]);
    }

    private static final List<String> AWKWARD =
            List.of("", "two words", "new\nline", "'single' \"double\"", "$HOME `id` \\", "--", "-n", "grün ✓", "*");

    @Test
    void argumentsEnvironmentAndDirectoryArriveByteForByte(@TempDir Path directory) throws Exception {
        Path odd = Files.createDirectory(directory.resolve("a b"));
        String report = "$/ = undef; open my $e, '<', '/proc/self/environ'; print map { \"$_\\0\" } @ARGV;"
                + " print readlink('/proc/self/cwd'), \"\\0\", <$e>;";
        List<String> arguments = new ArrayList<>(List.of("run", "--no-rxe", "perl", "-e", report));
        arguments.addAll(AWKWARD);
        ProcessBuilder builder = command(arguments.toArray(String[]::new)).directory(odd.toFile());
        builder.environment().clear();
        builder.environment().put("LC_ALL", "C.UTF-8");
        builder.environment().put("HOME", System.getProperty("user.home"));
        builder.environment().put("PATH", System.getenv("PATH"));
        builder.environment().put("EMPTY", "");
        builder.environment().put("MULTI", "a\nb=c");
        builder.environment().put("BASH_FUNC_f%%", "() { :; }");

        Launched.Outcome outcome = Launched.run(builder, new byte[0]);

        List<String> fields = Arrays.asList(outcome.text().split("\0", -1));
        assertThat(fields.subList(0, AWKWARD.size())).as(outcome.errors()).isEqualTo(AWKWARD);
        assertThat(fields.get(AWKWARD.size())).isEqualTo(odd.toString());
        TreeSet<String> environment = new TreeSet<>(List.of("RDMA4J_GUEST=1"));
        builder.environment().forEach((name, value) -> environment.add(name + "=" + value));
        assertThat(new TreeSet<>(fields.subList(AWKWARD.size() + 1, fields.size() - 1)))
                .isEqualTo(environment);
    }

    @Test
    @Nightly
    void passesAMebibyteThroughUnchangedUntilEndOfInput() throws Exception {
        byte[] input = new byte[1 << 20];
        new Random(1).nextBytes(input);

        // Reopening /dev/stdout has to work, which a virtio port itself does not allow.
        Launched.Outcome outcome =
                Launched.run(command("run", "--no-rxe", "sh", "-c", "cat > /dev/stdout; echo done >&2; exit 1"), input);

        assertThat(outcome.bytes()).isEqualTo(input);
        assertThat(outcome.errors()).isEqualTo("done\n");
        assertThat(outcome.status()).isEqualTo(1);
    }

    @Test
    @Nightly
    void aSignalThatKillsTheCommandIsItsStatus() throws Exception {
        Launched.Outcome outcome = outcome("run", "--no-rxe", "sh", "-c", "printf x; kill -SEGV $$");

        assertThat(outcome.status()).isEqualTo(128 + 11);
        assertThat(outcome.text()).isEqualTo("x");
        assertThat(outcome.errors()).isEmpty();
    }

    @Test
    @Nightly
    void aCommandThatDoesNotExistIsReportedAsAShellDoes() throws Exception {
        Launched.Outcome outcome = outcome("run", "--no-rxe", "no-such-command");

        assertThat(outcome.status()).isEqualTo(127);
        assertThat(outcome.errors()).contains("cannot run no-such-command: No such file or directory");
    }

    @Test
    void signalsReachTheCommandAndItsChildren() throws Exception {
        // INT goes to the process group, as from a terminal: the sleep dies of it, so that the shell's trap runs at
        // once.
        String script = "trap 'echo int' INT; trap 'echo usr1' USR1; trap 'echo term; exit 255' TERM;"
                + " echo ready; while :; do sleep 60 & wait; done";
        ProcessBuilder builder = command("run", "--no-rxe", "sh", "-c", script);
        // Whatever a shell has started in the background ignores INT, and so does what it starts in turn.
        builder.command().addAll(0, List.of("env", "--default-signal=INT"));
        try (Launched launched = Launched.start(builder)) {
            assertThat(launched.readLine()).isEqualTo("ready");
            launched.signal("INT");
            assertThat(launched.readLine()).isEqualTo("int");
            launched.signal("USR1");
            assertThat(launched.readLine()).isEqualTo("usr1");
            launched.signal("TERM");
            assertThat(launched.readLine()).isEqualTo("term");
            assertThat(launched.finish(new byte[0]).status()).isEqualTo(255);
        }
    }

    @Test
    @Nightly
    void aReaderThatStopsReadingEndsTheWriter() throws Exception {
        try (Launched launched = Launched.start(command("run", "--no-rxe", "sh", "-c", "trap '' INT; exec yes"))) {
            assertThat(launched.readLine()).isEqualTo("y");
            launched.process.getInputStream().close();
            launched.process.waitFor();
            assertThat(launched.process.exitValue()).isEqualTo(128 + 13);
        }
    }

    @Test
    void binJavaRunsAProgramInAGuestAndAnswersQueriesHere(@TempDir Path share) throws Exception {
        String java = Path.of("../../rxe-testbed/testbed/bin/java").toRealPath().toString();
        Process query =
                new ProcessBuilder(java, "-version").redirectErrorStream(true).start();
        assertThat(new String(query.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains("version");

        ProcessBuilder builder =
                new ProcessBuilder(java, "-cp", "target/test-classes", "-Dkey=a b", GuestProbe.class.getName(), "x\ny");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("RDMA4J_TESTBED_SHARE", share.toString());
        builder.environment().put("REPORT", share.resolve("report").toString());
        Launched.Outcome outcome = Launched.run(builder, "input".getBytes(StandardCharsets.UTF_8));

        assertThat(outcome.text()).as(outcome.errors()).isEqualTo("input");
        assertThat(Files.readString(share.resolve("report"))).isEqualTo("rdma4j-guest/10.77.0.1 1 a b x\ny");
        assertThat(outcome.status()).isEqualTo(3);
    }
}

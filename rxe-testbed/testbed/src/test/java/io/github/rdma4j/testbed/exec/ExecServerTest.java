// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.exec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.testbed.host.Resource;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The exec server, on this machine in the place of a guest. */
@Timeout(120)
class ExecServerTest extends ExecServerScenes {
    @Test
    void aCommandHasSeparateStreamsAndAStatus() throws Exception {
        ExecChannel channel = shell("echo out; echo err >&2; pwd; exit 7");

        assertThat(text(channel.output())).isEqualTo("out\n" + directory.toRealPath() + "\n");
        assertThat(text(channel.error())).isEqualTo("err\n");
        assertThat(status(channel)).isEqualTo(7);
    }

    @Test
    void argumentsAndVariablesArriveAsTheyAre() throws Exception {
        List<String> arguments = List.of("printf", "%s|", "", "two  words", "line\nbreak", "ä", "$HOME");
        ExecChannel printed = server.client.run(directory, arguments, List.of());
        List<String> variables = List.of("A=1=2", "EMPTY=", "PATH=/usr/bin:/bin", "HOME");
        ExecChannel environment =
                server.client.run(directory, List.of("sh", "-c", "echo \"$A|${EMPTY-no}|${HOME-no}\""), variables);

        assertThat(text(printed.output())).isEqualTo("|two  words|line\nbreak|ä|$HOME|");
        assertThat(text(environment.output())).isEqualTo("1=2||no\n");
    }

    @Test
    void aCommandThatCannotRunSaysSo() throws Exception {
        ExecChannel missing = run("no-such-command");
        ExecChannel notExecutable = run("/etc/passwd");
        ExecChannel nowhere = server.client.run(Path.of("/no/directory"), List.of("true"), List.of());

        assertThat(status(missing)).isEqualTo(127);
        assertThat(text(missing.error())).contains("cannot run no-such-command: No such file");
        assertThat(status(notExecutable)).isEqualTo(126);
        assertThat(status(nowhere)).isEqualTo(125);
        assertThat(text(nowhere.error())).contains("cannot enter /no/directory");
    }

    @Test
    void everyByteGoesThroughBothWays() throws Exception {
        byte[] bytes = new byte[3_000_001];
        new Random(1).nextBytes(bytes);
        ExecChannel channel = run("cat");
        CompletableFuture<Void> written = write(channel, bytes);

        assertThat(channel.output().readAllBytes()).isEqualTo(bytes);
        written.get();
        assertThat(status(channel)).isZero();
    }

    @Test
    void aReaderThatDoesNotReadHoldsUpItsOwnCommandAlone() throws Exception {
        ExecChannel flood = shell("yes; echo done >&2");
        assertThat(flood.output().read()).isEqualTo('y');
        ExecChannel errors = shell("yes >&2");
        assertThat(errors.error().read()).isEqualTo('y');

        for (int i = 0; i < 20; i++) {
            ExecChannel other = shell("echo " + i);
            assertThat(text(other.output())).isEqualTo(i + "\n");
        }
        flood.output().close();
        assertThat(text(flood.error())).as("yes got a broken pipe").contains("done");
        errors.signal(15, true);
        assertThat(status(errors)).isEqualTo(128 + 15);
    }

    @Test
    void aWriterThatTheCommandDoesNotReadFromWaitsAlone() throws Exception {
        ExecChannel deaf = shell("sleep 1000");
        CompletableFuture<Void> writer = write(deaf, new byte[2_000_000]);

        assertThat(text(shell("echo alive").output())).isEqualTo("alive\n");
        assertThat(writer).isNotDone();
        deaf.signal(9, true);
        assertThatThrownBy(writer::get).hasRootCauseMessage("Broken pipe");
        assertThat(status(deaf)).isEqualTo(137);
    }

    @Test
    void endsOfStreamsAreIndependent() throws Exception {
        ExecChannel closesOutput = shell("exec >&-; read line; echo \"$line\" >&2; exit 3");
        assertThat(closesOutput.output().read()).isEqualTo(-1);
        assertThat(closesOutput.exit()).isNotDone();
        write(closesOutput, "late\n".getBytes(UTF_8)).get();
        assertThat(text(closesOutput.error())).isEqualTo("late\n");
        assertThat(status(closesOutput)).isEqualTo(3);

        ExecChannel closesInput = shell("exec <&-; echo closed; sleep 1000");
        assertThat(closesInput.output().read()).isEqualTo('c');
        assertThatThrownBy(() -> write(closesInput, new byte[2_000_000]).get()).hasRootCauseMessage("Broken pipe");
        closesInput.signal(9, true);
    }

    @Test
    void aDaemonThatHoldsTheOutputOpenDoesNotHoldUpTheEnd() throws Exception {
        ExecChannel channel = shell("(sleep 1000 & echo $!); head -c 100000 /dev/zero");

        String output = text(channel.output());

        assertThat(status(channel)).isZero();
        assertThat(output).hasSizeGreaterThan(100_000);
        long daemon = Long.parseLong(output.lines().findFirst().orElseThrow());
        assertThat(ProcessHandle.of(daemon)).isPresent();
        ProcessHandle.of(daemon).orElseThrow().destroyForcibly();
    }

    @Test
    void signalsReachTheProcessOrItsGroup() throws Exception {
        ExecChannel trap = shell("trap 'echo caught; exit 5' USR1; echo ready; while :; do sleep 0.05; done");
        assertThat(trap.output().read()).isEqualTo('r');
        trap.signal(10, false);
        assertThat(status(trap)).isEqualTo(5);
        assertThat(text(trap.output())).contains("caught");

        ExecChannel group = shell("sleep 1000 & echo $!; wait");
        StringBuilder pid = new StringBuilder();
        for (int b = group.output().read(); b != '\n'; b = group.output().read()) {
            pid.append((char) b);
        }
        ProcessHandle sleeper = ProcessHandle.of(Long.parseLong(pid.toString())).orElseThrow();
        group.signal(15, true);
        assertThat(status(group)).isEqualTo(143);
        sleeper.onExit().get(30, TimeUnit.SECONDS);
    }

    @Test
    void aSignalRightAfterTheStartFindsTheCommand() throws Exception {
        for (int i = 0; i < 30; i++) {
            ExecChannel channel = run("sleep", "1000");
            channel.signal(9, true);
            assertThat(status(channel)).isEqualTo(137);
        }
    }

    @Test
    void hundredsOfCommandsRunAtOnce() throws Exception {
        List<ExecChannel> channels = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            channels.add(shell("read line; echo " + i + " $line"));
        }
        for (ExecChannel channel : channels) {
            write(channel, "go\n".getBytes(UTF_8)).get();
        }
        for (int i = 0; i < channels.size(); i++) {
            assertThat(text(channels.get(i).output())).isEqualTo(i + " go\n");
            assertThat(status(channels.get(i))).isZero();
        }
    }

    @Test
    void aCommandForWhichNoProcessCanBeMadeFailsAloneAndTheNextRuns() throws Exception {
        try (LocalServer small = new LocalServer(64)) {
            List<ExecChannel> channels = new ArrayList<>();
            ExecChannel refused = null;
            while (refused == null) {
                ExecChannel channel = small.client.run(directory, List.of("cat"), List.of());
                if (channel.pid() == 0) {
                    refused = channel;
                } else {
                    channels.add(channel);
                }
            }
            assertThat(text(refused.error())).contains("no process can be made: Too many open files");
            assertThat(text(refused.output())).isEmpty();
            assertThat(status(refused)).isEqualTo(125);
            assertThat(channels).hasSizeGreaterThan(10);
            for (ExecChannel channel : channels) {
                channel.input().close();
                assertThat(status(channel)).isZero();
            }
            assertThat(status(small.client.run(directory, List.of("true"), List.of())))
                    .isZero();
        }
    }

    @Test
    void theEndOfTheServerEndsEveryWait() throws Exception {
        ExecChannel silent = run("sleep", "1000");
        long pid = silent.pid();
        CompletableFuture<Integer> reading = CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return silent.output().read();
                    } catch (IOException e) {
                        throw new java.io.UncheckedIOException(e);
                    }
                },
                ExecServerScenes::startThread);
        CompletableFuture<Void> writing = write(silent, new byte[2_000_000]);

        // By its handle: Process.destroyForcibly would close the streams as well.
        server.process.toHandle().destroyForcibly();
        server.process.waitFor();

        assertThatThrownBy(reading::get).hasMessageContaining("the server ended with status 137");
        assertThatThrownBy(writing::get).hasMessageContaining("the server ended with status 137");
        assertThatThrownBy(() -> silent.exit().get())
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("the server ended with status 137");
        assertThatThrownBy(() -> run("true")).hasMessageContaining("the server ended with status 137");
        // In a guest the end of the server ends the guest.
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }

    @Test
    void quittingEndsTheCommandsWithTermAndThoseThatIgnoreItWithKill() throws Exception {
        ExecChannel polite = shell("trap 'echo bye > bye; exit 0' TERM; echo ready; while :; do sleep 0.05; done");
        ExecChannel stubborn = shell("trap '' TERM; echo ready; while :; do sleep 0.05; done");
        assertThat(polite.output().read()).isEqualTo('r');
        assertThat(stubborn.output().read()).isEqualTo('r');
        ProcessHandle left = ProcessHandle.of(stubborn.pid()).orElseThrow();

        server.client.quit();
        server.process.waitFor();

        left.onExit().get(30, TimeUnit.SECONDS);
        assertThat(directory.resolve("bye")).hasContent("bye\n");
        assertThatThrownBy(() -> stubborn.exit().get()).hasMessageContaining("the server ended with status 0");
    }

    @Test
    void theEndOfItsInputEndsTheServerAndItsCommands() throws Exception {
        ExecChannel sleep = run("sleep", "1000");
        ProcessHandle process = ProcessHandle.of(sleep.pid()).orElseThrow();

        server.client.toServer().close();

        assertThat(server.process.waitFor()).isZero();
        process.onExit().get(30, TimeUnit.SECONDS);
    }

    @Test
    void garbageEndsTheServerWithAReason() throws Exception {
        Process raw = new ProcessBuilder(ExecClient.serverCommandLine()).start();
        raw.getOutputStream().write(Resource.bytes("exec/exec.pl"));
        byte[] garbage = new byte[1000];
        Arrays.fill(garbage, (byte) 'Z');
        raw.getOutputStream().write(garbage);
        raw.getOutputStream().flush();

        assertThat(text(raw.getErrorStream())).contains("the exec server received a frame of type 90");
        assertThat(raw.waitFor()).isEqualTo(3);
    }

    @Test
    void anInterruptedReaderStopsWaiting() throws Exception {
        ExecChannel silent = run("sleep", "1000");
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread reader = new Thread(() -> {
            try {
                silent.output().read();
            } catch (IOException e) {
                thrown.complete(Thread.currentThread().isInterrupted() ? e : new AssertionError("flag lost"));
            }
        });
        reader.start();
        reader.interrupt();

        assertThat(thrown.get()).isInstanceOf(InterruptedIOException.class);
        silent.signal(9, true);
        assertThat(status(silent)).isEqualTo(137);
    }

    @Test
    void outputThatIsKeptNeverHoldsTheCommandUp() throws Exception {
        ExecChannel channel = shell("head -c 2000000 /dev/zero; head -c 2000000 /dev/zero >&2");
        channel.keepAllOutput();

        assertThat(status(channel)).isZero();
        assertThat(channel.error().readAllBytes()).hasSize(2_000_000);
        assertThat(channel.output().readAllBytes()).hasSize(2_000_000);
    }

    @Test
    void whoIsToldOfTheEndMayReadTheRestOfTheOutput() throws Exception {
        for (String script : List.of("echo out", "head -c 200000 /dev/zero", "sleep 1000 & echo out")) {
            ExecChannel channel = shell("read line; " + script);
            CompletableFuture<byte[]> output = channel.exit().thenApply(status -> {
                try {
                    return channel.output().readAllBytes();
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            write(channel, "go\n".getBytes(UTF_8)).get();

            assertThat(output.get(60, TimeUnit.SECONDS)).as(script).isNotEmpty();
            assertThat(status(run("true"))).isZero();
        }
    }

    @Test
    void askingWhetherACommandHasEndedLeavesNothingBehind() throws Exception {
        ExecChannel channel = run("sleep", "1000");

        CompletableFuture<Integer> exit = channel.exit();
        assertThat(channel.exit()).isSameAs(exit);
        exit.cancel(true);
        assertThat(channel.exit()).isNotDone();
        assertThat(channel.hasEnded()).isFalse();

        channel.signal(9, true);
        assertThat(status(channel)).isEqualTo(128 + 9);
        assertThat(channel.hasEnded()).isTrue();
    }
}

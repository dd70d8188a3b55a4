// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.run;

import io.github.rdma4j.kernel.RdmaException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** A process that takes part in an exchange, with its output. Closing this object ends the process. */
public final class PeerProcess implements Peer {
    private static final Duration POLL = Duration.ofMillis(50);

    private final String name;
    private final Process process;
    private final Path output;

    private PeerProcess(String name, Process process, Path output) {
        this.name = name;
        this.process = process;
        this.output = output;
    }

    public static PeerProcess start(List<String> command) throws RdmaException {
        return start(command, ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    }

    /** Starts a program whose standard input is a pipe. */
    public static PeerProcess startTalking(List<String> command) throws RdmaException {
        return start(command, ProcessBuilder.Redirect.PIPE);
    }

    private static PeerProcess start(List<String> command, ProcessBuilder.Redirect input) throws RdmaException {
        try {
            Path output = Files.createTempFile("rdma4j-peer", ".log");
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(input)
                    .redirectOutput(output.toFile())
                    .start();
            return new PeerProcess(command.get(0), process, output);
        } catch (IOException e) {
            throw new RdmaException(
                    "cannot start " + command.get(0) + " (Debian packages rdmacm-utils, perftest, iproute2, perl)", e);
        }
    }

    @Override
    public String output() {
        try {
            return Files.readString(output, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public int await(Duration limit) throws RdmaException, InterruptedException {
        if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new RdmaException(name + " did not end within " + limit.toSeconds() + " s:\n" + output());
        }
        return process.exitValue();
    }

    /** The process, for what only some of its users do with it. */
    public Process process() {
        return process;
    }

    /** Waits until the kernel has a listening CM id on {@code port}. */
    public void awaitListening(int port, Duration limit) throws RdmaException, InterruptedException {
        awaitCondition(() -> listens(port), "does not listen on port " + port, limit);
    }

    /** Waits until a program listens on a TCP port of this machine, according to {@code /proc/net/tcp}. */
    public void awaitTcpListening(int port, Duration limit) throws RdmaException, InterruptedException {
        String local = String.format(Locale.ROOT, ":%04X ", port);
        awaitCondition(() -> tcpListens(local), "does not listen on TCP port " + port, limit);
    }

    private static boolean tcpListens(String local) throws RdmaException {
        try {
            for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
                for (String line : Files.readAllLines(Path.of(table), StandardCharsets.US_ASCII)) {
                    // "sl: local:port remote:port state ...": state 0A is LISTEN, and the remote port is then 0.
                    if (line.contains(local) && line.contains(":0000 0A ")) {
                        return true;
                    }
                }
            }
            return false;
        } catch (IOException e) {
            throw new RdmaException("cannot read the table of TCP sockets", e);
        }
    }

    @Override
    public void awaitOutput(String text, Duration limit) throws RdmaException, InterruptedException {
        awaitCondition(() -> output().contains(text), "did not print '" + text + "'", limit);
    }

    private interface Condition {
        boolean holds() throws RdmaException, InterruptedException;
    }

    private void awaitCondition(Condition condition, String complaint, Duration limit)
            throws RdmaException, InterruptedException {
        long start = System.nanoTime();
        while (!condition.holds()) {
            if (!process.isAlive() || System.nanoTime() - start > limit.toNanos()) {
                throw new RdmaException(
                        name + " " + complaint + (process.isAlive() ? "" : " and has ended") + ":\n" + output());
            }
            process.waitFor(POLL.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** True if a CM id listens on the port. The kernel offers no event for this, so the ids are listed by rdma(8). */
    private static boolean listens(int port) throws RdmaException, InterruptedException {
        try (PeerProcess rdma = start(List.of("rdma", "resource", "show", "cm_id"))) {
            rdma.await(Duration.ofSeconds(10));
            return rdma.output().lines().anyMatch(line -> line.contains("LISTEN") && line.contains(":" + port + " "));
        }
    }

    /** The program, in complaints. */
    @Override
    public String toString() {
        return name;
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor();
            Files.deleteIfExists(output);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            output.toFile().deleteOnExit();
        }
    }
}

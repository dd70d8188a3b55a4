// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.soak.node;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A guest of the run, on which programs can be started. */
public final class Node {
    private final int number;
    private final boolean remote;
    private final String netdev;

    private Node(int number, boolean remote, String netdev) {
        this.number = number;
        this.remote = remote;
        this.netdev = netdev;
    }

    /** The only guest of a run: the RDMA device is on {@code veth0}. */
    public static Node only() {
        return new Node(1, false, "veth0");
    }

    /** The guest of two on which this program runs. */
    public static Node first() {
        return new Node(1, false, "eth0");
    }

    /** The other guest of two. */
    public static Node second() {
        return new Node(2, true, "eth0");
    }

    /** The address of the RDMA device. */
    public String address() {
        return "10.77.0." + number;
    }

    /** The network interface that the RDMA device is on. */
    public String netdev() {
        return netdev;
    }

    /** What has to be run here to run {@code command} there. */
    public List<String> commandLine(List<String> command) {
        if (!remote) {
            return List.copyOf(command);
        }
        List<String> line = new ArrayList<>(List.of("testbed-node", Integer.toString(number), "--"));
        line.addAll(command);
        return line;
    }

    /** Starts a program whose output goes to a file. */
    public Process start(List<String> command, Path output) throws SoakFailureException {
        try {
            return new ProcessBuilder(commandLine(command))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
                    .redirectInput(new File("/dev/null"))
                    .start();
        } catch (IOException e) {
            throw new SoakFailureException("cannot start " + command, e);
        }
    }

    /**
     * Runs a program to its end.
     *
     * @throws SoakFailureException when it does not end within {@code limit}
     */
    public Ended run(Duration limit, String... command) throws SoakFailureException, InterruptedException {
        Path output = null;
        try {
            output = Files.createTempFile("soak-run-", ".out");
            Process process = start(List.of(command), output);
            boolean ended = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
            if (!ended) {
                process.destroyForcibly();
            }
            String said = Files.readString(output, StandardCharsets.ISO_8859_1);
            if (!ended) {
                throw new SoakFailureException(
                        String.join(" ", command) + " did not end within " + limit.toSeconds() + " s: " + said);
            }
            return new Ended(process.exitValue(), said);
        } catch (IOException e) {
            throw new SoakFailureException("cannot run " + String.join(" ", command), e);
        } finally {
            delete(output);
        }
    }

    /** Runs a program that must succeed; returns the program's output. */
    public String check(String... command) throws SoakFailureException, InterruptedException {
        Ended ended = run(Limits.PROGRAM, command);
        if (!ended.isSuccess()) {
            throw new SoakFailureException(
                    String.join(" ", command) + ": exit status " + ended.status() + ": " + ended.output());
        }
        return ended.output();
    }

    private static void delete(@Nullable Path file) {
        if (file != null) {
            file.toFile().delete();
        }
    }

    @Override
    public String toString() {
        return "node " + number;
    }
}

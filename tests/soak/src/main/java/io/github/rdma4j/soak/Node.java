// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A guest of the run, on which programs can be started. */
final class Node {
    private final int number;
    private final boolean remote;
    private final String netdev;
    private final String device;

    private Node(int number, boolean remote, String netdev, String device) {
        this.number = number;
        this.remote = remote;
        this.netdev = netdev;
        this.device = device;
    }

    /** The exit status and the output of a program. */
    record Result(int status, String output) {
        boolean isSuccess() {
            return status == 0;
        }
    }

    /** The only guest of a run: the RDMA device is on {@code veth0}. */
    static Node only(String device) {
        return new Node(1, false, "veth0", device);
    }

    /** The guest of two on which this program runs. */
    static Node first(String device) {
        return new Node(1, false, "eth0", device);
    }

    /** The other guest of two. */
    static Node second(String device) {
        return new Node(2, true, "eth0", device);
    }

    /** The address of the RDMA device. */
    String address() {
        return "10.77.0." + number;
    }

    /** The network interface that the RDMA device is on. */
    String netdev() {
        return netdev;
    }

    /** The command line that runs {@code command} on the node. */
    List<String> commandLine(List<String> command) {
        if (!remote) {
            return List.copyOf(command);
        }
        List<String> line = new ArrayList<>(List.of("testbed-node", Integer.toString(number), "--"));
        line.addAll(command);
        return line;
    }

    /** Starts a program whose output goes to a file. */
    Process start(List<String> command, Path output) throws SoakFailureException {
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
    Result run(Duration limit, String... command) throws SoakFailureException, InterruptedException {
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
            return new Result(process.exitValue(), said);
        } catch (IOException e) {
            throw new SoakFailureException("cannot run " + String.join(" ", command), e);
        } finally {
            delete(output);
        }
    }

    /** Runs a program that must succeed; returns the program's output. */
    String check(String... command) throws SoakFailureException, InterruptedException {
        Result result = run(Limits.PROGRAM, command);
        if (!result.isSuccess()) {
            throw new SoakFailureException(
                    String.join(" ", command) + ": exit status " + result.status() + ": " + result.output());
        }
        return result.output();
    }

    /**
     * The numbers of RDMA objects in the node's kernel by kind, as rdma(8) prints them; empty if there is no device.
     */
    Map<String, Long> kernelObjects() throws SoakFailureException, InterruptedException {
        return parseObjects(check("rdma", "resource", "show"), device);
    }

    /** Of a device, from the text "0: rxe0: pd 1 cq 1 qp 1 cm_id 0 mr 0 ctx 0 srq 0". */
    static Map<String, Long> parseObjects(String text, String device) {
        Map<String, Long> objects = new TreeMap<>();
        for (String line : text.split("\n", -1)) {
            String[] words = line.trim().split("\\s+", -1);
            if (words.length > 2 && words[1].equals(device + ":")) {
                for (int i = 2; i + 1 < words.length; i += 2) {
                    objects.put("kernel." + words[i], Long.parseLong(words[i + 1]));
                }
            }
        }
        return objects;
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

// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import io.github.rdma4j.testbed.fabric.IbFabric;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The subnet manager on a node of a testbed with {@link Testbed.Device#IB}: OpenSM, with its files in {@code
 * /run/opensm} there. Every node has these files; of two managers, the one with the higher priority ({@code -p}), or
 * else on the lower node, is the master, and the other stands by. Thread-safe, but two faults of a manager at the same
 * time are the caller's business.
 */
public final class SubnetManager {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Waits until the process is gone: a second manager would stand by. */
    private static final String KILL = """
            pid=$(cat /run/opensm/pid 2>&-) || exit 0
            kill -KILL $pid 2>&- || exit 0
            while kill -0 $pid 2>&-; do sleep 0.02; done
            """;

    /**
     * Waits for the end of the first sweep, or ends as the manager has: what a manager has set and not yet noted, an M_Key for
     * example, is unknown to the next manager.
     */
    private static final String SETTLE = """
            pid=$(cat /run/opensm/pid)
            until grep -qsE 'SUBNET UP|STANDBY|Errors during init|SM port is down' /run/opensm/log; do
                kill -0 $pid 2>&- || { cat /run/opensm/output >&2; exit 1; }
                sleep 0.02
            done
            """;

    /** Returns when the last thread has stopped: a thread that runs while the signal comes may still answer. */
    private static final String STOP = """
            pid=$(cat /run/opensm/pid) && kill -STOP $pid || exit
            while grep -qs 'State:.[^T]' /proc/$pid/task/*/status; do
                sleep 0.01
            done
            """;

    private final Node node;
    private final Optional<IbFabric> fabric;

    SubnetManager(Node node, Optional<IbFabric> fabric) {
        this.node = node;
        this.fabric = fabric;
    }

    /** The words for the kernel of each node when the manager is on a node, or nowhere (0). */
    static List<String> kernelArguments(int node) {
        return node == 1 ? List.of() : List.of("rdma4j.manager=" + node);
    }

    /** Stops the manager with SIGSTOP until the result is closed: queries and joins get no answer. */
    public Closeable stop() throws IOException, InterruptedException {
        shell(STOP);
        return new Fault("stop of the subnet manager", () -> shell("kill -CONT $(cat /run/opensm/pid)"));
    }

    /** Ends the manager with SIGKILL: the kernel of its node refuses queries. The ports stay active. */
    public void kill() throws IOException, InterruptedException {
        shell(KILL);
    }

    /**
     * Ends the manager if it runs, and starts it with these options of OpenSM beside its own. It finds the ports as they
     * are, and asks all clients to register again. Returns when the subnet is up, when another manager is the master, or
     * when the manager has found the port of its node down. Waits 30 s at most, and fails if the manager ends.
     */
    public void restart(String... options) throws IOException, InterruptedException {
        kill();
        String[] start = Stream.concat(Stream.of("/run/opensm/start"), Stream.of(options))
                .toArray(String[]::new);
        node.run(Command.of("sh", start), PATIENCE);
        shell(SETTLE);
    }

    /**
     * Starts the manager again with another file of partitions, in the format of OpenSM; the default is {@code
     * Default=0x7fff, ipoib: ALL=full;}.
     */
    public void partitions(String content) throws IOException, InterruptedException {
        node.write("/run/opensm/partitions.conf", content.getBytes(StandardCharsets.UTF_8));
        restart();
    }

    /**
     * Hides capabilities of subnet administration until the result is closed: the switches clear these bits of
     * CapabilityMask2 in each ClassPortInfo that subnet administration answers. The manager's own node sees them, as
     * its questions pass no switch. Who has asked already may remember the bits until the manager is restarted.
     *
     * @param bits the bits of the mask, such as {@code 1 << 12} for send-only full members
     * @throws IllegalStateException if the testbed has one node, and so no switch
     */
    public Closeable hideCapabilities(int bits) {
        IbFabric switches =
                fabric.orElseThrow(() -> new IllegalStateException("a testbed of one node has no switch to hide them"));
        if (bits >>> 27 != 0) {
            throw new IllegalArgumentException("CapabilityMask2 has 27 bits, not 0x" + Integer.toHexString(bits));
        }
        switches.hideCapabilities(bits);
        return new Fault("hidden capabilities of the subnet manager", () -> switches.hideCapabilities(0));
    }

    /** Starts the manager again without its memory and with another LID for the port of a node. */
    public void lid(Node of, int lid) throws IOException, InterruptedException {
        if (lid < 1 || lid >= 0xc000) {
            throw new IllegalArgumentException("a LID is 1 to 49151, not " + lid);
        }
        kill();
        String guid = "0x505400fffe4d%04x".formatted(of.number());
        String line = "%s 0x%04x 0x%04x%n%n".formatted(guid, lid, lid);
        node.write("/run/opensm/guid2lid", line.getBytes(StandardCharsets.US_ASCII));
        restart("--honor_guid2lid");
    }

    private void shell(String script) throws IOException, InterruptedException {
        node.run(Command.of("sh", "-c", script), PATIENCE);
    }
}

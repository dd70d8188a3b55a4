// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.support;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.SaClient;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Program;
import io.github.rdma4j.verbs.QueuePairOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * The InfiniBand of a guest with {@code --device ib}: two ports that are connected with each other, and a subnet manager.
 * The network interface of the first port has the addresses of {@link Rxe}.
 */
public final class Ib {
    public static final String DEVICE = "softib0";
    public static final String OTHER_DEVICE = "softib1";
    public static final int PORT = 1;

    /** The key with which OpenSM trusts a request, by default. */
    public static final long SM_KEY = 1;

    private static final Path MANAGER = Path.of("/run/opensm");

    private Ib() {}

    /** A file of the first port in sysfs, such as {@code lid}. */
    public static String port(String file) throws IOException {
        return Files.readString(Path.of("/sys/class/infiniband", DEVICE, "ports/1", file))
                .strip();
    }

    private static void signal(String name) throws IOException, InterruptedException {
        Program.run("kill", "-" + name, Files.readString(MANAGER.resolve("pid")).strip());
    }

    /** The subnet manager answers nothing until {@link #continueManager}: its last thread has stopped. */
    public static void stopManager() throws IOException, InterruptedException {
        signal("STOP");
        Path threads = Path.of("/proc", Files.readString(MANAGER.resolve("pid")).strip(), "task");
        Await.until("each thread of the subnet manager has stopped", () -> allStopped(threads));
    }

    private static boolean allStopped(Path threads) {
        try (Stream<Path> each = Files.list(threads)) {
            for (Path thread : each.toList()) {
                if (!Files.readString(thread.resolve("stat")).contains(") T ")) {
                    return false;
                }
            }
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static void continueManager() throws IOException, InterruptedException {
        signal("CONT");
    }

    public static void killManager() throws IOException, InterruptedException {
        signal("KILL");
    }

    /** The subnet manager reads its partitions again and sweeps. */
    public static void reloadManager() throws IOException, InterruptedException {
        signal("HUP");
    }

    /** Starts a subnet manager in the place of a killed one, and waits until it answers. */
    public static void startManager(String... options) throws IOException, InterruptedException {
        String[] command = new String[options.length + 2];
        command[0] = "sh";
        command[1] = MANAGER.resolve("start").toString();
        System.arraycopy(options, 0, command, 2, options.length);
        Program.run(command);
        awaitManager();
    }

    /**
     * Waits until subnet administration answers and IP over InfiniBand has joined its group again, without which no id can
     * join a group. A new manager makes it leave the group for a moment.
     */
    public static void awaitManager() throws InterruptedException {
        awaitAnswer();
        for (int joined = 0; joined < 3; joined++) {
            Await.until("IP over InfiniBand has joined its group", Ib::hasNetwork);
            Thread.sleep(100);
        }
    }

    private static boolean hasNetwork() {
        try (EventChannel channel = EventChannel.open();
                CmId id = channel.createId(PortSpace.IPOIB)) {
            id.bind(new InetSocketAddress(Rxe.IPV4, 0));
            id.createQp(QueuePairOptions.DEFAULT);
            return true;
        } catch (RdmaException notYet) {
            return false;
        }
    }

    private static void awaitAnswer() throws InterruptedException {
        long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (true) {
            try (SaClient client = SaClient.open(DEVICE, PORT)) {
                if (client.classPortInfo(Duration.ofSeconds(2)).isPresent()) {
                    return;
                }
            } catch (RdmaException notYet) {
                if (System.nanoTime() > end) {
                    throw new AssertionError("the subnet manager does not answer", notYet);
                }
            }
        }
    }
}

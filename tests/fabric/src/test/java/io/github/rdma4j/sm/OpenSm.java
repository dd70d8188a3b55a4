// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.testbed.image.UnpackedPackage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The subnet manager of a simulated fabric: Debian's OpenSM, which is unpacked in the testbed's cache and not installed. It
 * remembers LIDs from one start to the next.
 */
final class OpenSm implements AutoCloseable {
    /** Many times what a standby needs to find that its master has gone. */
    private static final Duration TAKE_OVER = Duration.ofSeconds(15);

    private static final long PAUSE_NANOS = 10_000_000;
    private static final String UP = "SUBNET UP";
    private static final String STANDBY = "Entering STANDBY state";

    private final Path directory;
    private final UnpackedPackage unpacked;
    private final Map<String, String> environment;
    private final List<String> options = new ArrayList<>();
    private @Nullable Daemon daemon;
    private int starts;

    /**
     * Does not start it yet.
     *
     * @param state where it keeps what it remembers, and its log; is made here
     */
    OpenSm(Path state, FabricPlan plan, Map<String, String> environment) throws IOException {
        this.directory = Files.createDirectory(state);
        this.environment = new HashMap<>(environment);
        this.unpacked = UnpackedPackage.find(UnpackedPackage.Kind.OPENSM, System.getenv())
                .orElseThrow(() -> new IllegalStateException("no OpenSM in the testbed's cache; run"
                        + " ./rdma4j testbed setup --opensm (an installed opensm is not used)"));
        this.environment.put("LD_LIBRARY_PATH", unpacked.libraryPath());
        this.environment.put("OSM_TMP_DIR", state.toString());
        this.environment.put("OSM_CACHE_DIR", state.toString());
        option("-P", "partitions.conf", plan.partitions());
        option("-F", "opensm.conf", plan.configuration());
    }

    private void option(String name, String file, @Nullable String text) throws IOException {
        if (text != null) {
            options.addAll(List.of(
                    name, Files.writeString(directory.resolve(file), text).toString()));
        }
    }

    /** Starts it and waits until the subnet is up. */
    void start() {
        start(UP);
    }

    /** Starts it and waits until it has seen that another one is the master. */
    void startAsStandby() {
        start(STANDBY);
    }

    private void start(String sign) {
        if (daemon != null && daemon.isAlive()) {
            throw new IllegalStateException("runs already");
        }
        starts++;
        // -d 2: it would else keep its log to itself until it ends. -s 0: no sweeps but for a reason.
        List<String> command = new ArrayList<>(
                List.of(unpacked.program().toString(), "-e", "-d", "2", "-s", "0", "-f", log().toString()));
        command.addAll(options);
        daemon = Daemon.start(directory, environment, command);
        daemon.awaitText(log(), 0, sign);
    }

    /**
     * Waits until a standby is the master, and the subnet is up with it. OpenSM 3.3.23 sometimes goes on asking a master that
     * has gone; started anew, it is the master all the same.
     */
    void awaitMastership() {
        long end = System.nanoTime() + TAKE_OVER.toNanos();
        while (!logText().contains(UP)) {
            if (System.nanoTime() - end > 0) {
                stop();
                start();
                return;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private Path log() {
        return directory.resolve("opensm-" + starts + ".log");
    }

    /** What it has written to its log since it started. */
    String logText() {
        return Daemon.read(log());
    }

    /** Does something that makes it sweep, and waits until the subnet is up again. */
    void awaitSweep(Runnable cause) {
        int before = logText().length();
        cause.run();
        running().awaitText(log(), before, UP);
    }

    /** It answers nothing any more, and does not know. */
    void suspend() {
        running().suspend();
    }

    void resume() {
        running().resume();
    }

    /** Ends it as if it had crashed. */
    void kill() {
        running().kill();
    }

    /** Ends it in an orderly way. */
    void stop() {
        running().terminate();
    }

    /** Ends it and starts it again; it knows no group then but those of its configuration. */
    void restart() {
        stop();
        start();
    }

    long residentKilobytes() {
        return running().residentKilobytes();
    }

    private Daemon running() {
        if (daemon == null) {
            throw new IllegalStateException("does not run");
        }
        return daemon;
    }

    @Override
    public void close() {
        if (daemon != null) {
            daemon.close();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak;

import io.github.rdma4j.testbed.image.UnpackedPackage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** An InfiniBand fabric of two adapters that ibsim(8) simulates in the guest, with OpenSM at the first of them. */
final class Fabric implements AutoCloseable {
    private static final String UDP_PORT = "17070";
    private static final String NET = """
            caguid=0x0002c90300a00000
            switchguid=0x0002c90200b00000

            Switch 24 "SwA"
            [1] "HcaA"[1] # "HcaA" lid 0 4xQDR
            [2] "HcaB"[1] # "HcaB" lid 0 4xQDR

            Hca 2 "HcaA"
            [1] "SwA"[1] # lid 0 lmc 0 "SwA" lid 0 4xQDR

            Hca 2 "HcaB"
            [1] "SwA"[2] # lid 0 lmc 0 "SwA" lid 0 4xQDR
            """;
    private static final Pattern MANAGER = Pattern.compile("Client (\\d+): .* SM");

    private final Path directory = Path.of("/tmp/soak-fabric");
    private final Path logs;
    private final Path simulatorLog;
    private @Nullable Process simulator;
    private @Nullable Process manager;
    private int starts;

    /** A fabric that is not started yet. */
    Fabric(Path logs) {
        this.logs = logs;
        this.simulatorLog = logs.resolve("ibsim.log");
    }

    /** Starts the simulator and OpenSM, and waits until the subnet is up. */
    void start() throws SoakFailureException, InterruptedException {
        try {
            Files.createDirectories(directory);
            Files.writeString(directory.resolve("net"), NET);
            simulator = new ProcessBuilder("ibsim", "-r", "-s", "-l", UDP_PORT, "net")
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(simulatorLog.toFile())
                    .start();
        } catch (IOException e) {
            throw new SoakFailureException("cannot start ibsim", e);
        }
        awaitText(simulatorLog, 0, "Network simulator ready");
        startManager();
    }

    /** Starts OpenSM, and waits until the subnet is up. */
    void startManager() throws SoakFailureException, InterruptedException {
        UnpackedPackage openSm = UnpackedPackage.find(UnpackedPackage.Kind.OPENSM, System.getenv())
                .orElseThrow(() -> new SoakFailureException(
                        "no OpenSM in the testbed's cache; run ./rdma4j testbed setup --opensm"));
        Path log = logs.resolve("opensm-" + ++starts + ".log");
        // -d 2: flushes the log after each line. -s 0: no periodic sweeps.
        ProcessBuilder builder = new ProcessBuilder(
                        openSm.program().toString(), "-e", "-d", "2", "-s", "0", "-f", log.toString())
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(logs.resolve("opensm-output.log").toFile());
        builder.environment().putAll(environment("HcaA"));
        builder.environment().put("LD_PRELOAD", library().toString());
        builder.environment().put("LD_LIBRARY_PATH", openSm.libraryPath());
        builder.environment().put("OSM_TMP_DIR", directory.toString());
        builder.environment().put("OSM_CACHE_DIR", directory.toString());
        try {
            manager = builder.start();
        } catch (IOException e) {
            throw new SoakFailureException("cannot start OpenSM", e);
        }
        awaitText(log, 0, "SUBNET UP");
    }

    /** Ends OpenSM as if it had crashed. */
    void killManager() throws SoakFailureException, InterruptedException {
        Process killed = manager;
        if (killed == null) {
            throw new SoakFailureException("OpenSM has not been started");
        }
        killed.destroyForcibly().waitFor();
        // The simulator would still send requests to the old OpenSM.
        Matcher client = MANAGER.matcher(console("Attached"));
        if (client.find()) {
            console("X " + client.group(1));
        }
    }

    private String console(String command) throws SoakFailureException, InterruptedException {
        Process told = simulator;
        if (told == null) {
            throw new SoakFailureException("ibsim has not been started");
        }
        int before = read(simulatorLog).length();
        try {
            told.getOutputStream().write((command + "\n").getBytes(StandardCharsets.US_ASCII));
            told.getOutputStream().flush();
        } catch (IOException e) {
            throw new SoakFailureException("cannot tell ibsim: " + command, e);
        }
        awaitText(simulatorLog, before, "sim> ");
        return read(simulatorLog).substring(before);
    }

    /** The environment of a program that loads the simulator's library and uses an adapter of the fabric. */
    static Map<String, String> environment(String adapter) {
        return Map.of("SIM_HOST", adapter, "IBSIM_SERVER_NAME", "127.0.0.1", "IBSIM_SERVER_PORT", UDP_PORT);
    }

    /** The simulator's library, which replaces system calls of libc. */
    static Path library() {
        return Path.of("/usr/lib/x86_64-linux-gnu/umad2sim/libumad2sim.so");
    }

    /** Where its clients have to run. */
    Path directory() {
        return directory;
    }

    private static void awaitText(Path file, int from, String text) throws SoakFailureException, InterruptedException {
        long end = System.nanoTime() + Limits.START.toNanos();
        while (read(file).indexOf(text, from) < 0) {
            if (System.nanoTime() - end > 0) {
                throw new SoakFailureException("no '" + text + "' in " + file + ": " + read(file));
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private static String read(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file, StandardCharsets.ISO_8859_1) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        if (manager != null) {
            manager.destroyForcibly();
        }
        if (simulator != null) {
            simulator.destroyForcibly();
        }
    }
}

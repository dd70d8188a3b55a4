// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.support.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * An InfiniBand fabric that ibsim(8) simulates, with a real OpenSM on it. Everything is in a directory of its own, and
 * gone when this is closed, or when the JVM is.
 */
final class IbsimFabric implements AutoCloseable {
    /** One port for control, and one for each of the ten clients. */
    static final int UDP_PORTS = 11;

    /** Below the range from which the kernel takes ports for clients. */
    private static final int FIRST_UDP_PORT = 17070;

    private static final int LAST_UDP_PORT = 30000;
    private static final String PROMPT = "sim> ";
    private static final Pattern MANAGER = Pattern.compile("Client (\\d+): .* SM");

    private final Path directory;
    private final int udpPort;
    private final Daemon simulator;
    private final OpenSm openSm;
    private final Deque<IbsimTransport> transports = new ArrayDeque<>();

    private IbsimFabric(FabricPlan plan) throws IOException {
        directory = Files.createTempDirectory("rdma4j-ibsim-");
        Orphans.add(directory);
        Files.writeString(directory.resolve("net"), plan.netFile());
        udpPort = freePorts();
        simulator =
                Daemon.start(directory, Map.of(), List.of("ibsim", "-r", "-s", "-l", Integer.toString(udpPort), "net"));
        simulator.awaitOutput("Network simulator ready");
        simulator.awaitOutput(PROMPT);
        openSm = new OpenSm(directory.resolve("opensm"), plan, clientEnvironment(plan.managerHost()));
    }

    /** Another subnet manager, which waits for the first one's end; to be closed before this. */
    OpenSm startStandby(FabricPlan plan, String adapter) {
        try {
            OpenSm standby = new OpenSm(directory.resolve("standby"), plan, clientEnvironment(adapter));
            standby.startAsStandby();
            return standby;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts the simulator and the subnet manager, and waits until the subnet is up. */
    static IbsimFabric start(FabricPlan plan) {
        IbsimFabric fabric = startWithoutManager(plan);
        try {
            fabric.openSm.start();
            return fabric;
        } catch (RuntimeException | Error e) {
            fabric.close();
            throw e;
        }
    }

    /** Starts the simulator only. */
    static IbsimFabric startWithoutManager(FabricPlan plan) {
        try {
            return new IbsimFabric(plan);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int freePorts() {
        for (int port = FIRST_UDP_PORT; port < LAST_UDP_PORT; port += UDP_PORTS) {
            if (areFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException("no " + UDP_PORTS + " UDP ports in a row are free");
    }

    private static boolean areFree(int first) {
        List<DatagramSocket> sockets = new ArrayList<>();
        try {
            for (int port = first; port < first + UDP_PORTS; port++) {
                sockets.add(new DatagramSocket(port));
            }
            return true;
        } catch (SocketException e) {
            return false;
        } finally {
            sockets.forEach(DatagramSocket::close);
        }
    }

    OpenSm openSm() {
        return openSm;
    }

    Path directory() {
        return directory;
    }

    /** A client at the first port of an adapter; closed with the fabric at the latest. */
    IbsimTransport attach(String adapter) {
        return attach(adapter, false);
    }

    /** As {@link #attach(String)}; such a client also gets requests, above all the reports that it subscribes to. */
    IbsimTransport attachForReports(String adapter) {
        return attach(adapter, true);
    }

    private IbsimTransport attach(String adapter, boolean requests) {
        try {
            IbsimTransport transport = IbsimTransport.connect(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), udpPort), adapter, requests);
            transports.push(transport);
            return transport;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A client of subnet administration at an adapter, which is patient with a slow machine. */
    SaClient client(String adapter) {
        return client(adapter, SaClients.PATIENT);
    }

    SaClient client(String adapter, SaOptions options) {
        return SaClients.over(attach(adapter), options);
    }

    /** Takes the cable of an adapter out. */
    void unlink(String adapter) {
        console("Unlink \"" + adapter + "\"[1]");
    }

    /** Puts it back. */
    void relink(String adapter) {
        console("ReLink \"" + adapter + "\"[1]");
    }

    /** From now on so many of a hundred packets that arrive at an adapter are lost. */
    void lose(String adapter, int percent) {
        console("Error \"" + adapter + "\"[1] " + percent);
    }

    /** Ends the subnet manager as if it had crashed. */
    void killManager() {
        openSm.kill();
        // The simulator would send requests to the dead one even when there is another.
        Matcher client = MANAGER.matcher(console("Attached"));
        if (client.find()) {
            console("X " + client.group(1));
        }
    }

    /** Runs a command of the simulator; returns what it said. */
    String console(String command) {
        String before = simulator.output();
        try {
            simulator.input().write((command + "\n").getBytes(StandardCharsets.US_ASCII));
            simulator.input().flush();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot tell " + simulator, e);
        }
        simulator.awaitText(simulator.outputFile(), before.length(), PROMPT);
        return simulator.output().substring(before.length());
    }

    /** The environment with which a program of libibumad is a client at the adapter. */
    Map<String, String> clientEnvironment(String adapter) {
        Map<String, String> environment = new HashMap<>(simulatorEnvironment(adapter));
        environment.put("LD_PRELOAD", FabricPlan.simulatorLibrary().toString());
        return environment;
    }

    /** The same for one that loads the simulator's library itself. */
    Map<String, String> simulatorEnvironment(String adapter) {
        return Map.of(
                "SIM_HOST", adapter, "IBSIM_SERVER_NAME", "127.0.0.1", "IBSIM_SERVER_PORT", Integer.toString(udpPort));
    }

    /** What the real saquery(8) says at an adapter. */
    String saquery(String adapter, String... options) {
        List<String> command = new ArrayList<>(List.of("saquery"));
        command.addAll(List.of(options));
        return run(adapter, command);
    }

    /** Runs another program of libibumad at an adapter to its end, which must be a success; returns what it said. */
    String run(String adapter, List<String> command) {
        try {
            Path output = Files.createTempFile(directory, command.get(0) + "-", ".out");
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            builder.environment().putAll(clientEnvironment(adapter));
            Process process = builder.start();
            boolean ended = process.waitFor(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
            process.destroyForcibly();
            String said = Daemon.read(output);
            if (!ended || process.exitValue() != 0) {
                throw new AssertionError(command + " failed: " + said);
            }
            return said;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        while (!transports.isEmpty()) {
            transports.pop().close();
        }
        openSm.close();
        simulator.close();
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.suite;

import io.github.rdma4j.cli.run.GuestRun;
import io.github.rdma4j.cli.run.PeerProcess;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.providers.script.CProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** {@code connections.c}: its server serves both sides, so that only the clients differ. */
final class ConnectionsProgram implements AutoCloseable {
    private static final String NAME = "connections";
    private static final String SOURCE = NAME + ".c";
    private static final String PACKAGES = "gcc, libc6-dev, libibverbs-dev and librdmacm-dev";
    private static final int FIRST_PORT = 7800;
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final Bench.Place place;
    private final String address;
    private final String port;
    private final PeerProcess server;

    /** Starts the server. */
    ConnectionsProgram(Bench.Place place, int number) throws RdmaException, InterruptedException {
        this.place = place;
        address = place.rdma().address().getHostAddress();
        port = String.valueOf(FIRST_PORT + number);
        server = PeerProcess.start(List.of(program(), "server", address, port));
        server.awaitOutput("listening", LIMIT);
    }

    /** Builds the program in {@code directory}, on a machine with gcc and librdmacm-dev. */
    static void build(Path directory) throws RdmaException, InterruptedException {
        try {
            CProgram.copy(ConnectionsProgram.class, directory, List.of(SOURCE));
            CProgram.compile(directory, PACKAGES, List.of("-O2", "-o", NAME, SOURCE, "-lrdmacm", "-libverbs"));
        } catch (IOException e) {
            throw new RdmaException(String.valueOf(e.getMessage()), e);
        }
    }

    private String program() {
        return program(place);
    }

    private static String program(Bench.Place place) {
        return place.programs().resolve(NAME).toString();
    }

    /** How many ticks of the processor's counter, which perftest reads, a microsecond has. */
    static double ticksPerMicrosecond(Bench.Place place) throws RdmaException, InterruptedException {
        try (PeerProcess clock = PeerProcess.start(List.of(program(place), "clock"))) {
            clock.await(LIMIT);
            return figure(clock.output(), "ticks");
        }
    }

    /** The output of a client in C. */
    String c(String command, List<String> arguments) throws RdmaException, InterruptedException {
        List<String> line = new ArrayList<>(List.of(program(), command, address, port));
        line.addAll(arguments);
        return run(line);
    }

    /** The output of a client in Java, a class with {@code main}. */
    String java(Class<?> main, List<String> arguments) throws RdmaException, InterruptedException {
        List<String> all = new ArrayList<>(List.of(address, port));
        all.addAll(arguments);
        return run(GuestRun.commandLine(main.getName(), place.guest().jvmOptions(), all));
    }

    private String run(List<String> command) throws RdmaException, InterruptedException {
        try (PeerProcess client = PeerProcess.start(command)) {
            int status = client.await(LIMIT);
            if (status != 0) {
                throw new RdmaException("a client ended with status " + status + ":\n" + client.output()
                        + "\nthe server said:\n" + server.output());
            }
            return client.output();
        }
    }

    /** The last word of the line that begins with {@code key}. */
    static double figure(String output, String key) throws RdmaException {
        return output.lines()
                .filter(line -> line.startsWith(key + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .findFirst()
                .orElseThrow(() -> new RdmaException("a program printed no '" + key + "':\n" + output));
    }

    @Override
    public void close() {
        server.close();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.verify;

import io.github.rdma4j.cli.run.Peer;
import io.github.rdma4j.cli.run.PeerProcess;
import io.github.rdma4j.kernel.RdmaException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A program that exchanges data with itself or with its counterpart in the other language. ADDRESS, PORT and GROUP in
 * its command lines stand for the address of the device, a port, and a multicast group.
 *
 *
 * @param isC true for a program of rdma-core
 * @param server the command line of the server
 * @param ready the server's line after which the client may start; empty for none
 * @param ends true if the server ends by itself, with status 0
 * @param client the command line of the client
 */
record Program(boolean isC, String server, String ready, boolean ends, String client) {
    private static final String TRANSFER = " -c 10 -C 10 -S 1000";
    private static final int UDADDY_PORT = 7174;
    private static final int FIRST_PORT = 20_000;
    private static final int PORTS = 10_000;
    private static final int LAST_BYTE = 254;

    /** The programs in Java. */
    static final List<Program> JAVA = List.of(
            java("ping --server ADDRESS -p PORT", "listening on", false, "ping ADDRESS -p PORT -C 500 -S 64"),
            java("ping --server ADDRESS -p PORT", "listening on", false, "ping ADDRESS -p PORT -C 50 -S 65535"),
            java("cmatose -b ADDRESS -p PORT" + TRANSFER, "starting", true, "cmatose -s ADDRESS -p PORT" + TRANSFER),
            java("udaddy -b ADDRESS" + TRANSFER, "starting", true, "udaddy -s ADDRESS" + TRANSFER),
            java("mckey -b ADDRESS -m GROUP", "receiving", true, "mckey -b ADDRESS -m GROUP -s -d 0"));

    /** Their counterparts in C, in the same order. */
    static final List<Program> C = List.of(
            c("rping -s -P -a ADDRESS -p PORT -S 64", "", false, "rping -c -V -a ADDRESS -p PORT -C 500 -S 64"),
            c("rping -s -P -a ADDRESS -p PORT -S 65535", "", false, "rping -c -V -a ADDRESS -p PORT -C 50 -S 65535"),
            c("ucmatose -b ADDRESS -p PORT" + TRANSFER, "", true, "ucmatose -s ADDRESS -p PORT" + TRANSFER),
            c("udaddy -b ADDRESS" + TRANSFER, "", true, "udaddy -s ADDRESS" + TRANSFER),
            c("mckey -b ADDRESS -m GROUP", "joined dgid", true, "mckey -b ADDRESS -m GROUP -s"));

    private static Program java(String server, String ready, boolean ends, String client) {
        return new Program(false, server, ready, ends, client);
    }

    private static Program c(String server, String ready, boolean ends, String client) {
        return new Program(true, server, ready, ends, client);
    }

    /** The values of ADDRESS, PORT and GROUP in an exchange. */
    record Place(String address, int port, String group) {
        /** Chooses a random port and a random group. */
        static Place at(String address) {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            int port = FIRST_PORT + random.nextInt(PORTS);
            return new Place(address, port, "239.255.77." + (1 + random.nextInt(LAST_BYTE)));
        }
    }

    /** The name of the executable, or of the command of this program. */
    String name() {
        return server.substring(0, server.indexOf(' '));
    }

    /** The port on which the server listens; udaddy always uses the same port. */
    int port(Place place) {
        return server.contains("PORT") ? place.port() : UDADDY_PORT;
    }

    /** Starts the server. */
    Peer startServer(Place place) throws RdmaException {
        return start(server, place);
    }

    /** Starts the client. */
    Peer startClient(Place place) throws RdmaException {
        return start(client, place);
    }

    private Peer start(String template, Place place) throws RdmaException {
        String filled = template.replace("ADDRESS", place.address())
                .replace("PORT", "" + place.port())
                .replace("GROUP", place.group());
        List<String> words = List.of(filled.split(" ", -1));
        if (!isC) {
            return CommandThread.start(words);
        }
        // the C library would buffer the output until the program ends
        List<String> line = new ArrayList<>(List.of("stdbuf", "-oL"));
        line.addAll(words);
        return PeerProcess.start(line);
    }

    /** True if a program is in the PATH. */
    static boolean isInstalled(String name) {
        String path = System.getenv().getOrDefault("PATH", "/usr/bin:/bin");
        return Arrays.stream(path.split(":", -1)).anyMatch(folder -> Files.isExecutable(Path.of(folder, name)));
    }
}

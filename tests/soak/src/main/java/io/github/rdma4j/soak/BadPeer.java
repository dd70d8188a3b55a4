// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak;

import io.github.rdma4j.soak.Fault.Injection;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/** A C program that disconnects early, sends too much or too little, or accesses memory that it has no key for. */
final class BadPeer {
    /** Where the compiled program is. */
    static final String PROGRAM = "/tmp/soak-badpeer";

    private static final int MOST_PRIVATE_DATA = 56;

    private BadPeer() {}

    /** A fault for each mode of the program. */
    static List<Fault> all() {
        return List.of(
                fault("exit", "connects and exits", Server::any, upTo(3), BadPeer::none),
                fault("quit", "gives up before it is answered", Server::any, upTo(12), below(60)),
                fault("noestablish", "never says that it is connected", Server::forMany, upTo(3), below(500)),
                fault("disconnect", "disconnects as soon as it is connected", Server::forMany, upTo(12), BadPeer::none),
                fault("private", "brings private data of any size", Server::any, upTo(4), below(MOST_PRIVATE_DATA + 1)),
                fault("message", "sends a message of a wrong size", Server::forMany, upTo(4), BadPeer::wrongSize),
                fault("read", "reads with a key that is nobody's", Server::forMany, upTo(4), Random::nextInt),
                fault("write", "writes with a key that is nobody's", Server::forMany, upTo(4), Random::nextInt),
                fault(
                        "offer",
                        "offers rping's server memory it has not",
                        random -> Server.PING,
                        upTo(3),
                        Random::nextInt),
                fault("flood", "connects all at once", Server::any, random -> 20 + random.nextInt(60), BadPeer::none));
    }

    private static Fault fault(
            String mode,
            String description,
            Function<Random, Server> target,
            ToIntFunction<Random> count,
            ToIntFunction<Random> value) {
        return new Fault("peer-" + mode, description, random -> {
            Server server = target.apply(random);
            int times = count.applyAsInt(random);
            int number = value.applyAsInt(random);
            return new Injection(
                    String.format(Locale.ROOT, "%s, %d times, value %d", server, times, number),
                    stage -> attack(stage, mode, server, times, number));
        });
    }

    private static int none(Random random) {
        return 0;
    }

    private static ToIntFunction<Random> below(int bound) {
        return random -> random.nextInt(bound);
    }

    private static ToIntFunction<Random> upTo(int most) {
        return random -> 1 + random.nextInt(most);
    }

    /** Around the sizes that servers expect: 16 bytes for rping's, 4096 at most for the echo servers. */
    private static int wrongSize(Random random) {
        int[] sizes = {0, 1, 15, 17, 4095, 4096, 4097, 65536};
        return sizes[random.nextInt(sizes.length)];
    }

    private static String attack(Stage stage, String mode, Server server, int times, int number)
            throws SoakFailureException, InterruptedException {
        String address = stage.server().address();
        Node.Result result =
                stage.client().run(Limits.CLIENT, PROGRAM, mode, address, "" + server.port(), "" + times, "" + number);
        if (!result.isSuccess()) {
            throw new SoakFailureException("the bad peer itself has failed: " + result.output());
        }
        return result.output().trim();
    }

    /** Compiles the program, once before the first fault. */
    static void compile(Stage stage) throws SoakFailureException, InterruptedException {
        Path source = Path.of(PROGRAM + ".c");
        try (InputStream resource = BadPeer.class.getResourceAsStream("badpeer.c")) {
            if (resource == null) {
                throw new SoakFailureException("badpeer.c is not on the class path");
            }
            Files.write(source, resource.readAllBytes());
        } catch (IOException e) {
            throw new SoakFailureException("cannot write " + source, e);
        }
        stage.client().check("gcc", "-O1", "-o", PROGRAM, source.toString(), "-lrdmacm", "-libverbs");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.soak.fault;

import io.github.rdma4j.lab.soak.node.SoakFailureException;
import io.github.rdma4j.lab.soak.stage.Stage;
import java.util.List;
import java.util.Random;
import java.util.function.ToIntFunction;

/** All kinds of faults. */
public final class Faults {
    private static final int MOST_PRIVATE_DATA = 56;
    private static final int KIB = 1024;

    private static final List<Fault> ALL = List.of(
            new KillClient(),
            new KillJavaClient(),
            new KillServer(),
            new KillCServer(),
            new LinkRemoval(),
            new Netem(),
            new BadPeer("exit", "connects and exits", Server::any, upTo(3), Faults::none),
            new BadPeer("quit", "gives up before it is answered", Server::any, upTo(12), below(60)),
            new BadPeer("noestablish", "never says that it is connected", Server::forMany, upTo(3), below(500)),
            new BadPeer(
                    "disconnect", "disconnects as soon as it is connected", Server::forMany, upTo(12), Faults::none),
            new BadPeer(
                    "private", "brings private data of any size", Server::any, upTo(4), below(MOST_PRIVATE_DATA + 1)),
            new BadPeer("message", "sends a message of a wrong size", Server::forMany, upTo(4), Faults::wrongSize),
            new BadPeer("read", "reads with a key that is nobody's", Server::forMany, upTo(4), Random::nextInt),
            new BadPeer("write", "writes with a key that is nobody's", Server::forMany, upTo(4), Random::nextInt),
            new BadPeer(
                    "offer",
                    "offers rping's server memory it has not",
                    random -> Server.PING,
                    upTo(3),
                    Random::nextInt),
            new BadPeer("flood", "connects all at once", Server::any, random -> 20 + random.nextInt(60), Faults::none),
            new LowLimit("nofile", random -> 10 + random.nextInt(40)),
            new LowLimit("memlock", random -> random.nextInt(64) * KIB),
            new Exhaustion("heap"),
            new Exhaustion("direct"),
            new KillManager());

    private Faults() {}

    /** In a fixed order, which a seed counts on. */
    public static List<Fault> all() {
        return ALL;
    }

    /** Creates the objects that the faults need. */
    public static void prepare(Stage stage) throws SoakFailureException, InterruptedException {
        BadPeer.compile(stage);
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
}

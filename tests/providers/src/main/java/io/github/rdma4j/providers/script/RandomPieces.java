// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.script;

import io.github.rdma4j.providers.script.RandomQueues.Pair;
import io.github.rdma4j.providers.script.RandomVerbs.Facts;
import java.util.List;
import java.util.Random;

/**
 * The flags and the pieces of memory of random requests, as words of a line.
 *
 * @param random makes them up
 */
record RandomPieces(Random random) {
    /** How many addresses the requests of datagrams name. */
    static final int ADDRESSES = 6;

    private static final List<String> WITHOUT_DATA = List.of("local_inv", "bind", "bind2");
    private static final int DATA_BYTES = 1 << 19;

    /** Signaled, solicited and fenced at random; data inside the request when {@code inline} says so. */
    String flags(boolean inline) {
        StringBuilder flags = new StringBuilder(random.nextInt(3) == 0 ? "" : "s");
        flags.append(random.nextInt(4) == 0 ? "o" : "").append(random.nextInt(4) == 0 ? "f" : "");
        return flags.append(inline ? "i" : "")
                .append(flags.length() == 0 ? "-" : "")
                .toString();
    }

    /** A piece of at least {@code shortest} bytes and less than {@code bound}. */
    String one(int shortest, int bound) {
        int length = shortest + random.nextInt(Math.max(1, bound - shortest));
        return random.nextInt(DATA_BYTES) + ":" + length + ":" + Integer.toHexString(random.nextInt());
    }

    /** Pieces that follow each other, each behind a space; some have the {@code shortest} length. */
    String many(int count, int shortest) {
        StringBuilder pieces = new StringBuilder();
        for (int i = 0; i < count; i++) {
            pieces.append(' ').append(one(random.nextInt(5) == 0 ? shortest : 1, 5000));
        }
        return pieces.toString();
    }

    /** The words of a send request of {@code pair}. */
    String request(RandomVerbs verbs, Pair pair) {
        Facts facts = verbs.facts();
        List<String> operations = verbs.operations(pair.type);
        String operation = operations.get(random.nextInt(operations.size()));
        boolean atomic = operation.equals("cas") || operation.equals("fadd");
        boolean bare = WITHOUT_DATA.contains(operation);
        boolean inline = !atomic && !bare && !operation.equals("read") && random.nextBoolean();
        String flags = flags(inline);
        String list;
        if (bare) {
            list = "";
        } else if (atomic) {
            list = " " + one(8, 9);
        } else if (inline) {
            list = random.nextInt(8) == 0 ? "" : " " + one(0, pair.capacities.inline() + 1);
        } else {
            int most = random.nextInt(pair.capacities.sendSge() + 1);
            list = many(operation.equals("read") && facts.readSge() > 0 ? facts.readSge() : most, 0);
        }
        return String.join(
                        " ",
                        pair.name,
                        "" + (random.nextLong() >>> 1),
                        operation,
                        flags,
                        hex(random.nextInt()),
                        Long.toHexString(random.nextLong()),
                        hex(random.nextInt()),
                        Long.toHexString(random.nextLong()),
                        Long.toHexString(random.nextLong()),
                        pair.type.equals("ud") ? "H" + random.nextInt(ADDRESSES) : "-",
                        hex(random.nextInt(1 << 24)),
                        hex(random.nextInt()))
                + list;
    }

    private static String hex(int number) {
        return Integer.toHexString(number);
    }
}

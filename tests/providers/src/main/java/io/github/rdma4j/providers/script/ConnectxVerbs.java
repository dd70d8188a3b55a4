// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.script;

import java.util.Random;

/** What random scripts do with a device of the ConnectX family. */
public abstract class ConnectxVerbs implements RandomVerbs {
    /** The syndrome of a request that is flushed. */
    protected static final String FLUSHED = "5";

    private static final String[] SYNDROMES = {"1", "2", "4", "6", "10", "11", "12", "13", "14", "15", "16", "22", "99"
    };

    private final Facts facts;
    private final boolean infiniband;
    private final int leastFlow;

    /** A device on a port of InfiniBand or Ethernet, whose addresses have a flow label of at least {@code leastFlow}. */
    protected ConnectxVerbs(Facts facts, boolean infiniband, int leastFlow) {
        this.facts = facts;
        this.infiniband = infiniband;
        this.leastFlow = leastFlow;
    }

    @Override
    public final Facts facts() {
        return facts;
    }

    @Override
    public final String address(Random random) {
        return String.join(
                " ",
                "" + random.nextInt(infiniband ? 16 : 8),
                "" + random.nextInt(23),
                !infiniband || random.nextBoolean() ? "1" : "0",
                "" + random.nextInt(4),
                "" + random.nextInt(256),
                "" + random.nextInt(256),
                "" + (leastFlow + random.nextInt((1 << 20) - leastFlow)),
                "" + (infiniband ? random.nextInt(65536) : 0),
                "" + (infiniband ? random.nextInt(128) : 0),
                Long.toHexString(random.nextLong()),
                Long.toHexString(random.nextLong()));
    }

    /** A syndrome of a failure, in hexadecimal digits; a device need not know it. */
    protected static String syndrome(Random random) {
        return SYNDROMES[random.nextInt(SYNDROMES.length)];
    }

    /** Hexadecimal digits. */
    protected static String hex(int number) {
        return Integer.toHexString(number);
    }
}

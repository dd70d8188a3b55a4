// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.support;

import java.util.Random;

/** Runs a test of {@link Seeds} with many random inputs. */
public final class Cases {
    private Cases() {}

    /** A test of one random input. */
    public interface Case {
        void run(Random random) throws Exception;
    }

    /**
     * Runs {@code test} {@code count} times, each time with a random generator of its own. A failure names the seed of the generator,
     * and a run with that seed begins with the failed case.
     */
    public static void run(long seed, int count, Case test) {
        Random seeds = new Random(seed);
        long own = seed;
        for (int number = 1; number <= count; number++) {
            try {
                test.run(new Random(own));
            } catch (Exception | AssertionError e) {
                String repeat = "-D" + NewSeed.PROPERTY + "=" + own + " begins with it";
                throw new AssertionError("case " + number + " of " + count + " failed; " + repeat + ": " + e, e);
            }
            own = seeds.nextLong();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.ib;

import io.github.rdma4j.it.support.Ib;
import io.github.rdma4j.it.support.RequiresIb;
import io.github.rdma4j.support.Cases;
import io.github.rdma4j.support.Seeds;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Joins, leaves and closes in random orders, while the subnet manager is there, silent, dead and new again. What the
 * manager then knows of the port, and what the ids are told, is what {@link JoinModel} expects. {@code -Drdma4j.rounds}
 * sets the number of cases.
 */
@RequiresIb
class RandomJoinsIbIT {
    private static final int CASES = Integer.getInteger("rdma4j.rounds", 2);
    private static final int STEPS = 10;
    private static final int MOST_OPERATIONS = 5;
    private static final int TEN = 10;

    @ParameterizedTest
    @Seeds
    void theManagerKnowsTheMembershipsOfTheIds(long seed) {
        Cases.run(seed, CASES, RandomJoinsIbIT::oneCase);
    }

    private static void oneCase(Random random) throws Exception {
        try (JoinModel model = new JoinModel(random)) {
            int restart = random.nextInt(STEPS);
            for (int step = 0; step < STEPS; step++) {
                if (step == restart) {
                    model.restart(1 + random.nextInt(MOST_OPERATIONS));
                } else if (random.nextInt(TEN) < 3) {
                    silently(model, random);
                } else {
                    operate(model, random);
                    model.settle();
                }
            }
            model.closeAll();
        }
    }

    private static void operate(JoinModel model, Random random) throws Exception {
        for (int i = random.nextInt(MOST_OPERATIONS); i >= 0; i--) {
            model.operate();
        }
    }

    private static void silently(JoinModel model, Random random) throws Exception {
        Ib.stopManager();
        try {
            operate(model, random);
        } finally {
            Ib.continueManager();
        }
        model.settle();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.kernel.RdmaException;
import java.util.Random;

/** Two programs, their sides, and the network between them, in an order that a seed gives. */
final class Simulation {
    /** Rounds without any event, by chance; then each side makes all its calls. */
    private static final int QUIET = 20;

    final App one;
    final App other;
    private final Random random;
    private final String name;

    Simulation(long seed, Setup setup, App.Plan plan) throws RdmaException {
        this(seed, setup, plan, setup, plan);
    }

    Simulation(long seed, Setup setup, App.Plan plan, Setup otherSetup, App.Plan otherPlan) throws RdmaException {
        random = new Random(seed);
        one = new App(Side.of(setup), plan, random, true);
        other = new App(Side.of(otherSetup), otherPlan, random, false);
        name = "seed " + seed + ", " + setup + " with " + otherSetup;
        Side.connect(one.side, other.side);
    }

    /** Runs until both have ended; each has to have what the other has written before it ended. */
    Simulation run() {
        try {
            int quiet = 0;
            while (!(one.side.gone && other.side.gone)) {
                quiet = round() ? 0 : quiet + 1;
                if (quiet > QUIET) {
                    require(inFull());
                    quiet = 0;
                }
                retire(one);
                retire(other);
            }
        } catch (RdmaException | RuntimeException e) {
            throw new AssertionError(this.toString(), e);
        }
        compare(one, other);
        compare(other, one);
        return this;
    }

    private void compare(App reader, App writer) {
        assertThat(reader.read).as("%s", this).isLessThanOrEqualTo(writer.written);
        if (reader.sawEnd) {
            assertThat(reader.read).as("%s", this).isEqualTo(writer.written);
        }
    }

    private boolean round() throws RdmaException {
        boolean acted = deliver(one, random.nextInt(8));
        acted |= deliver(other, random.nextInt(8));
        boolean first = random.nextBoolean();
        acted |= act(first ? one : other);
        acted |= act(first ? other : one);
        return acted;
    }

    private static boolean act(App app) throws RdmaException {
        return !app.side.gone && app.act();
    }

    private static boolean deliver(App app, int most) {
        boolean delivered = false;
        for (int i = 0; i < most && app.side.deliver(); i++) {
            delivered = true;
        }
        return delivered;
    }

    private boolean inFull() throws RdmaException {
        boolean acted = deliver(one, Integer.MAX_VALUE);
        acted |= deliver(other, Integer.MAX_VALUE);
        acted |= !one.side.gone && one.actInFull();
        acted |= !other.side.gone && other.actInFull();
        // What the calls have sent shows only when it is taken.
        acted |= deliver(one, Integer.MAX_VALUE);
        acted |= deliver(other, Integer.MAX_VALUE);
        return acted;
    }

    private void require(boolean moves) {
        if (!moves) {
            throw new AssertionError("neither side can go on: " + this);
        }
    }

    /** A connection whose last word is acknowledged, or can arrive nowhere, is destroyed. */
    private static void retire(App app) {
        app.side.gone |= app.isDone() && (app.side.isDrained() || app.side.refused);
    }

    @Override
    public String toString() {
        return name + "\none " + one + "\nother " + other;
    }
}

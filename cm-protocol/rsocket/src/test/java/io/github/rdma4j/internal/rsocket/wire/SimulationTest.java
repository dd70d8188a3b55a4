// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.rsocket.wire.App.Plan;
import io.github.rdma4j.internal.rsocket.wire.App.Step;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.NewSeed;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ArgumentsSource;

/** Two sides in one process: every byte is compared, and neither side may wait for ever. */
class SimulationTest {
    private static Simulation runBothWays(long seed, Setup one, Setup other, Plan plan) throws RdmaException {
        Simulation simulation = new Simulation(seed, one, plan, other, plan).run();
        assertThat(simulation.one.read).isEqualTo(plan.bytes());
        assertThat(simulation.other.read).isEqualTo(plan.bytes());
        return simulation;
    }

    @ParameterizedTest
    @ArgumentsSource(NewSeed.class)
    void usualSizesCarryWritesOfAnySize(long seed) throws RdmaException {
        runBothWays(seed, Setup.USUAL, Setup.USUAL, Plan.of(4 << 20, 200_000));
        runBothWays(seed, Setup.USUAL, Setup.USUAL.likeC(), Plan.of(4 << 20, 200_000));
    }

    @ParameterizedTest
    @ArgumentsSource(NewSeed.class)
    void buffersGrowWhileBytesAreUnderWayAndTheSendBufferShrinksAgain(long seed) throws RdmaException {
        Setup usual = Setup.USUAL.buffers(8192, 8064).queues(60, 112).growing(1 << 17);
        assertThat(growing(seed, usual, Plan.of(1 << 20, 40_000))).isPositive();
        assertThat(growing(seed, usual, Plan.of(60_000, 900).idling())).isPositive();
        Setup tiny = Setup.USUAL.buffers(2, 64).queues(16, 16);
        int unused = growing(seed, tiny.growing(258), Plan.of(20_000, 400).idling());
        unused = growing(seed, tiny.growing(4096), Plan.of(50_000, 2_000).idling());
    }

    /** Returns how often a send buffer grew, in the run in which that happened least. */
    private static int growing(long seed, Setup grows, Plan plan) throws RdmaException {
        return Stream.of(
                        runBothWays(seed, grows, grows, plan),
                        runBothWays(seed, grows, grows.likeC(), plan),
                        runBothWays(seed, grows.iwarp(), grows.iwarp(), plan))
                .mapToInt(run -> ((EngineSide) run.one.side).grown)
                .min()
                .orElseThrow();
    }

    @ParameterizedTest
    @ArgumentsSource(NewSeed.class)
    void theSmallestBuffersCarryAll(long seed) throws RdmaException {
        Setup tiny = Setup.USUAL.buffers(2, 64).queues(16, 16);
        runBothWays(seed, tiny, tiny, Plan.of(5_000, 300).idling());
        runBothWays(seed, tiny, tiny.buffers(66, 65), Plan.of(5_000, 300));
        runBothWays(seed, tiny, tiny.likeC(), Plan.of(5_000, 300).idling());
    }

    @ParameterizedTest
    @ArgumentsSource(NewSeed.class)
    void fewCreditsAndIdleReadersStopNothingForEver(long seed) throws RdmaException {
        Plan plan = Plan.of(20_000, 40).idling();
        for (int queue : new int[] {16, 17, 18, 24, 31}) {
            Setup setup = Setup.USUAL.queues(16, queue);
            runBothWays(seed, setup, setup, plan);
            runBothWays(seed, setup, setup.likeC(), plan);
        }
    }

    @ParameterizedTest
    @ArgumentsSource(NewSeed.class)
    void creditsWrapAroundAt16Bits(long seed) throws RdmaException {
        Plan plan = Plan.of(140_000, 1);
        runBothWays(seed, Setup.USUAL, Setup.USUAL, plan);
        runBothWays(seed, Setup.USUAL, Setup.USUAL.likeC(), plan);
        Setup largest = Setup.USUAL.queues(512, 0xfffe);
        runBothWays(seed, largest, largest, plan.idling());
    }

    @ParameterizedTest
    @ArgumentsSource(NewSeed.class)
    void iwarpCarriesTheMessagesInSends(long seed) throws RdmaException {
        Setup iwarp = Setup.USUAL.buffers(4096, 4096).queues(24, 24).iwarp();
        runBothWays(seed, iwarp, iwarp, Plan.of(300_000, 5_000).idling());
        runBothWays(seed, iwarp, iwarp.queues(16, 16), Plan.of(100_000, 100).idling());
        runBothWays(seed, iwarp, iwarp.likeC(), Plan.of(300_000, 5_000).idling());
    }

    @ParameterizedTest
    @ArgumentsSource(NewSeed.class)
    void sizesAndEndsOfAnyKindGoTogether(long seed) throws RdmaException {
        Random random = new Random(seed);
        for (int i = 0; i < 1_000; i++) {
            Setup setup = Setup.random(random);
            Setup other = Setup.random(random);
            boolean c = random.nextInt(3) == 0;
            // On iWARP a peer of C's with few receives may be overrun, by C itself too.
            boolean iwarp = random.nextInt(4) == 0 && !(c && other.receiveQueue() <= 16);
            setup = iwarp ? setup.iwarp() : setup;
            other = iwarp ? other.iwarp() : other;
            new Simulation(seed + i, setup, plan(random, true), c ? other.likeC() : other, plan(random, false)).run();
        }
    }

    private static Plan plan(Random random, boolean patient) {
        int largest = 1 + random.nextInt(1 << random.nextInt(12));
        long bytes = Math.min(random.nextInt(1 << random.nextInt(14)), 40L * largest);
        Plan plan = Plan.of(bytes, largest);
        plan = random.nextBoolean() ? plan : plan.idling();
        return random.nextInt(3) == 0 ? plan : plan.ending(App.anyEnd(random, patient));
    }

    @ParameterizedTest
    @ArgumentsSource(NewSeed.class)
    void whatWasWrittenBeforeDisconnectArrives(long seed) throws RdmaException {
        Plan leaves = Plan.of(50_000, 9_000).ending(List.of(Step.DISCONNECT));
        Plan stays =
                Plan.of(0, 700).ending(List.of(Step.AWAIT_END, Step.DISCONNECT)).idling();
        for (Setup other : new Setup[] {
            Setup.USUAL, Setup.USUAL.likeC(), Setup.USUAL.buffers(512, 64).queues(16, 16)
        }) {
            Simulation run = new Simulation(seed, Setup.USUAL, leaves, other, stays).run();
            assertThat(run.other.read).isEqualTo(50_000);
            run = new Simulation(seed, other, leaves, Setup.USUAL, stays).run();
            assertThat(run.other.read).isEqualTo(50_000);
        }
    }

    @ParameterizedTest
    @ArgumentsSource(NewSeed.class)
    void endsOfAnyOrderCrossOnTheWay(long seed) throws RdmaException {
        Random random = new Random(seed);
        Setup small = Setup.USUAL.buffers(64, 64).queues(16, 16);
        for (int i = 0; i < 10_000; i++) {
            Plan plan = Plan.of(random.nextInt(90), 50).ending(App.anyEnd(random, true));
            Plan other = Plan.of(random.nextInt(90), 50).ending(App.anyEnd(random, false));
            Setup peer = random.nextInt(3) == 0 ? small.likeC() : small;
            new Simulation(seed + i, small, plan, peer, other).run();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netty.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.NewSeed;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ArgumentsSource;

/** Two sides in one process: every byte is compared, no side overruns the other, and neither may wait for ever. */
class SimulationTest {
    private static final Hello USUAL = new Hello(16, 8192);
    private static final Hello LEAST = new Hello(Hello.LEAST_RECEIVES, Hello.LEAST_BYTES);

    /** Rounds without any event, by chance; then each side makes all its calls. */
    private static final int QUIET = 20;

    /** Pairs of ends; {@code ./rdma4j test --all} has 20,000. */
    private static final int CROSSINGS = Integer.getInteger("rdma4j.messages", 1_000);

    private final Random random = new Random();

    private App app(Hello own, int sendBytes, long bytes, int largest, App.End end) {
        Side side = new Side(own, sendBytes);
        side.lacksMemory = random.nextBoolean();
        return new App(side, random, bytes, largest, end);
    }

    /** Runs until both have ended; each has to have what the other has written before it ended. */
    private void run(App one, App other) throws RdmaException {
        Side.connect(one.side, other.side);
        int quiet = 0;
        while (!(one.side.gone && other.side.gone)) {
            boolean acted = deliver(one, random.nextInt(8));
            acted |= deliver(other, random.nextInt(8));
            acted |= !one.side.gone && one.act();
            acted |= !other.side.gone && other.act();
            quiet = acted ? 0 : quiet + 1;
            if (quiet > QUIET) {
                inFull(one, other);
                quiet = 0;
            }
            retire(one);
            retire(other);
        }
        compare(one, other);
        compare(other, one);
        one.free();
        other.free();
    }

    private static boolean deliver(App app, int most) throws RdmaException {
        boolean delivered = false;
        for (int i = 0; i < most && app.side.deliver(); i++) {
            delivered = true;
        }
        return delivered;
    }

    private static void inFull(App one, App other) throws RdmaException {
        boolean acted = false;
        for (int i = 0; i < QUIET; i++) {
            acted |= deliver(one, Integer.MAX_VALUE);
            acted |= deliver(other, Integer.MAX_VALUE);
            acted |= !one.side.gone && one.actInFull();
            acted |= !other.side.gone && other.actInFull();
        }
        if (!acted) {
            throw new AssertionError("neither side can go on:\none " + one + "\nother " + other);
        }
    }

    /** A connection whose last word is acknowledged is destroyed. */
    private static void retire(App app) {
        app.side.gone |= app.isDone() && app.side.engine.isDrained();
    }

    private static void compare(App reader, App writer) {
        assertThat(reader.read).isLessThanOrEqualTo(writer.written);
        if (reader.sawEnd) {
            assertThat(reader.read).isEqualTo(writer.written);
        }
    }

    private void runBothWays(Hello own, Hello peer, int sendBytes, long bytes, int largest) throws RdmaException {
        App one = app(own, sendBytes, bytes, largest, App.End.ORDERLY);
        App other = app(peer, sendBytes, bytes, largest, App.End.ORDERLY);
        run(one, other);
        assertThat(one.read).isEqualTo(bytes);
        assertThat(other.read).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ArgumentsSource(NewSeed.class)
    void buffersOfAnySizeArriveOnce(long seed) throws RdmaException {
        random.setSeed(seed);
        runBothWays(USUAL, USUAL, 1 << 17, 4 << 20, 200_000);
        runBothWays(USUAL, new Hello(64, 1024), 1 << 17, 1 << 20, 9_000);
        runBothWays(USUAL, USUAL, 1 << 13, 1 << 20, 9_000);
    }

    @ParameterizedTest
    @ArgumentsSource(NewSeed.class)
    void theSmallestMemoryCarriesAll(long seed) throws RdmaException {
        random.setSeed(seed);
        for (int i = 0; i < 20; i++) {
            runBothWays(LEAST, LEAST, 4096, 30_000, 1 + random.nextInt(6_000));
            runBothWays(LEAST, USUAL, 4096 + random.nextInt(100), 30_000, 1 + random.nextInt(300));
        }
    }

    @ParameterizedTest
    @ArgumentsSource(NewSeed.class)
    void endsOfAnyOrderCrossOnTheWay(long seed) throws RdmaException {
        random.setSeed(seed);
        App.End[] ends = App.End.values();
        for (int i = 0; i < CROSSINGS; i++) {
            Hello own = random.nextBoolean() ? LEAST : new Hello(16 + random.nextInt(20), 256 + random.nextInt(3_000));
            int largest = 1 + random.nextInt(1 << random.nextInt(13));
            long bytes = Math.min(random.nextInt(1 << random.nextInt(15)), 40L * largest);
            App.End end = ends[random.nextInt(ends.length)];
            run(
                    app(own, 4096, bytes, largest, end),
                    app(LEAST, 4096, random.nextInt(900), largest, ends[random.nextInt(ends.length)]));
        }
    }
}

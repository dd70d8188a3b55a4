// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.cm.loop.CmListener;
import io.github.rdma4j.support.Rounds;
import io.github.rdma4j.testkit.model.ModelRdmaCm;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * An event loop, or what it carries, is closed while other threads connect, accept and disconnect on it, over and over. Each future
 * ends, whatever is closed; nothing is reported and nothing is left in the kernel.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CloseLoopUnderLoadTest {
    /** More connections at a time only make a round longer. */
    private static final int CONNECTIONS = 3;

    private final ModelRdmaCm model = new ModelRdmaCm();
    private final Place place = Place.of(model);
    private final Rounds<World> rounds = new Rounds<>();

    /** What is closed in a round. */
    private enum Kind {
        LOOP,
        LISTENER,
        CLIENT,
        SERVER,
        LOOP_IN_A_CALLBACK
    }

    /** A loop with a listener, and how many futures have not ended. */
    private final class World {
        private final Loops loops = new Loops(place);
        private final CmEventLoop loop = loops.loop();
        private final AtomicLong pending = new AtomicLong();
        private final AtomicLong connected = new AtomicLong();
        private final CmListener listener =
                loop.listen(place.newAddress(), request -> watch(request.accept(), this::accepted));
        private volatile @Nullable CmConnection client;
        private volatile @Nullable CmConnection server;

        World() throws Exception {}

        private interface Then {
            void with(CmConnection connection);
        }

        private void watch(CompletableFuture<CmConnection> future, Then then) {
            pending.incrementAndGet();
            CompletableFuture<CmConnection> unused = future.whenComplete((connection, failure) -> {
                pending.decrementAndGet();
                if (connection != null) {
                    then.with(connection);
                }
            });
        }

        private void accepted(CmConnection connection) {
            server = connection;
        }

        void connect() {
            if (pending.get() < CONNECTIONS) {
                watch(loop.connect(listener.address()), connection -> {
                    client = connection;
                    connected.incrementAndGet();
                });
            }
            Rounds.nap();
        }

        /** The connections but the last are of no use any more. */
        void disconnect() {
            CmConnection connection = client;
            if (connection != null && connected.get() > 1) {
                client = null;
                pending.incrementAndGet();
                CompletableFuture<?> unused =
                        connection.disconnect().whenComplete((event, failure) -> pending.decrementAndGet());
            }
            Rounds.nap();
        }

        void close(Kind kind) throws Exception {
            switch (kind) {
                case LOOP -> loop.close();
                case LISTENER -> listener.close();
                case CLIENT -> close(client);
                case SERVER -> close(server);
                case LOOP_IN_A_CALLBACK -> loop.execute(loop::close);
            }
        }

        private void close(@Nullable CmConnection connection) throws Exception {
            if (connection != null) {
                connection.close();
            }
        }
    }

    @Test
    void everyFutureEnds() throws Exception {
        rounds.thread(() -> World::connect);
        rounds.thread(() -> World::connect);
        rounds.thread(() -> World::disconnect);
        Kind[] kinds = Kind.values();
        long connected = 0;
        for (int round = 0; round < Rounds.COUNT; round++) {
            World world = new World();
            rounds.use(world, () -> world.connected.get() >= 2);
            world.close(kinds[round % kinds.length]);
            rounds.leave();
            world.loops.close();
            assertThat(world.loop.isClosed()).isTrue();
            rounds.await(() -> world.pending.get() == 0);
            rounds.await(this::nothingIsLeft);
            connected += world.connected.get();
        }
        assertThat(rounds.end()).isNotNegative();
        assertThat(connected).isGreaterThanOrEqualTo(2L * Rounds.COUNT);
    }

    /** A descriptor goes when the last thread that waits on it has let go. */
    private boolean nothingIsLeft() {
        try {
            model.assertNothingLeft();
            return true;
        } catch (AssertionError notYet) {
            return false;
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

import static io.github.rdma4j.testkit.cm.TwoSides.RESOLVE;
import static io.github.rdma4j.testkit.cm.TwoSides.saying;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmState;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.support.Rounds;
import io.github.rdma4j.testkit.model.ModelRdmaCm;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * CM ids and their channels are closed while other threads connect, answer and wait for events, over and over. A wait that begins
 * when an id is closed tells nothing of that id; who comes too late is told that it is closed; nothing is left in the kernel.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CloseCmUnderLoadTest {
    /** More connections at a time only make a round longer. */
    private static final int CLIENTS = 3;

    private final ModelRdmaCm model = new ModelRdmaCm();
    private final Place place = Place.of(model);
    private final Rounds<World> rounds = new Rounds<>();

    /** What is closed in a round. */
    private enum Kind {
        CLIENT,
        SERVER,
        LISTENER,
        CHANNEL_OF_THE_CLIENTS,
        CHANNEL_OF_THE_SERVERS
    }

    /** Two channels, a listener, and the ids that are connected to each other on them. */
    private final class World {
        private final TwoSides sides = TwoSides.on(place);
        private final InetSocketAddress address =
                sides.listener().localAddress().orElseThrow();
        private final Set<CmId> clients = ConcurrentHashMap.newKeySet();
        private final AtomicLong established = new AtomicLong();
        private volatile @Nullable CmId client;
        private volatile @Nullable CmId server;

        /** An id that was closed. */
        private volatile @Nullable CmId gone;

        World() throws Exception {}

        void close(Kind kind) throws Exception {
            switch (kind) {
                case CLIENT -> close(Objects.requireNonNull(client));
                case SERVER -> close(Objects.requireNonNull(server));
                case LISTENER -> close(sides.listener());
                case CHANNEL_OF_THE_CLIENTS -> sides.clients().close();
                case CHANNEL_OF_THE_SERVERS -> sides.servers().close();
            }
        }

        private void close(CmId id) throws Exception {
            id.close();
            assertThat(id.state()).isEqualTo(CmState.DESTROYED);
            gone = id;
        }

        void connect() throws Exception {
            if (clients.size() < CLIENTS) {
                CmId id = sides.clients().createId(PortSpace.TCP);
                clients.add(id);
                attempt(id, () -> id.resolveAddress(address, RESOLVE));
            }
        }

        /** Takes the next event of a channel, and does what comes next with its id. */
        void take(EventChannel channel) throws Exception {
            CmId closedBefore = gone;
            try (CmEvent event = channel.awaitEvent(Rounds.LIMIT).orElseThrow()) {
                CmId id = event.id();
                if (id == closedBefore) {
                    throw new AssertionError(event + " of an id that was closed before");
                }
                attempt(id, () -> answer(event, id));
            }
        }

        private void answer(CmEvent event, CmId id) throws Exception {
            switch (event.type()) {
                case ADDR_RESOLVED -> id.resolveRoute(RESOLVE);
                case ROUTE_RESOLVED -> id.connect(saying("hello"));
                case CONNECT_REQUEST -> id.accept(saying("welcome"));
                case CONNECT_RESPONSE -> {
                    id.userManagedQp().establish();
                    client = id;
                    leave(id);
                }
                case ESTABLISHED -> {
                    server = id;
                    established.incrementAndGet();
                }
                default -> leave(id);
            }
        }

        /** Room for another connection. The id stays open until its channel is closed. */
        private void leave(CmId id) {
            clients.remove(id);
        }

        private interface Command {
            void run() throws Exception;
        }

        /** The peer may be gone, and the id or its channel closed; a command fails then, and nothing else does. */
        private void attempt(CmId id, Command command) throws Exception {
            try {
                command.run();
            } catch (ErrnoException peerGone) {
                leave(id);
            } catch (IllegalStateException late) {
                leave(id);
                if (id.state() != CmState.DESTROYED && id.state() != CmState.DISCONNECTED) {
                    throw late;
                }
            }
        }
    }

    @Test
    void tellsNothingOfWhatIsClosed() throws Exception {
        rounds.thread(() -> World::connect);
        rounds.thread(() -> world -> world.take(world.sides.clients()));
        rounds.thread(() -> world -> world.take(world.sides.servers()));
        rounds.thread(() -> world -> world.take(world.sides.servers()));
        Kind[] kinds = Kind.values();
        long established = 0;
        for (int round = 0; round < Rounds.COUNT; round++) {
            World world = new World();
            rounds.use(world, () -> world.established.get() >= 2 && world.client != null);
            world.close(kinds[round % kinds.length]);
            rounds.leave();
            world.sides.close();
            established += world.established.get();
            rounds.await(this::nothingIsLeft);
        }
        assertThat(rounds.end()).isPositive();
        assertThat(established).isGreaterThanOrEqualTo(2L * Rounds.COUNT);
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

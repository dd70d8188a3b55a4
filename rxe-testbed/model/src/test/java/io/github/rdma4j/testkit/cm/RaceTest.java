// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

import static io.github.rdma4j.testkit.cm.TwoSides.LIMIT;
import static io.github.rdma4j.testkit.cm.TwoSides.RESOLVE;
import static io.github.rdma4j.testkit.cm.TwoSides.expect;
import static io.github.rdma4j.testkit.cm.TwoSides.saying;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmState;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.testkit.cm.TwoSides.Pair;
import io.github.rdma4j.testkit.model.ModelCommand;
import io.github.rdma4j.testkit.model.ModelCommand.Pause;
import io.github.rdma4j.testkit.model.ModelRdmaCm;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What one thread does while a command of another is in the kernel. */
class RaceTest {
    private final ModelRdmaCm model = new ModelRdmaCm();
    private final ExecutorService other = Executors.newCachedThreadPool();
    private TwoSides sides;

    @BeforeEach
    void open() throws Exception {
        sides = TwoSides.on(Place.of(model));
    }

    @AfterEach
    void close() throws Exception {
        other.shutdown();
        assertThat(other.awaitTermination(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        sides.close();
        model.assertNothingLeft();
    }

    private <T> Future<T> elsewhere(Callable<T> work) {
        return other.submit(work);
    }

    private static <T> T get(Future<T> future) throws Exception {
        return future.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    @SuppressWarnings("ImmutableEnumChecker") // lambdas that capture nothing
    private enum Step {
        RESOLVE_ADDR(
                sides -> sides.clients().createId(PortSpace.TCP),
                (sides, id) -> id.resolveAddress(sides.listener().localAddress().orElseThrow(), RESOLVE)),
        RESOLVE_ROUTE(TwoSides::addressed, (sides, id) -> id.resolveRoute(RESOLVE)),
        CONNECT(TwoSides::routed, (sides, id) -> id.connect(saying("hello"))),
        ACCEPT(sides -> sides.requested().server(), (sides, id) -> id.accept(saying("welcome"))),
        REJECT(sides -> sides.requested().server(), (sides, id) -> id.reject(new byte[0])),
        DISCONNECT(sides -> sides.connected().client(), (sides, id) -> id.disconnect());

        private final Arrival arrival;
        private final Doing doing;

        private interface Arrival {
            CmId at(TwoSides sides) throws Exception;
        }

        private interface Doing {
            void with(TwoSides sides, CmId id) throws Exception;
        }

        Step(Arrival arrival, Doing doing) {
            this.arrival = arrival;
            this.doing = doing;
        }

        ModelCommand command() {
            return ModelCommand.valueOf(name());
        }
    }

    private Future<Boolean> start(Step step, CmId id) {
        return elsewhere(() -> {
            step.doing.with(sides, id);
            return true;
        });
    }

    private interface Closing {
        void run() throws Exception;
    }

    /** Closes something that waits for the command, which is done first. */
    private void closeDuring(Step step, CmId id, Closing closing) throws Exception {
        try (Pause pause = model.pauseNext(step.command())) {
            Future<Boolean> command = start(step, id);
            pause.awaitCommand();
            Future<Boolean> closed = elsewhere(() -> {
                closing.run();
                return true;
            });
            pause.end();
            assertThat(get(command)).isTrue();
            assertThat(get(closed)).isTrue();
        }
        assertThat(id.state()).isEqualTo(CmState.DESTROYED);
    }

    @ParameterizedTest
    @EnumSource(Step.class)
    void theIdIsClosedWhileTheCommandIsUnderWay(Step step) throws Exception {
        CmId id = step.arrival.at(sides);
        closeDuring(step, id, id::close);
    }

    @ParameterizedTest
    @EnumSource(Step.class)
    void theChannelIsClosedWhileTheCommandIsUnderWay(Step step) throws Exception {
        CmId id = step.arrival.at(sides);
        EventChannel channel = id.channel();
        closeDuring(step, id, channel::close);
        assertThat(channel.isClosed()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Step.class)
    void aSlowCommandHoldsUpNoOtherId(Step step) throws Exception {
        CmId slow = step.arrival.at(sides);
        try (Pause pause = model.pauseNext(step.command())) {
            Future<Boolean> command = start(step, slow);
            pause.awaitCommand();
            CmId quick = sides.clients().createId(PortSpace.TCP);
            quick.resolveAddress(sides.listener().localAddress().orElseThrow(), RESOLVE);
            assertThat(expect(sides.clients(), CmEventType.ADDR_RESOLVED).id()).isSameAs(quick);
            pause.end();
            assertThat(get(command)).isTrue();
        }
    }

    @Test
    void anEventWaitsForTheCommandOfItsId() throws Exception {
        Pair pair = sides.connected();
        try (Pause pause = model.pauseNext(ModelCommand.SET_OPTION)) {
            Future<Boolean> command = elsewhere(() -> {
                pair.server().settings().typeOfService(8);
                return true;
            });
            pause.awaitCommand();
            pair.client().disconnect();
            assertThat(sides.servers().awaitEvent(Duration.ZERO)).isEmpty();
            assertThat(pair.server().state()).isEqualTo(CmState.ESTABLISHED);
            pause.end();
            assertThat(get(command)).isTrue();
            expect(sides.servers(), CmEventType.DISCONNECTED);
        }
    }

    @Test
    void aCommandWaitsForTheCommandOfItsId() throws Exception {
        CmId id = sides.routed();
        try (Pause pause = model.pauseNext(ModelCommand.CONNECT)) {
            Future<Boolean> first = start(Step.CONNECT, id);
            pause.awaitCommand();
            Future<Boolean> second = start(Step.CONNECT, id);
            pause.end();
            assertThat(get(first)).isTrue();
            assertThatThrownBy(() -> get(second)).cause().isInstanceOf(IllegalStateException.class);
        }
        sides.request();
        assertThat(sides.servers().awaitEvent(Duration.ZERO)).isEmpty();
    }

    @Test
    void closingTheChannelWakesWaitingThreads() throws Exception {
        Future<CmEvent> waiting = elsewhere(() -> sides.clients().awaitEvent());
        sides.clients().close();
        assertThatThrownBy(() -> get(waiting))
                .cause()
                .isInstanceOfAny(ClosedWhileWaitingException.class, IllegalStateException.class);
    }

    @Test
    void eachEventGoesToOneThread() throws Exception {
        int ids = 40;
        Callable<Integer> retriever = () -> {
            int count = 0;
            Optional<CmEvent> event = sides.clients().pollEvent();
            while (event.isPresent()) {
                event.get().ack();
                count++;
                event = sides.clients().pollEvent();
            }
            return count;
        };
        for (int i = 0; i < ids; i++) {
            sides.clients()
                    .createId(PortSpace.TCP)
                    .resolveAddress(sides.listener().localAddress().orElseThrow(), RESOLVE);
        }
        Future<Integer> one = elsewhere(retriever);
        Future<Integer> two = elsewhere(retriever);
        assertThat(get(one) + get(two) + retriever.call()).isEqualTo(ids);
    }

    @Test
    void twoThreadsCloseOneId() throws Exception {
        CmId id = sides.routed();
        try (Pause pause = model.pauseNext(ModelCommand.DESTROY_ID)) {
            Future<Boolean> first = elsewhere(() -> {
                id.close();
                return true;
            });
            pause.awaitCommand();
            id.close(); // at once: it is closed already
            assertThat(id.state()).isEqualTo(CmState.DESTROYED);
            pause.end();
            assertThat(get(first)).isTrue();
        }
    }

    @Test
    void aMigrationInProgressDelaysNoEvent() throws Exception {
        Pair pair = sides.connected();
        try (EventChannel to = EventChannel.open(model.kernel());
                Pause pause = model.pauseNext(ModelCommand.MIGRATE_ID)) {
            Future<Boolean> moving = elsewhere(() -> {
                pair.server().migrate(to, LIMIT);
                return true;
            });
            pause.awaitCommand();
            pair.client().disconnect();
            pause.end();
            assertThat(get(moving)).isTrue();
            assertThat(expect(to, CmEventType.DISCONNECTED).id()).isSameAs(pair.server());
            assertThat(sides.servers().awaitEvent(Duration.ZERO)).isEmpty();
        }
    }

    @Test
    void twoIdsMigrateInOppositeDirections() throws Exception {
        Pair pair = sides.connected();
        EventChannel clients = sides.clients();
        EventChannel servers = sides.servers();
        try (Pause pause = model.pauseNext(ModelCommand.MIGRATE_ID)) {
            Future<Boolean> moving = elsewhere(() -> {
                pair.client().migrate(servers, LIMIT);
                return true;
            });
            pause.awaitCommand();
            Future<Boolean> back = elsewhere(() -> {
                pair.server().migrate(clients, LIMIT);
                return true;
            });
            pause.end();
            assertThat(get(moving)).isTrue();
            assertThat(get(back)).isTrue();
        }
        pair.client().disconnect();
        assertThat(expect(clients, CmEventType.DISCONNECTED).id()).isSameAs(pair.server());
    }

    @Test
    void aRequestThatWaitsAtAListenerThatHasMigratedEndsWithTheListener() throws Exception {
        CmId client = sides.connecting();
        EventChannel next = EventChannel.open(model.kernel());
        sides.listener().migrate(next, LIMIT);
        try (Pause pause = model.pauseNext(ModelCommand.SET_OPTION)) {
            Future<?> busy = elsewhere(() -> {
                sides.listener().settings().typeOfService(3);
                return true;
            });
            pause.awaitCommand();
            assertThat(next.pollEvent()).isEmpty(); // the request was read, and waits for the listener
            pause.end();
            get(busy);
        }
        sides.listener().close();
        assertThat(next.pollEvent()).isEmpty();
        assertThat(expect(sides.clients(), CmEventType.REJECTED).id()).isSameAs(client);
        assertThat(model.ids()).isEqualTo(1);
        next.close();
    }
}

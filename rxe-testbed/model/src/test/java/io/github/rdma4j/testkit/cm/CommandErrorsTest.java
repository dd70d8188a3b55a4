// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

import static io.github.rdma4j.testkit.cm.TwoSides.RESOLVE;
import static io.github.rdma4j.testkit.cm.TwoSides.expect;
import static io.github.rdma4j.testkit.cm.TwoSides.saying;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmState;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.testkit.cm.TwoSides.Pair;
import io.github.rdma4j.testkit.model.ModelCommand;
import io.github.rdma4j.testkit.model.ModelRdmaCm;
import io.github.rdma4j.verbs.QueuePairOptions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each command that the kernel refuses: the error names it, the state stays, a second try works, and nothing is left. */
class CommandErrorsTest {
    private static final List<Errno> ERRORS = List.of(
            Errno.EINVAL,
            Errno.ENOMEM,
            Errno.ENODEV,
            Errno.ENXIO,
            Errno.EACCES,
            Errno.EPERM,
            Errno.EBUSY,
            new Errno(99));

    private final ModelRdmaCm model = new ModelRdmaCm();
    private final Place place = Place.of(model);
    private TwoSides sides;

    @BeforeEach
    void open() throws Exception {
        sides = TwoSides.on(place);
    }

    @AfterEach
    void close() throws Exception {
        sides.close();
        model.assertNothingLeft();
        model.assertFaultsUsed();
    }

    /** What brings an id to where the command is possible, and the command. */
    @SuppressWarnings("ImmutableEnumChecker") // lambdas that capture nothing
    private enum Step {
        BIND(
                ModelCommand.BIND,
                sides -> sides.clients().createId(PortSpace.TCP),
                (sides, id) -> id.bind(sides.place().newAddress())),
        RESOLVE_ADDRESS(
                ModelCommand.RESOLVE_ADDR,
                sides -> bound(sides),
                (sides, id) -> id.resolveAddress(sides.listener().localAddress().orElseThrow(), RESOLVE)),
        RESOLVE_ROUTE(ModelCommand.RESOLVE_ROUTE, TwoSides::addressed, (sides, id) -> id.resolveRoute(RESOLVE)),
        LISTEN(ModelCommand.LISTEN, sides -> bound(sides), (sides, id) -> id.listen(1)),
        CONNECT(ModelCommand.CONNECT, TwoSides::routed, (sides, id) -> id.connect(saying("hello"))),
        ACCEPT(ModelCommand.ACCEPT, sides -> sides.requested().server(), (sides, id) -> id.accept(saying("hello"))),
        ESTABLISH(
                ModelCommand.ACCEPT,
                sides -> sides.responded().client(),
                (sides, id) -> id.userManagedQp().establish()),
        REJECT(ModelCommand.REJECT, sides -> sides.requested().server(), (sides, id) -> id.reject(new byte[0])),
        DISCONNECT(ModelCommand.DISCONNECT, sides -> sides.connected().client(), (sides, id) -> id.disconnect()),
        SET_OPTION(
                ModelCommand.SET_OPTION,
                TwoSides::routed,
                (sides, id) -> id.settings().typeOfService(8)),
        CREATE_QP(ModelCommand.CREATE_QP, TwoSides::routed, (sides, id) -> id.createQp(QueuePairOptions.DEFAULT)),
        CREATE_CQ(ModelCommand.CREATE_CQ, TwoSides::routed, (sides, id) -> id.createQp(QueuePairOptions.DEFAULT)),
        CREATE_COMP_CHANNEL(
                ModelCommand.CREATE_COMP_CHANNEL,
                TwoSides::routed,
                (sides, id) -> id.createQp(QueuePairOptions.DEFAULT)),
        INIT_QP(ModelCommand.INIT_QP_ATTR, TwoSides::routed, (sides, id) -> id.createQp(QueuePairOptions.DEFAULT)),
        MODIFY_QP(ModelCommand.MODIFY_QP, TwoSides::routed, (sides, id) -> id.createQp(QueuePairOptions.DEFAULT)),
        MIGRATE(ModelCommand.MIGRATE_ID, TwoSides::routed, (sides, id) -> id.migrate(sides.servers(), TwoSides.LIMIT));

        private final ModelCommand command;
        private final Arrival arrival;
        private final Doing doing;

        private interface Arrival {
            CmId at(TwoSides sides) throws Exception;
        }

        private interface Doing {
            void with(TwoSides sides, CmId id) throws Exception;
        }

        Step(ModelCommand command, Arrival arrival, Doing doing) {
            this.command = command;
            this.arrival = arrival;
            this.doing = doing;
        }

        /** Queues are made by methods of the ioctl, whose names have the words the other way round. */
        private String nameInErrors() {
            return switch (command) {
                case CREATE_QP -> "QP_CREATE";
                case CREATE_CQ -> "CQ_CREATE";
                default -> command.name();
            };
        }

        private static CmId bound(TwoSides sides) throws Exception {
            CmId id = sides.clients().createId(PortSpace.TCP);
            id.bind(sides.place().newAddress());
            return id;
        }
    }

    private static Stream<Arguments> refusals() {
        return Stream.of(Step.values()).flatMap(step -> ERRORS.stream().map(errno -> Arguments.of(step, errno)));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void aRefusedCommandLeavesEverythingAsItWas(Step step, Errno errno) throws Exception {
        CmId id = step.arrival.at(sides);
        CmState before = id.state();
        List<String> objects = model.verbsObjects();
        int descriptors = model.descriptors();
        EventChannel channel = id.channel();

        model.failNext(step.command, errno);
        assertThatThrownBy(() -> step.doing.with(sides, id))
                .isInstanceOfSatisfying(
                        ErrnoException.class,
                        failure -> assertThat(failure.errno()).isEqualTo(errno))
                .hasMessageContainingAll(step.nameInErrors(), errno.name() + " (" + errno.number() + ")");

        assertThat(id.state()).isEqualTo(before);
        assertThat(id.channel()).isSameAs(channel);
        assertThat(model.verbsObjects()).isEqualTo(objects);
        assertThat(model.descriptors()).isEqualTo(descriptors);
        step.doing.with(sides, id);
    }

    @ParameterizedTest
    @EnumSource(Step.class)
    void anIdCanBeClosedAfterARefusal(Step step) throws Exception {
        CmId id = step.arrival.at(sides);
        model.failNext(step.command, Errno.EINVAL);
        assertThatThrownBy(() -> step.doing.with(sides, id)).isInstanceOf(ErrnoException.class);
        id.close();
        assertThat(id.state()).isEqualTo(CmState.DESTROYED);
    }

    // ---- making ids and channels

    @Test
    void noIdIsMade() throws Exception {
        int ids = model.ids();
        model.failNext(ModelCommand.CREATE_ID, Errno.ENOMEM);
        assertThatThrownBy(() -> sides.clients().createId(PortSpace.TCP)).hasMessageContaining("CREATE_ID");
        assertThat(model.ids()).isEqualTo(ids);
    }

    @ParameterizedTest
    @MethodSource("openErrors")
    void theChannelDoesNotOpen(Errno errno) {
        int descriptors = model.descriptors();
        model.failNext(ModelCommand.OPEN_RDMA_CM, errno);
        assertThatThrownBy(() -> EventChannel.open(model.kernel()))
                .isInstanceOfSatisfying(
                        ErrnoException.class,
                        failure -> assertThat(failure.errno()).isEqualTo(errno));
        assertThat(model.descriptors()).isEqualTo(descriptors);
    }

    private static Stream<Errno> openErrors() {
        return Stream.of(Errno.EACCES, Errno.EPERM, Errno.ENOMEM, new Errno(24));
    }

    // ---- what belongs to an event

    private CmId resolving() throws Exception {
        CmId id = sides.clients().createId(PortSpace.TCP);
        id.resolveAddress(sides.listener().localAddress().orElseThrow(), RESOLVE);
        return id;
    }

    @Test
    void theAddressIsResolvedAndTheDeviceCannotBeLookedUp() throws Exception {
        CmId id = resolving();
        model.failNext(ModelCommand.QUERY, Errno.ENOMEM);
        CmEvent event = expect(sides.clients(), CmEventType.ADDR_ERROR);
        assertThat(event.failure().orElseThrow()).hasMessageContaining("ENOMEM");
        assertThat(id.state()).isEqualTo(CmState.BOUND);
    }

    @ParameterizedTest
    @EnumSource(
            value = ModelCommand.class,
            names = {"OPEN_UVERBS", "GET_CONTEXT", "ALLOC_PD", "QUERY_DEVICE"})
    void theDeviceCannotBeOpened(ModelCommand command) throws Exception {
        sides.listener().close();
        CmId id = sides.clients().createId(PortSpace.TCP);
        id.resolveAddress(place.newAddress(), RESOLVE);
        int descriptors = model.descriptors();
        model.failNext(command, Errno.ENOMEM);
        CmEvent event = expect(sides.clients(), CmEventType.ADDR_ERROR);
        assertThat(event.failure().orElseThrow()).hasMessageContaining("ENOMEM");
        assertThat(id.hasDevice()).isFalse();
        assertThat(model.descriptors()).isEqualTo(descriptors);
        assertThat(model.verbsObjects()).isEmpty();
    }

    @Test
    void theRouteIsResolvedAndCannotBeLookedUp() throws Exception {
        CmId id = sides.addressed();
        id.resolveRoute(RESOLVE);
        model.failNext(ModelCommand.QUERY, Errno.EINVAL);
        assertThat(expect(sides.clients(), CmEventType.ROUTE_ERROR).failure()).isPresent();
        assertThat(id.state()).isEqualTo(CmState.ADDRESS_RESOLVED);
    }

    @Test
    void aRequestThatCannotBeLookedUpIsRejected() throws Exception {
        CmId client = sides.connecting();
        model.failNext(ModelCommand.QUERY, Errno.ENOMEM);
        CmEvent event = expect(sides.servers(), CmEventType.CONNECT_ERROR);
        assertThat(event.id()).isSameAs(sides.listener());
        assertThat(event.failure().orElseThrow()).hasMessageContaining("ENOMEM");
        assertThat(sides.listener().state()).isEqualTo(CmState.LISTENING);
        expect(sides.clients(), CmEventType.REJECTED);
        assertThat(client.state()).isEqualTo(CmState.REFUSED);
    }

    @ParameterizedTest
    @EnumSource(
            value = ModelCommand.class,
            names = {"INIT_QP_ATTR", "MODIFY_QP", "ACCEPT"})
    void theResponseComesAndTheQueuePairCannotBeMadeReady(ModelCommand command) throws Exception {
        CmId client = sides.routed();
        client.createQp(QueuePairOptions.DEFAULT);
        client.connect(ConnectionParameters.DEFAULT);
        sides.request().accept(saying("welcome"));
        model.failNext(command, Errno.ENOMEM);
        CmEvent event = expect(sides.clients(), CmEventType.CONNECT_ERROR);
        assertThat(event.failure().orElseThrow()).hasMessageContaining("ENOMEM");
        assertThat(client.state()).isEqualTo(CmState.FAILED);
        client.close();
        expect(sides.servers(), CmEventType.REJECTED);
    }

    @Test
    void theServersQueuePairCannotBeMadeReady() throws Exception {
        Pair pair = sides.requested();
        pair.server().createQp(QueuePairOptions.DEFAULT);
        model.failNext(ModelCommand.MODIFY_QP, Errno.ENOMEM);
        assertThatThrownBy(() -> pair.server().accept(ConnectionParameters.DEFAULT))
                .hasMessageContaining("ENOMEM");
        assertThat(pair.server().state()).isEqualTo(CmState.REQUESTED);
        pair.server().reject(new byte[0]);
        expect(sides.clients(), CmEventType.REJECTED);
    }

    @Test
    void anEventCannotBeReadAndIsNotLost() throws Exception {
        CmId id = resolving();
        model.failNext(ModelCommand.GET_EVENT, Errno.ENOMEM);
        assertThatThrownBy(() -> sides.clients().awaitEvent(TwoSides.LIMIT)).hasMessageContaining("GET_EVENT");
        expect(sides.clients(), CmEventType.ADDR_RESOLVED);
        assertThat(id.state()).isEqualTo(CmState.ADDRESS_RESOLVED);
    }

    @Test
    void anIdThatCannotBeDestroyedEndsWithItsChannel() throws Exception {
        CmId id = sides.routed();
        model.failNext(ModelCommand.DESTROY_ID, Errno.ENOMEM);
        assertThatThrownBy(id::close).hasMessageContaining("DESTROY_ID");
        assertThat(id.state()).isEqualTo(CmState.DESTROYED);
        id.close();
    }

    @Test
    void aListenThatFailsHasBoundTheId() throws Exception {
        CmId id = sides.clients().createId(PortSpace.TCP);
        model.failNext(ModelCommand.LISTEN, Errno.ENOMEM);
        assertThatThrownBy(() -> id.listen(1)).hasMessageContaining("ENOMEM");
        assertThat(id.state()).isEqualTo(CmState.BOUND);
        id.listen(1);
        assertThat(id.state()).isEqualTo(CmState.LISTENING);
    }

    @Test
    @SuppressWarnings("NullAway") // on purpose
    void parametersThatAreNullNameTheAlternative() throws Exception {
        CmId id = sides.routed();
        assertThatThrownBy(() -> id.connect(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("ConnectionParameters.DEFAULT");
        assertThatThrownBy(() -> id.listen(-1)).hasMessageContaining("0 is the kernel's maximum");
    }
}

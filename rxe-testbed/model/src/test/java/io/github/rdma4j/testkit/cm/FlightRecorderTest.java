// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

import static io.github.rdma4j.testkit.cm.TwoSides.expect;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.internal.flight.ConnectionCounts;
import io.github.rdma4j.internal.flight.Flight;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.testkit.model.ModelCommand;
import io.github.rdma4j.testkit.model.ModelRdmaCm;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.RdmaDevices;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Access;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import jdk.jfr.Configuration;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The events of the Flight Recorder have the names and fields of {@code docs/jfr.md}. */
class FlightRecorderTest {
    private static final String PREFIX = "io.github.rdma4j.";
    private static final List<String> NAMES =
            List.of("CmCommand", "CmEvent", "CmConnection", "MemoryRegistration", "QueueStatistics", "ChannelRoute");

    /** Recorded again and again. */
    private static final String PERIODIC = "Connections";

    private final ModelRdmaCm model = new ModelRdmaCm();
    private final Place place = Place.of(model);

    @TempDir
    private Path directory;

    private interface Action {
        void run() throws Exception;
    }

    /** What is recorded of the action with all events enabled, the oldest first. */
    private List<RecordedEvent> record(Action action) throws Exception {
        try (Recording recording = new Recording()) {
            NAMES.forEach(name -> recording.enable(PREFIX + name).withoutThreshold());
            return record(recording, action);
        }
    }

    private List<RecordedEvent> record(Recording recording, Action action) throws Exception {
        Path file = directory.resolve("test.jfr");
        recording.start();
        action.run();
        recording.stop();
        recording.dump(file);
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().startsWith(PREFIX))
                .sorted((one, other) -> one.getStartTime().compareTo(other.getStartTime()))
                .toList();
    }

    /** The settings that the library brings are of all events and of nothing else, and they record each occurrence. */
    @Test
    void theSettingsOfTheLibraryEnableItsEvents() throws Exception {
        Configuration settings;
        try (Reader reader = new InputStreamReader(
                Objects.requireNonNull(RdmaDevices.class.getResourceAsStream("/META-INF/rdma4j.jfc")), UTF_8)) {
            settings = Configuration.create(reader);
        }
        assertThat(settings.getSettings())
                .containsOnlyKeys(Stream.concat(
                                NAMES.stream()
                                        .flatMap(name ->
                                                Stream.of(PREFIX + name + "#enabled", PREFIX + name + "#threshold")),
                                Stream.of(PREFIX + PERIODIC + "#enabled", PREFIX + PERIODIC + "#period"))
                        .toList());
        try (Recording recording = new Recording(settings)) {
            List<RecordedEvent> events = record(recording, this::connectAndDisconnect);
            assertThat(named(events, "CmCommand")).isNotEmpty();
            assertThat(named(events, "CmConnection")).isNotEmpty();
        }
    }

    @Test
    void theCountsOfConnectionsAreRecordedAgainAndAgain() throws Exception {
        Flight.countConnections(
                () -> new ConnectionCounts(1, 2, 3, 4, 5, 6, 7, Map.of("refused over RDMA", 1L, "a rule", 1L)));
        List<RecordedEvent> events;
        try (Recording recording = new Recording()) {
            recording.enable(PREFIX + PERIODIC).with("period", "endChunk");
            events = record(recording, () -> {});
        }
        RecordedEvent event = named(events, PERIODIC).findFirst().orElseThrow();
        assertThat(Stream.of(
                                "openedOverRdma",
                                "openedOverTcp",
                                "closedOverRdma",
                                "closedOverTcp",
                                "bytesRead",
                                "bytesWritten",
                                "creditStalls")
                        .map(event::getLong))
                .containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L);
        assertThat(event.getString("tcpReasons")).isEqualTo("{a rule=1, refused over RDMA=1}");
    }

    private static Stream<RecordedEvent> named(List<RecordedEvent> events, String name) {
        return events.stream().filter(event -> event.getEventType().getName().equals(PREFIX + name));
    }

    @Test
    void commandsHaveTheirIdAddressAndQueuePair() throws Exception {
        List<RecordedEvent> events = record(this::connectAndDisconnect);
        assertThat(named(events, "CmCommand").map(event -> event.getString("command")))
                .containsSubsequence("CREATE_ID", "BIND", "LISTEN", "CREATE_ID", "RESOLVE_ADDR", "RESOLVE_ROUTE")
                .containsSubsequence("CONNECT", "ACCEPT", "ACCEPT", "DISCONNECT", "DESTROY_ID")
                .doesNotContain("GET_EVENT");
        assertThat(named(events, "CmCommand"))
                .allSatisfy(event -> assertThat(event.getInt("errno")).isZero())
                .allSatisfy(event -> assertThat(event.getInt("id")).isNotEqualTo(-1));
        RecordedEvent connect = command(events, "CONNECT");
        assertThat(connect.getInt("queuePair")).isPositive();
        assertThat(connect.getDuration()).isPositive();
        assertThat(command(events, "BIND").getString("address"))
                .contains(model.address().getHostAddress());
        assertThat(connect.getString("address")).isEmpty();
    }

    private static RecordedEvent command(List<RecordedEvent> events, String name) {
        return named(events, "CmCommand")
                .filter(event -> event.getString("command").equals(name))
                .findFirst()
                .orElseThrow();
    }

    private void connectAndDisconnect() throws Exception {
        try (TwoSides sides = TwoSides.on(place)) {
            CmId client = sides.routed();
            client.connect(TwoSides.saying("hello"));
            CmId server = expect(sides.servers(), CmEventType.CONNECT_REQUEST).id();
            server.accept(TwoSides.saying("welcome"));
            expect(sides.clients(), CmEventType.CONNECT_RESPONSE);
            client.userManagedQp().establish();
            expect(sides.servers(), CmEventType.ESTABLISHED);
            client.disconnect();
            expect(sides.servers(), CmEventType.DISCONNECTED);
        }
        model.assertNothingLeft();
    }

    @Test
    void eventsHaveWhatTheKernelTold() throws Exception {
        List<RecordedEvent> events = record(this::connectAndDisconnect);
        assertThat(named(events, "CmEvent").map(event -> event.getString("type")))
                .containsSubsequence(
                        "ADDR_RESOLVED", "ROUTE_RESOLVED", "CONNECT_REQUEST", "CONNECT_RESPONSE", "ESTABLISHED");
        RecordedEvent request = named(events, "CmEvent")
                .filter(event -> event.getString("type").equals("CONNECT_REQUEST"))
                .findFirst()
                .orElseThrow();
        assertThat(request.getInt("queuePair"))
                .isEqualTo(command(events, "CONNECT").getInt("queuePair"));
        assertThat(request.getInt("privateDataLength")).isEqualTo(56);
        assertThat(request.getInt("status")).isZero();
        assertThat(request.getLong("uid")).isPositive();
    }

    @Test
    void connectionsAreRecordedFromEstablishedOn() throws Exception {
        List<RecordedEvent> events = record(this::connectAndDisconnect);
        assertThat(named(events, "CmConnection")).hasSize(2).allSatisfy(event -> {
            assertThat(event.getString("localAddress")).contains(model.address().getHostAddress());
            assertThat(event.getString("peerAddress")).contains(model.address().getHostAddress());
            assertThat(event.getString("end")).isIn("DISCONNECTING", "DISCONNECTED", "DESTROYED");
            assertThat(event.getInt("id")).isNotNegative();
        });
    }

    @Test
    void aCommandThatFailsHasItsErrno() throws Exception {
        List<RecordedEvent> events = record(() -> {
            try (TwoSides sides = TwoSides.on(place)) {
                CmId client = sides.routed();
                model.failNext(ModelCommand.CONNECT, Errno.ENOMEM);
                assertThatThrownBy(() -> client.connect(TwoSides.saying("hello")))
                        .isInstanceOf(ErrnoException.class);
            }
        });
        assertThat(command(events, "CONNECT").getInt("errno")).isEqualTo(Errno.ENOMEM.number());
    }

    @Test
    void registrationsAndQueuesAreRecorded() throws Exception {
        List<RecordedEvent> events = record(() -> {
            try (DeviceContext context = DeviceContext.open(
                    model.kernel(), RdmaDevices.list(model.kernel()).get(0))) {
                ProtectionDomain pd = context.allocatePd();
                int key = pd.registerMr(ByteBuffer.allocateDirect(4096), Set.of(Access.LOCAL_WRITE))
                        .lkey();
                assertThat(key).isNotNegative();
                CompletionQueue cq = context.createCq(4);
                cq.poll(WorkCompletion.array(1));
                cq.poll(WorkCompletion.array(1));
                pd.createQp(QueuePairOptions.builder().cq(cq).build());
            }
        });
        assertThat(named(events, "MemoryRegistration")).singleElement().satisfies(event -> {
            assertThat(event.getLong("length")).isEqualTo(4096);
            assertThat(event.getString("access")).isEqualTo("[LOCAL_WRITE]");
            assertThat(event.getInt("errno")).isZero();
        });
        assertThat(named(events, "QueueStatistics").map(event -> event.getString("kind")))
                .containsExactlyInAnyOrder("QueuePair", "CompletionQueue");
        assertThat(named(events, "QueueStatistics").filter(event -> event.getLong("polls") > 0))
                .singleElement()
                .satisfies(event -> {
                    assertThat(event.getLong("polls")).isEqualTo(2);
                    assertThat(event.getLong("emptyPolls")).isEqualTo(2);
                    assertThat(event.getLong("completions")).isZero();
                    assertThat(event.getString("device")).isNotEmpty();
                });
    }

    @Test
    void nothingIsRecordedUnlessAskedFor() throws Exception {
        Path file = directory.resolve("none.jfr");
        try (Recording recording = new Recording()) {
            recording.start();
            connectAndDisconnect();
            recording.stop();
            recording.dump(file);
        }
        assertThat(FlightRecorder.isInitialized()).isTrue();
        assertThat(RecordingFile.readAllEvents(file))
                .noneMatch(event -> event.getEventType().getName().startsWith(PREFIX));
    }
}

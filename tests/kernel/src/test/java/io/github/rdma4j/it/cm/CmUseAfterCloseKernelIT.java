// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmState;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.it.support.ClosedHandle;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.ReadinessSet;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import io.github.rdma4j.verbs.attr.QpState;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;

/** Every method of the connection manager's handles after they were closed, in this thread and in another. */
@RequiresKernel
class CmUseAfterCloseKernelIT {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress(Rxe.IPV4, 7174);

    @TestFactory
    Stream<DynamicTest> refusesEveryCommandOfAClosedId() throws Exception {
        try (EventChannel channel = EventChannel.open()) {
            CmId id = Loopback.routed(channel, ADDRESS);
            QueuePairOptions options = QueuePairOptions.DEFAULT;
            id.close();
            return ClosedHandle.refuses(
                    CmId.class,
                    id,
                    Map.ofEntries(
                            Map.entry("bind", () -> id.bind(ADDRESS)),
                            Map.entry("resolveAddress", () -> id.resolveAddress(ADDRESS, Loopback.RESOLVE)),
                            Map.entry("resolveRoute", () -> id.resolveRoute(Loopback.RESOLVE)),
                            Map.entry("listen", () -> id.listen(1)),
                            Map.entry("createQp", () -> id.createQp(options)),
                            Map.entry("createSrq", () -> id.createSrq(SharedReceiveQueueOptions.DEFAULT)),
                            Map.entry("userManagedQp", () -> id.userManagedQp().attributes(QpState.INIT)),
                            Map.entry("settings", () -> id.settings().typeOfService(1)),
                            Map.entry("services", () -> id.services().resolved()),
                            Map.entry("writeEvent", () -> id.writeEvent(0, 0)),
                            Map.entry("migrate", () -> id.migrate(channel)),
                            Map.entry("connect", () -> id.connect(ConnectionParameters.DEFAULT)),
                            Map.entry("accept", () -> id.accept(ConnectionParameters.DEFAULT)),
                            Map.entry("reject", () -> id.reject(new byte[0])),
                            Map.entry("rejectEce", () -> id.rejectEce(new byte[0])),
                            Map.entry("disconnect", id::disconnect)),
                    Map.ofEntries(
                            Map.entry("queues", () -> id.queues().sendCq()),
                            Map.entry("multicast", () -> id.multicast().memberships()),
                            Map.entry("state", () -> assertThat(id.state()).isEqualTo(CmState.DESTROYED)),
                            Map.entry(
                                    "context",
                                    () -> assertThat(id.context().isClosed()).isTrue()),
                            Map.entry("pd", () -> assertThat(id.pd().isClosed()).isTrue()),
                            Map.entry("attach", () -> id.attach("something"))));
        }
    }

    @TestFactory
    Stream<DynamicTest> refusesEveryCommandOfAClosedChannel() throws Exception {
        EventChannel channel = EventChannel.open();
        channel.close();
        return ClosedHandle.refuses(
                EventChannel.class,
                channel,
                Map.of(
                        "createId", () -> channel.createId(PortSpace.TCP),
                        "awaitEvent", channel::awaitEvent,
                        "awaitEventUninterruptibly", channel::awaitEventUninterruptibly,
                        "pollEvent", channel::pollEvent),
                Map.of("hasEvent", () -> assertThat(channel.hasEvent()).isFalse()));
    }

    @TestFactory
    Stream<DynamicTest> refusesToWaitForAClosedChannel() throws Exception {
        EventChannel channel = EventChannel.open();
        channel.close();
        Executable timed = () -> channel.awaitEvent(Duration.ofSeconds(1));
        Executable together = () -> ReadinessSet.awaitAny(Duration.ofSeconds(1), channel);
        return ClosedHandle.refuses(Map.of("awaitEvent with a limit", timed, "Polling", together));
    }
}

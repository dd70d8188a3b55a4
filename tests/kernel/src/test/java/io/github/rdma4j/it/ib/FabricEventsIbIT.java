// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.ib;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.BlockingCmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.it.support.Ib;
import io.github.rdma4j.it.support.RequiresIb;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Program;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.attr.AsyncEventType;
import io.github.rdma4j.verbs.attr.WorkCompletionStatus;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a device tells when the fabric changes, and connections inside a partition. */
@RequiresIb
class FabricEventsIbIT {
    private static final Duration LIMIT = Await.LIMIT;
    private static final Path PARTITIONS = Path.of("/run/opensm/partitions.conf");
    private static final int KEY = 0x8123;

    /** 134 ms. */
    private static final int SHORT_ACK_TIMEOUT = 15;

    /** Waits until each of the events was told, in any order. */
    private static void await(DeviceContext context, AsyncEventType... types) throws Exception {
        Set<AsyncEventType> missing = EnumSet.copyOf(Set.of(types));
        while (!missing.isEmpty()) {
            missing.remove(context.awaitAsyncEvent(Await.LIMIT)
                    .orElseThrow(() -> new AssertionError("without " + missing))
                    .type());
        }
    }

    @Test
    void aLinkThatGoesDownAndComesBack() throws Exception {
        try (DeviceContext context = DeviceContext.open(Ib.DEVICE)) {
            Program.run("ip", "link", "set", "veth1", "down");
            await(context, AsyncEventType.PORT_ERR);
            Program.run("ip", "link", "set", "veth1", "up");
            await(context, AsyncEventType.PORT_ACTIVE);
        }
        Ib.awaitManager();
    }

    @Test
    void aNewManagerWithOtherIdentifiers() throws Exception {
        try (DeviceContext context = DeviceContext.open(Ib.DEVICE)) {
            int before = context.queryPort(Ib.PORT).lid();
            Ib.killManager();
            Files.writeString(
                    Path.of("/run/opensm/guid2lid"),
                    String.format("0x%s 0x%04x 0x%04x%n%n", guid(), before + 6, before + 6));
            Ib.startManager("--honor_guid2lid");
            await(context, AsyncEventType.LID_CHANGE, AsyncEventType.SM_CHANGE, AsyncEventType.CLIENT_REREGISTER);
            assertThat(context.queryPort(Ib.PORT).lid()).isEqualTo(before + 6);
            assertThat(context.queryPort(Ib.PORT).smLid()).isEqualTo(before + 6);
        }
    }

    private static String guid() throws Exception {
        String gid = Ib.port("gids/0").replace(":", "");
        return gid.substring(gid.length() / 2);
    }

    @Test
    void aPartitionComesAndGoes() throws Exception {
        String before = Files.readString(PARTITIONS);
        try (DeviceContext context = DeviceContext.open(Ib.DEVICE)) {
            Files.writeString(PARTITIONS, before + "Test=0x123, ipoib: ALL=full;\n");
            Ib.reloadManager();
            await(context, AsyncEventType.PKEY_CHANGE);
            Program.run("ip", "link", "add", "link", "ib0", "name", "ib0.8123", "type", "ipoib", "pkey", "0x8123");
            Program.run("ip", "addr", "add", "10.78.0.1/24", "dev", "ib0.8123");
            Program.run("ip", "link", "set", "ib0.8123", "up");
            connectInside(() -> {
                Files.writeString(PARTITIONS, before);
                Ib.reloadManager();
                await(context, AsyncEventType.PKEY_CHANGE);
            });
            Program.run("ip", "link", "delete", "ib0.8123");
        }
    }

    /** What takes the key away. */
    private interface End {
        void come() throws Exception;
    }

    /** A connection by which nothing arrives any more when its key is gone. */
    private static void connectInside(End end) throws Exception {
        try (BlockingCmId listener = BlockingCmId.create(PortSpace.TCP);
                BlockingCmId client = BlockingCmId.create(PortSpace.TCP)) {
            listener.bind(new InetSocketAddress("10.78.0.1", 0));
            listener.listen(1);
            InetSocketAddress at = listener.localAddress().orElseThrow();
            Await.until("the partition's network is up", () -> resolves(at));
            client.resolveAddress(at, LIMIT);
            client.resolveRoute(LIMIT);
            assertThat(client.id().partitionKey()).isEqualTo(KEY);
            assertThat(client.id().paths().get(0).pkey()).isEqualTo(KEY);
            client.id().settings().ackTimeout(SHORT_ACK_TIMEOUT);
            client.createQp(QueuePairOptions.DEFAULT);
            Await.Running<BlockingCmId> served = Await.inThread(() -> {
                BlockingCmId request = listener.getRequest(LIMIT);
                request.createQp(QueuePairOptions.DEFAULT);
                request.accept(ConnectionParameters.DEFAULT, LIMIT);
                return request;
            });
            // Soft-RoCE's transport never gives up with 7, the default.
            client.connect(ConnectionParameters.builder().retryCount(2).build(), LIMIT);
            try (BlockingCmId server = served.result()) {
                assertThat(send(client, server)).isEqualTo(WorkCompletionStatus.SUCCESS);
                end.come();
                assertThat(send(client, server)).isEqualTo(WorkCompletionStatus.RETRY_EXC_ERR);
            }
        }
    }

    private static WorkCompletionStatus send(BlockingCmId from, BlockingCmId to) throws Exception {
        try (MemoryRegion sent = from.queues().registerMessages(ByteBuffer.allocateDirect(8));
                MemoryRegion received = to.queues().registerMessages(ByteBuffer.allocateDirect(8))) {
            to.queues().postReceive(1, received, 0, 8);
            from.queues().postSend(2, sent, 0, 8);
            return from.queues().awaitSendCompletion(Await.LIMIT).orElseThrow().status();
        }
    }

    private static boolean resolves(InetSocketAddress at) {
        try (BlockingCmId probe = BlockingCmId.create(PortSpace.TCP)) {
            probe.resolveAddress(at, Duration.ofSeconds(1));
            probe.resolveRoute(Duration.ofSeconds(1));
            return true;
        } catch (RdmaException notYet) {
            return false;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}

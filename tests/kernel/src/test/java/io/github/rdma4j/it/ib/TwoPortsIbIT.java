// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.ib;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.BlockingCmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.DatagramPeer;
import io.github.rdma4j.cm.GroupMembership.Mode;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.it.support.Ib;
import io.github.rdma4j.it.support.RequiresTwoPorts;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.MulticastGroups;
import io.github.rdma4j.sm.SaClient;
import io.github.rdma4j.sm.mad.McMemberRecord;
import io.github.rdma4j.sm.mad.PathTemplate;
import io.github.rdma4j.sm.mad.SaRequest;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.NewSeed;
import io.github.rdma4j.support.Program;
import io.github.rdma4j.verbs.AsyncEvent;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.AsyncEventType;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.PathMtu;
import io.github.rdma4j.verbs.attr.PathRecord;
import io.github.rdma4j.verbs.attr.PortAttr;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpState;
import io.github.rdma4j.verbs.attr.QueuePairType;
import io.github.rdma4j.verbs.attr.WorkCompletionStatus;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An adapter with two ports on one subnet: what belongs to a port, and what a fault of a port leaves alone. */
@RequiresTwoPorts
class TwoPortsIbIT {
    private static final Duration LIMIT = Await.LIMIT;
    private static final int SECOND = 2;
    private static final int KEY = 0x8123;

    /** The port of the switch at which the second port of the first node is. */
    private static final String AT_SWITCH = "11";

    /** 134 ms. */
    private static final int SHORT_ACK_TIMEOUT = 15;

    private static Program server;

    private final Random random = new Random(NewSeed.of("TwoPortsIbIT"));

    @BeforeAll
    static void startServer() {
        server = EchoServer.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    /** The address of a port of a node. */
    private static String address(int port, int node) {
        return "10." + (76 + port) + ".0." + node;
    }

    private static Gid gid(DeviceContext context, int port) throws RdmaException {
        return context.queryGids().stream()
                .filter(entry -> entry.portNum() == port && entry.gidIndex() == 0)
                .findFirst()
                .orElseThrow()
                .gid();
    }

    // ---- what a port has ---------------------------------------------------------------------------------------

    @Test
    void eachPortHasItsOwnIdentifiers() throws Exception {
        try (DeviceContext context = DeviceContext.open(Ib.DEVICE)) {
            assertThat(context.queryDevice().physPortCnt()).isEqualTo(2);
            PortAttr first = context.queryPort(1);
            PortAttr second = context.queryPort(SECOND);
            assertThat(second.state()).isEqualTo(PortAttr.State.ACTIVE);
            assertThat(second.lid()).isNotZero().isNotEqualTo(first.lid());
            assertThat(second.smLid()).isEqualTo(first.smLid());
            assertThat(gid(context, SECOND)).isNotEqualTo(gid(context, 1));
            assertThat(Program.run("ibv_devinfo", "-d", Ib.DEVICE))
                    .containsPattern("phys_port_cnt:\\s+2\n")
                    .containsPattern("port_lid:\\s+" + first.lid() + "\n")
                    .containsPattern("port_lid:\\s+" + second.lid() + "\n");
            assertThat(Program.run("ibstat", Ib.DEVICE, "2"))
                    .contains("State: Active", "Base lid: " + second.lid(), hex(gid(context, SECOND)));
            assertThat(Program.run("saquery", "NR", "" + second.lid()))
                    .containsPattern("num_ports\\.+2\n")
                    .containsPattern("port_num\\.+2\n");
        }
    }

    private static String hex(Gid gid) {
        return String.format("0x%016x", gid.interfaceId());
    }

    @Test
    void eachPortCountsItsOwnPackets() throws Exception {
        try (DeviceContext context = DeviceContext.open(Ib.DEVICE);
                Connection connection = new Connection(SECOND)) {
            String lid = "" + context.queryPort(1).lid();
            Program.run("perfquery", "-R", lid, "1");
            Program.run("perfquery", "-R", lid, "2");
            for (int i = 0; i < 100; i++) {
                connection.exchange(random);
            }
            assertThat(sent(lid, 2)).isGreaterThanOrEqualTo(200);
            assertThat(sent(lid, 1)).isLessThan(200);
        }
    }

    private static int sent(String lid, int port) throws Exception {
        String counters = Program.run("perfquery", lid, "" + port);
        Matcher sent = Pattern.compile("PortXmitPkts:\\.+(\\d+)").matcher(counters);
        assertThat(sent.find()).as(counters).isTrue();
        return Integer.parseInt(sent.group(1));
    }

    @Test
    void aPartitionKeyOfOnePort() throws Exception {
        Path partitions = Path.of("/run/opensm/partitions.conf");
        String before = Files.readString(partitions);
        try (DeviceContext context = DeviceContext.open(Ib.DEVICE)) {
            String guid = hex(gid(context, SECOND));
            Files.writeString(partitions, before + "Test=0x123: " + guid + "=full;\n");
            Ib.reloadManager();
            awaitOfSecond(context, AsyncEventType.PKEY_CHANGE);
            assertThat(context.queryPkeys(SECOND)).contains(KEY);
            assertThat(context.queryPkeys(1)).doesNotContain(KEY);
            Files.writeString(partitions, before);
            Ib.reloadManager();
            awaitOfSecond(context, AsyncEventType.PKEY_CHANGE);
            assertThat(context.queryPkeys(SECOND)).doesNotContain(KEY);
        }
    }

    /** Waits for an event; all events until then are of the second port. */
    private static void awaitOfSecond(DeviceContext context, AsyncEventType type) throws Exception {
        AsyncEvent event;
        do {
            event = context.awaitAsyncEvent(Await.LIMIT).orElseThrow(() -> new AssertionError("without " + type));
            assertThat(event.port()).as("port of %s", event).hasValue(SECOND);
        } while (event.type() != type);
    }

    // ---- the manager -------------------------------------------------------------------------------------------

    @Test
    void theManagerAnswersByTheSecondPort() throws Exception {
        try (DeviceContext context = DeviceContext.open(Ib.DEVICE);
                SaClient client = SaClient.open(Ib.DEVICE, SECOND)) {
            assertThat(client.port().gid()).isEqualTo(gid(context, SECOND));
            assertThat(client.classPortInfo()).isPresent();
            PathRecord path = client.call(SaRequest.get(PathTemplate.empty()
                    .sgid(gid(context, SECOND))
                    .dgid(gid(context, 1))
                    .numbPath(1)));
            assertThat(path.slid()).isEqualTo(context.queryPort(SECOND).lid());
            assertThat(path.dlid()).isEqualTo(context.queryPort(1).lid());
        }
    }

    @Test
    void aMessageToAGroupReachesAMemberOfEachPortOnce() throws Exception {
        InetSocketAddress address = new InetSocketAddress("239.77.5.1", 0);
        try (DeviceContext context = DeviceContext.open(Ib.DEVICE);
                SaClient client = SaClient.open(Ib.DEVICE, SECOND);
                GroupMember first = new GroupMember(address(1, 1));
                GroupMember second = new GroupMember(address(SECOND, 1))) {
            first.receive();
            for (int i = 0; i < 2; i++) {
                second.receive();
            }
            DatagramPeer group = first.join(address, Mode.FULL_MEMBER);
            second.join(address, Mode.FULL_MEMBER);
            Gid mgid = group.ahAttr().dgid();
            assertThat(new MulticastGroups(client).members(mgid, Ib.SM_KEY))
                    .extracting(McMemberRecord::portGid)
                    .containsExactlyInAnyOrder(gid(context, 1), gid(context, SECOND));
            Await.until(
                    "the switch forwards to the second port",
                    () -> isForwarded(group.ahAttr().dlid()));
            first.send(group, 4711);
            second.assertReceives(4711);
            first.assertReceives(4711);
            first.send(group, 4712);
            second.assertReceives(4712);
        }
    }

    /** Whether the line of the group in the switch's table has a cross for the port of the second port. */
    private static boolean isForwarded(int mlid) {
        try {
            String table = Program.run("ibroute", "-M", switchLid());
            int column = "     Ports: ".length() + 2 * Integer.parseInt(AT_SWITCH);
            return table.lines()
                    .filter(line -> line.startsWith(String.format("0x%04x", mlid)))
                    .anyMatch(line -> line.length() > column && line.charAt(column) == 'x');
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static String switchLid() throws InterruptedException {
        String switches = Program.run("ibswitches");
        Matcher lid = Pattern.compile(" lid (\\d+) ").matcher(switches);
        assertThat(lid.find()).as(switches).isTrue();
        return lid.group(1);
    }

    // ---- connections -------------------------------------------------------------------------------------------

    /** A connection to the {@link EchoServer} by a port. */
    private static final class Connection implements AutoCloseable {
        final BlockingCmId id = BlockingCmId.create(PortSpace.TCP);
        private final ByteBuffer memory = ByteBuffer.allocateDirect(2 * EchoServer.LONGEST);
        private final MemoryRegion region;

        Connection(int port) throws Exception {
            id.resolveAddress(new InetSocketAddress(address(port, 2), EchoServer.PORT), LIMIT);
            id.resolveRoute(LIMIT);
            assertThat(id.id().portNumber()).isEqualTo(port);
            assertThat(id.id().paths().get(0).slid())
                    .isEqualTo(id.context().queryPort(port).lid());
            id.id().settings().ackTimeout(SHORT_ACK_TIMEOUT);
            id.createQp(QueuePairOptions.DEFAULT);
            region = id.queues().registerMessages(memory);
            // Soft-RoCE's transport never gives up with 7, the default.
            id.connect(ConnectionParameters.builder().retryCount(2).build(), LIMIT);
        }

        /** Sends random bytes and compares what comes back. */
        void exchange(Random random) throws Exception {
            byte[] sent = new byte[1 + random.nextInt(EchoServer.LONGEST)];
            random.nextBytes(sent);
            memory.put(0, sent);
            id.queues().postReceive(1, region, EchoServer.LONGEST, EchoServer.LONGEST);
            id.queues().postSend(2, region, 0, sent.length);
            assertThat(id.queues()
                            .awaitSendCompletion(Await.LIMIT)
                            .orElseThrow()
                            .status())
                    .isEqualTo(WorkCompletionStatus.SUCCESS);
            assertThat(id.queues()
                            .awaitReceiveCompletion(Await.LIMIT)
                            .orElseThrow()
                            .byteLength())
                    .isEqualTo(sent.length);
            byte[] received = new byte[sent.length];
            memory.get(EchoServer.LONGEST, received);
            assertThat(received).isEqualTo(sent);
        }

        WorkCompletionStatus send() throws Exception {
            id.queues().postSend(2, region, 0, 8);
            return id.queues().awaitSendCompletion(Await.LIMIT).orElseThrow().status();
        }

        @Override
        public void close() throws RdmaException {
            region.close();
            id.close();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, SECOND})
    void aProgramInCReachesEachPort(int port) throws Exception {
        String there = address(port, 2);
        try (Program server = Program.start("testbed-node", "2", "--", "rping", "-s", "-C", "5", "-a", there)) {
            String pings = Program.run("sh", "-c", "until rping -c -v -C 5 -a " + there + "; do sleep 0.1; done");
            assertThat(pings).contains("ping data: rdma-ping-4");
            server.success();
        }
    }

    @Test
    void aFaultOfAPortLeavesConnectionsByTheOtherPortAlone() throws Exception {
        try (DeviceContext context = DeviceContext.open(Ib.DEVICE);
                Connection first = new Connection(1)) {
            try (Connection second = new Connection(SECOND)) {
                first.exchange(random);
                second.exchange(random);
                Program.run("ibportstate", switchLid(), AT_SWITCH, "disable");
                awaitOfSecond(context, AsyncEventType.PORT_ERR);
                assertThat(context.queryPort(SECOND).state()).isEqualTo(PortAttr.State.DOWN);
                assertThat(context.queryPort(1).state()).isEqualTo(PortAttr.State.ACTIVE);
                first.exchange(random);
                assertThat(second.send()).isEqualTo(WorkCompletionStatus.RETRY_EXC_ERR);
                first.exchange(random);
            }
            Program.run("ibportstate", switchLid(), AT_SWITCH, "enable");
            awaitOfSecond(context, AsyncEventType.PORT_ACTIVE);
            first.exchange(random);
            Await.until("the network of the second port is up", TwoPortsIbIT::resolves);
            try (Connection again = new Connection(SECOND)) {
                again.exchange(random);
            }
            first.exchange(random);
        }
    }

    /** Queue pairs of one adapter, each at a port of its own: the bytes go through the switch. */
    @Test
    void thePortsOfAnAdapterReachEachOther() throws Exception {
        try (DeviceContext context = DeviceContext.open(Ib.DEVICE);
                ProtectionDomain pd = context.allocatePd();
                CompletionQueue sent = context.createCq(4);
                CompletionQueue received = context.createCq(4);
                QueuePair from = queuePair(pd, sent, 1);
                QueuePair to = queuePair(pd, received, SECOND)) {
            connect(from, to.qpn(), context.queryPort(SECOND).lid(), 1);
            connect(to, from.qpn(), context.queryPort(1).lid(), SECOND);
            byte[] content = new byte[EchoServer.LONGEST];
            random.nextBytes(content);
            ByteBuffer memory = ByteBuffer.allocateDirect(2 * content.length).put(0, content);
            try (MemoryRegion region = pd.registerMr(memory, Set.of(Access.LOCAL_WRITE))) {
                to.postReceive(new ReceiveWorkRequest(1).wrId(1).add(region, content.length, content.length));
                from.postSend(new SendWorkRequest(1).wrId(2).send().add(region, 0, content.length));
                WorkCompletion[] one = WorkCompletion.array(1);
                Await.until("the message", () -> received.poll(one) == 1);
                assertThat(one[0].isSuccess()).isTrue();
                byte[] arrived = new byte[content.length];
                memory.get(content.length, arrived);
                assertThat(arrived).isEqualTo(content);
            }
            assertThat(to.query().portNum()).isEqualTo(SECOND);
        }
    }

    private static QueuePair queuePair(ProtectionDomain pd, CompletionQueue cq, int port) throws RdmaException {
        QueuePair qp = pd.createQp(QueuePairOptions.builder()
                .type(QueuePairType.RC)
                .cq(cq)
                .signalAll(true)
                .build());
        qp.modify(QpAttr.builder()
                .state(QpState.INIT)
                .pkeyIndex(0)
                .portNum(port)
                .access(Set.of())
                .build());
        return qp;
    }

    private static void connect(QueuePair qp, int qpn, int lid, int port) throws RdmaException {
        qp.modify(QpAttr.builder()
                .state(QpState.RTR)
                .ahAttr(new AhAttr(new Gid(0, 0), 0, 0, 0, 0, lid, 0, 0, 0, false, port))
                .pathMtu(PathMtu.MTU_2048)
                .destQpNum(qpn)
                .rqPsn(0)
                .maxDestRdAtomic(1)
                .minRnrTimer(12)
                .build());
        qp.modify(QpAttr.builder()
                .state(QpState.RTS)
                .sqPsn(0)
                .timeout(14)
                .retryCnt(7)
                .rnrRetry(7)
                .maxRdAtomic(1)
                .build());
    }

    private static boolean resolves() {
        try (BlockingCmId probe = BlockingCmId.create(PortSpace.TCP)) {
            probe.resolveAddress(new InetSocketAddress(address(SECOND, 2), EchoServer.PORT), Duration.ofSeconds(1));
            probe.resolveRoute(Duration.ofSeconds(1));
            return true;
        } catch (RdmaException notYet) {
            return false;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.mad.MadHeader;
import io.github.rdma4j.internal.mad.SaMethods;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import io.github.rdma4j.sm.SaClient;
import io.github.rdma4j.sm.SaException;
import io.github.rdma4j.sm.SaOptions;
import io.github.rdma4j.sm.mad.McMemberRecord;
import io.github.rdma4j.sm.mad.SaRequest;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Program;
import io.github.rdma4j.umad.AgentOptions;
import io.github.rdma4j.umad.AgentOptions.Rmpp;
import io.github.rdma4j.umad.LocalPort;
import io.github.rdma4j.umad.MadAddress;
import io.github.rdma4j.umad.ReceivedMad;
import io.github.rdma4j.umad.UmadDevice;
import io.github.rdma4j.umad.UmadDevice.HeaderLayout;
import io.github.rdma4j.umad.UmadPort;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.LinkLayer;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The umad file of the soft-RoCE port: agents, MADs out and back in, what the kernel refuses, how it ends. */
@RequiresKernel
class UmadPortKernelIT {
    private static final ByteBuffer REQUEST = SaRequest.classPortInfo().encode(0x1234_5678L);

    private static UmadDevice device(HeaderLayout layout) throws RdmaException {
        return UmadDevice.open(Kernel.running(), RoceSubnetAdministration.UMAD, layout);
    }

    private static UmadDevice.Agent client(UmadDevice device) throws RdmaException {
        return device.register(AgentOptions.SUBNET_ADMINISTRATION);
    }

    private static void refused(Errno errno, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }

    @Test
    void tellsOfThePort() throws Exception {
        try (UmadPort umad = UmadPort.open(Rxe.DEVICE, 1)) {
            LocalPort port = umad.port();
            assertThat(port.linkLayer()).isEqualTo(LinkLayer.ETHERNET);
            assertThat(port.isActive()).isTrue();
            assertThat(port.smLid()).isZero();
            assertThat(port.pkeys()).containsExactly(0xffff);
            assertThat(port.gidPrefix()).isEqualTo(0xfe80_0000_0000_0000L);
            assertThat(umad.reassembles()).isTrue();
            assertThat(umad).hasToString("UmadPort[port 1 of rxe0, /dev/infiniband/umad0]");
        }
    }

    @ParameterizedTest
    @EnumSource(HeaderLayout.class)
    void asksAndIsAnswered(HeaderLayout layout) throws Exception {
        try (RoceSubnetAdministration there = RoceSubnetAdministration.answering(0);
                UmadDevice device = device(layout)) {
            UmadDevice.Agent agent = client(device);
            device.send(agent, RoceSubnetAdministration.address(), REQUEST, RoceSubnetAdministration.PATIENT, 0);
            ReceivedMad answer = device.receive(RoceSubnetAdministration.PATIENT, RoceSubnetAdministration.LONGEST)
                    .orElseThrow();
            MadHeader header = MadHeader.decode(answer.mad());
            assertThat(answer.status()).isZero();
            assertThat(header.method()).isEqualTo(0x81);
            assertThat(header.ownTransactionId()).isEqualTo(0x1234_5678);
            assertThat(answer.mad().limit()).isEqualTo(MadHeader.MAD_BYTES);
            assertThat(answer.from().qpn()).isEqualTo(1);
            assertThat(there.next().status()).isZero();
            assertThat(answer.from().grh().orElseThrow())
                    .extracting(MadAddress.Grh::gid)
                    .isEqualTo(Gid.of(InetAddress.getByName(Rxe.IPV6)));
        }
    }

    /** 56,000 bytes: more than the first read has room for, and more than one window of segments. */
    @ParameterizedTest
    @EnumSource(value = Rmpp.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void receivesALongTable(Rmpp rmpp) throws Exception {
        UmadPort.Options options = UmadPort.Options.builder().rmpp(rmpp).build();
        try (RoceSubnetAdministration there = RoceSubnetAdministration.answering(1000);
                SaClient client = SaClient.over(
                        RoceSubnetAdministration.transport(UmadPort.open(Kernel.running(), Rxe.DEVICE, 1, options)),
                        SaOptions.builder()
                                .firstTimeout(RoceSubnetAdministration.PATIENT)
                                .build())) {
            List<McMemberRecord> groups = client.call(SaRequest.getTable(McMemberRecord.template()));
            assertThat(groups)
                    .extracting(McMemberRecord::mlid)
                    .containsExactlyElementsOf(IntStream.range(0, 1000).boxed().toList());
            assertThat(there.next().mad().limit()).isEqualTo(MadHeader.MAD_BYTES);
        }
    }

    @Test
    void tellsThatThereIsNoAnswer() throws Exception {
        try (RoceSubnetAdministration silent = RoceSubnetAdministration.answering(-1);
                UmadDevice device = device(HeaderLayout.WITH_PKEY_INDEX)) {
            device.send(client(device), RoceSubnetAdministration.address(), REQUEST, Duration.ofMillis(50), 2);
            ReceivedMad end = device.receive(RoceSubnetAdministration.PATIENT, RoceSubnetAdministration.LONGEST)
                    .orElseThrow();
            assertThat(end.status()).isEqualTo(ReceivedMad.NO_ANSWER);
            assertThat(end.mad().limit()).isEqualTo(MadHeader.Layout.BYTES);
            assertThat(MadHeader.decode(end.mad()).ownTransactionId()).isEqualTo(0x1234_5678);
            long first = MadHeader.decode(silent.next().mad()).transactionId();
            assertThat(MadHeader.decode(silent.next().mad()).transactionId()).isEqualTo(first);
            assertThat(MadHeader.decode(silent.next().mad()).transactionId()).isEqualTo(first);
        }
    }

    /** Nobody has registered for the request, so the kernel itself says that it is not supported. */
    @Test
    void theKernelAnswersForNobody() throws Exception {
        try (SaClient client = SaClient.over(
                RoceSubnetAdministration.transport(UmadPort.open(Rxe.DEVICE, 1)),
                SaOptions.builder()
                        .firstTimeout(RoceSubnetAdministration.PATIENT)
                        .build())) {
            assertThatThrownBy(() -> client.call(SaRequest.classPortInfo()))
                    .isInstanceOfSatisfying(
                            SaException.class, e -> assertThat(e.status().raw()).isEqualTo(0x000c))
                    .hasMessageContaining("The port that answered has no subnet administration");
        }
    }

    @Test
    void hasRoomForThirtyTwoAgents() throws Exception {
        try (UmadDevice device = device(HeaderLayout.WITH_PKEY_INDEX)) {
            List<UmadDevice.Agent> agents = new ArrayList<>();
            for (int i = 0; i < 32; i++) {
                agents.add(client(device));
            }
            assertThat(agents).extracting(UmadDevice.Agent::id).doesNotHaveDuplicates();
            assertThatThrownBy(() -> client(device))
                    .isInstanceOf(ErrnoException.class)
                    .hasMessageContaining("IB_USER_MAD_REGISTER_AGENT2")
                    .hasMessageContaining("ENOMEM")
                    .hasMessageContaining("can have 32 agents");
            int freed = agents.get(7).id();
            agents.get(7).close();
            agents.get(7).close();
            assertThat(client(device).id()).isEqualTo(freed);
        }
    }

    @Test
    void refusesASecondReceiverOfTheSameRequests() throws Exception {
        try (UmadPort one = UmadPort.open(Rxe.DEVICE, 1);
                UmadPort other = UmadPort.open(Rxe.DEVICE, 1)) {
            one.listenForReports();
            one.listenForReports();
            assertThatThrownBy(other::listenForReports)
                    .isInstanceOf(ErrnoException.class)
                    .hasMessageContaining("EINVAL")
                    .hasMessageContaining("one receiver a port");
        }
    }

    @Test
    void receivesReportsAndAnswersThem() throws Exception {
        try (RoceSubnetAdministration there = RoceSubnetAdministration.answering(-1);
                UmadPort port = UmadPort.open(Rxe.DEVICE, 1)) {
            port.listenForReports();
            ByteBuffer report = ByteBuffer.allocate(MadHeader.MAD_BYTES);
            new MadHeader(3, 2, SaMethods.REPORT, 0, 0x4711, 2, 0).encode(report, 0);
            there.report(RoceSubnetAdministration.address(), report);
            ReceivedMad received = port.receive(RoceSubnetAdministration.PATIENT, RoceSubnetAdministration.LONGEST)
                    .orElseThrow();
            MadHeader header = MadHeader.decode(received.mad());
            assertThat(header.method()).isEqualTo(SaMethods.REPORT);
            ByteBuffer answer = received.mad().put(MadHeader.Layout.METHOD, (byte) SaMethods.REPORT_RESP);
            port.send(received.from(), answer, Duration.ZERO, 0);
            ReceivedMad answered = there.next();
            assertThat(answered.status()).isZero();
            assertThat(MadHeader.decode(answered.mad()).method()).isEqualTo(SaMethods.REPORT_RESP);
            assertThat(MadHeader.decode(answered.mad()).ownTransactionId()).isEqualTo(0x4711);
        }
    }

    @Test
    void refusesWhatCannotBeSent() throws Exception {
        try (RoceSubnetAdministration silent = RoceSubnetAdministration.answering(-1);
                UmadDevice device = device(HeaderLayout.WITH_PKEY_INDEX);
                UmadDevice other = device(HeaderLayout.OLD)) {
            UmadDevice.Agent agent = client(device);
            MadAddress self = RoceSubnetAdministration.address();
            refused(
                    Errno.EINVAL,
                    () -> device.send(agent, MadAddress.generalServices(1, 0), REQUEST, Duration.ZERO, 0));
            refused(Errno.EINVAL, () -> device.send(agent, self, ByteBuffer.allocate(20), Duration.ZERO, 0));
            device.send(agent, self, REQUEST, RoceSubnetAdministration.PATIENT, 0);
            refused(Errno.EINVAL, () -> device.send(agent, self, REQUEST, RoceSubnetAdministration.PATIENT, 0));
            assertThat(silent.next().status()).isZero();
            assertThatThrownBy(() -> other.send(agent, self, REQUEST, Duration.ZERO, 0))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> other.register(AgentOptions.SUBNET_ADMINISTRATION.toBuilder()
                            .rmpp(Rmpp.USER)
                            .build()))
                    .isInstanceOf(IllegalArgumentException.class);
            agent.close();
            refused(Errno.EIO, () -> device.send(agent, self, REQUEST, Duration.ZERO, 0));
        }
    }

    @Test
    void closeWakesAReceivingThread() throws Exception {
        UmadPort port = UmadPort.open(Rxe.DEVICE, 1);
        Await.Running<Optional<ReceivedMad>> waiter = Await.inThread(
                        () -> port.receive(RoceSubnetAdministration.PATIENT, RoceSubnetAdministration.LONGEST))
                .untilInside("awaitHooked");
        port.close();
        port.close();
        assertThat(waiter.failure()).isInstanceOf(ClosedWhileWaitingException.class);
    }

    @Test
    void interruptionEndsReceiving() throws Exception {
        try (UmadPort port = UmadPort.open(Rxe.DEVICE, 1)) {
            Await.Running<Optional<ReceivedMad>> waiter = Await.inThread(
                            () -> port.receive(RoceSubnetAdministration.PATIENT, RoceSubnetAdministration.LONGEST))
                    .untilInside("awaitHooked");
            waiter.thread().interrupt();
            assertThat(waiter.failure()).isInstanceOf(InterruptedException.class);
        }
    }

    @Test
    void useAfterClose() throws Exception {
        UmadDevice device = device(HeaderLayout.WITH_PKEY_INDEX);
        UmadDevice.Agent agent = client(device);
        device.close();
        agent.close();
        MadAddress self = RoceSubnetAdministration.address();
        assertThatThrownBy(() -> device.send(agent, self, REQUEST, Duration.ZERO, 0))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> device.receive(Duration.ZERO, RoceSubnetAdministration.LONGEST))
                .isInstanceOfAny(IllegalStateException.class, ClosedWhileWaitingException.class);
        assertThatThrownBy(() -> client(device)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void namesTheModuleWhenThereIsNoNode() {
        assertThatThrownBy(() -> UmadPort.open(Rxe.DEVICE, 2))
                .isInstanceOf(UnsupportedByKernelException.class)
                .hasMessage("port 2 of rxe0 has no umad node. Load the module that creates it: modprobe ib_umad");
        assertThatThrownBy(() -> UmadDevice.open(Kernel.running(), "umad77", HeaderLayout.OLD))
                .isInstanceOf(ErrnoException.class)
                .hasMessageContaining("open /dev/infiniband/umad77: ENOENT")
                .hasMessageContaining("modprobe ib_umad");
    }

    /** Tries to open the node without privilege. */
    static final class Unprivileged {
        private Unprivileged() {}

        public static void main(String[] arguments) throws Exception {
            try {
                UmadDevice.open(Nodes.kernel(Path.of(arguments[0])), "umad0", HeaderLayout.OLD);
                System.out.println("no failure");
            } catch (ErrnoException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    @Test
    void tellsAnUnprivilegedProcessWhatToDo() throws Exception {
        Path dev = Nodes.copy();
        try {
            for (Path node : Nodes.of(dev)) {
                Program.run("chown", "65534:65534", node.toString());
                Program.run("chmod", "600", node.toString());
            }
            List<String> command = new ArrayList<>(List.of("setpriv", "--bounding-set=-all", "--inh-caps=-all"));
            command.addAll(Program.java(Unprivileged.class, dev.toString()));
            try (Program attempt = Program.start(command)) {
                assertThat(attempt.success()).contains("umad0: EACCES", "chmod a+rw");
            }
        } finally {
            Nodes.delete(dev);
        }
    }
}

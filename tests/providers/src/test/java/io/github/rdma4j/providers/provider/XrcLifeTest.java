// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.providers.kernel.CardKernel;
import io.github.rdma4j.providers.kernel.CardSettings;
import io.github.rdma4j.providers.kernel.KernelCommand;
import io.github.rdma4j.providers.kernel.Mlx5Settings;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.SharedReceiveQueue;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.XrcDomain;
import io.github.rdma4j.verbs.attr.DeviceAttr;
import io.github.rdma4j.verbs.attr.QpState;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** XRC domains, who shares them, in which order things close, and what is refused. */
@Timeout(60)
class XrcLifeTest {
    @TempDir
    Path directory;

    private Path file;
    private CardKernel kernel;
    private XrcEnd end;

    @BeforeEach
    void open() throws Exception {
        file = Files.createFile(directory.resolve("domain"));
        open(new Mlx5Settings());
    }

    private void open(CardSettings<?> settings) throws RdmaException {
        kernel = settings.start();
        end = new XrcEnd(kernel);
    }

    @AfterEach
    void close() throws RdmaException {
        end.close();
        kernel.assertClean();
    }

    private static void assertErrno(Errno errno, String advice, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(errno))
                .hasMessageContaining(advice);
    }

    private long count(String kind) {
        return kernel.objects().stream().filter(kind::equals).count();
    }

    // ---- opening

    @Test
    void aFileNamesOneDomain() throws Exception {
        assertErrno(
                Errno.EAGAIN,
                "XrcDomain.Opening.CREATE",
                () -> XrcDomain.open(end.context(), file, XrcDomain.Opening.EXISTING));
        XrcDomain first = XrcDomain.open(end.context(), file, XrcDomain.Opening.CREATE_NEW);
        assertErrno(
                Errno.EINVAL,
                "An XRC domain of this file already exists",
                () -> XrcDomain.open(end.context(), file, XrcDomain.Opening.CREATE_NEW));
        XrcDomain second = XrcDomain.open(end.context(), file, XrcDomain.Opening.EXISTING);
        XrcDomain third = XrcDomain.open(end.context(), file, XrcDomain.Opening.CREATE);
        assertThat(count("xrcd")).isEqualTo(3);
        for (XrcDomain each : new XrcDomain[] {first, second, third}) {
            each.close();
        }
        assertErrno(
                Errno.EAGAIN,
                "XrcDomain.Opening.CREATE",
                () -> XrcDomain.open(end.context(), file, XrcDomain.Opening.EXISTING));
    }

    @Test
    void theFileMustBeThere() {
        assertErrno(
                Errno.ENOENT,
                "missing",
                () -> XrcDomain.open(end.context(), directory.resolve("missing"), XrcDomain.Opening.CREATE));
    }

    @Test
    void theDescriptorOfTheFileIsNotKept() throws Exception {
        int before = kernel.descriptors();
        XrcDomain xrcd = XrcDomain.open(end.context(), file, XrcDomain.Opening.CREATE);
        assertThat(kernel.descriptors()).isEqualTo(before);
        assertThat(xrcd.context()).isSameAs(end.context());
        assertThat(xrcd).hasToString("XrcDomain[mlx5_0, " + file + "]");
    }

    @Test
    void aDeviceSaysWhetherItHasXrc() throws Exception {
        assertThat(end.context().queryDeviceEx().has(DeviceAttr.Capability.XRC)).isTrue();
        end.close();
        open(new Mlx5Settings().withoutXrc());
        assertThat(end.context().queryDeviceEx().has(DeviceAttr.Capability.XRC)).isFalse();
        assertErrno(Errno.EOPNOTSUPP, "does not support XRC", () -> XrcDomain.open(end.context()));
        assertErrno(Errno.EOPNOTSUPP, "UVERBS_METHOD_QP_CREATE", () -> end.initiator());
    }

    // ---- sharing

    /** One process makes the target, another one takes the messages, and a third one sends. */
    @ParameterizedTest
    @CardKind.WithXrc
    void processesShareATarget(CardKind kind) throws Exception {
        end.close();
        open(kind.settings());
        XrcEnd maker = new XrcEnd(kernel);
        try (XrcEnd taker = new XrcEnd(kernel)) {
            QueuePair made = XrcDomain.open(maker.context(), file, XrcDomain.Opening.CREATE)
                    .createQp();
            XrcDomain xrcd = XrcDomain.open(taker.context(), file, XrcDomain.Opening.EXISTING);
            SharedReceiveQueue srq = taker.shared(xrcd);
            QueuePair initiator = end.connectedTo(made);

            QueuePair opened = xrcd.openQp(made.qpn());
            assertThat(opened.qpn()).isEqualTo(made.qpn());
            assertThat(opened.type()).isEqualTo(QueuePairType.XRC_TGT);
            assertThat(opened.state()).isEqualTo(QpState.RTR);
            maker.close();

            for (int i = 1; i < 4; i++) {
                srq.postReceive(taker.receive(i));
                initiator.postSend(end.send(100 + i, srq.number()));
                kernel.card().settle();
                WorkCompletion received = taker.poll();
                assertThat(received.wrId()).isEqualTo(i);
                assertThat(received.qpNumber()).isEqualTo(made.qpn());
                assertThat(taker.buffer().getLong(i * 64)).isEqualTo(100 + i);
                assertThat(end.poll().isSuccess()).isTrue();
            }
            assertThat(initiator.state()).isEqualTo(QpState.RTS);
        }
    }

    @Test
    void aTargetGoesWithTheLastWhoHasItOpen() throws Exception {
        XrcDomain xrcd = XrcDomain.open(end.context(), file, XrcDomain.Opening.CREATE);
        QueuePair made = xrcd.createQp();
        QueuePair opened = xrcd.openQp(made.qpn());
        made.close();
        xrcd.openQp(opened.qpn()).close();
        opened.close();
        assertErrno(Errno.EINVAL, "no target queue pair of this number", () -> xrcd.openQp(made.qpn()));
    }

    // ---- closing

    @Test
    void theDomainClosesItsQueues() throws Exception {
        XrcDomain xrcd = XrcDomain.open(end.context());
        SharedReceiveQueue srq = end.shared(xrcd);
        QueuePair target = xrcd.createQp();
        xrcd.close();
        assertThat(srq.isClosed()).isTrue();
        assertThat(target.isClosed()).isTrue();
        assertThat(kernel.objects()).doesNotContain("xrcd", "srq", "qp");
    }

    /** What a shared receive queue of XRC depends on closes it. */
    @ParameterizedTest
    @ValueSource(strings = {"pd", "cq"})
    void aQueueGoesWithWhatItNeeds(String parent) throws Exception {
        XrcDomain xrcd = XrcDomain.open(end.context());
        SharedReceiveQueue srq = end.shared(xrcd);
        (parent.equals("pd") ? end.pd() : end.cq()).close();
        assertThat(srq.isClosed()).isTrue();
        assertThat(xrcd.isClosed()).isFalse();
        assertThat(kernel.objects()).doesNotContain("srq");
    }

    @Test
    void nothingWorksWhenItIsClosed() throws Exception {
        XrcDomain xrcd = XrcDomain.open(end.context());
        SharedReceiveQueue srq = end.shared(xrcd);
        QueuePair target = xrcd.createQp();
        QueuePair initiator = end.connectedTo(target);
        xrcd.close();
        Stream.<ThrowingCallable>of(
                        xrcd::createQp,
                        () -> xrcd.openQp(target.qpn()),
                        () -> end.shared(xrcd),
                        () -> srq.postReceive(end.receive(1)),
                        srq::query,
                        () -> srq.modifyLimit(1),
                        target::query,
                        target::moveToError)
                .forEach(call -> assertThatThrownBy(call)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("is closed"));
        initiator.close();
        assertThatThrownBy(() -> initiator.postSend(end.send(1, 1))).isInstanceOf(IllegalStateException.class);
        xrcd.close();
    }

    /** The next queue may have the number of the one that went. */
    @ParameterizedTest
    @CardKind.WithXrc
    void completionsOfAQueueThatWentAreNobodys(CardKind kind) throws Exception {
        end.close();
        open(kind.settings());
        XrcDomain xrcd = XrcDomain.open(end.context());
        CompletionQueue cq = end.context().createCq(15);
        SharedReceiveQueue first = xrcd.createSrq(end.pd(), cq, SharedReceiveQueueOptions.DEFAULT);
        SharedReceiveQueue stays = xrcd.createSrq(end.pd(), cq, SharedReceiveQueueOptions.DEFAULT);
        QueuePair initiator = end.connectedTo(xrcd.createQp());
        for (int i = 0; i < 3; i++) {
            first.postReceive(end.receive(i));
            stays.postReceive(end.receive(10 + i));
            initiator.postSend(end.send(100 + i, first.number()));
            initiator.postSend(end.send(200 + i, stays.number()));
        }
        kernel.card().settle();
        first.close();
        SharedReceiveQueue next = xrcd.createSrq(end.pd(), cq, SharedReceiveQueueOptions.DEFAULT);
        next.postReceive(end.receive(20));
        initiator.postSend(end.send(300, next.number()));
        kernel.card().settle();

        for (int wrId : new int[] {10, 11, 12, 20}) {
            WorkCompletion received = end.poll(cq);
            assertThat(received.isSuccess()).isTrue();
            assertThat(received.wrId()).isEqualTo(wrId);
        }
        assertThat(cq.poll(WorkCompletion.array(1))).isZero();
        assertThat(cq.ignoredEntries()).isZero();
    }

    /** Its entries are the shared receive queue's, and stay. */
    @ParameterizedTest
    @CardKind.WithXrc
    void completionsOutliveTheirTarget(CardKind kind) throws Exception {
        end.close();
        open(kind.settings());
        XrcDomain xrcd = XrcDomain.open(end.context());
        CompletionQueue cq = end.context().createCq(15);
        SharedReceiveQueue srq = xrcd.createSrq(end.pd(), cq, SharedReceiveQueueOptions.DEFAULT);
        QueuePair target = xrcd.createQp();
        QueuePair initiator = end.connectedTo(target);
        srq.postReceive(end.receive(1));
        initiator.postSend(end.send(100, srq.number()));
        kernel.card().settle();
        int qpn = target.qpn();
        target.close();
        initiator.close();

        WorkCompletion received = end.poll(cq);
        assertThat(received.wrId()).isEqualTo(1);
        assertThat(received.qpNumber()).isEqualTo(qpn);
        assertThat(end.isEmpty()).isTrue();
    }

    // ---- what is refused

    @ParameterizedTest
    @EnumSource(
            value = KernelCommand.class,
            names = {"OPEN_XRCD", "CREATE_SRQ", "CREATE_TARGET", "OPEN_QP", "CREATE_QP"})
    void leavesNothingOfACommandThatIsRefused(KernelCommand command) throws Exception {
        int pages = kernel.lockedPages();
        int objects = kernel.objects().size();
        kernel.failNext(command, Errno.ENOMEM);
        assertThatThrownBy(this::makeEverything)
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOMEM));
        assertThat(kernel.objects()).hasSize(objects);
        makeEverything();
        assertThat(kernel.objects()).hasSize(objects);
        assertThat(kernel.lockedPages()).isEqualTo(pages);
    }

    private void makeEverything() throws RdmaException {
        try (XrcDomain xrcd = XrcDomain.open(end.context(), file, XrcDomain.Opening.CREATE);
                SharedReceiveQueue srq = end.shared(xrcd);
                QueuePair target = xrcd.createQp();
                QueuePair opened = xrcd.openQp(target.qpn());
                QueuePair initiator = end.initiator()) {
            assertThat(Stream.of(srq, opened, initiator)).noneMatch(each -> each.isClosed());
        }
    }

    /** What failed to close counts as closed, and goes with the context. */
    @Test
    void aDomainThatTheKernelKeepsGoesWithTheContext() throws Exception {
        XrcDomain xrcd = XrcDomain.open(end.context());
        kernel.failNext(KernelCommand.CLOSE_XRCD, Errno.EBUSY);
        assertErrno(Errno.EBUSY, "IB_USER_VERBS_CMD_CLOSE_XRCD", xrcd::close);
        assertThat(xrcd.isClosed()).isTrue();
        assertThat(count("xrcd")).isEqualTo(1);
    }
}

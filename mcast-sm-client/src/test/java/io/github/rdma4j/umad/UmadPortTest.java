// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.umad;

import static io.github.rdma4j.testkit.ScriptedKernel.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.umad.MadIoctls;
import io.github.rdma4j.internal.umad.RegisterAgent;
import io.github.rdma4j.internal.umad.UserMadHeader;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import io.github.rdma4j.testkit.ScriptedKernel;
import io.github.rdma4j.umad.AgentOptions.Rmpp;
import io.github.rdma4j.umad.UmadDevice.HeaderLayout;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.LinkLayer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An InfiniBand port as sysfs shows it, and the calls on its umad file. */
class UmadPortTest {
    private static final int FD = 7;
    private static final int MAX = 64 << 20;
    private static final MadAddress SM = MadAddress.generalServices(9, 3);

    @TempDir
    Path root;

    private final ScriptedKernel script = new ScriptedKernel();

    @BeforeEach
    void sysfs() throws IOException {
        String port = "sys/class/infiniband/mlx5_0/ports/2/";
        write("sys/class/infiniband_mad/abi_version", "5");
        write("sys/class/infiniband_mad/issm1/ibdev", "mlx5_0");
        write("sys/class/infiniband_mad/issm1/port", "2");
        write("sys/class/infiniband_mad/umad0/ibdev", "mlx5_0");
        write("sys/class/infiniband_mad/umad0/port", "1");
        write("sys/class/infiniband_mad/umad1/ibdev", "mlx5_0");
        write("sys/class/infiniband_mad/umad1/port", "2");
        write(port + "state", "4: ACTIVE");
        write(port + "link_layer", "InfiniBand");
        write(port + "lid", "0x1f");
        write(port + "lid_mask_count", "2");
        write(port + "sm_lid", "0x9");
        write(port + "sm_sl", "3");
        write(port + "gids/0", "fe80:0000:0000:0001:0002:c903:00a0:0004");
        write(port + "pkeys/0", "0x7fff");
        write(port + "pkeys/1", "0x8123");
        write(port + "pkeys/10", "0x0000");
    }

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text + "\n");
    }

    private Kernel kernel() {
        return script.kernel(root);
    }

    private UmadPort opened(HeaderLayout layout, Rmpp rmpp) throws Exception {
        script.expectOpen(root.resolve("dev/infiniband/umad1").toString(), FD);
        if (layout == HeaderLayout.OLD) {
            script.expectIoctl(FD, MadIoctls.IB_USER_MAD_REGISTER_AGENT, address -> {
                ByteBuffer request = ScriptedKernel.memory(address, RegisterAgent.Old.BYTES);
                assertThat(request.get(RegisterAgent.Old.MGMT_CLASS)).isEqualTo((byte) 3);
                request.putInt(RegisterAgent.Old.ID, 5);
                return 0;
            });
        } else {
            script.expectIoctl(FD, MadIoctls.IB_USER_MAD_REGISTER_AGENT2, address -> {
                ByteBuffer request = ScriptedKernel.memory(address, RegisterAgent.BYTES);
                assertThat(request.getInt(RegisterAgent.FLAGS)).isEqualTo(rmpp == Rmpp.USER ? 1 : 0);
                request.putInt(RegisterAgent.ID, 5);
                return 0;
            });
        }
        return UmadPort.open(
                kernel(),
                "mlx5_0",
                2,
                UmadPort.Options.builder().layout(layout).rmpp(rmpp).build());
    }

    private void finish(UmadPort port) {
        script.expectClose(FD);
        port.close();
        script.assertAllConsumed();
    }

    @Test
    void readsThePort() throws Exception {
        UmadPort port = opened(HeaderLayout.WITH_PKEY_INDEX, Rmpp.KERNEL);
        assertThat(port.port())
                .isEqualTo(new LocalPort(
                        "mlx5_0",
                        2,
                        4,
                        LinkLayer.INFINIBAND,
                        0x1f,
                        2,
                        9,
                        3,
                        new Gid(0xfe80_0000_0000_0001L, 0x0002_c903_00a0_0004L),
                        List.of(0x7fff, 0x8123, 0)));
        assertThat(port.reassembles()).isTrue();
        write("sys/class/infiniband/mlx5_0/ports/2/sm_lid", "0xa");
        assertThat(port.port().smLid()).isEqualTo(10);
        write("sys/class/infiniband/mlx5_0/ports/2/lid", "many");
        assertThatThrownBy(port::port).isInstanceOf(MalformedReplyException.class);
        finish(port);
    }

    /** A directory in the place of a file exists but cannot be read, as a file is when descriptors are used up. */
    @Test
    void anUnreadableFileIsNotReportedAsMissing() throws Exception {
        UmadPort port = opened(HeaderLayout.WITH_PKEY_INDEX, Rmpp.KERNEL);
        for (String name : List.of("pkeys/1", "sm_lid", "link_layer", "state")) {
            Path file = root.resolve("sys/class/infiniband/mlx5_0/ports/2").resolve(name);
            Files.delete(file);
            Files.createDirectory(file);
            assertThatThrownBy(port::port)
                    .isInstanceOf(RdmaException.class)
                    .isNotInstanceOf(UnsupportedByKernelException.class)
                    .hasMessageContaining(name + " exists but cannot be read")
                    .hasMessageContaining("ulimit -n");
        }
        Files.delete(root.resolve("sys/class/infiniband/mlx5_0/ports/2/state"));
        assertThatThrownBy(port::port)
                .isInstanceOf(UnsupportedByKernelException.class)
                .hasMessageContaining("there is no port 2 of mlx5_0");
        finish(port);
    }

    @Test
    void sendsWithBothHeaders() throws Exception {
        for (HeaderLayout layout : HeaderLayout.values()) {
            UmadPort port = opened(layout, Rmpp.KERNEL);
            ByteBuffer mad = ByteBuffer.allocate(256).put(0, (byte) 1).put(255, (byte) 2);
            script.expectWrite(FD, written -> {
                assertThat(written.capacity()).isEqualTo(layout.bytes() + 256);
                UserMadHeader header = UserMadHeader.decode(written, 0, layout.bytes());
                assertThat(header.id()).isEqualTo(5);
                assertThat(header.timeoutMillis()).isEqualTo(2);
                assertThat(header.retries()).isEqualTo(4);
                assertThat(header.peer()).isEqualTo(MadAddress.generalServices(9, 3));
                assertThat(written.getInt(UserMadHeader.QKEY)).isEqualTo(0x0000_0180);
                assertThat(written.get(layout.bytes())).isEqualTo((byte) 1);
                assertThat(written.get(layout.bytes() + 255)).isEqualTo((byte) 2);
                return written.capacity();
            });
            port.send(SM, mad, Duration.ofNanos(1_000_001), 4);
            finish(port);
        }
    }

    @Test
    void rmppOfItsOwn() throws Exception {
        UmadPort port = opened(HeaderLayout.WITH_PKEY_INDEX, Rmpp.USER);
        assertThat(port.reassembles()).isFalse();
        finish(port);
    }

    private static long fill(ByteBuffer memory, int status, int length) {
        MadAddress peer = new MadAddress(9, 3, 1, 0, 1, Optional.empty());
        new UserMadHeader(5, status, 0, 0, 64 + length, peer).encode(memory, 0, 64);
        int room = Math.min(length, memory.capacity() - 64);
        for (int i = 0; i < room; i++) {
            memory.put(64 + i, (byte) i);
        }
        return 64L + room;
    }

    @Test
    void receives() throws Exception {
        UmadPort port = opened(HeaderLayout.WITH_PKEY_INDEX, Rmpp.KERNEL);
        script.expectPoll(List.of(FD), FD)
                .expectRead(FD, refused(Errno.EAGAIN))
                .expectPoll(List.of(FD), FD)
                .expectRead(FD, memory -> fill(memory, 0, 256));
        ReceivedMad mad = port.receive(Duration.ofSeconds(60), MAX).orElseThrow();
        assertThat(mad.status()).isZero();
        assertThat(mad.from()).isEqualTo(new MadAddress(9, 3, 1, 0x8001_0000, 1, Optional.empty()));
        assertThat(mad.mad().limit()).isEqualTo(256);
        assertThat(mad.mad().getInt(4)).isEqualTo(0x0405_0607);
        finish(port);
    }

    @Test
    void receivesAMessageLongerThanTheFirstRead() throws Exception {
        UmadPort port = opened(HeaderLayout.WITH_PKEY_INDEX, Rmpp.KERNEL);
        int length = 100_000;
        script.expectPoll(List.of(FD), FD)
                .expectRead(FD, memory -> {
                    fill(memory, 0, length);
                    return refused(Errno.ENOSPC);
                })
                .expectRead(FD, memory -> {
                    assertThat(memory.capacity()).isEqualTo(64 + length);
                    return fill(memory, 0, length);
                });
        ReceivedMad mad = port.receive(Duration.ofSeconds(60), MAX).orElseThrow();
        assertThat(mad.mad().limit()).isEqualTo(length);
        assertThat(mad.mad().get(99_999)).isEqualTo((byte) 99_999);
        finish(port);
    }

    /** It would stay the first of the kernel's queue: so it is read, into memory that is given back. */
    @Test
    void dropsAMessageOverTheLimit() throws Exception {
        UmadPort port = opened(HeaderLayout.WITH_PKEY_INDEX, Rmpp.KERNEL);
        int length = 512 << 20;
        script.expectPoll(List.of(FD), FD)
                .expectRead(FD, memory -> {
                    fill(memory, 0, length);
                    return refused(Errno.ENOSPC);
                })
                .expectRead(FD, memory -> {
                    assertThat(memory.capacity()).isEqualTo(64 + length);
                    return memory.capacity();
                });
        ReceivedMad mad = port.receive(Duration.ofSeconds(60), MAX).orElseThrow();
        assertThat(mad.status()).isEqualTo(ReceivedMad.TOO_LONG);
        assertThat(mad.from().lid()).isEqualTo(9);
        assertThat(mad.mad().limit()).isEqualTo(256);
        assertThat(mad.mad().get(255)).isEqualTo((byte) 255);
        finish(port);
    }

    @Test
    void dropsAMessageOverTheLimitThatFitsTheFirstRead() throws Exception {
        UmadPort port = opened(HeaderLayout.WITH_PKEY_INDEX, Rmpp.KERNEL);
        script.expectPoll(List.of(FD), FD).expectRead(FD, memory -> fill(memory, 0, 5000));
        ReceivedMad mad = port.receive(Duration.ofSeconds(60), 4999).orElseThrow();
        assertThat(mad.status()).isEqualTo(ReceivedMad.TOO_LONG);
        assertThat(mad.mad().limit()).isEqualTo(256);
        finish(port);
    }

    /** The length is the kernel's word; what it delivers then has to be as long. */
    @Test
    void aMessageThatIsNotAsLongAsAnnounced() throws Exception {
        UmadPort port = opened(HeaderLayout.WITH_PKEY_INDEX, Rmpp.KERNEL);
        script.expectPoll(List.of(FD), FD)
                .expectRead(FD, memory -> {
                    fill(memory, 0, 100_000);
                    return refused(Errno.ENOSPC);
                })
                .expectRead(FD, 50_000);
        assertThatThrownBy(() -> port.receive(Duration.ofSeconds(60), MAX)).isInstanceOf(MalformedReplyException.class);
        finish(port);
    }

    @Test
    void receivesThatThereIsNoAnswer() throws Exception {
        UmadPort port = opened(HeaderLayout.WITH_PKEY_INDEX, Rmpp.KERNEL);
        script.expectPoll(List.of(FD), FD).expectRead(FD, memory -> fill(memory, ReceivedMad.NO_ANSWER, 24));
        ReceivedMad mad = port.receive(Duration.ofSeconds(60), MAX).orElseThrow();
        assertThat(mad.status()).isEqualTo(110);
        assertThat(mad.mad().limit()).isEqualTo(24);
        finish(port);
    }

    @Test
    void messagesThatNoKernelDelivers() throws Exception {
        UmadPort port = opened(HeaderLayout.WITH_PKEY_INDEX, Rmpp.KERNEL);
        script.expectPoll(List.of(FD), FD).expectRead(FD, 63);
        assertThatThrownBy(() -> port.receive(Duration.ofSeconds(60), MAX)).isInstanceOf(MalformedReplyException.class);
        script.expectPoll(List.of(FD), FD).expectRead(FD, memory -> {
            memory.putInt(UserMadHeader.LENGTH, -1);
            return refused(Errno.ENOSPC);
        });
        assertThatThrownBy(() -> port.receive(Duration.ofSeconds(60), MAX)).isInstanceOf(MalformedReplyException.class);
        script.expectPoll(List.of(FD), FD).expectRead(FD, refused(Errno.EIO));
        assertThatThrownBy(() -> port.receive(Duration.ofSeconds(60), MAX))
                .isInstanceOf(ErrnoException.class)
                .hasMessageContaining("The device has gone");
        script.expectPoll(List.of(FD));
        assertThat(port.receive(Duration.ZERO, MAX)).isEmpty();
        finish(port);
    }

    @Test
    void listensOnce() throws Exception {
        UmadPort port = opened(HeaderLayout.WITH_PKEY_INDEX, Rmpp.KERNEL);
        script.expectIoctl(FD, MadIoctls.IB_USER_MAD_REGISTER_AGENT2, address -> {
            ByteBuffer request = ScriptedKernel.memory(address, RegisterAgent.BYTES);
            assertThat(request.getLong(RegisterAgent.METHOD_MASK)).isEqualTo(1 << 6);
            return 0;
        });
        port.listenForReports();
        port.listenForReports();
        finish(port);
    }

    @Test
    void closesTheDescriptorWhenRegistrationFails() {
        script.expectOpen(root.resolve("dev/infiniband/umad1").toString(), FD)
                .expectIoctl(FD, MadIoctls.IB_USER_MAD_REGISTER_AGENT2, address -> refused(Errno.ENOTTY))
                .expectClose(FD);
        assertThatThrownBy(() -> UmadPort.open(kernel(), "mlx5_0", 2, UmadPort.Options.DEFAULT))
                .isInstanceOf(ErrnoException.class)
                .hasMessageContaining("HeaderLayout.OLD");
        script.assertAllConsumed();
    }

    @Test
    void noNode() {
        assertThatThrownBy(() -> UmadPort.open(kernel(), "mlx5_0", 3, UmadPort.Options.DEFAULT))
                .isInstanceOf(UnsupportedByKernelException.class)
                .hasMessageContaining("port 3 of mlx5_0")
                .hasMessageContaining("modprobe ib_umad");
        script.expectOpen(root.resolve("dev/infiniband/umad1").toString(), refused(Errno.EACCES));
        assertThatThrownBy(() -> UmadPort.open(kernel(), "mlx5_0", 2, UmadPort.Options.DEFAULT))
                .isInstanceOf(ErrnoException.class)
                .hasMessageContaining("chmod a+rw");
        script.assertAllConsumed();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import static io.github.rdma4j.internal.uverbs.IoctlRequests.RDMA_VERBS_IOCTL;
import static io.github.rdma4j.internal.uverbs.UverbsAttributes.UVERBS_ATTR_UHW_IN;
import static io.github.rdma4j.internal.uverbs.UverbsAttributes.UVERBS_ATTR_UHW_OUT;
import static io.github.rdma4j.testkit.ScriptedKernel.memory;
import static io.github.rdma4j.testkit.ScriptedKernel.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.uverbs.DriverIds;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.testkit.ScriptedKernel;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.NodeType;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Devices whose drivers have no provider: the commands have the driver's part, and the queues say what is missing. */
class UnprovidedDriverTest {
    private static final int FD = 7;
    private static final int ASYNC = 8;
    private static final long DEVICE_NUMBER = 231L << 8 | 192;
    private static final int HEADER = 8;
    private static final int OUT_WORDS = 6;

    private final ScriptedKernel script =
            new ScriptedKernel().expectOpen("/x/dev/infiniband/uverbs0", FD).expectCharacterDevice(FD, DEVICE_NUMBER);

    private static RdmaDevice device(int driver, String name) {
        return new RdmaDevice(
                0, "some0", 1, NodeType.CA, "roce", 1, Optional.of("uverbs0"), DEVICE_NUMBER, driver, name, 9);
    }

    private DeviceContext open(int driver, String name) throws Exception {
        return DeviceContext.open(script.kernel(Path.of("/x")), device(driver, name));
    }

    /** A command of the write set: its sizes, and what it says; the reply is numbered from 40. */
    private void expectCommand(int number, int bytes, int replyBytes, Consumer<ByteBuffer> request) {
        script.expectWrite(FD, command -> {
            assertThat(command.getInt(0)).isEqualTo(number);
            assertThat(command.capacity()).as("bytes of command %d", number).isEqualTo(bytes);
            assertThat(command.getShort(OUT_WORDS) * 4)
                    .as("room for the reply of command %d", number)
                    .isEqualTo(replyBytes);
            request.accept(command);
            if (replyBytes > 0) {
                ByteBuffer reply = memory(command.getLong(HEADER), replyBytes);
                for (int at = 0; at < replyBytes; at += 4) {
                    reply.putInt(at, number == 0 ? ASYNC : 40 + at);
                }
            }
            return bytes;
        });
    }

    private void expectWriteTransport() {
        script.expectIoctl(FD, RDMA_VERBS_IOCTL, address -> refused(Errno.ENOTTY));
    }

    private void expectEnd() {
        script.expectClose(ASYNC).expectClose(FD);
    }

    @Test
    void tellsIrdmaWhichInterfaceItSpeaks() throws Exception {
        expectWriteTransport();
        expectCommand(
                0,
                HEADER + 8 + 16,
                8 + 72,
                request -> assertThat(request.get(HEADER + 8 + 4)).isEqualTo((byte) 5));
        script.expectNonBlocking(ASYNC);
        expectCommand(3, HEADER + 8, 4 + 8, request -> {});
        expectCommand(
                9,
                HEADER + 40 + 8,
                12,
                request -> assertThat(request.getLong(HEADER + 40)).isZero());
        expectCommand(13, HEADER + 4, 0, request -> {});
        expectCommand(4, HEADER + 4, 0, request -> {});
        expectEnd();
        try (DeviceContext context = open(DriverIds.RDMA_DRIVER_IRDMA, "irdma");
                ProtectionDomain pd = context.allocatePd()) {
            pd.registerMr(ByteBuffer.allocateDirect(64), EnumSet.of(Access.LOCAL_WRITE));
        }
        script.assertAllConsumed();
    }

    @Test
    void leavesRoomForTheKeysOfSiw() throws Exception {
        expectWriteTransport();
        expectCommand(0, HEADER + 8, 8 + 8, request -> {});
        script.expectNonBlocking(ASYNC);
        expectCommand(3, HEADER + 8, 4, request -> {});
        expectCommand(9, HEADER + 40 + 8, 12 + 8, request -> {});
        expectCommand(13, HEADER + 4, 0, request -> {});
        expectCommand(4, HEADER + 4, 0, request -> {});
        expectEnd();
        try (DeviceContext context = open(DriverIds.RDMA_DRIVER_SIW, "siw");
                ProtectionDomain pd = context.allocatePd()) {
            pd.registerMr(ByteBuffer.allocateDirect(64), EnumSet.of(Access.LOCAL_WRITE));
        }
        script.assertAllConsumed();
    }

    /** Attribute {@code id} of a command: its length and its data, {@code null} when there is none. */
    private static long[] attribute(ByteBuffer command, int id) {
        for (int at = 24; at < Short.toUnsignedInt(command.getShort(0)); at += 16) {
            if (Short.toUnsignedInt(command.getShort(at)) == id) {
                return new long[] {Short.toUnsignedInt(command.getShort(at + 2)), command.getLong(at + 8)};
            }
        }
        throw new AssertionError("no attribute " + Integer.toHexString(id));
    }

    @Test
    void asksMlx5ForRegisters() throws Exception {
        script.expectIoctl(FD, RDMA_VERBS_IOCTL, address -> refused(Errno.ENOSPC))
                .expectIoctl(FD, RDMA_VERBS_IOCTL, address -> {
                    ByteBuffer command = memory(address, 4096);
                    long[] request = attribute(command, UVERBS_ATTR_UHW_IN);
                    assertThat(request[0]).isEqualTo(32);
                    assertThat(memory(request[1], 32).getInt(0)).isEqualTo(16);
                    assertThat(memory(request[1], 32).getInt(4)).isEqualTo(4);
                    assertThat(attribute(command, UVERBS_ATTR_UHW_OUT)[0]).isEqualTo(72);
                    return 0;
                })
                .expectIoctl(FD, RDMA_VERBS_IOCTL, address -> {
                    memory(address, 4096).putLong(24 + 8, ASYNC);
                    return 0;
                })
                .expectNonBlocking(ASYNC);
        expectEnd();
        try (DeviceContext context = open(DriverIds.RDMA_DRIVER_MLX5, "mlx5")) {
            assertThat(context.transport()).isEqualTo("ioctl");
        }
        script.assertAllConsumed();
    }

    @Test
    void itsQueuesSayWhatIsMissing() throws Exception {
        expectWriteTransport();
        expectCommand(0, HEADER + 8, 8 + 16, request -> {});
        script.expectNonBlocking(ASYNC);
        expectCommand(3, HEADER + 8, 4 + 8, request -> {});
        expectCommand(4, HEADER + 4, 0, request -> {});
        expectEnd();
        try (DeviceContext context = open(DriverIds.RDMA_DRIVER_MLX4, "mlx4");
                ProtectionDomain pd = context.allocatePd()) {
            assertThatThrownBy(() -> context.createCq(4))
                    .isInstanceOf(UnsupportedDriverException.class)
                    .hasMessageContaining("driver mlx4 (2, ABI 9): there is no provider for it")
                    .hasMessageContaining("The control path works");
            assertThatThrownBy(() -> pd.createSrq(SrqOptions.builder().build()))
                    .isInstanceOf(UnsupportedDriverException.class);
            assertThatThrownBy(() -> pd.createAh(AhAttr.NONE)).isInstanceOf(UnsupportedDriverException.class);
        }
        script.assertAllConsumed();
    }
}

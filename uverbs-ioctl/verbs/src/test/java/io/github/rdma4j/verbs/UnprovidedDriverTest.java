// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsAttributes.*;
import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsMethods.*;
import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsObjects.*;
import static io.github.rdma4j.internal.uverbs.WriteCommand.WriteCommands.IB_USER_VERBS_CMD_ALLOC_PD;
import static io.github.rdma4j.internal.uverbs.WriteCommand.WriteCommands.IB_USER_VERBS_CMD_REG_MR;
import static io.github.rdma4j.testkit.ScriptedKernel.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.testkit.IoctlFrame;
import io.github.rdma4j.internal.uverbs.DriverIds;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.testkit.ScriptedKernel;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Devices whose drivers have no provider: the commands have the driver's part, and the queues say what is missing. */
class UnprovidedDriverTest {
    private static final int FD = 7;
    private static final int ASYNC = 8;
    private static final long DEVICE_NUMBER = 231L << 8 | 192;

    private final ScriptedKernel script =
            new ScriptedKernel().expectOpen("/x/dev/infiniband/uverbs0", FD).expectCharacterDevice(FD, DEVICE_NUMBER);

    private static RdmaDevice device(int driver, String name) {
        return device(driver, name, 9);
    }

    private static RdmaDevice device(int driver, String name, int abi) {
        return new RdmaDevice(
                0,
                "some0",
                1,
                RdmaDevice.NodeType.CA,
                "roce",
                1,
                Optional.of("uverbs0"),
                DEVICE_NUMBER,
                driver,
                name,
                abi);
    }

    private DeviceContext open(int driver, String name) throws Exception {
        return DeviceContext.open(script.kernel(Path.of("/x")), device(driver, name));
    }

    /** A method of the ioctl. */
    private void expectMethod(int object, int method, Consumer<IoctlFrame> answer) {
        script.expectIoctl(FD, IoctlFrame.RDMA_VERBS_IOCTL, address -> {
            IoctlFrame frame = new IoctlFrame(address);
            assertThat(List.of(frame.object(), frame.method())).containsExactly(object, method);
            answer.accept(frame);
            return 0;
        });
    }

    /** The two methods that open a context, of which the driver has part in the first. */
    private void expectContext(int driverReplyBytes, Consumer<ByteBuffer> driverRequest) {
        expectMethod(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_GET_CONTEXT, frame -> {
            assertThat(frame.output(UVERBS_ATTR_UHW_OUT).capacity()).isEqualTo(driverReplyBytes);
            driverRequest.accept(frame.input(UVERBS_ATTR_UHW_IN));
        });
        expectAsyncEvents();
    }

    private void expectAsyncEvents() {
        expectMethod(
                UVERBS_OBJECT_ASYNC_EVENT,
                UVERBS_METHOD_ASYNC_EVENT_ALLOC,
                frame -> frame.made(UVERBS_ATTR_ASYNC_EVENT_ALLOC_FD_HANDLE, ASYNC));
        script.expectNonBlocking(ASYNC);
    }

    /** A command of the write set with room for {@code driverReplyBytes} of the driver. */
    private void expectCommand(int number, int driverReplyBytes, Consumer<ByteBuffer> driverRequest) {
        expectMethod(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_INVOKE_WRITE, frame -> {
            assertThat(frame.number(UVERBS_ATTR_WRITE_CMD)).isEqualTo(number);
            assertThat(frame.output(UVERBS_ATTR_UHW_OUT).capacity()).isEqualTo(driverReplyBytes);
            driverRequest.accept(frame.input(UVERBS_ATTR_UHW_IN));
        });
    }

    private void expectDestroyed(int object, int method) {
        expectMethod(object, method, frame -> {});
    }

    private void expectEnd() {
        script.expectClose(ASYNC).expectClose(FD);
    }

    @Test
    void tellsIrdmaWhichInterfaceItSpeaks() throws Exception {
        expectContext(72, request -> assertThat(request.get(4)).isEqualTo((byte) 5));
        expectCommand(IB_USER_VERBS_CMD_ALLOC_PD, 8, request -> {});
        expectCommand(
                IB_USER_VERBS_CMD_REG_MR,
                0,
                request -> assertThat(request.getLong(0)).isZero());
        registerMemory(DriverIds.RDMA_DRIVER_IRDMA, "irdma");
    }

    private void registerMemory(int driver, String name) throws Exception {
        expectDestroyed(UVERBS_OBJECT_MR, UVERBS_METHOD_MR_DESTROY);
        expectDestroyed(UVERBS_OBJECT_PD, UVERBS_METHOD_PD_DESTROY);
        expectEnd();
        try (DeviceContext context = open(driver, name);
                ProtectionDomain pd = context.allocatePd()) {
            pd.registerMr(ByteBuffer.allocateDirect(64), EnumSet.of(Access.LOCAL_WRITE));
        }
        script.assertAllConsumed();
    }

    @Test
    void leavesRoomForTheKeysOfSiw() throws Exception {
        expectContext(8, request -> {});
        expectCommand(IB_USER_VERBS_CMD_ALLOC_PD, 0, request -> {});
        expectCommand(
                IB_USER_VERBS_CMD_REG_MR,
                8,
                request -> assertThat(request.capacity()).isEqualTo(8));
        registerMemory(DriverIds.RDMA_DRIVER_SIW, "siw");
    }

    @Test
    void asksMlx5ForRegisters() throws Exception {
        expectContext(72, request -> {
            assertThat(request.capacity()).isEqualTo(32);
            assertThat(request.getInt(0)).isEqualTo(16);
            assertThat(request.getInt(4)).isEqualTo(4);
        });
        expectEnd();
        open(DriverIds.RDMA_DRIVER_MLX5, "mlx5").close();
        script.assertAllConsumed();
    }

    @Test
    void findsOutTheDriverOfADeviceThatNetlinkDoesNotTell() throws Exception {
        script.expectIoctl(FD, IoctlFrame.RDMA_VERBS_IOCTL, address -> refused(Errno.EINVAL))
                .expectIoctl(FD, IoctlFrame.RDMA_VERBS_IOCTL, address -> refused(Errno.ENOSPC));
        expectMethod(
                UVERBS_OBJECT_DEVICE,
                UVERBS_METHOD_GET_CONTEXT,
                frame -> assertThat(frame.driver()).isEqualTo(DriverIds.RDMA_DRIVER_MLX5));
        expectAsyncEvents();
        expectEnd();
        open(DriverIds.RDMA_DRIVER_UNKNOWN, "some").close();
        script.assertAllConsumed();
    }

    @ParameterizedTest
    @ValueSource(ints = {DriverIds.RDMA_DRIVER_UNKNOWN, DriverIds.RDMA_DRIVER_MLX4})
    void saysWhichKernelIsNeeded(int driver) {
        script.expectIoctl(FD, IoctlFrame.RDMA_VERBS_IOCTL, address -> refused(Errno.ENOTTY))
                .expectClose(FD);
        assertThatThrownBy(() -> open(driver, "mlx4")).hasMessageContaining("Linux 5.8 or newer");
        script.assertAllConsumed();
    }

    /** What the doorbell of a device needs of the processor, an emulated one cannot show. */
    @Test
    void aCardNamesTheJarThatItsProviderIsIn() {
        assertThat(Providers.objection(device(DriverIds.RDMA_DRIVER_MLX5, "mlx5", 1), "amd64"))
                .contains("its provider is in rdma4j-cards, which is neither on the class path nor on the module path");
    }

    @Test
    void itsQueuesSayWhatIsMissing() throws Exception {
        expectContext(8, request -> {});
        expectCommand(IB_USER_VERBS_CMD_ALLOC_PD, 8, request -> {});
        expectDestroyed(UVERBS_OBJECT_PD, UVERBS_METHOD_PD_DESTROY);
        expectEnd();
        try (DeviceContext context = open(DriverIds.RDMA_DRIVER_MTHCA, "mthca");
                ProtectionDomain pd = context.allocatePd()) {
            assertThatThrownBy(() -> context.createCq(4))
                    .isInstanceOf(UnsupportedDriverException.class)
                    .hasMessageContaining("driver mthca (5, ABI 9): there is no provider for it")
                    .hasMessageContaining("The control path works");
            assertThatThrownBy(() ->
                            pd.createSrq(SharedReceiveQueueOptions.builder().build()))
                    .isInstanceOf(UnsupportedDriverException.class);
            assertThatThrownBy(() -> pd.createAh(AhAttr.NONE)).isInstanceOf(UnsupportedDriverException.class);
        }
        script.assertAllConsumed();
    }
}

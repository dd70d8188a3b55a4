// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import static io.github.rdma4j.providers.kernel.RawDevice.memory;
import static io.github.rdma4j.providers.kernel.RawDevice.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.internal.uverbs.CqCommands.ReqNotifyCq;
import io.github.rdma4j.internal.uverbs.MemoryCommands.RegMr;
import io.github.rdma4j.internal.uverbs.WriteCommand;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.verbs.RdmaDevices;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The answers of mlx5_ib in Linux 6.1 that a provider has to live with. */
class Mlx5KernelTest {
    private static final int NONE = 0;
    private static final int DYNAMIC_UARS = 3;
    private static final int REQUEST_BYTES = 32;

    private static int error(Errno errno) {
        return -errno.number();
    }

    private static int context(Mlx5Settings settings, ByteBuffer request) {
        try (RawDevice device = new RawDevice(new CardKernel(settings))) {
            return device.getContext(request);
        }
    }

    private static int context(ByteBuffer request) {
        return context(new Mlx5Settings(), request);
    }

    @Test
    void isFoundByNetlink() throws Exception {
        RdmaDevice device = RdmaDevices.find(new CardKernel(new Mlx5Settings()).kernel(), Mlx5Settings.DEVICE);
        assertThat(device.driverName()).isEqualTo("mlx5");
        assertThat(device.driverAbi()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4, 12})
    void makesNoContextWithoutTheDriversRequest(int bytes) {
        assertThat(context(words(new int[bytes / 4]))).isEqualTo(error(Errno.EINVAL));
    }

    @ParameterizedTest
    @ValueSource(ints = {32, 40})
    void makesAContextWithALongerRequestToo(int bytes) {
        ByteBuffer request = memory(bytes);
        request.putInt(0, 16).putInt(4, 4).putLong(24, DYNAMIC_UARS);
        assertThat(context(request)).isZero();
    }

    @Test
    void looksAtEveryFieldOfTheRequest() {
        assertThat(context(words(0, 0, 0, 0))).isEqualTo(error(Errno.EINVAL));
        assertThat(context(words(514, 0, 0, 0))).isEqualTo(error(Errno.ENOMEM));
        assertThat(context(words(16, 16, 0, 0))).isEqualTo(error(Errno.EINVAL));
        assertThat(context(words(16, 4, 2, 0))).isEqualTo(error(Errno.EINVAL));
        assertThat(context(words(16, 4, 0, 1))).isEqualTo(error(Errno.EOPNOTSUPP));
        assertThat(context(words(16, 4, 0, 0, 0x101, 0, 3, 0))).isEqualTo(error(Errno.EOPNOTSUPP));
        assertThat(context(words(16, 4, 0, 0, 1, 0, 3, 0, 1))).isEqualTo(error(Errno.EOPNOTSUPP));
    }

    @Test
    void saysThatTheProcessAllocatesDoorbellPages() {
        try (RawDevice device = new RawDevice(new CardKernel(new Mlx5Settings()))) {
            assertThat(device.getContext(DYNAMIC_UARS)).isZero();
            assertThat(device.driverReply(8)).isZero();
            assertThat(device.driverReply(40)).isEqualTo(72);
            assertThat(device.driverReply(44) & 0xff).isEqualTo(1);
        }
    }

    @Test
    void answersNoMoreThanTheDriverKnows() {
        Mlx5Settings old = new Mlx5Settings().contextReplyBytes(48).cqeVersion(0);
        try (RawDevice device = new RawDevice(new CardKernel(old))) {
            assertThat(device.getContext(DYNAMIC_UARS)).isZero();
            assertThat(device.driverReply(40)).isEqualTo(48);
            assertThat(device.driverReply(44) & 0xff).isZero();
            assertThat(device.driverReply(56)).isZero();
        }
    }

    @Test
    void makesNoProtectionDomainWithoutRoomForItsNumber() {
        try (RawDevice device = new RawDevice(new CardKernel(new Mlx5Settings()))) {
            device.getContext(DYNAMIC_UARS);
            assertThat(device.invoke(WriteCommand.ALLOC_PD, memory(8), words(), 0))
                    .isEqualTo(error(Errno.EFAULT));
            assertThat(device.invoke(WriteCommand.ALLOC_PD, memory(8), words(), 4))
                    .isZero();
        }
    }

    @Test
    void armsNoCompletionQueueByCommand() {
        try (RawDevice device = new RawDevice(new CardKernel(new Mlx5Settings()))) {
            ByteBuffer core = memory(16);
            ReqNotifyCq.encode(core, 0, 1, false);
            int result = device.invoke(WriteCommand.REQ_NOTIFY_CQ, core, words(), 0);
            assertThat(result).isEqualTo(error(Errno.EOPNOTSUPP));
        }
    }

    private static int allocateUar(RawDevice device, int type, ByteBuffer offset, ByteBuffer page) {
        return device.ioctl(
                0x1008,
                0x1000,
                new RawDevice.Attribute(0x1000, 0, 0),
                device.value(0x1001, type),
                device.buffer(0x1002, offset),
                device.buffer(0x1003, memory(4)),
                device.buffer(0x1004, page));
    }

    @Test
    void makesDoorbellPagesUntilThereAreNoMore() {
        CardKernel kernel = new CardKernel(new Mlx5Settings().uars(2));
        try (RawDevice device = new RawDevice(kernel)) {
            ByteBuffer offset = memory(8);
            assertThat(allocateUar(device, 1, offset, memory(4))).isEqualTo(error(Errno.EINVAL));
            device.getContext(DYNAMIC_UARS);
            assertThat(allocateUar(device, 1, offset, memory(4))).isZero();
            assertThat(device.map(offset.getLong(0), 4096)).isPositive();
            assertThat(device.map(0x301L << 12, 4096)).isEqualTo(error(Errno.EINVAL));
            assertThat(allocateUar(device, 2, offset, memory(4))).isEqualTo(error(Errno.EINVAL));
            assertThat(allocateUar(device, 0, offset, memory(4))).isZero();
            assertThat(allocateUar(device, 1, offset, memory(4))).isEqualTo(error(Errno.ENOMEM));
            assertThat(kernel.objects()).containsExactly("uar", "uar");
        }
        kernel.assertClean();
    }

    private static ByteBuffer cqRequest(long ring, long record, int flagsAndPage) {
        return memory(REQUEST_BYTES)
                .putLong(0, ring)
                .putLong(8, record)
                .putInt(16, 64)
                .putShort(22, (short) (flagsAndPage == NONE ? 0 : 2))
                .putShort(24, (short) flagsAndPage);
    }

    @Test
    void takesTheRingOfACompletionQueueWhereItIs() {
        CardKernel kernel = new CardKernel(new Mlx5Settings());
        try (RawDevice device = new RawDevice(kernel)) {
            device.getContext(DYNAMIC_UARS);
            ByteBuffer page = memory(4);
            allocateUar(device, 1, memory(8), page);
            long ring = device.map(8192);
            long record = device.map(4096);
            assertThat(device.createCq(100, cqRequest(ring, record, NONE))).isEqualTo(error(Errno.EINVAL));
            assertThat(device.createCq(100, cqRequest(ring, record, 0x7fff))).isEqualTo(error(Errno.EINVAL));
            int uar = page.getInt(0);
            assertThat(device.createCq(100, cqRequest(ring + 8, record, uar))).isEqualTo(error(Errno.EINVAL));
            assertThat(device.createCq(100, cqRequest(ring + 64, record, uar))).isEqualTo(error(Errno.EFAULT));
            assertThat(device.createCq(100, cqRequest(ring, record + 4092, uar)))
                    .isEqualTo(error(Errno.EINVAL));
            assertThat(device.createCq(100, memory(16))).isEqualTo(error(Errno.EINVAL));
            assertThat(device.createCq(100, cqRequest(ring, record, uar))).isZero();
            assertThat(device.reply(0)).isEqualTo(127);
            assertThat(kernel.lockedPages()).isEqualTo(3);
        }
        kernel.assertClean();
    }

    @Test
    void pinsNoMoreThanTheLimitAllows() {
        CardKernel kernel = new CardKernel(new Mlx5Settings().lockedBytes(8192));
        try (RawDevice device = new RawDevice(kernel)) {
            device.getContext(DYNAMIC_UARS);
            ByteBuffer page = memory(4);
            allocateUar(device, 1, memory(8), page);
            int uar = page.getInt(0);
            long record = device.map(4096);
            assertThat(device.createCq(64, cqRequest(device.map(8192), record, uar)))
                    .isEqualTo(error(Errno.ENOMEM));
            assertThat(kernel.lockedPages()).isZero();
            assertThat(device.createCq(63, cqRequest(device.map(4096), record, uar)))
                    .isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 8, 10})
    void letsNobodyChangeWhatTheOwnerMayNotWrite(int access) {
        try (RawDevice device = new RawDevice(new CardKernel(new Mlx5Settings()))) {
            device.getContext(DYNAMIC_UARS);
            device.invoke(WriteCommand.ALLOC_PD, memory(8), words(), 4);
            int pd = device.reply(0);
            long start = device.map(4096);
            ByteBuffer core = memory(40);
            new RegMr(start, 4096, start, pd, access).encode(core, 0);
            assertThat(device.invoke(WriteCommand.REG_MR, core, words(), 0)).isEqualTo(error(Errno.EINVAL));
            new RegMr(start, 4096, start, pd, access | 1).encode(core, 0);
            assertThat(device.invoke(WriteCommand.REG_MR, core, words(), 0)).isZero();
        }
    }

    @Test
    void refusesWhatATestWantsRefused() {
        CardKernel kernel = new CardKernel(new Mlx5Settings());
        kernel.failNext(KernelCommand.GET_CONTEXT, Errno.ENOMEM);
        try (RawDevice device = new RawDevice(kernel)) {
            assertThat(device.getContext(DYNAMIC_UARS)).isEqualTo(error(Errno.ENOMEM));
            assertThat(device.getContext(DYNAMIC_UARS)).isZero();
        }
    }

    @Test
    void answersNothingAfterTheDeviceIsGone() {
        CardKernel kernel = new CardKernel(new Mlx5Settings());
        try (RawDevice device = new RawDevice(kernel)) {
            device.getContext(DYNAMIC_UARS);
            int async = device.async();
            kernel.removeDevice();
            assertThat(device.invoke(WriteCommand.ALLOC_PD, memory(8), words(), 4))
                    .isEqualTo(error(Errno.EIO));
            ByteBuffer event = memory(16);
            long address = NativeMemory.address(event);
            assertThat(device.syscalls().read(async, address, 16)).isEqualTo(16);
            assertThat(event.getInt(8)).isEqualTo(8);
            assertThat(device.syscalls().read(async, address, 16)).isEqualTo(error(Errno.EIO));
        }
        assertThat(kernel.descriptors()).isZero();
    }

    @Test
    void opensNothingWhenThereAreNoDescriptors() {
        CardKernel kernel = new CardKernel(new Mlx5Settings());
        kernel.limitDescriptors(0);
        assertThatThrownBy(() -> RdmaDevices.find(kernel.kernel(), "mlx5_0")).isInstanceOf(ErrnoException.class);
    }
}

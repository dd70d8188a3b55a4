// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ioctl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.provider.Device.DriverMethod;
import io.github.rdma4j.internal.uverbs.DriverIds;
import io.github.rdma4j.internal.uverbs.VerbsIoctl;
import io.github.rdma4j.internal.uverbs.VerbsIoctl.IoctlAttr;
import io.github.rdma4j.internal.uverbs.VerbsIoctl.IoctlHeader;
import io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsAttributes;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.testkit.ScriptedKernel;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.function.LongToIntFunction;
import org.junit.jupiter.api.Test;

/** A method of the driver as the kernel sees it. */
class IoctlDriverMethodTest {
    private static final int FD = 7;
    private static final int OBJECT = 0x1008;
    private static final int METHOD = 0x1002;

    private final ScriptedKernel kernel = new ScriptedKernel();
    private final KernelFd device = KernelFd.adopt(kernel.kernel(Path.of("/")), FD, "uverbs0");

    private DriverMethod method() {
        return new ControlPath(device, DriverIds.RDMA_DRIVER_MLX5).driverMethod(OBJECT, METHOD, "DRIVER_METHOD");
    }

    private void expect(LongToIntFunction answer) {
        kernel.expectIoctl(FD, VerbsIoctl.RDMA_VERBS_IOCTL, answer);
    }

    private static ByteBuffer frame(long address) {
        ByteBuffer header = ScriptedKernel.memory(address, IoctlHeader.BYTES);
        return ScriptedKernel.memory(address, Short.toUnsignedInt(header.getShort(IoctlHeader.LENGTH)));
    }

    private static void assertAttribute(ByteBuffer frame, int index, int id, int length) {
        int at = IoctlHeader.ATTRS + index * IoctlAttr.BYTES;
        assertThat(frame.getShort(at + IoctlAttr.ATTR_ID)).isEqualTo((short) id);
        assertThat(frame.getShort(at + IoctlAttr.LEN)).isEqualTo((short) length);
        assertThat(frame.getShort(at + IoctlAttr.FLAGS)).isEqualTo((short) UverbsAttributes.UVERBS_ATTR_F_MANDATORY);
    }

    private static long data(ByteBuffer frame, int index) {
        return frame.getLong(IoctlHeader.ATTRS + index * IoctlAttr.BYTES + IoctlAttr.DATA);
    }

    @Test
    void namesTheMethodAndItsInputs() throws ErrnoException {
        expect(address -> {
            ByteBuffer frame = frame(address);
            assertThat(frame.getShort(IoctlHeader.OBJECT_ID)).isEqualTo((short) OBJECT);
            assertThat(frame.getShort(IoctlHeader.METHOD_ID)).isEqualTo((short) METHOD);
            assertThat(frame.getShort(IoctlHeader.NUM_ATTRS)).isEqualTo((short) 3);
            assertThat(frame.getInt(IoctlHeader.DRIVER_ID)).isEqualTo(DriverIds.RDMA_DRIVER_MLX5);
            assertAttribute(frame, 0, 0x1001, 8);
            assertAttribute(frame, 1, 0x1002, 4);
            assertAttribute(frame, 2, 0x1003, 0);
            assertThat(data(frame, 0)).isEqualTo(1);
            assertThat(data(frame, 1)).isEqualTo(0xffff_fffeL);
            assertThat(data(frame, 2)).isEqualTo(0xffff_fffdL);
            return 0;
        });
        try (DriverMethod method = method()) {
            method.constant(0x1001, 1).uint32(0x1002, -2).handle(0x1003, -3).send();
        }
        kernel.assertAllConsumed();
    }

    @Test
    void readsWhatTheKernelMadeAndWrote() throws ErrnoException {
        expect(address -> {
            ByteBuffer frame = frame(address);
            assertAttribute(frame, 0, 0x1000, 0);
            assertAttribute(frame, 1, 0x1001, 8);
            assertAttribute(frame, 2, 0x1002, 4);
            frame.putLong(IoctlHeader.ATTRS + IoctlAttr.DATA, 31);
            ScriptedKernel.memory(data(frame, 1), Long.BYTES).putLong(0, 0x9_0000_1000L);
            ScriptedKernel.memory(data(frame, 2), Integer.BYTES).putInt(0, -5);
            return 0;
        });
        try (DriverMethod method = method()) {
            int handle = method.create(0x1000);
            int offset = method.output(0x1001, Long.BYTES);
            int page = method.output(0x1002, Integer.BYTES);

            method.send();

            assertThat(method.created(handle)).isEqualTo(31);
            assertThat(method.getLong(offset)).isEqualTo(0x9_0000_1000L);
            assertThat(method.getInt(page)).isEqualTo(-5);
        }
        kernel.assertAllConsumed();
    }

    @Test
    void namesTheMethodThatTheKernelRefuses() {
        expect(address -> ScriptedKernel.refused(Errno.EPROTONOSUPPORT));
        try (DriverMethod method = method()) {
            assertThatThrownBy(method::send)
                    .isInstanceOfSatisfying(
                            ErrnoException.class,
                            failure -> assertThat(failure.errno()).isEqualTo(Errno.EPROTONOSUPPORT))
                    .hasMessageStartingWith("DRIVER_METHOD: EPROTONOSUPPORT");
        }
        kernel.assertAllConsumed();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ioctl;

import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsAttributes.*;
import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsMethods.*;
import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsObjects.*;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.uverbs.DriverIds;
import io.github.rdma4j.internal.uverbs.MemoryCommands.RegDmabufMr;
import io.github.rdma4j.internal.uverbs.MemoryCommands.RegMrReply;
import io.github.rdma4j.internal.uverbs.QpCommands.CreateQp;
import io.github.rdma4j.internal.uverbs.Srq;
import io.github.rdma4j.internal.uverbs.Srq.SrqTypes;
import io.github.rdma4j.internal.uverbs.VerbsIoctl;
import io.github.rdma4j.internal.uverbs.VerbsIoctl.IoctlAttr;
import io.github.rdma4j.internal.uverbs.VerbsIoctl.IoctlHeader;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.testkit.ScriptedKernel;
import io.github.rdma4j.verbs.attr.QpCap;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The attributes that name what XRC and dma-bufs need: which there are, and what is in them. */
class XrcMethodsTest {
    private static final int FD = 7;
    private static final int DMABUF = 9;
    private static final long COOKIE = 0x42;
    private static final QpCap CAP = new QpCap(4, 0, 1, 0, 0);

    private final ScriptedKernel kernel = new ScriptedKernel();
    private final KernelFd device = KernelFd.adopt(kernel.kernel(Path.of("/")), FD, "uverbs0");
    private final ControlPath control = new ControlPath(device, DriverIds.RDMA_DRIVER_MLX5);
    private final List<Map<Integer, Long>> inputs = new ArrayList<>();

    @AfterEach
    void sawAll() {
        kernel.assertAllConsumed();
    }

    /** Keeps the attributes that are inline. */
    private void expect(int object, int method) {
        kernel.expectIoctl(FD, VerbsIoctl.RDMA_VERBS_IOCTL, address -> {
            ByteBuffer frame = frame(address);
            assertThat(frame.getShort(IoctlHeader.OBJECT_ID)).isEqualTo((short) object);
            assertThat(frame.getShort(IoctlHeader.METHOD_ID)).isEqualTo((short) method);
            inputs.add(attributes(frame));
            return 0;
        });
    }

    private static ByteBuffer frame(long address) {
        ByteBuffer header = ScriptedKernel.memory(address, IoctlHeader.BYTES);
        return ScriptedKernel.memory(address, Short.toUnsignedInt(header.getShort(IoctlHeader.LENGTH)));
    }

    private static Map<Integer, Long> attributes(ByteBuffer frame) {
        Map<Integer, Long> found = new TreeMap<>();
        for (int i = 0; i < frame.getShort(IoctlHeader.NUM_ATTRS); i++) {
            int at = IoctlHeader.ATTRS + i * IoctlAttr.BYTES;
            int length = frame.getShort(at + IoctlAttr.LEN);
            boolean isAddress = length > 0 && frame.getLong(at + IoctlAttr.DATA) >>> 32 != 0;
            if (!isAddress) {
                found.put((int) frame.getShort(at + IoctlAttr.ATTR_ID), frame.getLong(at + IoctlAttr.DATA));
            }
        }
        return found;
    }

    @Test
    void aTargetHasADomainAndNothingElse() throws ErrnoException {
        expect(UVERBS_OBJECT_QP, UVERBS_METHOD_QP_CREATE);
        control.createQp(
                new CreateQp(COOKIE, 5, 0, 0, CAP, 0, QueuePairType.XRC_TGT.code(), false, 0), DriverExchange.NONE);
        assertThat(inputs)
                .containsExactly(Map.of(
                        UVERBS_ATTR_CREATE_QP_HANDLE,
                        0L,
                        UVERBS_ATTR_CREATE_QP_XRCD_HANDLE,
                        5L,
                        UVERBS_ATTR_CREATE_QP_USER_HANDLE,
                        COOKIE,
                        UVERBS_ATTR_CREATE_QP_TYPE,
                        10L));
    }

    @Test
    void anInitiatorHasNoQueueForReceives() throws ErrnoException {
        expect(UVERBS_OBJECT_QP, UVERBS_METHOD_QP_CREATE);
        control.createQp(
                new CreateQp(COOKIE, 5, 6, 0, CAP, 0, QueuePairType.XRC_INI.code(), false, 0), DriverExchange.NONE);
        assertThat(inputs)
                .containsExactly(Map.of(
                        UVERBS_ATTR_CREATE_QP_HANDLE,
                        0L,
                        UVERBS_ATTR_CREATE_QP_PD_HANDLE,
                        5L,
                        UVERBS_ATTR_CREATE_QP_SEND_CQ_HANDLE,
                        6L,
                        UVERBS_ATTR_CREATE_QP_USER_HANDLE,
                        COOKIE,
                        UVERBS_ATTR_CREATE_QP_TYPE,
                        9L));
    }

    @Test
    void aSharedReceiveQueueHasADomainAndACompletionQueue() throws ErrnoException {
        expect(UVERBS_OBJECT_SRQ, UVERBS_METHOD_SRQ_CREATE);
        Srq.CreateCommand core = new Srq.CreateCommand(COOKIE, 5, 31, 2, 3);
        Created.Srq made = control.createSrq(core, new Srq.Xrc(8, 9), DriverExchange.NONE);
        assertThat(made.driverReply().capacity()).isZero();
        assertThat(inputs)
                .containsExactly(new TreeMap<>(Map.of(
                        UVERBS_ATTR_CREATE_SRQ_HANDLE,
                        0L,
                        UVERBS_ATTR_CREATE_SRQ_PD_HANDLE,
                        5L,
                        UVERBS_ATTR_CREATE_SRQ_XRCD_HANDLE,
                        8L,
                        UVERBS_ATTR_CREATE_SRQ_CQ_HANDLE,
                        9L,
                        UVERBS_ATTR_CREATE_SRQ_USER_HANDLE,
                        COOKIE,
                        UVERBS_ATTR_CREATE_SRQ_MAX_WR,
                        31L,
                        UVERBS_ATTR_CREATE_SRQ_MAX_SGE,
                        2L,
                        UVERBS_ATTR_CREATE_SRQ_LIMIT,
                        3L,
                        UVERBS_ATTR_CREATE_SRQ_TYPE,
                        (long) SrqTypes.IB_UVERBS_SRQT_XRC)));
    }

    @Test
    void aRegionOfADmaBufHasItsDescriptorAndPlace() throws ErrnoException {
        kernel.expectIoctl(FD, VerbsIoctl.RDMA_VERBS_IOCTL, address -> {
            ByteBuffer frame = frame(address);
            assertThat(frame.getShort(IoctlHeader.OBJECT_ID)).isEqualTo((short) UVERBS_OBJECT_MR);
            assertThat(frame.getShort(IoctlHeader.METHOD_ID)).isEqualTo((short) UVERBS_METHOD_REG_DMABUF_MR);
            inputs.add(attributes(frame));
            answer(frame);
            return 0;
        });
        KernelFd dmabuf = KernelFd.adopt(kernel.kernel(Path.of("/")), DMABUF, "dma-buf");
        assertThat(control.regDmabufMr(new RegDmabufMr(5, 0x2000, 0x1000, 0x7000, 0x10000f), dmabuf))
                .contains(new RegMrReply(31, 107, 108));
        assertThat(inputs)
                .containsExactly(Map.of(
                        UVERBS_ATTR_REG_DMABUF_MR_HANDLE,
                        0L,
                        UVERBS_ATTR_REG_DMABUF_MR_PD_HANDLE,
                        5L,
                        UVERBS_ATTR_REG_DMABUF_MR_OFFSET,
                        0x2000L,
                        UVERBS_ATTR_REG_DMABUF_MR_LENGTH,
                        0x1000L,
                        UVERBS_ATTR_REG_DMABUF_MR_IOVA,
                        0x7000L,
                        UVERBS_ATTR_REG_DMABUF_MR_FD,
                        (long) DMABUF,
                        UVERBS_ATTR_REG_DMABUF_MR_ACCESS_FLAGS,
                        0x10000fL));
    }

    /** Handle 31, and keys of 100 and the attribute's number. */
    private static void answer(ByteBuffer frame) {
        for (int i = 0; i < frame.getShort(IoctlHeader.NUM_ATTRS); i++) {
            int at = IoctlHeader.ATTRS + i * IoctlAttr.BYTES;
            int id = frame.getShort(at + IoctlAttr.ATTR_ID);
            if (id == UVERBS_ATTR_REG_DMABUF_MR_HANDLE) {
                frame.putLong(at + IoctlAttr.DATA, 31);
            } else if (id >= UVERBS_ATTR_REG_DMABUF_MR_RESP_LKEY) {
                assertThat(frame.getShort(at + IoctlAttr.LEN)).isEqualTo((short) Integer.BYTES);
                ScriptedKernel.memory(frame.getLong(at + IoctlAttr.DATA), Integer.BYTES)
                        .putInt(0, 100 + id);
            }
        }
    }

    @Test
    void aKernelWithoutTheMethodRegistersNothing() throws ErrnoException {
        kernel.expectIoctl(FD, VerbsIoctl.RDMA_VERBS_IOCTL, address -> ScriptedKernel.refused(Errno.EPROTONOSUPPORT));
        KernelFd dmabuf = KernelFd.adopt(kernel.kernel(Path.of("/")), DMABUF, "dma-buf");
        assertThat(control.regDmabufMr(new RegDmabufMr(5, 0, 1, 0, 0), dmabuf)).isEmpty();
    }
}

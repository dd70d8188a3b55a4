// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rxe;

import io.github.rdma4j.internal.uverbs.DriverIds;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import io.github.rdma4j.verbs.provider.CompletionRing;
import io.github.rdma4j.verbs.provider.Provider;
import io.github.rdma4j.verbs.provider.ReceiveRing;
import io.github.rdma4j.verbs.provider.SendRing;
import java.nio.ByteBuffer;

/** The data path of soft-RoCE: rings in memory shared with the kernel, and a doorbell by write(2). */
public final class RxeProvider implements Provider {
    /** The ABI whose structs are the same for 32-bit and 64-bit user space, since Linux 4.19. */
    private static final int ABI = 2;

    /** For {@link java.util.ServiceLoader}. */
    public RxeProvider() {}

    @Override
    public int driverId() {
        return DriverIds.RDMA_DRIVER_RXE;
    }

    @Override
    public int oldestDriverAbi() {
        return ABI;
    }

    @Override
    public int newestDriverAbi() {
        return ABI;
    }

    @Override
    public int cqReplyBytes() {
        return CreateCqResp.BYTES;
    }

    @Override
    public int qpReplyBytes() {
        return CreateQpResp.BYTES;
    }

    @Override
    public int ahReplyBytes() {
        return CreateAhResp.BYTES;
    }

    /** Without a number the kernel would expect the whole address, hardware address included, in every work request. */
    @Override
    public int addressNumber(ByteBuffer driverReply) throws UnsupportedByKernelException {
        int number = driverReply.getInt(CreateAhResp.AH_NUM);
        if (number == 0) {
            throw new UnsupportedByKernelException(
                    "rxe of this kernel does not number its address handles: datagrams need Linux 5.15 or newer");
        }
        return number;
    }

    @Override
    public CompletionRing mapCompletionRing(Device device, ByteBuffer driverReply) throws RdmaException {
        return new RxeCompletionRing(map(device, driverReply, CreateCqResp.MI, "rxe completion ring"));
    }

    @Override
    public SendRing mapSendRing(Device device, ByteBuffer driverReply, int qpHandle) throws RdmaException {
        RxeQueue queue = map(device, driverReply, CreateQpResp.SQ_MI, "rxe send ring");
        return new RxeSendRing(queue, device.postSend(qpHandle));
    }

    @Override
    public ReceiveRing mapReceiveRing(Device device, ByteBuffer driverReply) throws RdmaException {
        return new RxeReceiveRing(map(device, driverReply, CreateQpResp.RQ_MI, "rxe receive ring"));
    }

    @Override
    public int srqReplyBytes() {
        return CreateSrqResp.BYTES;
    }

    @Override
    public int modifySrqRequestBytes() {
        return ModifySrqCmd.BYTES;
    }

    @Override
    public ReceiveRing mapSharedReceiveRing(Device device, ByteBuffer driverReply) throws RdmaException {
        return new RxeReceiveRing(map(device, driverReply, CreateSrqResp.MI, "rxe shared receive ring"));
    }

    private static RxeQueue map(Device device, ByteBuffer driverReply, int at, String what) throws RdmaException {
        long offset = driverReply.getLong(at + MinfoLayout.OFFSET);
        int size = driverReply.getInt(at + MinfoLayout.SIZE);
        Mapping mapping = device.map(offset, size, what);
        return RxeQueue.over(mapping, what);
    }
}
